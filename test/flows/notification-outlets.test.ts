import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationChannel } from '../../src/contract/notifications.ts';
import { outletsOf } from '../../src/server/notifications/configured-outlets.ts';
import { openTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts';
import { certificate } from '../support/certificate.ts';
import { type MailReceiver, startMailReceiver, startWebReceiver, type WebReceiver } from '../support/receivers.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/** The calls about notifications with a mail server, a webhook's receiver and a Slack to talk to. */
let now = Date.parse('2026-06-18T13:00:00Z');
const BOT_TOKEN = 'xoxb-planted-token-of-the-bot';

let simulator: RunningSimulator;
let app: TestApp;
let cookie: string;
let mail: MailReceiver;
let web: WebReceiver;
let slack: Server;
/** What Slack was asked, and what it answers next instead of ok. */
const asked: { method: string; body: string; authorization: string | undefined }[] = [];
const slackSays: object[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await simulator.control('accounts', { login: 'ada' });
  mail = await startMailReceiver();
  web = await startWebReceiver();
  slack = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization } = request.headers;
      asked.push({ method: request.url ?? '', body: Buffer.concat(chunks).toString('utf8'), authorization });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(slackSays.shift() ?? { ok: true, user: { id: 'U1' } }));
    });
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const api_url = `http://127.0.0.1:${(slack.address() as AddressInfo).port}/api`;
  const config = {
    mail: mail.settings,
    slack: { token: BOT_TOKEN, api_url },
    ...{ allow_private_webhooks: true, notifications: true, public_url: PUBLIC_URL },
  };
  const clock = () => new Date(now);
  const outlets = outletsOf({ config, now: clock, network: { ca: certificate, resolve: async () => ['127.0.0.1'] } });
  app = await openTestApp({ host_url: simulator.url, now: clock, config, outlets });
  cookie = await app.signIn('ada');
  await app.database.db.updateTable('users').set({ email: 'ada@host.example' }).execute();
});
afterAll(async () => {
  await app?.stop();
  slack?.close();
  await web?.stop();
  await mail?.stop();
  await simulator?.stop();
});
beforeEach(() => {
  now += 60_000;
  for (const list of [mail.mails, web.posts, asked, slackSays]) list.length = 0;
});

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
  app.ask(method, path, { as: cookie, ...(body !== undefined && { body }) });
const sendTest = async (channel: unknown) => (await ask('POST', '/api/notifications/test', { channel })).body;
const bodyOf = (raw: string) => raw.slice(raw.indexOf('\r\n\r\n')).replaceAll('=\r\n', '').replaceAll('=3D', '=');

test('an address is confirmed by the link in the mail that arrives there', async () => {
  const saved = await ask('PUT', '/api/notifications', { mail: { address: 'ada@else.example' } });
  expect(saved).toMatchObject({ status: 200, body: { mail: { address: 'ada@else.example', confirmed: false } } });
  const [confirmation] = mail.mails;
  expect(mail.mails).toHaveLength(1);
  expect(confirmation).toMatchObject({ from: 'mergelight@mail.test', to: ['ada@else.example'] });
  expect(confirmation!.raw).toContain('Subject: Mergelight: confirm this address\r\n');

  const [link = ''] = /http:\/\/localhost:3000\/confirm\/[\w-]{43}/.exec(bodyOf(confirmation!.raw)) ?? [];
  const path = new URL(link).pathname;
  expect((await app.server.app.inject({ method: 'GET', url: path })).statusCode).toBe(200);
  expect((await ask('GET', '/api/notifications')).body).toMatchObject({ mail: { confirmed: false } });
  expect((await app.server.app.inject({ method: 'POST', url: path })).statusCode).toBe(200);
  expect((await ask('GET', '/api/notifications')).body).toMatchObject({ mail: { confirmed: true } });

  expect(await sendTest('mail')).toMatchObject({ ok: true, status: '250' });
  expect(mail.mails[1]!.to).toEqual(['ada@else.example']);
  expect(bodyOf(mail.mails[1]!.raw)).toContain('This is Mergelight. It works.');
});

test('a mailing list is asked once, and then takes messages', async () => {
  const made = await ask('POST', '/api/channels', { type: 'mail', name: 'All', address: 'all@lists.example' });
  const { id } = made.body as NotificationChannel;
  expect(mail.mails.map(({ to }) => to)).toEqual([['all@lists.example']]);
  const [path = ''] = /\/confirm\/[\w-]{43}/.exec(bodyOf(mail.mails[0]!.raw)) ?? [];
  await app.server.app.inject({ method: 'POST', url: path });

  expect(await sendTest(id)).toMatchObject({ ok: true });
  expect(mail.mails[1]!.to).toEqual(['all@lists.example']);
  expect(mail.mails[1]!.raw).not.toMatch(/^List-Unsubscribe/m);
});

test('a webhook takes what is signed with its secret', async () => {
  const url = `https://hooks.test:${web.port}/hooks/one`;
  const made = await ask('POST', '/api/channels', { type: 'webhook', name: 'Ours', url, personal: true });
  const { id, secret } = made.body as NotificationChannel & { secret: string };
  expect(await sendTest(id)).toMatchObject({ ok: true, status: '200', message: 'ok' });

  const [{ path, headers, body }] = web.posts as [WebReceiver['posts'][0]];
  const timestamp = String(now / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  expect([path, headers]).toMatchObject([
    '/hooks/one',
    {
      ...{ 'content-type': 'application/json', 'x-mergelight-event': 'test', 'x-mergelight-timestamp': timestamp },
      'x-mergelight-signature': `sha256=${signature}`,
    },
  ]);
  const { deliveries } = (await ask('GET', '/api/notifications/log')).body as {
    deliveries: { channel: unknown; state: string }[];
  };
  expect(deliveries).toContainEqual(expect.objectContaining({ channel: id, state: 'sent', kind: 'test' }));
  const row = await app.database.db
    .selectFrom('notifications')
    .select('id')
    .where('channel_id', '=', id)
    .executeTakeFirstOrThrow();
  expect([headers['x-mergelight-delivery'], JSON.parse(body)]).toMatchObject([
    row.id,
    {
      id: row.id,
      kind: 'test',
      recipient: { type: 'person', name: 'ada' },
      items: [],
      links: { settings: `${PUBLIC_URL}/settings/notifications` },
    },
  ]);

  web.respond = (response) => void response.writeHead(404).end('no\u202e such hook');
  expect(await sendTest(id)).toMatchObject({ ok: false, status: '404', message: 'no such hook' });
});

test('a direct message goes to whom Slack knows by the address; what Slack says against it is told', async () => {
  expect(await sendTest('slack_dm')).toMatchObject({ ok: true });
  expect(asked.map(({ method, authorization }) => [method, authorization])).toEqual([
    ['/api/users.lookupByEmail', `Bearer ${BOT_TOKEN}`],
    ['/api/chat.postMessage', `Bearer ${BOT_TOKEN}`],
  ]);
  expect(new URLSearchParams(asked[0]!.body).get('email')).toMatch(/^ada@/);
  expect(JSON.parse(asked[1]!.body)).toMatchObject({ channel: 'U1', unfurl_links: false, unfurl_media: false });

  slackSays.push({ ok: false, error: 'users_not_found' }, { ok: false, error: 'invalid_auth' });
  expect([await sendTest('slack_dm'), await sendTest('slack_dm')]).toMatchObject([
    { ok: false, message: 'Slack knows nobody by that mail address.' },
    { ok: false, message: 'Slack rejects this server’s token: invalid_auth.' },
  ]);
  expect(app.logged.join('')).not.toContain(BOT_TOKEN);
});
