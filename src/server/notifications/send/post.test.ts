import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { certificate } from '../../../../test/support/certificate.ts';
import { startWebReceiver, type WebReceiver } from '../../../../test/support/receivers.ts';
import { type PostSettings, post, secondsOf } from './post.ts';

const NOW = new Date('2026-06-18T13:00:00Z');
let receiver: WebReceiver;
let other: WebReceiver;
beforeAll(async () => {
  receiver = await startWebReceiver();
  other = await startWebReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await other?.stop();
});
beforeEach(() => {
  receiver.respond = (response) => void response.end('ok');
  receiver.posts.length = 0;
  other.posts.length = 0;
});

const settings: PostSettings = { allowPrivate: true, now: () => NOW, ca: certificate, resolve: async () => [] };
const send = (url = `${receiver.url}/hook?key=1`, more: Partial<PostSettings> = {}) =>
  post(url, '{"text":"ä"}', { 'content-type': 'application/json', 'x-one': 'two' }, { ...settings, ...more });

test('a body arrives as it is, with its headers, once', async () => {
  expect(await send()).toMatchObject({ state: 'sent', status: '200', message: 'ok', retryAfter: null, gone: false });
  expect(receiver.posts).toEqual([
    {
      path: '/hook?key=1',
      headers: expect.objectContaining({ 'x-one': 'two', 'content-length': '13' }),
      body: '{"text":"ä"}',
    },
  ]);
});

test.each([
  [200, 'sent'],
  [202, 'sent'],
  [204, 'sent'],
  [301, 'final'],
  [302, 'final'],
  [307, 'final'],
  [400, 'final'],
  [403, 'final'],
  [404, 'final'],
  [410, 'final'],
  [408, 'retry'],
  [425, 'retry'],
  [429, 'retry'],
  [500, 'retry'],
  [503, 'retry'],
] as const)('%i is %s', async (status, state) => {
  receiver.respond = (response) => void response.writeHead(status, { location: `${other.url}/` }).end();
  const outcome = await send();

  expect(outcome).toMatchObject({ state, status: String(status), gone: status === 404 || status === 410 });
  // A redirect is not followed.
  expect(other.posts).toEqual([]);
});

test.each([
  [400, 'invalid_payload', 'final', false],
  [403, 'action_prohibited', 'final', false],
  [404, 'no_service', 'final', true],
  [410, 'channel_is_archived', 'final', true],
  [500, 'rollup_error', 'retry', false],
] as const)('Slack’s %i %s is %s', async (status, words, state, gone) => {
  receiver.respond = (response) => void response.writeHead(status).end(words);
  expect(await send()).toEqual({
    ...{ state, gone, status: String(status), message: words, body: words, retryAfter: null },
  });
});

test('how long to wait is told in seconds or by a date, up to four hours', async () => {
  receiver.respond = (response) => void response.writeHead(429, { 'retry-after': '90' }).end();
  expect(await send()).toMatchObject({ state: 'retry', retryAfter: 90 });
  expect(
    [undefined, 'soon', '0', '99999999', 'Thu, 18 Jun 2026 13:01:00 GMT', 'Thu, 18 Jun 2026 12:00:00 GMT'].map(
      (header) => secondsOf(header, NOW),
    ),
  ).toEqual([null, null, 0, 14_400, 60, 0]);
});

test('of an answer 64 kB are read, and 200 characters in one line are told', async () => {
  receiver.respond = (response) => {
    response.writeHead(400);
    const more = () => {
      while (!response.destroyed && response.write('no\u202e\n'.repeat(1000)));
      response.once('drain', more);
    };
    more();
  };
  const outcome = await send();
  expect([outcome.state, outcome.body.length <= 65_536, [...outcome.message].length]).toEqual(['final', true, 200]);
  expect(outcome.message).toMatch(/^no no no/);
});

test('what breaks before the body may be sent again', async () => {
  expect(await send('https://127.0.0.1:1/')).toMatchObject({
    state: 'retry',
    status: null,
    message: 'The connection was refused.',
  });
  expect(await send('http://127.0.0.1:1/')).toMatchObject({ state: 'final' });
  const { ca: _, ...untrusting } = settings;
  expect(await post(receiver.url, '{}', {}, untrusting)).toMatchObject({ state: 'retry', status: null });
  const nowhere = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
  expect(await send('https://nowhere.test/', nowhere)).toMatchObject({
    state: 'retry',
    message: 'Its name doesn’t resolve.',
  });
  // Takes connections and says nothing, not even in TLS.
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  expect(await send(`https://127.0.0.1:${port}/`, { patience: 100 })).toMatchObject({
    state: 'retry',
    message: 'No answer in time.',
  });
  silent.close();
  expect(receiver.posts).toEqual([]);
});

test('what breaks or takes too long after the body began may have arrived', async () => {
  receiver.respond = (_response, _request, socket) => socket.destroy();
  expect(await send()).toMatchObject({ state: 'unknown', status: null });
  receiver.respond = () => undefined;
  expect(await send(undefined, { patience: 200 })).toMatchObject({ state: 'unknown', message: 'No answer in time.' });
  expect(receiver.posts).toHaveLength(2);
});

test('an answer of 101, which switches to something else, ends it at once: it may have arrived', async () => {
  const closed = Promise.withResolvers<void>();
  receiver.respond = (_response, _request, socket) => {
    socket.once('close', () => closed.resolve());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  };

  expect(await send()).toMatchObject({ state: 'unknown', status: null, message: 'It answered 101.' });
  await closed.promise;
});

test.each([
  [200, 'sent'],
  [404, 'final'],
  [503, 'retry'],
] as const)('%i is %s although its body does not come in time', async (status, state) => {
  receiver.respond = (response) => void response.writeHead(status, { 'content-length': '20' }).write('part');

  expect(await send(undefined, { patience: 300 })).toMatchObject({ state, status: String(status), message: 'part' });
});

test('of the addresses of a name another one is tried where the first does not answer', async () => {
  const { port } = receiver;
  const resolve = async () => ['127.0.0.2', '127.0.0.1'];
  expect(await send(`https://hooks.test:${port}/`, { resolve })).toMatchObject({ state: 'sent' });
  expect(receiver.posts).toHaveLength(1);
});

test('a name is asked for at each sending, and the address that was looked at is the one that is used', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['169.254.169.254']];
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return answers[asked.length - 1]!;
  };
  const url = `https://hooks.test:${receiver.port}/`;
  expect(await send(url, { resolve })).toMatchObject({ state: 'sent' });
  expect(receiver.posts[0]!.headers.host).toBe(`hooks.test:${receiver.port}`);

  const outside = { resolve, allowPrivate: false };
  for (let at = 0; at < 3; at += 1)
    expect(await send(url, outside)).toMatchObject({
      state: 'final',
      message: 'The address leads into a private network.',
    });
  expect(asked).toEqual(['hooks.test', 'hooks.test', 'hooks.test', 'hooks.test']);
  expect(receiver.posts).toHaveLength(1);
});

test.each([
  'https://127.0.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f.1:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::1]:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/',
])('nothing is sent to %s while private addresses are not allowed', async (url) => {
  expect(await send(url.replace('PORT', String(receiver.port)), { allowPrivate: false })).toMatchObject({
    state: 'final',
  });
  expect(receiver.posts).toEqual([]);
});
