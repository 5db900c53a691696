import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEMO_HOST } from '#domain/demo-host.ts';
import { cookieIn, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { queues } from '../background-jobs.ts';
import { openJobs } from '../jobs/jobs.ts';
import { forgetPeopleQueue } from '../repositories/forget.ts';

let simulator: RunningSimulator;
let app: TestApp;
let time = new Date();

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: simulator.url, now: () => time });
  const readers = ['octo', 'mona'];
  await simulator.control('repos/octo-org/hello', { private: true, readers }, 'PATCH');
  await simulator.control('repos', { owner: 'octo-org', name: 'work', private: true, readers });
});
beforeEach(async () => {
  await simulator.control('faults', undefined, 'DELETE');
  await app.database.db.deleteFrom('users').execute();
  await app.database.db.deleteFrom('repositories').execute();
  await app.database.db.deleteFrom('revocations').execute();
});
afterAll(async () => {
  await app?.stop();
  await simulator?.stop();
});

/** A process that also works, on the same database, until the end of the test: data is deleted by a worker. */
async function openWorkingApp(): Promise<TestApp> {
  const working = await openTestApp({ host_url: simulator.url, role: 'all', now: () => time, database: app.database });
  onTestFinished(() => working.stop());
  return working;
}

/** Signs in on the host's page; the token of the host is found by what it stores. */
async function signInByHost(login: string, path = '/auth/login'): Promise<{ cookie: string; token: string }> {
  const { status, headers } = await app.ask('GET', path);
  expect(status).toBe(302);
  const query = new URL(String(headers.location)).searchParams;
  query.set('login', login);
  const consented = await fetch(`${simulator.url}/login/oauth/authorize`, {
    method: 'POST',
    body: query,
    redirect: 'manual',
  });
  const back = new URL(consented.headers.get('location') ?? '');
  const signIn = cookieIn({ status, headers, body: null }, 'sign_in');
  const answer = await app.ask('GET', `${back.pathname}${back.search}`, { as: signIn });
  return { cookie: cookieIn(answer, 'session'), token: await tokenOf(login) };
}

async function tokenOf(login: string): Promise<string> {
  const user = await userOf(login);
  const personal = await app.server.credentials.clientFor(user?.id ?? 0);
  await personal?.client.viewer();
  const stored = await app.server.credentials.stored(app.database.db, user?.id ?? 0);
  return stored?.token ?? '';
}

const userOf = async (login: string) =>
  await app.database.db.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirst();
const statusAtHost = async (token: string) =>
  (await fetch(`${simulator.url}/api/v3/user`, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'test' } }))
    .status;
const count = async (table: 'credentials' | 'sessions' | 'users' | 'repositories' | 'revocations') =>
  (await app.database.db.selectFrom(table).selectAll().execute()).length;
const connect = async (cookie: string, name: string) => {
  const answer = await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name } });
  expect([200, 201]).toContain(answer.status);
  return (answer.body as { id: number }).id;
};
const signOut = (cookie: string, body?: { background: boolean }) =>
  app.ask('POST', '/auth/logout', { as: cookie, ...(body && { body }) });
const upkeep = () => app.server.departures.upkeep(new AbortController().signal);

test('whoever signs out of their last session leaves no token, here or at the host', async () => {
  const { cookie, token } = await signInByHost('octo');

  const answer = await signOut(cookie);

  expect(answer.status).toBe(204);
  expect(await count('credentials')).toBe(0);
  expect((await userOf('octo'))?.unused_token_deleted_at).toBeNull();
  await expect.poll(() => statusAtHost(token)).toBe(401);
  await expect.poll(() => count('revocations')).toBe(0);
  expect(app.logged.join('')).toContain('token_deleted');
  expect(app.logged.join('')).not.toContain(token);
});

/** How often the host was asked to revoke a token of the app. */
async function revoked(): Promise<number> {
  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  return operations['DELETE /applications/:client/token'] ?? 0;
}

test('whoever signs out everywhere, or ends their last session in the list, leaves no token either, here or at the host', async () => {
  for (const end of ['everywhere', 'in the list']) {
    const first = await signInByHost('octo');
    const { cookie, token } = await signInByHost('octo');
    const before = await revoked();
    const sessions = (await app.ask('GET', '/auth/sessions', { as: cookie })).body as {
      id: string;
      current: boolean;
    }[];
    const paths =
      end === 'everywhere'
        ? ['/auth/sessions']
        : sessions.sort((a, b) => Number(a.current) - Number(b.current)).map(({ id }) => `/auth/sessions/${id}`);
    expect([sessions.length, paths.length], end).toEqual([2, end === 'everywhere' ? 1 : 2]);
    for (const path of paths) expect((await app.ask('DELETE', path, { as: cookie })).status, end).toBe(204);

    for (const ended of [first.cookie, cookie])
      expect((await app.ask('GET', '/auth/me', { as: ended })).status, end).toBe(401);
    expect([await count('credentials'), await count('sessions')], end).toEqual([0, 0]);
    await expect.poll(revoked).toBe(before + 1);
    await expect.poll(() => statusAtHost(token)).toBe(401);
    await expect.poll(() => count('revocations')).toBe(0);
  }
});

test('while another session lasts, or when the person wants to be read for, the token stays', async () => {
  const first = await signInByHost('octo');
  const second = await signInByHost('octo');

  await signOut(first.cookie);
  const withOther = await count('credentials');
  await signOut(second.cookie, { background: true });

  expect(withOther).toBe(1);
  expect(await count('credentials')).toBe(1);
  expect(await count('sessions')).toBe(0);
  expect(await statusAtHost(second.token)).toBe(200);
});

test('a session that has run out counts as none', async () => {
  const old = await signInByHost('octo');
  const began = time;
  time = new Date(time.getTime() + 6.9 * 86_400_000);
  const { cookie } = await signInByHost('octo');
  time = new Date(began.getTime() + 7 * 86_400_000);

  await signOut(cookie);

  expect((await app.ask('GET', '/auth/me', { as: old.cookie })).status).toBe(401);
  expect(await count('credentials')).toBe(0);
});

test('a personal access token is deleted here and not touched at the host', async () => {
  const cookie = await app.signIn('octo');

  await signOut(cookie);

  expect([await count('credentials'), await count('revocations')]).toEqual([0, 0]);
  expect(await statusAtHost('ghp_octo')).toBe(200);
});

test('a host that does not answer is asked for a day to revoke a token, and nobody stays signed in meanwhile', async () => {
  const { cookie, token } = await signInByHost('octo');
  await simulator.control('faults', { match: { kind: 'rest' }, effect: { name: 'bad_gateway' } });
  const refused = await signOut(cookie);
  await expect.poll(() => app.logged.join('')).toContain('failed to revoke a token');

  expect(refused.status).toBe(204);
  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(401);
  expect([await count('credentials'), await count('revocations')]).toEqual([0, 1]);

  await simulator.control('faults', undefined, 'DELETE');
  time = new Date(time.getTime() + 2 * 60_000);
  await upkeep();

  expect(await statusAtHost(token)).toBe(401);
  expect(await count('revocations')).toBe(0);
});

test('after the clock was set back by a day the host is asked at once', async () => {
  const { cookie, token } = await signInByHost('octo');
  await simulator.control('faults', { match: { kind: 'rest' }, effect: { name: 'bad_gateway' } });
  const failed = () => app.logged.filter((line) => line.includes('failed to revoke a token')).length;
  const before = failed();
  await signOut(cookie);
  await expect.poll(failed).toBe(before + 1);

  await simulator.control('faults', undefined, 'DELETE');
  const began = time;
  onTestFinished(() => {
    time = began;
  });
  time = new Date(began.getTime() - 24 * 3_600_000);
  await upkeep();

  expect(await statusAtHost(token)).toBe(401);
  expect(await count('revocations')).toBe(0);
});

test('after a day the host is not asked again', async () => {
  const { cookie } = await signInByHost('octo');
  await simulator.control('faults', { match: { kind: 'rest' }, effect: { name: 'bad_gateway' } });
  await signOut(cookie);
  const began = time;
  const left: number[] = [];
  for (const hours of [1, 12, 23, 24.5]) {
    time = new Date(began.getTime() + hours * 3_600_000);
    await upkeep();
    left.push(await count('revocations'));
  }

  expect(left).toEqual([1, 1, 1, 0]);
});

test('what somebody had begun to sync goes on with another’s token, or ends', async () => {
  const { cookie } = await signInByHost('octo');
  const shared = await connect(cookie, 'hello');
  const alone = await connect(cookie, 'work');
  const mona = await app.signIn('mona');
  await connect(mona, 'hello');
  for (const id of [shared, alone])
    await app.ask('POST', '/api/sync-repo-complete', { as: cookie, body: { repoId: id, mode: 'full' } });

  await signOut(cookie);

  const sessions = await app.database.db.selectFrom('sync_sessions').selectAll().orderBy('repository_id').execute();
  const id = (await userOf('mona'))?.id;
  expect(sessions.map(({ repository_id, user_id, status }) => [repository_id, user_id === id, status])).toEqual([
    [shared, true, 'queued'],
    [alone, false, 'failed'],
  ]);
});

test('an account is deleted with all that belongs to it, and what was granted at the host is taken back', async () => {
  const first = await signInByHost('octo');
  const { cookie, token } = await signInByHost('octo');
  const mona = await app.signIn('mona');
  const shared = await connect(cookie, 'hello');
  await connect(mona, 'hello');
  await connect(cookie, 'work');

  const working = await openWorkingApp();
  const answer = await working.ask('DELETE', '/auth/me', { as: cookie, body: { confirm: ' Octo ' } });

  expect([answer.status, answer.body]).toEqual([204, null]);
  for (const session of [first.cookie, cookie])
    expect((await app.ask('GET', '/auth/me', { as: session })).status).toBe(401);
  expect(await userOf('octo')).toBeUndefined();
  await expect.poll(() => count('repositories')).toBe(1);
  const repositories = (await app.ask('GET', '/api/repos', { as: mona })).body as { id: number }[];
  expect(repositories.map(({ id }) => id)).toEqual([shared]);
  // All tokens that the app was given for this person, not only the one that was stored last.
  for (const gone of [first.token, token]) await expect.poll(() => statusAtHost(gone)).toBe(401);
  expect(working.logged.join('')).toContain('account_deleted');
});

/** Whatever deletes rows of the table fails until the returned function is called. */
async function refuseDeletes(table: 'users' | 'credentials'): Promise<() => Promise<void>> {
  const { db } = app.database;
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(db);
  await sql`create trigger refuse before delete on ${sql.table(table)} execute function refuse()`.execute(db);
  let refuses = true;
  const end = async () => {
    if (refuses) await sql`drop function refuse cascade`.execute(db);
    refuses = false;
  };
  onTestFinished(end);
  return end;
}

test('an account that could not be deleted stays as it was, and can be deleted again', async () => {
  const { cookie, token } = await signInByHost('octo');
  const remove = () => app.ask('DELETE', '/auth/me', { as: cookie, body: { confirm: 'octo' } });
  const events = () => app.database.db.selectFrom('security_events').select(['event', 'actor']);
  const before = (await events().execute()).length;
  const allow = await refuseDeletes('users');

  expect((await remove()).status).toBe(500);

  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(200);
  expect([await count('credentials'), await count('revocations'), await statusAtHost(token)]).toEqual([1, 0, 200]);
  expect(await events().execute()).toHaveLength(before);

  await allow();
  expect((await remove()).status).toBe(204);
  expect([await count('credentials'), await count('users')]).toEqual([0, 0]);
  expect(await events().orderBy('id').offset(before).execute()).toEqual([
    { event: 'token_deleted', actor: 'octo' },
    { event: 'account_deleted', actor: 'octo' },
  ]);
  await expect.poll(() => statusAtHost(token)).toBe(401);
});

test('sessions stay where the token that goes with the last of them could not be deleted', async () => {
  for (const end of ['everywhere', 'in the list', 'here']) {
    const { cookie } = await signInByHost('octo');
    const [session] = (await app.ask('GET', '/auth/sessions', { as: cookie })).body as { id: string }[];
    const call = {
      everywhere: ['DELETE', '/auth/sessions'],
      'in the list': ['DELETE', `/auth/sessions/${session?.id}`],
      here: ['POST', '/auth/logout'],
    }[end] as ['DELETE' | 'POST', string];
    const allow = await refuseDeletes('credentials');

    expect((await app.ask(...call, { as: cookie })).status, end).toBe(500);
    expect((await app.ask('GET', '/auth/me', { as: cookie })).status, end).toBe(200);

    await allow();
    expect((await app.ask(...call, { as: cookie })).status, end).toBe(204);
    expect([await count('credentials'), await count('sessions')], end).toEqual([0, 0]);
  }
});

test('what somebody had begun to sync goes on with another’s token when their account is deleted', async () => {
  const { cookie } = await signInByHost('octo');
  const shared = await connect(cookie, 'hello');
  await connect(await app.signIn('mona'), 'hello');
  await app.ask('POST', '/api/sync-repo-complete', { as: cookie, body: { repoId: shared, mode: 'full' } });

  await app.ask('DELETE', '/auth/me', { as: cookie, body: { confirm: 'octo' } });

  const sessions = await app.database.db.selectFrom('sync_sessions').select(['user_id', 'status']).execute();
  expect(sessions).toEqual([{ user_id: (await userOf('mona'))?.id, status: 'queued' }]);
});

test('visitors of a demo that was switched off are forgotten a day after their last request, as while it runs', async () => {
  const visitor = (login: string, hours: number) => ({
    ...{ host: DEMO_HOST, host_id: login, login, created_at: time, signed_in_at: time },
    seen_at: new Date(time.getTime() - hours * 3_600_000),
  });
  const visitors = [visitor('visitor-gone', 24.1), visitor('visitor-stays', 23)];
  await app.database.db.insertInto('users').values(visitors).execute();
  const octo = await app.signIn('octo');

  const working = await openWorkingApp();
  await working.ask('DELETE', '/auth/me', { as: octo, body: { confirm: 'octo' } });

  await expect.poll(() => userOf('visitor-gone')).toBeUndefined();
  expect(await userOf('visitor-stays')).toBeDefined();
});

test('an account is not deleted by mistake', async () => {
  const cookie = await app.signIn('octo');

  for (const confirm of ['', 'mona', 'octo-org']) {
    const answer = await app.ask('DELETE', '/auth/me', { as: cookie, body: { confirm } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'confirm', message: 'must be octo' }],
    });
  }
  expect((await app.ask('GET', '/auth/me', { as: cookie })).status).toBe(200);
});

test('names and pictures go with the last repository that names their people', async () => {
  const octo = await app.signIn('octo');
  const [left, removed] = [await connect(octo, 'hello'), await connect(octo, 'work')];
  const { db } = app.database;
  const person = async (host_id: string) =>
    (
      await db
        .insertInto('people')
        .values({
          ...{ host: simulator.url, host_id, login: `login-${host_id}`, type: 'user', kind: 'human' },
          ...{ name: `Name ${host_id}`, name_lower: `name ${host_id}`, avatar_url: 'https://pictures.example/1' },
        })
        .onConflict((conflict) => conflict.columns(['host', 'host_id']).doUpdateSet({ login: `login-${host_id}` }))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const pull = async (repository_id: number, author_id: number, merged_by_id: number | null = null) =>
    await db
      .insertInto('pull_requests')
      .values({
        ...{ repository_id, number: 1, host_id: '1', node_id: 'PR_1', title: 't', title_lower: 't', url: 'u' },
        ...{ state: 'open', draft: false, author_id, merged_by_id, created_at: time, updated_at: time },
        ...{ closed_at: null, merged_at: null, additions: 0, deletions: 0, changed_files: 0, commits: 0, comments: 0 },
        ...{ review_comments: 0, base_ref: 'main', head_ref: 'x', head_sha: null, sweep_fingerprint: null },
        ...{ fetched_at: time, settled: true },
      })
      .execute();
  const [here, merger, there] = [await person('1001'), await person('1002'), await person('1003')];
  await pull(left, here, merger);
  await pull(removed, there);
  const [assigned, starter] = [await person('1004'), await person('1005')];
  await db
    .updateTable('pull_requests')
    .set({ assignees: JSON.stringify([{ person_id: assigned, at: time.toISOString(), until: null }]) })
    .where('repository_id', '=', left)
    .execute();
  await db
    .insertInto('clues')
    .values({ repository_id: left, number: 1, kind: 'issue', person_ids: [starter] })
    .execute();

  const working = await openWorkingApp();
  await working.ask('DELETE', `/api/repos/${removed}`, { as: octo });

  await expect.poll(() => db.selectFrom('repositories').select('id').execute()).toEqual([{ id: left }]);
  const people = await db
    .selectFrom('people')
    .selectAll()
    .where('id', 'in', [here, merger, there, assigned, starter])
    .orderBy('id')
    .execute();
  expect(people.map(({ login, name, avatar_url }) => [login, name, avatar_url !== null])).toEqual([
    ['login-1001', 'Name 1001', true],
    ['login-1002', 'Name 1002', true],
    ['', null, false],
    ['login-1004', 'Name 1004', true],
    ['login-1005', 'Name 1005', true],
  ]);
});

// Workers of the embedded database look for jobs of others every 15 seconds.
test.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'names that a group was the last to give go once a day, whatever became of it',
  async () => {
    const octo = await app.signIn('octo');
    const body = { name: 'Reviewers', visibility: 'mine', members: ['mona'] };
    expect((await app.ask('POST', '/api/teams', { as: octo, body })).status).toBe(201);
    const named = async () =>
      (await app.database.db.selectFrom('people').select('login').where('login', '=', 'mona').execute()).length;
    expect(await named()).toBe(1);
    await app.ask('DELETE', '/auth/me', { as: octo, body: { confirm: 'octo' } });

    await openWorkingApp();
    const report = { log: (error: Error) => expect.fail(String(error)), onWait: () => undefined };
    const jobs = await openJobs(app.database, queues, { working: false, ...report });
    onTestFinished(() => jobs.stop(0));
    await jobs.send(forgetPeopleQueue);

    await expect.poll(named, { timeout: 10_000 }).toBe(0);
  },
);

test('nobody who was not seen for 90 days is synced for: their token is deleted here and at the host', async () => {
  const { cookie, token } = await signInByHost('octo');
  const id = await connect(cookie, 'hello');
  const mona = await app.signIn('mona');
  const began = time;

  time = new Date(began.getTime() + 89 * 86_400_000);
  await upkeep();
  const before = await count('credentials');
  await app.signIn('mona');
  time = new Date(began.getTime() + 90.1 * 86_400_000);
  await upkeep();

  expect(before).toBe(2);
  expect(mona).toBeDefined();
  const stored = await app.database.db.selectFrom('credentials').select('user_id').execute();
  expect(stored.map(({ user_id }) => user_id)).toEqual([(await userOf('mona'))?.id]);
  await expect.poll(() => statusAtHost(token)).toBe(401);
  expect(await app.server.credentials.clientFor((await userOf('octo'))?.id ?? 0)).toBeNull();
  expect((await userOf('octo'))?.unused_token_deleted_at).toEqual(time);
  // What they had connected is there when they come back.
  expect((await app.database.db.selectFrom('connections').select('repository_id').execute())[0]?.repository_id).toBe(
    id,
  );
});

test('sessions that run out leave the token where it is', async () => {
  await signInByHost('octo');

  time = new Date(time.getTime() + 8 * 86_400_000);
  await upkeep();

  expect(await count('credentials')).toBe(1);
});
