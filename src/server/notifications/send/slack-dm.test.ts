import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWebReceiver } from '../../../../test/support/receivers.ts';
import { sendSlackDm } from './slack-dm.ts';

const NOW = new Date('2026-06-18T13:00:00Z');
const TOKEN = 'xoxb-planted';
const message = { text: 'Hello', blocks: [], unfurl_links: false, unfurl_media: false } as const;

interface Call {
  readonly method: string;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

let slack: Server;
let api_url: string;
const calls: Call[] = [];
/** What Slack does with calls of a method, instead of ok. */
const answers = new Map<string, (response: ServerResponse) => void>();

beforeAll(async () => {
  slack = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const method = (request.url ?? '').replace('/api/', '');
      const { authorization, 'content-type': type } = request.headers;
      calls.push({ method, authorization, type, body: Buffer.concat(chunks).toString('utf8') });
      const answer = answers.get(method);
      if (answer === undefined) response.end(JSON.stringify({ ok: true, user: { id: 'U1' } }));
      else answer(response);
    });
  });
  slack.listen(0, '127.0.0.1');
  await once(slack, 'listening');
  api_url = `http://127.0.0.1:${(slack.address() as AddressInfo).port}/api`;
});
afterAll(() => {
  slack.closeAllConnections();
  slack.close();
});
beforeEach(() => {
  calls.length = 0;
  answers.clear();
});

const send = (to = api_url, patience = 5000) =>
  sendSlackDm({ token: TOKEN, api_url: to }, 'ada+x@host.example', message, { now: () => NOW, patience });
const says = (error: string) => (response: ServerResponse) => void response.end(JSON.stringify({ ok: false, error }));

test('whoever Slack knows by the address gets a message, with the token of the bot', async () => {
  expect(await send()).toEqual({ state: 'sent', status: '200', message: 'ok', retryAfter: null, gone: false });
  expect(calls).toEqual([
    {
      ...{ method: 'users.lookupByEmail', authorization: `Bearer ${TOKEN}` },
      ...{ type: 'application/x-www-form-urlencoded', body: 'email=ada%2Bx%40host.example' },
    },
    {
      ...{ method: 'chat.postMessage', authorization: `Bearer ${TOKEN}`, type: 'application/json; charset=utf-8' },
      body: JSON.stringify({ channel: 'U1', ...message }),
    },
  ]);
});

test.each([
  ['users.lookupByEmail', 'users_not_found', 'final', 'Slack knows nobody by that mail address.'],
  ['users.lookupByEmail', 'invalid_auth', 'final', 'Slack rejects this server’s token: invalid_auth.'],
  ['users.lookupByEmail', 'missing_scope', 'final', 'Slack rejects this server’s token: missing_scope.'],
  ['users.lookupByEmail', 'internal_error', 'retry', 'internal_error'],
  ['chat.postMessage', 'token_revoked', 'final', 'Slack rejects this server’s token: token_revoked.'],
  ['chat.postMessage', 'invalid_blocks', 'final', 'invalid_blocks'],
  ['chat.postMessage', 'ratelimited', 'retry', 'ratelimited'],
  ['chat.postMessage', 'service_unavailable', 'retry', 'service_unavailable'],
  ['chat.postMessage', 'fatal_error', 'unknown', 'fatal_error'],
] as const)('when %s says %s it is %s', async (method, error, state, words) => {
  answers.set(method, says(error));
  expect(await send()).toEqual({ state, status: '200', message: words, retryAfter: null, gone: false });
});

test.each([
  [429, 'retry'],
  [503, 'retry'],
  [408, 'retry'],
  [302, 'final'],
  [404, 'final'],
] as const)('a status of %i is %s, and nobody’s channel is gone by it', async (status, state) => {
  answers.set('chat.postMessage', (response) => void response.writeHead(status, { 'retry-after': '30' }).end());
  expect(await send()).toMatchObject({
    ...{ state, status: String(status), gone: false, retryAfter: state === 'retry' ? 30 : null },
  });
  expect(calls).toHaveLength(2);
});

test('what is no answer of Slack’s is final', async () => {
  answers.set('users.lookupByEmail', (response) => void response.end('<html>a proxy</html>'));
  expect(await send()).toMatchObject({ state: 'final', message: 'The answer isn’t Slack’s.' });
  answers.set('users.lookupByEmail', (response) => void response.end('{"ok":true}'));
  expect(await send()).toMatchObject({ state: 'final', message: 'Slack’s answer names nobody.' });
});

test('what breaks before the message began may be sent again, what breaks after that may have arrived', async () => {
  expect(await send('http://127.0.0.1:1/api')).toMatchObject({ state: 'retry', status: null });
  expect(await send('https://nowhere.invalid/api')).toMatchObject({ state: 'retry', status: null });
  const untrusted = await startWebReceiver();
  expect(await send(`${untrusted.url}/api`)).toMatchObject({ state: 'retry', status: null });
  expect(untrusted.posts).toEqual([]);
  await untrusted.stop();

  answers.set('users.lookupByEmail', (response) => void response.destroy());
  expect(await send()).toMatchObject({ state: 'retry', status: null });
  expect(calls.map(({ method }) => method)).toEqual(['users.lookupByEmail']);
  answers.delete('users.lookupByEmail');
  answers.set('chat.postMessage', (response) => void response.destroy());
  expect(await send()).toMatchObject({ state: 'unknown', status: null });
  answers.set('chat.postMessage', () => undefined);
  expect(await send(api_url, 300)).toMatchObject({ state: 'unknown', message: 'No answer in time.' });
});

test('no outcome has the token', async () => {
  answers.set('chat.postMessage', says('invalid_auth'));
  const outcomes = [await send(), await send('http://127.0.0.1:1/api'), await send('https://nowhere.invalid/api')];
  expect(JSON.stringify(outcomes)).not.toContain(TOKEN);
});
