import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiToken, NewApiToken } from '../../src/contract/tokens.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { defaultLimits } from '../../src/server/http/limits.ts';
import { newToken } from '../../src/server/tokens/token-format.ts';
import { type Answer, type AppSettings, noLimits, openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { asked } from '../support/syncing.ts';

/** What personal tokens are, to whoever makes and uses them. Which calls they may make is in access-matrix.test.ts. */
const DAY = 86_400_000;
let at = Date.parse('2026-03-29T10:20:00Z');
const ahead = (days: number) => new Date(at + days * DAY).toISOString();

let simulator: RunningSimulator;
let database: OpenDatabase;
let app: TestApp;
let mona: string;
const opened: TestApp[] = [];

async function open(config: AppSettings['config'] = {}): Promise<TestApp> {
  const another = await openTestApp({ host_url: simulator.url, database, now: () => new Date(at), config });
  opened.push(another);
  return another;
}

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await simulator.control('repos', { owner: 'octo-org', name: 'reviews', readers: ['mona'] });
  database = await openTestDatabase();
  app = await open();
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.stop()));
  await database?.close();
  await simulator?.stop();
});
beforeEach(async () => {
  await database.db.deleteFrom('api_tokens').execute();
  mona = await app.signIn('mona');
});

const usual = { name: 'Nightly report', scopes: ['read:figures'], repositories: 'all' };
const make = async (change: object = {}, as = mona, on = app) =>
  await on.ask('POST', '/api/tokens', { as, body: { ...usual, ...change } });
async function made(change: object = {}, as = mona): Promise<NewApiToken> {
  const answer = await make(change, as);
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as NewApiToken;
}
const listed = async (as = mona) => (await app.ask('GET', '/api/tokens', { as })).body as ApiToken[];
const use = async (token: string, path = '/api/team-stats', headers: Record<string, string> = {}, on = app) =>
  await on.ask('GET', path, { headers: { authorization: `Bearer ${token}`, ...headers } });
async function connect(owner: string, name: string, as = mona): Promise<number> {
  const { body } = await app.ask('POST', '/api/repos', { as, body: { owner, name } });
  return (body as { id: number }).id;
}

test('a token is shown once, and only its hash is stored', async () => {
  const { token, ...rest } = await made();

  expect(token).toMatch(/^mgl_[0-9A-Za-z]{46}$/);
  expect(rest).toEqual({
    ...{ id: expect.any(Number), ...usual },
    ...{ created_at: new Date(at).toISOString(), last_used_at: null, expires_at: ahead(90) },
  });
  expect(await listed()).toEqual([rest]);
  const row = await database.db.selectFrom('api_tokens').selectAll().executeTakeFirstOrThrow();
  expect(row.token_hash).toBe(createHash('sha256').update(token).digest('hex'));
});

test('a name is trimmed; what may not be is refused, with the reason', async () => {
  expect((await made({ name: '  Nightly  ' })).name).toBe('Nightly');
  expect((await made({ scopes: ['read:mine', 'read:mine'] })).scopes).toEqual(['read:mine']);
  expect((await made({ name: 'é'.repeat(60), expires_at: ahead(1) })).expires_at).toBe(ahead(1));
  expect((await made({ expires_at: ahead(366) })).expires_at).toBe(ahead(366));

  const refusals: readonly (readonly [change: object, path: string])[] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['write:all'] }, 'scopes.0'],
    [{ repositories: [] }, 'repositories'],
    [{ repositories: 'some' }, 'repositories'],
    [{ repositories: [2_000_000] }, 'repositories'],
    [{ expires_at: ahead(0.9) }, 'expires_at'],
    [{ expires_at: ahead(366.1) }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
  ];
  for (const [change, path] of refusals)
    expect(await make(change), JSON.stringify(change)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path }] },
    });
});

test("a repository that is somebody else's is refused in the words of one that is unknown", async () => {
  const octo = await app.signIn('octo');
  const id = await connect('octo-org', 'hello', octo);
  const [theirs, unknown] = [await make({ repositories: [id] }), await make({ repositories: [2_000_000] })];

  expect(theirs.status).toBe(400);
  expect({ ...(theirs.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
});

test('a person has 20 live tokens at most, and those that have ended do not count', async () => {
  const first = await made({ expires_at: ahead(1) });
  for (let n = 1; n < 20; n += 1) await made();
  expect(await make()).toMatchObject({
    status: 409,
    body: { code: 'too_many_tokens', error: 'You have 20 tokens. Revoke one first.' },
  });
  expect((await make({}, await app.signIn('octo'))).status).toBe(201);

  at += 1.5 * DAY;
  mona = await app.signIn('mona');
  await made();
  expect((await listed()).map(({ id }) => id)).toContain(first.id);
});

test('an unknown token, one of somebody else and one that is gone are the same to whoever revokes', async () => {
  const { id } = await made();
  const octo = await app.signIn('octo');
  const revoke = async (which: number, as: string) => await app.ask('DELETE', `/api/tokens/${which}`, { as });
  const bare = ({ status, body }: Answer) => [status, { ...(body as object), request_id: '' }];

  const unknown = bare(await revoke(2_000_000, mona));
  expect(unknown[0]).toBe(404);
  expect(bare(await revoke(id, octo))).toEqual(unknown);
  expect((await revoke(id, mona)).status).toBe(204);
  expect(bare(await revoke(id, mona))).toEqual(unknown);
  expect(await listed()).toEqual([]);
});

test('every token that may not be used gets one answer, byte by byte', async () => {
  const [ended, revoked] = [await made({ expires_at: ahead(1) }), await made()];
  await app.ask('DELETE', `/api/tokens/${revoked.id}`, { as: mona });
  const good = await made();
  const off = await open({ allow_api_tokens: false });
  at += 2 * DAY;
  const bytes = ({ status, headers, body }: Answer) => {
    const { date: _, 'x-request-id': id, ...rest } = headers;
    return JSON.stringify([status, rest, body]).replaceAll(String(id), '');
  };

  const unknown = await use(newToken());
  expect(unknown).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="mergelight"' },
    body: { code: 'bad_token' },
  });
  expect(unknown.headers).not.toHaveProperty('ratelimit-limit');
  const wrong = `${good.token.slice(0, -1)}${good.token.endsWith('0') ? '1' : '0'}`;
  const spaced = `mgl_${' '.repeat(15_000)}x`;
  for (const token of [ended.token, revoked.token, wrong, 'mgl_', 'mgl_x y', spaced, good.token.toLowerCase()])
    expect(bytes(await use(token)), token).toBe(bytes(unknown));
  expect(bytes(await use(good.token, '/api/team-stats', {}, off))).toBe(bytes(unknown));
  expect((await use(good.token)).status).toBe(200);
});

test('a session beside a token is not looked at, and a token counts on calls alone', async () => {
  const { token } = await made({ scopes: ['read:mine'] });
  const octo = await app.signIn('octo');

  expect((await use(newToken(), '/api/team-stats', { cookie: mona })).status).toBe(401);
  expect((await use(token, '/api/team-stats', { cookie: octo })).status).toBe(403);
  expect((await use(token, '/api/my-work', { cookie: octo })).status).toBe(200);
  expect((await use(token, '/auth/me', { cookie: octo })).status).toBe(403);
  // Any other scheme, and any other place, is as if nobody had sent it.
  for (const authorization of ['Bearer ghp_mona', 'Basic bW9uYTptb25h', token])
    expect((await app.ask('GET', '/api/team-stats', { as: octo, headers: { authorization } })).status).toBe(200);
  expect((await use(newToken(), '/healthz')).status).toBe(200);
  expect((await use(newToken(), '/api/openapi.json')).status).toBe(200);
  expect((await use(token, '/api/nowhere')).status).toBe(404);
  expect((await use(token, '/auth/login')).status).toBe(403);
  expect((await app.ask('GET', '/api/my-work', { headers: { authorization: `bearer ${token}` } })).status).toBe(200);
});

test('the scopes of a token are apart, also for what explains one figure of each', async () => {
  const figures = (await made()).token;
  const mine = (await made({ scopes: ['read:mine'] })).token;
  const both = (await made({ scopes: ['read:mine', 'read:figures'] })).token;
  const statuses = async (token: string) =>
    await Promise.all(
      ['/api/team-stats', '/api/my-work', '/api/explain/team.open_prs', '/api/explain/my_work.turn'].map(
        async (path) => (await use(token, path)).status,
      ),
    );

  expect(await statuses(figures)).toEqual([200, 403, 200, 403]);
  expect(await statuses(mine)).toEqual([403, 200, 403, 200]);
  expect(await statuses(both)).toEqual([200, 200, 200, 200]);
});

test('a token in an address is refused on every call, and the address is not logged', async () => {
  const { token } = await made();
  app.logged.length = 0;
  for (const path of ['/api/team-stats', '/auth/me', '/auth/login', '/api/openapi.json', '/api/nowhere'])
    for (const query of [`token=${token}`, `a=1&access_token=%6Dgl_x`, 'q=x&q=mgl_'])
      for (const headers of [{}, { cookie: mona }, { authorization: `Bearer ${token}` }])
        expect(await app.ask('GET', `${path}?${query}`, { headers })).toMatchObject({
          status: 400,
          body: { error: 'Send it as a header.' },
        });
  expect(app.logged.join('\n')).not.toMatch(/gl_/i);

  await use(token, `/api/explain/${token}`);
  expect(app.logged.join('\n')).not.toContain(token);
});

describe('a token acts as its owner now', () => {
  test('it reads what they read: repositories they lose are lost at once, and those it was not made for are unknown', async () => {
    const [hello, other] = [await connect('octo-org', 'hello'), await connect('octo-org', 'reviews')];
    const { token, repositories } = await made({ repositories: [hello] });
    const whole = (await made()).token;
    const names = async (of: string) =>
      ((await use(of, '/api/repositories')).body as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b);

    expect(repositories).toEqual([hello]);
    expect(await names(whole)).toEqual([hello, other].sort((a, b) => a - b));
    expect(await names(token)).toEqual([hello]);
    expect((await use(token, `/api/team-stats?repository=${hello}`)).status).toBe(200);
    expect((await use(token, `/api/team-stats?repository=${other}`)).status).toBe(404);
    await app.ask('DELETE', `/api/repos/${hello}`, { as: mona });
    expect(await names(token)).toEqual([]);
    expect((await use(token, `/api/team-stats?repository=${hello}`)).status).toBe(404);
    await app.ask('DELETE', `/api/repos/${other}`, { as: mona });
  });

  test('it reads what is stored: nothing is asked of the host in their name, and notes are not among the events of trends', async () => {
    const hello = await connect('octo-org', 'hello');
    const { token } = await made();
    const note = { at: new Date(at - 86_400_000).toISOString(), text: 'The freeze begins', visibility: 'mine' };
    expect((await app.ask('POST', '/api/notes', { as: mona, body: note })).status).toBe(201);
    await simulator.control('counters', undefined, 'DELETE');

    const unknown = await use(token, '/api/pr/octo-org/hello/1');
    const trends = '/api/trends?figure=opened';

    expect([unknown.status, unknown.body]).toEqual([404, expect.objectContaining({ error: 'PR not found' })]);
    expect((await asked(simulator)).requests).toBe(0);
    expect(JSON.stringify((await app.ask('GET', trends, { as: mona })).body)).toContain('The freeze begins');
    expect(JSON.stringify((await use(token, trends)).body)).not.toContain('The freeze begins');
    expect((await app.ask('GET', '/api/pr/octo-org/hello/1', { as: mona })).status).toBe(200);
    await app.ask('DELETE', `/api/repos/${hello}`, { as: mona });
  });

  test('sessions that end leave it working, also where their person keeps the background; signing out for good does not', async () => {
    const { token } = await made();
    at += 8 * DAY;
    expect((await app.ask('GET', '/auth/me', { as: mona })).status).toBe(401);
    expect((await use(token)).status).toBe(200);
    mona = await app.signIn('mona');
    await app.ask('POST', '/auth/logout', { as: mona, body: { background: true } });
    expect((await use(token)).status).toBe(200);

    mona = await app.signIn('mona');
    await app.ask('DELETE', '/auth/sessions', { as: mona });
    expect(await use(token)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="mergelight"' },
      body: { code: 'host_sign_in_needed' },
    });
    mona = await app.signIn('mona');
    expect((await use(token)).status).toBe(200);
  });

  test('whoever may no longer use this server is not let in by it, nor after their account is gone', async () => {
    const octo = await app.signIn('octo');
    const { token } = await made({}, octo);
    const strict = await open({ allowed_logins: ['mona'] });
    expect(await use(token, '/api/team-stats', {}, strict)).toMatchObject({ status: 401, body: { code: 'bad_token' } });
    expect((await use(token)).status).toBe(200);

    expect((await app.ask('DELETE', '/auth/me', { as: octo, body: { confirm: 'octo' } })).status).toBe(204);
    expect(await use(token)).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  });

  test('one that is revoked is dead at the next request in every process', async () => {
    const { id, token } = await made();
    const other = await open();
    expect((await use(token, '/api/team-stats', {}, other)).status).toBe(200);

    await app.ask('DELETE', `/api/tokens/${id}`, { as: mona });
    for (const each of [app, other]) expect((await use(token, '/api/team-stats', {}, each)).status).toBe(401);
  });
});

test('the last use is told by the hour', async () => {
  const { token } = await made();
  await use(token);
  expect((await listed())[0]?.last_used_at).toBe(`${new Date(at).toISOString().slice(0, 13)}:00:00.000Z`);
});

test('making, revoking and the first use from about anywhere are security events, which know no address whole', async () => {
  const administrating = await open({ admin_logins: ['mona'], trust_proxy: ['loopback'] });
  const { id, token } = await made();
  const from = async (address: string) => await use(token, '/api/team-stats', { 'x-forwarded-for': address });
  for (const address of ['203.0.113.7', '203.0.113.200', '203.0.114.7', '2001:db8:1:2::3', '2001:db8:1:ffff::1'])
    await from(address);
  await app.ask('DELETE', `/api/tokens/${id}`, { as: mona });

  const { body } = await administrating.ask('GET', '/api/administration/audit?actor=mona', { as: mona });
  const { items } = body as { items: { event: string; subject: string | null; address: string | null }[] };
  const about = items.filter(({ subject }) => subject === `token ${id}`).map(({ event, address }) => [event, address]);
  expect(about.reverse()).toEqual([
    ['api_token_made', '127.0.0.1'],
    ['api_token_used', '203.0.113.0/24'],
    ['api_token_used', '203.0.114.0/24'],
    ['api_token_used', '2001:db8:1::/48'],
    ['api_token_revoked', '127.0.0.1'],
  ]);
  expect(app.logged.filter((line) => line.includes('api_token_used')).join('\n')).not.toMatch(/203\.0\.113\.7|1:2::3/);
});

test('where tokens are switched off nobody makes one, and everybody can still take theirs back', async () => {
  const { id } = await made();
  const off = await open({ allow_api_tokens: false });
  expect(await make({}, mona, off)).toMatchObject({
    status: 403,
    body: { error: 'Tokens are switched off on this server.' },
  });
  expect((await off.ask('GET', '/auth/options')).body).toMatchObject({ api_token_days: null });
  expect((await off.ask('GET', '/api/tokens', { as: mona })).body).toHaveLength(1);
  expect((await off.ask('DELETE', `/api/tokens/${id}`, { as: mona })).status).toBe(204);
});

test('how long a token may live is capped by the server', async () => {
  const capped = await open({ api_token_max_days: 30 });
  expect((await capped.ask('GET', '/auth/options')).body).toMatchObject({ api_token_days: 30 });
  expect((await make({}, mona, capped)).body).toMatchObject({ expires_at: ahead(30) });
  expect((await make({ expires_at: ahead(31) }, mona, capped)).status).toBe(400);
  // By a browser whose clock is fast.
  expect((await make({ expires_at: ahead(30.9) }, mona, capped)).body).toMatchObject({ expires_at: ahead(30) });
});

describe('limits', () => {
  const limited = async (change: Partial<typeof defaultLimits>) => await open({ limits: { ...noLimits, ...change } });

  /** Has whatever reads connections take that long. */
  async function slowConnections(seconds: number): Promise<{ end(): Promise<void> }> {
    await connect('octo-org', 'hello');
    const { db } = database;
    await sql`alter table connections rename to quick_connections`.execute(db);
    await sql`create view connections as select c.* from quick_connections c,
      (select count(*) from pg_sleep(${sql.lit(seconds)})) slow`.execute(db);
    return {
      async end() {
        await sql`drop view connections`.execute(db);
        await sql`alter table quick_connections rename to connections`.execute(db);
      },
    };
  }

  test('120 requests a minute with one token; every answer says how many are left', async () => {
    const on = await limited({ token_requests: defaultLimits.token_requests, token_hour: defaultLimits.token_hour });
    const { token } = await made();
    const other = (await made()).token;
    const ask = async (of = token) => await use(of, '/api/repositories', {}, on);
    const told = ({ status, headers }: Answer) => [
      status,
      ...['limit', 'remaining', 'reset'].map((name) => Number(headers[`ratelimit-${name}`])),
    ];

    expect(told(await ask())).toEqual([200, 120, 119, 60]);
    at += 20_000;
    expect(told(await use(token, '/api/settings/health', {}, on))).toEqual([403, 120, 118, 40]);
    for (let n = 2; n < 120; n += 1) await ask();
    const refused = await ask();
    expect(told(refused)).toEqual([429, 120, 0, 40]);
    expect(refused).toMatchObject({ headers: { 'retry-after': '40' }, body: { code: 'too_many_requests' } });
    expect((await ask(other)).status).toBe(200);
    at += 40_000;
    expect(told(await ask())).toEqual([200, 120, 119, 60]);
  });

  test('an hour has its limit, too, and four may ask at once', async () => {
    const on = await limited({ token_hour: 8, token_at_once: defaultLimits.token_at_once });
    const { token } = await made();
    const slowly = await slowConnections(0.3);
    const together = await Promise.all(Array.from({ length: 5 }, () => use(token, '/api/repositories', {}, on)));
    await slowly.end();
    expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429]);
    expect(together.find(({ status }) => status === 429)?.headers['retry-after']).toBe('1');
    for (let n = 5; n < 8; n += 1) expect((await use(token, '/api/repositories', {}, on)).status).toBe(200);
    at += 120_000;
    expect(await use(token, '/api/repositories', {}, on)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3480' },
    });
  });

  test('whoever keeps the database busy for too long is told to narrow it, and nobody else is held to that', async () => {
    const on = await limited({ token_seconds: 1 });
    const { token } = await made();
    const slowly = await slowConnections(2);
    try {
      expect(await use(token, '/api/repositories', {}, on)).toMatchObject({
        status: 503,
        body: { error: 'That takes too long. Narrow it.', code: 'too_expensive' },
      });
      expect((await app.ask('GET', '/api/repositories', { as: mona })).status).toBe(200);
    } finally {
      await slowly.end();
    }
    expect((await use(token, '/api/repositories', {}, on)).status).toBe(200);
  });
});

test('the description of the calls names for each which scopes a token needs', async () => {
  const { body } = await app.ask('GET', '/api/openapi.json');
  const { paths, components } = body as {
    paths: Record<string, Record<string, { security?: object[] }>>;
    components: { securitySchemes: Record<string, object> };
  };
  expect(components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(paths['/api/team-stats']?.get?.security).toEqual([{ session: [] }, { token: ['read:figures'] }]);
  expect(paths['/api/my-work']?.get?.security).toEqual([{ session: [] }, { token: ['read:mine'] }]);
  expect(paths['/api/explain/{metric}']?.get?.security).toEqual([
    { session: [] },
    { token: ['read:figures'] },
    { token: ['read:mine'] },
  ]);
  expect(paths['/api/tokens']?.get?.security).toEqual([{ session: [] }]);
});
