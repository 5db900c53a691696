import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AddedRepository } from '#contract/repositories.ts';
import { type Answer, openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { OpenDatabase } from '../db/open.ts';
import { newToken } from '../tokens/token-format.ts';
import { defaultLimits } from './limits.ts';

/** What limits do to whoever meets them, over HTTP; the server counts from 0 for each test. */
let simulator: RunningSimulator;
let database: OpenDatabase;
let app: TestApp;
let at = Date.parse('2026-03-29T01:00:00Z');
const opened: TestApp[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  database = await openTestDatabase();
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.stop()));
  await database.close();
  await simulator.stop();
});
beforeEach(async () => {
  app = await open({});
});

async function open(config: Parameters<typeof openTestApp>[0]['config']): Promise<TestApp> {
  const limited = await openTestApp({
    ...{ host_url: simulator.url, database, now: () => new Date(at) },
    config: { limits: { ...defaultLimits, requests: 30, costly: 6, deliveries: 5, sign_in: 1000 }, ...config },
  });
  opened.push(limited);
  return limited;
}

const from = (address: string) => ({ 'x-forwarded-for': address });

async function signInWith(token: string, address: string): Promise<number> {
  return (await app.ask('POST', '/auth/token', { body: { token }, headers: from(address) })).status;
}

/** The statuses of so many of the same call. */
async function statuses(count: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < count; n += 1) found.push((await call()).status);
  return [...new Set(found)];
}

test('after ten refused sign-ins an address is told to wait, with its good token too, and no other address is', async () => {
  expect(await statuses(10, async () => ({ status: await signInWith('ghp_wrong', '192.0.2.1') }))).toEqual([422]);

  const refused = await app.ask('POST', '/auth/token', { body: { token: 'ghp_mona' }, headers: from('192.0.2.1') });
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '6' },
    body: { code: 'too_many_requests', error: expect.stringContaining('failed sign-ins from your address') },
  });
  expect(await signInWith('ghp_mona', '192.0.2.2')).toBe(200);
  at += 6000;
  expect(await signInWith('ghp_mona', '192.0.2.1')).toBe(200);
});

test('signing in successfully is not counted', async () => {
  expect(await statuses(25, async () => ({ status: await signInWith('ghp_mona', '192.0.2.1') }))).toEqual([200]);
});

test('a callback that nobody asked for counts as a refused sign-in; one that the person broke off does not', async () => {
  const callback = async (query: string) =>
    await app.ask('GET', `/auth/callback?${query}`, { headers: from('192.0.2.3') });

  expect(await statuses(10, () => callback('code=x&state=y'))).toEqual([302]);
  expect(await callback('code=x&state=y')).toMatchObject({
    ...{ status: 302, headers: { location: '/login?error=too_many_requests' } },
  });
  expect(await signInWith('ghp_mona', '192.0.2.3')).toBe(429);
});

test('a person who says no on the host’s page, as often as they like, slows nobody’s sign-in and is not in the audit log', async () => {
  app = await open({ limits: { ...defaultLimits, sign_in: 1 } });
  const begun = await app.ask('GET', '/auth/login');
  const state = new URL(String(begun.headers.location)).searchParams.get('state');
  const as = String(begun.headers['set-cookie']).split(';')[0]!;
  const decline = () => app.ask('GET', `/auth/callback?error=access_denied&state=${state}`, { as });
  const audited = database.db.selectFrom('security_events').select('event').where('subject', '=', 'access_denied');

  const began = performance.now();
  expect((await decline()).headers.location).toBe('/login?error=access_denied');
  expect(await statuses(3, decline)).toEqual([302]);
  expect(await signInWith('ghp_mona', '192.0.2.4')).toBe(200);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(await audited.execute()).toEqual([]);
});

test('where there is no sign-in on the host’s page, its way back slows nobody’s', async () => {
  const without = await openTestApp({
    ...{ host_url: simulator.url, database, oauth: null },
    config: { limits: { ...defaultLimits, sign_in: 1 } },
  });
  opened.push(without);
  const began = performance.now();

  const back = await statuses(3, () => without.ask('GET', '/auth/callback?code=x&state=y'));
  await without.signIn('mona');

  expect(back).toEqual([302]);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test.each(['/%61pi/repos', '/%61pi/repos#%zz'])(
  'a call that is written as %s counts like any other, and no cache stores its answer',
  async (path) => {
    const cookie = await app.signIn('mona');
    const { port } = new URL(await app.server.app.listen({ host: '127.0.0.1', port: 0 }));
    const list = async () => {
      // What is behind a `#` no URL keeps.
      const [answer] = (await once(get({ host: '127.0.0.1', port, path, headers: { cookie } }), 'response')) as [
        IncomingMessage,
      ];
      return { status: answer.statusCode!, headers: answer.resume().headers };
    };

    expect((await list()).headers['cache-control']).toBe('no-store');
    expect(await statuses(31, list)).toEqual([200, 429]);
  },
);

test('a person who calls too often is told to wait; other people, pages and probes are not', async () => {
  const mona = await app.signIn('mona');
  const octo = await app.signIn('octo');
  const list = (as: string) => app.ask('GET', '/api/repos', { as });

  expect(await statuses(30, () => list(mona))).toEqual([200]);
  const refused = await list(mona);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2']);
  expect((await app.ask('GET', '/api/nowhere', { as: mona })).status).toBe(429);
  expect((await list(octo)).status).toBe(200);
  expect(await statuses(100, () => app.ask('GET', '/healthz'))).toEqual([200]);
  expect(await statuses(100, () => app.ask('GET', '/login'))).toEqual([404]);
  at += 2000;
  expect(await statuses(2, () => list(mona))).toEqual([200, 429]);
});

test('of a person’s calls fewer may be explanations and exports', async () => {
  const mona = await app.signIn('mona');
  const explain = () => app.ask('GET', '/api/explain/team.open_prs', { as: mona });

  expect(await statuses(6, explain)).toEqual([200]);
  expect((await explain()).status).toBe(429);
  const exported = { username: 'mona', period: '30d', format: 'csv' };
  expect((await app.ask('POST', '/api/contributors/export', { as: mona, body: exported })).status).toBe(429);
  expect((await app.ask('GET', '/api/repos', { as: mona })).status).toBe(200);
});

test('without a session an address is counted, also behind a cookie that is none', async () => {
  const options = (as?: string) =>
    app.ask('GET', '/auth/options', { headers: from('192.0.2.9'), ...(as !== undefined && { as }) });

  expect(await statuses(15, () => options())).toEqual([200]);
  expect(await statuses(15, () => options('session=made-up'))).toEqual([200]);
  expect((await options()).status).toBe(429);
  expect((await options('session=made-up')).status).toBe(429);
});

test('whatever pages of another site ask for, whoever is behind the same address calls on', async () => {
  const options = (fetched?: object) =>
    app.ask('GET', '/auth/options', { headers: { ...from('192.0.2.13'), ...fetched } });
  const asked = await statuses(31, () => options({ 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }));

  expect(asked).toEqual([200, 429]);
  expect((await options({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  expect((await options()).status).toBe(200);
});

test('sessions and tokens that are made up are not looked up for ever; who is signed in behind the same address goes on', async () => {
  const mona = await app.signIn('mona');
  const octo = await app.signIn('octo');
  const body = { name: 'Export', scopes: ['read:figures'], repositories: 'all', expires_at: '2026-04-20T00:00:00Z' };
  const { token } = (await app.ask('POST', '/api/tokens', { as: mona, body })).body as { token: string };
  const list = (as: string, address: string) => app.ask('GET', '/api/repos', { as, headers: from(address) });
  const byToken = (bearer: string, address: string) =>
    app.ask('GET', '/api/prs', { headers: { ...from(address), authorization: `Bearer ${bearer}` } });
  expect((await list(mona, '192.0.2.10')).status).toBe(200);
  expect((await byToken(token, '192.0.2.11')).status).toBe(200);

  expect(await statuses(31, () => list('session=made-up', '192.0.2.10'))).toEqual([401, 429]);
  expect(await statuses(31, () => byToken(newToken(), '192.0.2.11'))).toEqual([401, 429]);
  // Nobody here has seen octo's session: refused without a look.
  const unseen = [await list(octo, '192.0.2.10'), await list(octo, '192.0.2.11'), await list(octo, '192.0.2.12')];
  expect(unseen.map(({ status }) => status)).toEqual([429, 429, 200]);
  expect((await list(mona, '192.0.2.10')).status).toBe(200);
  expect((await byToken(token, '192.0.2.11')).status).toBe(200);
  expect((await list(octo, '192.0.2.10')).status).toBe(200);
});

test('a ninth stream of events has to wait until one of the others ends', async () => {
  const mona = await app.signIn('mona');
  const address = await app.server.app.listen({ host: '127.0.0.1', port: 0 });
  // Answers are kept: a stream nobody holds on to any more is closed by the garbage collector.
  const opened: Response[] = [];
  const stream = async () => {
    const answer = await fetch(`${address}/api/sync-events`, { headers: { cookie: mona } });
    opened.push(answer);
    return answer;
  };
  for (let n = 0; n < 8; n += 1) expect((await stream()).status).toBe(200);

  const ninth = await stream();
  expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([429, '30']);
  await opened[0]!.body!.cancel();
  await expect.poll(async () => (await stream()).status, { interval: 100, timeout: 5000 }).toBe(200);
  for (const { body } of opened) await body?.cancel();
});

const APP_SECRET = 'what the App signs with';

/** A delivery as the host would send it to this path; without a secret it is not signed. */
async function deliver(path: string, secret: string | null, address: string, padding = 0): Promise<Answer> {
  const body = { zen: 'Keep it simple.', padding: 'x'.repeat(padding) };
  const digest = createHmac('sha256', secret ?? '')
    .update(JSON.stringify(body))
    .digest('hex');
  const signature = secret === null ? {} : { 'x-hub-signature-256': `sha256=${digest}` };
  const headers = { ...from(address), ...signature, 'x-github-event': 'ping' };
  return await app.ask('POST', path, { body, headers });
}

/** The webhook of a repository that is connected. */
async function aWebhook(): Promise<{ path: string; secret: string }> {
  const body = { owner: 'octo-org', name: 'hello' };
  const added = await app.ask('POST', '/api/repos', { as: await app.signIn('octo'), body });
  const { webhook_url, webhook_secret } = added.body as AddedRepository;
  return { path: new URL(webhook_url!).pathname, secret: webhook_secret! };
}

async function anOrganizations(): Promise<{ path: string; secret: string }> {
  await simulator.control('organizations/octo-org', { members: { octo: 'ADMIN' } }, 'PATCH');
  const made = await app.ask('POST', '/api/organisations/octo-org/webhook', { as: await app.signIn('octo') });
  const { url, secret } = made.body as { url: string; secret: string };
  return { path: new URL(url).pathname, secret };
}

const theApps = { path: '/webhooks/github/app', secret: APP_SECRET };

test('a webhook that is flooded is told to wait; what is not signed takes nothing from it, and its address is told to stop', async () => {
  const { path, secret } = await aWebhook();
  const unsigned = await statuses(30, () => deliver(path, null, '192.0.2.30'));
  const stopped = await deliver(path, null, '192.0.2.30');
  const guessed = await statuses(30, () => deliver(path, 'a guess', '192.0.2.30'));
  const stoppedToo = await deliver(path, 'a guess', '192.0.2.30');
  const signed = await statuses(5, () => deliver(path, secret, '192.0.2.31'));
  const flooded = await deliver(path, secret, '192.0.2.31');

  expect([unsigned, guessed]).toEqual([[401], [401]]);
  for (const { status, headers } of [stopped, stoppedToo]) expect([status, headers.connection]).toEqual([429, 'close']);
  expect(signed).toEqual([202]);
  expect([flooded.status, flooded.headers['retry-after']]).toEqual([429, '12']);
});

test('whoever has the host deliver to nowhere has none of its other deliveries refused, which come from the same address', async () => {
  app = await open({ github_webhook_secret: APP_SECRET });
  const theHost = '192.0.2.32';
  const hook = await aWebhook();
  const hooks = [hook, await anOrganizations()];
  const toAll = async () => {
    const all = [...hooks, theApps];
    return await Promise.all(all.map(async ({ path, secret }) => (await deliver(path, secret, theHost)).status));
  };
  const known = await toAll();

  const nowhere = () => deliver('/webhooks/github/anything', 'a guess', theHost);
  const refused = await statuses(30, nowhere);
  const stopped = await nowhere();
  const afterThat = await toAll();
  // What somebody else signs for the webhook of one is that one's.
  const guessed = await statuses(31, () => deliver(hook.path, 'a guess', theHost));
  const others = await deliver(hooks[1]!.path, hooks[1]!.secret, theHost);

  expect([known, refused, stopped.status]).toEqual([[202, 202, 202], [404], 429]);
  expect(afterThat).toEqual([202, 202, 202]);
  expect([guessed, others.status]).toEqual([[401, 429], 202]);
});

test('the address of the App, which everybody knows, is closed to nobody: after too many wrong signatures only what is large is not read', async () => {
  app = await open({ github_webhook_secret: APP_SECRET });
  const toApp = (secret: string, padding = 0) => deliver('/webhooks/github/app', secret, '192.0.2.33', padding);
  const large = 1024 * 1024;
  const before = await toApp(APP_SECRET, large);
  const guessed = await statuses(40, () => toApp('a guess'));

  expect([before.status, guessed]).toEqual([202, [401]]);
  expect((await toApp(APP_SECRET)).status).toBe(202);
  expect((await toApp(APP_SECRET, large)).status).toBe(429);
});

test.each(['the App', 'a repository', 'an organisation'])(
  'of what is sent to the webhook of %s only so much of one address is held before it is known who signed it',
  async (of) => {
    app = await open({ github_webhook_secret: APP_SECRET, limits: defaultLimits });
    const hooks = { 'the App': theApps, 'a repository': await aWebhook(), 'an organisation': await anOrganizations() };
    const { path, secret } = hooks[of as keyof typeof hooks];
    const { port } = new URL(await app.server.app.listen({ host: '127.0.0.1', port: 0 }));
    /** Sends the beginning of a delivery; returns what is answered, and what breaks it off. */
    const begin = (bytes: number) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      const head = [
        `POST ${path} HTTP/1.1`,
        ...['Host: localhost:3000', 'X-Forwarded-For: 192.0.2.34', 'Content-Type: application/json'],
        ...[`X-Hub-Signature-256: sha256=${'0'.repeat(64)}`, `Content-Length: ${25 * MiB}`, '', ''],
      ];
      socket.write(head.join('\r\n'));
      socket.write(Buffer.alloc(bytes));
      const answered = new Promise<string>((resolve) => socket.setEncoding('utf8').once('data', resolve));
      return { answered, end: () => socket.destroy() };
    };
    const MiB = 1024 * 1024;
    const deliveries = [begin(22 * MiB), begin(22 * MiB), begin(20 * MiB + 1)];

    const answer = await Promise.race(deliveries.map(({ answered }) => answered));
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer.toLowerCase()).toMatch(/\r\nconnection: close\r\n/);
    expect(answer.toLowerCase()).toMatch(/\r\nretry-after: 10\r\n/);
    const signed = async (address: string) => (await deliver(path, secret, address, MiB)).status;
    expect([await signed('192.0.2.34'), await signed('192.0.2.35')]).toEqual([202, 202]);
    // As a push to many branches at once brings them.
    const burst = Array.from({ length: 200 }, () => deliver(path, secret, '192.0.2.34', 30_000));
    expect(new Set((await Promise.all(burst)).map(({ status }) => status))).toEqual(new Set([202]));
    for (const { end } of deliveries) end();
  },
);

test('links that nobody was sent are looked up as often as an address may ask, and no more', async () => {
  const unknown = async (address: string) =>
    await app.ask('GET', `/unsubscribe/${'a'.repeat(43)}`, { headers: from(address) });
  expect(await statuses(30, () => unknown('192.0.2.40'))).toEqual([404]);
  expect((await unknown('192.0.2.40')).status).toBe(429);
  expect((await unknown('192.0.2.41')).status).toBe(404);
});

test('whatever a page has its visitors’ browsers ask of links, their network’s new sessions and opened links are looked up', async () => {
  const octo = await app.signIn('octo');
  const link = async (method: 'GET' | 'POST', as: string) =>
    await app.ask(method, '/confirm/1', {
      headers: { ...from('192.0.2.42'), origin: 'https://elsewhere.test', 'sec-fetch-dest': as },
    });
  const asked = await statuses(15, async () => {
    const answers = [await link('GET', 'image'), await link('POST', 'empty')];
    return { status: Math.max(...answers.map(({ status }) => status)) };
  });
  const more = await link('GET', 'image');
  const ofOcto = await app.ask('GET', '/api/repos', { as: octo, headers: from('192.0.2.42') });
  const opened = [await link('GET', 'document'), await link('POST', 'document')];

  expect([asked, more.status]).toEqual([[404], 429]);
  expect(ofOcto.status).toBe(200);
  expect(opened.map(({ status }) => status)).toEqual([404, 404]);
});

test('whose address counts is what TRUST_PROXY says', async () => {
  const asked = async (trusting: TestApp, forwarded: string, remoteAddress: string) => {
    const headers = { host: new URL(PUBLIC_URL).host, origin: PUBLIC_URL, 'x-forwarded-for': forwarded };
    const body = { token: 'ghp_wrong' };
    const answer = await trusting.server.app.inject({
      ...{ method: 'POST', url: '/auth/token', headers, body, remoteAddress },
    });
    return answer.statusCode;
  };
  const everyoneTwelve = async (trusting: TestApp, forwarded: (n: number) => string, remote: string) => {
    let last = 0;
    for (let n = 0; n < 12; n += 1) last = await asked(trusting, forwarded(n), remote);
    return last;
  };
  const none = await open({ trust_proxy: false });
  const network = await open({ trust_proxy: ['10.0.0.0/8'] });
  const hops = await open({ trust_proxy: 2 });

  // Who is no proxy of ours can't pretend to be somebody else each time.
  expect(await everyoneTwelve(none, (n) => `192.0.2.${n}`, '127.0.0.1')).toBe(429);
  expect(await everyoneTwelve(network, (n) => `192.0.2.${n}`, '203.0.113.5')).toBe(429);
  // Behind two proxies each person has an address of their own, and what they write in front of it counts for nothing.
  expect(await everyoneTwelve(network, (n) => `192.0.2.${n}, 10.1.1.1`, '10.2.2.2')).toBe(422);
  expect(await everyoneTwelve(network, (n) => `198.51.100.${n}, 192.0.2.77, 10.1.1.1`, '10.2.2.2')).toBe(429);
  expect(await everyoneTwelve(hops, (n) => `192.0.2.${n}, 172.16.0.1`, '172.16.0.2')).toBe(422);
});
