import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieIn, openTestApp, simulatedApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { sealedAs, secretBox } from '../secret-box.ts';

const HOUR = 3_600_000;

let simulator: RunningSimulator;
let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
/** Another one, which does not have the client secret that the host knows. */
let misconfigured: TestApp;
let time: Date;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await simulator.control('clock', { frozen: true });
  time = new Date(((await simulator.control('state')) as { now: string }).now);
  const settings = {
    host_url: simulator.url,
    now: () => time,
    oauth: { ...simulatedApp, app: { id: '7', slug: null } },
  };
  app = await openTestApp(settings);
  other = await openTestApp({ ...settings, database: app.database });
  misconfigured = await openTestApp({
    ...{ ...settings, database: app.database },
    oauth: { ...settings.oauth, client_secret: 'rotated' },
  });
  await simulator.control('repos/octo-org/hello', { private: true, readers: ['octo', 'mona'] }, 'PATCH');
});
beforeEach(async () => {
  await simulator.control('faults', undefined, 'DELETE');
  await simulator.control('app', { id: 7, expiring: true });
  await app.database.db.deleteFrom('users').execute();
});
afterAll(async () => {
  await misconfigured?.stop();
  await other?.stop();
  await app?.stop();
  await simulator?.stop();
});

async function pass(hours: number): Promise<void> {
  time = new Date(time.getTime() + hours * HOUR);
  await simulator.control('clock', { set: time.toISOString() });
}

/** Signs octo in by the GitHub App. */
async function signIn(): Promise<{ cookie: string; id: number }> {
  const begun = await app.ask('GET', '/auth/login');
  const query = new URL(String(begun.headers.location)).searchParams;
  expect(query.has('scope')).toBe(false);
  query.set('login', 'octo');
  const consented = await fetch(`${simulator.url}/login/oauth/authorize`, {
    method: 'POST',
    body: query,
    redirect: 'manual',
  });
  const back = new URL(consented.headers.get('location') ?? '');
  const answer = await app.ask('GET', `${back.pathname}${back.search}`, { as: cookieIn(begun, 'sign_in') });
  const cookie = cookieIn(answer, 'session');
  return { cookie, id: ((await app.ask('GET', '/auth/me', { as: cookie })).body as { id: number }).id };
}

const stored = async () => await app.database.db.selectFrom('credentials').selectAll().executeTakeFirst();
const viewer = async (at: TestApp, id: number) => {
  const personal = await at.server.credentials.clientFor(id);
  return (await personal?.client.viewer())?.account.login ?? null;
};
const renewals = async () => {
  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  return operations['POST /login/oauth/access_token'] ?? 0;
};
const forgetCounts = () => simulator.control('counters', undefined, 'DELETE');

test('a token of a GitHub App is renewed before it ends, and sight and session stay', async () => {
  const { cookie, id } = await signIn();
  await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'hello' } });
  const first = await stored();
  expect(first?.expires_at).toEqual(new Date(time.getTime() + 8 * HOUR));

  await pass(7.9);
  const login = await viewer(app, id);

  const renewed = await stored();
  expect(login).toBe('octo');
  expect(renewed?.expires_at).toEqual(new Date(time.getTime() + 8 * HOUR));
  expect(renewed?.grant_id).toBe(first?.grant_id);
  expect(renewed?.token_encrypted).not.toBe(first?.token_encrypted);
  expect(((await app.ask('GET', '/api/repositories', { as: cookie })).body as unknown[]).length).toBe(1);
  expect(JSON.stringify(renewed)).not.toMatch(/gh[ur]_/);
});

test('a stronger token of the App that was replaced is renewed for the syncs that it serves; one that the host renews no longer is dropped, and no session ends', async () => {
  const { cookie, id } = await signIn();
  const added = await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'hello' } });
  const repository = (added.body as { id: number }).id;
  const weak = await app.signIn('octo', 'ghp_octo_read:user', true);
  const former = () => app.database.db.selectFrom('former_credentials').selectAll().executeTakeFirst();
  const first = await former();
  const forSync = async () => {
    const personal = await app.server.credentials.clientForSync(id, repository);
    const { name } = (await personal?.client.repository('octo-org', 'hello')) ?? {};
    return [name, personal?.grant_id];
  };

  await pass(9);
  const read = await forSync();
  const renewed = await former();
  await pass(9);
  await simulator.control('tokens', { login: 'octo' }, 'DELETE');
  await expect(forSync()).rejects.toMatchObject({ kind: 'unauthorized' });

  expect(read).toEqual(['hello', first?.grant_id]);
  expect(renewed?.token_encrypted).not.toBe(first?.token_encrypted);
  expect(renewed?.expires_at).toEqual(new Date(time.getTime() - 1 * HOUR));
  expect(await former()).toBeUndefined();
  expect((await app.ask('GET', '/auth/me', { as: weak })).status).toBe(200);
});

test('two processes that need it at once renew it once', async () => {
  const { id } = await signIn();
  await pass(9);
  await forgetCounts();
  await simulator.control('faults', { match: { kind: 'oauth' }, effect: { name: 'latency', milliseconds: 500 } });

  const logins = await Promise.all([app, other, app, other, other].map((process) => viewer(process, id)));

  expect(logins).toEqual(Array(5).fill('octo'));
  expect(await renewals()).toBe(1);
});

test('a request in flight goes on with the token that another process has just stored', async () => {
  const { id } = await signIn();
  const personal = await app.server.credentials.clientFor(id);
  expect((await personal?.client.viewer())?.account.login).toBe('octo');
  await pass(7.9);
  await viewer(other, id);

  expect((await personal?.client.viewer())?.account.login).toBe('octo');
});

test('a token that the host ends early is renewed at the first 401', async () => {
  const { cookie, id } = await signIn();
  await simulator.control('tokens/expire', { login: 'octo' });

  expect(await viewer(app, id)).toBe('octo');
  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(200);
});

test('an OAuth app’s token that expires is renewed as well', async () => {
  await simulator.control('app', { expiring: true });
  const { id } = await signIn();
  await pass(9);

  expect(await viewer(app, id)).toBe('octo');
});

test('a refresh token that the host takes no longer ends the sessions, and shows nothing until the person signs in again', async () => {
  const { cookie, id } = await signIn();
  await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'hello' } });
  await pass(9);
  await simulator.control('tokens', { login: 'octo' }, 'DELETE');

  await expect(viewer(app, id)).rejects.toMatchObject({ kind: 'unauthorized' });

  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(401);
  expect((await stored())?.rejected_at).not.toBeNull();
  expect(await app.server.credentials.clientFor(id)).toBeNull();
});

test('while the host cannot renew it, the old one is used to its end, and then nothing is rejected', async () => {
  const { cookie, id } = await signIn();
  await pass(7.9);
  await simulator.control('faults', { match: { kind: 'oauth' }, effect: { name: 'bad_gateway' } });
  const inTime = await viewer(app, id);
  await pass(0.2);
  await expect(viewer(app, id)).rejects.toMatchObject({ kind: 'unavailable' });
  const signedIn = (await app.ask('GET', '/auth/me', { as: cookie })).status;
  await simulator.control('faults', undefined, 'DELETE');

  expect(inTime).toBe('octo');
  expect(signedIn).toBe(200);
  expect(await viewer(app, id)).toBe('octo');
});

test.each([
  ['has ended', () => pass(9)],
  ['was ended early', () => simulator.control('tokens/expire', { login: 'octo' })],
])(
  'the 401 to a token that %s counts where the host declines to renew it, as with a wrong client secret',
  async (_, end) => {
    const { cookie, id } = await signIn();
    const { grant_id } = (await stored())!;
    const valid = await viewer(misconfigured, id);
    await end();

    await expect(viewer(misconfigured, id)).rejects.toMatchObject({ kind: 'unauthorized' });
    const rejected = await misconfigured.server.credentials.rejectToken(id, grant_id);

    expect([valid, rejected]).toEqual(['octo', true]);
    expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(401);
    expect((await stored())?.rejected_at).not.toBeNull();
  },
);

test('a process that died while renewing holds nobody up for longer than its lease', async () => {
  const { id } = await signIn();
  await pass(9);
  await app.database.db
    .updateTable('credentials')
    .set({ refresh_leased_until: new Date(Date.now() + 700) })
    .execute();

  expect(await viewer(app, id)).toBe('octo');
});

test('a key that is rotated while a token is renewed loses nothing', async () => {
  const { id } = await signIn();
  await pass(9);
  await simulator.control('faults', { match: { kind: 'oauth' }, effect: { name: 'latency', milliseconds: 700 } });
  const renewing = viewer(app, id);
  await expect.poll(async () => (await stored())?.refresh_leased_until ?? null, { interval: 10 }).not.toBeNull();
  const { token_encrypted } = (await stored())!;
  const box = secretBox(Buffer.alloc(32, 1));
  const as = sealedAs.token(id);
  const resealed = box.seal(box.open(token_encrypted, as), as);
  await app.database.db.updateTable('credentials').set({ token_encrypted: resealed }).execute();

  expect(await renewing).toBe('octo');
  await simulator.control('faults', undefined, 'DELETE');
  expect(await viewer(other, id)).toBe('octo');
});

test('a token that expires and cannot be opened any more counts as rejected; without the one that renews it, it is used to its end', async () => {
  const { cookie, id } = await signIn();
  const other = secretBox(Buffer.alloc(32, 9));
  const { db } = app.database;
  await db
    .updateTable('credentials')
    .set({ refresh_token_encrypted: other.seal('ghr_x', sealedAs.refreshToken(id)) })
    .execute();
  const toItsEnd = await viewer(app, id);
  const personal = await app.server.credentials.clientFor(id);
  await db
    .updateTable('credentials')
    .set({ token_encrypted: other.seal('ghu_x', sealedAs.token(id)) })
    .execute();

  await expect(personal?.client.viewer()).rejects.toMatchObject({ kind: 'unauthorized' });
  expect(toItsEnd).toBe('octo');
  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(401);
});

test('whoever leaves while their token is renewed leaves no living token behind', async () => {
  const { cookie, id } = await signIn();
  await pass(9);
  await simulator.control('faults', { match: { kind: 'oauth' }, effect: { name: 'latency', milliseconds: 700 } });
  const renewing = viewer(other, id).catch((error: unknown) => error);
  await expect.poll(async () => (await stored())?.refresh_leased_until ?? null, { interval: 10 }).not.toBeNull();
  await app.ask('POST', '/auth/logout', { as: cookie });

  expect(await renewing).toMatchObject({ kind: 'unauthorized' });
  await simulator.control('faults', undefined, 'DELETE');
  await expect
    .poll(async () => {
      await app.server.departures.upkeep(new AbortController().signal);
      return (await app.database.db.selectFrom('revocations').selectAll().execute()).length;
    })
    .toBe(0);
  expect(await stored()).toBeUndefined();
  expect(((await simulator.control('tokens?login=octo')) as { living: string[] }).living).toEqual([]);
});

test('upkeep renews what is about to end, also where nobody asks the host meanwhile, and one failure stops no other', async () => {
  const { id } = await signIn();
  const { user_id: _, ...rest } = (await stored())!;
  const broken = await app.database.db
    .insertInto('users')
    .values({
      ...{ host: simulator.url, host_id: '0', login: 'broken', created_at: time },
      signed_in_at: time,
      seen_at: time,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.database.db
    .insertInto('credentials')
    .values({ ...rest, user_id: broken.id, grant_id: rest.grant_id + 1000, expires_at: new Date(0) })
    .execute();
  await pass(7.9);

  await app.server.credentials.renewExpiring(new AbortController().signal);

  const row = await app.database.db
    .selectFrom('credentials')
    .select('expires_at')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row.expires_at).toEqual(new Date(time.getTime() + 8 * HOUR));
});

test('whoever leaves after their token has ended takes back the grant all the same', async () => {
  const { cookie } = await signIn();
  const before = (await stored())!;
  await pass(9);
  await forgetCounts();

  const answer = await app.ask('DELETE', '/auth/me', { as: cookie, body: { confirm: 'octo' } });

  expect(answer.status).toBe(204);
  expect(before.refresh_token_encrypted).not.toBeNull();
  await expect.poll(async () => (await app.database.db.selectFrom('revocations').selectAll().execute()).length).toBe(0);
  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  expect(operations['DELETE /applications/:client/grant']).toBe(1);
  expect(operations['POST /login/oauth/access_token']).toBe(1);
});
