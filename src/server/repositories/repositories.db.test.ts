import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { aPullRequest, approves, hour } from '../../../test/support/builders.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { store } from '../../../test/support/stored.ts';
import { takeDueChecks } from '../db/sight.ts';
import { scopeOf } from '../metrics/scope.ts';
import { checkAccess } from './access.ts';
import { forgetUnconnected } from './forget.ts';

let host: RunningSimulator;
let app: TestApp;
let octo: string;
let mona: string;

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url });
  await host.control('repos', { owner: 'octo', name: 'secret-plans', private: true, readers: ['octo', 'mona'] });
  octo = await app.signIn('octo');
  mona = await app.signIn('mona');
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});
beforeEach(async () => {
  await app.database.db.deleteFrom('repositories').execute();
  await host.control('repos/octo/secret-plans', { readers: ['octo', 'mona'] }, 'PATCH');
});

const connect = (as: string, body: object) => app.ask('POST', '/api/repos', { as, body });
const secretPlans = { owner: 'octo', name: 'secret-plans' };
/** A process that also works, on the same database, until the end of the test: data is deleted by a worker. */
async function openWorkingApp(): Promise<TestApp> {
  const working = await openTestApp({ host_url: host.url, role: 'all', database: app.database });
  onTestFinished(() => working.stop());
  return working;
}

test('connecting a repository gives what its webhook needs, and again the same', async () => {
  const first = await connect(octo, secretPlans);
  const again = await connect(octo, { owner: '', name: `${host.url}/octo/secret-plans/pull/3` });

  expect([first.status, again.status]).toEqual([201, 200]);
  expect(first.body).toEqual({
    id: expect.any(Number),
    owner: 'octo',
    name: 'secret-plans',
    webhook_url: expect.stringMatching(new RegExp(`^${PUBLIC_URL}/webhooks/github/[\\w-]{22}$`)),
    webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    webhook_by: 'create',
  });
  expect(again.body).toEqual(first.body);
});

test('a connected repository is listed, before its first sync without any date', async () => {
  await connect(octo, secretPlans);

  const list = await app.ask('GET', '/api/repos', { as: octo });
  const filter = await app.ask('GET', '/api/repositories', { as: octo });

  expect(list.body).toEqual([
    {
      id: expect.any(Number),
      ...secretPlans,
      full_name: 'octo/secret-plans',
      private: true,
      last_synced_at: null,
      first_connected_at: expect.stringMatching(/Z$/),
      imported_at: null,
      counting: null,
      reading_again: null,
      access: {
        state: 'readable',
        reason: null,
        link: null,
        checked_at: expect.stringMatching(/Z$/),
        next_check_at: expect.stringMatching(/Z$/),
      },
      condition: 'ok',
      message: null,
      webhook_active: false,
      webhook_last_delivery_at: null,
      webhook_message: null,
      pull_requests: 0,
    },
  ]);
  expect(filter.body).toEqual([{ id: expect.any(Number), ...secretPlans, full_name: 'octo/secret-plans' }]);
});

test('the secret of the webhook is stored sealed', async () => {
  const { body } = await connect(octo, secretPlans);

  const row = await app.database.db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow();

  expect(JSON.stringify(row)).not.toContain((body as { webhook_secret: string }).webhook_secret);
});

test('a 401 that the host does not repeat says nothing about a repository, which is connected the next time', async () => {
  await host.control('faults', { match: { kind: 'graphql', next: 1 }, effect: { name: 'bad_credentials' } });

  const failed = await connect(octo, secretPlans);
  const again = await connect(octo, secretPlans);
  await host.control('faults', { match: { next: 1 }, effect: { name: 'bad_credentials' } });
  const { id } = again.body as { id: number };
  const webhook = await app.ask('POST', `/api/repos/${id}/webhook`, { as: octo });

  for (const answer of [failed, webhook]) {
    expect(answer).toMatchObject({ status: 502, body: { code: 'host_failed' } });
    expect((answer.body as { error: string }).error).not.toMatch(/sign in/i);
  }
  expect(again.status).toBe(201);
});

test('a repository that the token cannot read is refused in the host’s words, and nothing is kept', async () => {
  const unknown = await connect(octo, { owner: 'octo', name: 'no-such-thing' });
  await host.control('repos/octo/secret-plans', { readers: ['octo'] }, 'PATCH');
  const hidden = await connect(mona, secretPlans);

  for (const answer of [unknown, hidden]) {
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: 'cannot_access_repository',
      error: expect.stringMatching(/^Cannot access repository: ./),
    });
  }
  expect((await app.ask('GET', '/api/repos', { as: mona })).body).toEqual([]);
});

test('what is no name of a repository is refused before the host is asked', async () => {
  const answer = await connect(octo, { owner: 'octo', name: '../../user' });

  expect(answer.status).toBe(400);
});

test('two people who connect it share the data and see each their own list', async () => {
  const first = await connect(octo, secretPlans);
  const second = await connect(mona, secretPlans);

  expect(second.status).toBe(201);
  // Who is no admin of it at the host is not told where deliveries go, nor their secret.
  expect(second.body).toEqual({ ...(first.body as object), webhook_url: null, webhook_secret: null });
  expect(await app.database.db.selectFrom('repositories').select('id').execute()).toHaveLength(1);
});

test('removing it leaves it to the others; the last one’s removal deletes its data', async () => {
  const { body } = await connect(octo, secretPlans);
  const { id } = body as { id: number };
  await connect(mona, secretPlans);

  expect((await app.ask('DELETE', `/api/repos/${id}`, { as: octo })).status).toBe(204);
  expect((await app.ask('GET', '/api/repos', { as: octo })).body).toEqual([]);
  expect((await app.ask('GET', '/api/repos', { as: mona })).body).toHaveLength(1);

  const working = await openWorkingApp();
  expect((await working.ask('DELETE', `/api/repos/${id}`, { as: mona })).status).toBe(204);
  expect((await app.ask('GET', '/api/repos', { as: mona })).body).toEqual([]);
  await expect.poll(() => app.database.db.selectFrom('repositories').select('id').execute()).toEqual([]);
});

test('a large one that is removed is gone from the list at once, its data goes in steps, and connecting it meanwhile begins from nothing', async () => {
  const { db } = app.database;
  const { id } = (await connect(octo, secretPlans)).body as { id: number };
  const pulls = Array.from({ length: 600 }, (_, index) => aPullRequest({ number: index + 1 }, approves(2, 'ben')));
  await store(db, id, hour(100), pulls);
  await db.updateTable('repositories').set({ history_completed_at: new Date() }).execute();
  const left = async (of: number) =>
    (await sql<{ n: number }>`select count(*)::int as n from pull_requests where repository_id = ${of}`.execute(db))
      .rows[0]?.n;

  const working = await openWorkingApp();
  const removed = await working.ask('DELETE', `/api/repos/${id}`, { as: octo });
  const listed = (await app.ask('GET', '/api/repos', { as: octo })).body;
  const again = await connect(octo, secretPlans);

  expect([removed.status, listed, again.status]).toEqual([204, [], 201]);
  const fresh = (again.body as { id: number }).id;
  expect(fresh).not.toBe(id);
  await expect
    .poll(() => db.selectFrom('repositories').select(['id', 'history_completed_at']).execute())
    .toEqual([{ id: fresh, history_completed_at: null }]);
  expect(await left(id)).toBe(0);
});

test('what a process left over that died while it deleted a repository is deleted by the next', async () => {
  const { db } = app.database;
  const { id } = (await connect(octo, secretPlans)).body as { id: number };
  await db.deleteFrom('connections').execute();
  await store(db, id, hour(100), [aPullRequest({ number: 1 })]);
  const stopped = AbortSignal.abort();

  await forgetUnconnected(db, stopped);
  const before = await db.selectFrom('repositories').select('host_id').execute();
  const { id: other } = (await connect(mona, secretPlans)).body as { id: number };
  await forgetUnconnected(db, new AbortController().signal);

  expect(before).toEqual([{ host_id: `removed ${id}` }]);
  expect(await db.selectFrom('repositories').select('id').execute()).toEqual([{ id: other }]);
});

test('one that is somebody else’s cannot be removed, and looks as if it did not exist', async () => {
  const { body } = await connect(octo, secretPlans);
  const { id } = body as { id: number };

  const foreign = await app.ask('DELETE', `/api/repos/${id}`, { as: mona });
  const unknown = await app.ask('DELETE', '/api/repos/2147483647', { as: mona });

  expect(foreign.status).toBe(404);
  expect({ ...(foreign.body as object), request_id: '' }).toEqual({ ...(unknown.body as object), request_id: '' });
});

test('removing it cancels its running sync', async () => {
  const { body } = await connect(octo, secretPlans);
  const { id } = body as { id: number };
  await connect(mona, secretPlans);
  await app.ask('POST', '/api/sync-repo-complete', { as: octo, body: { repoId: id } });

  await app.ask('DELETE', `/api/repos/${id}`, { as: octo });

  const answer = await app.ask('GET', `/api/sync-repo-complete?repoId=${id}`, { as: mona });
  expect(answer.body).toMatchObject({ status: 'cancelled' });
});

test('whoever the host no longer lets in loses sight of it at once, and only they', async () => {
  const { body } = await connect(octo, secretPlans);
  const { id } = body as { id: number };
  await connect(mona, secretPlans);
  await host.control('repos/octo/secret-plans', { readers: ['octo'] }, 'PATCH');

  const sees = await Promise.all([check('mona', id), check('octo', id)]);

  expect(sees).toEqual([false, true]);
  expect((await app.ask('GET', '/api/repositories', { as: mona })).body).toEqual([]);
  expect((await app.ask('GET', '/api/repos', { as: mona })).body).toMatchObject([
    { full_name: 'octo/secret-plans', access: { state: 'checking' }, pull_requests: null, last_synced_at: null },
  ]);
  expect((await app.ask('GET', '/api/repositories', { as: octo })).body).toHaveLength(1);
});

test('whoever is let in again sees it again', async () => {
  const { body } = await connect(mona, secretPlans);
  const { id } = body as { id: number };
  await host.control('repos/octo/secret-plans', { readers: ['octo'] }, 'PATCH');
  await check('mona', id);
  await host.control('repos/octo/secret-plans', { readers: ['octo', 'mona'] }, 'PATCH');

  expect(await check('mona', id)).toBe(true);
  expect((await app.ask('GET', '/api/repositories', { as: mona })).body).toHaveLength(1);
});

test('a host that fails for a moment takes nobody’s sight', async () => {
  const { body } = await connect(octo, secretPlans);
  const { id } = body as { id: number };
  await host.control('faults', { match: { kind: 'rest' }, effect: { name: 'bad_gateway' } });

  const sees = await check('octo', id);
  await host.control('faults', undefined, 'DELETE');

  expect(sees).toBe(true);
});

test('a renamed repository takes its new name with the next look', async () => {
  await host.control('repos', { owner: 'octo', name: 'old-name' });
  const { body } = await connect(octo, { owner: 'octo', name: 'old-name' });
  await host.control('repos/octo/old-name', { name: 'new-name' }, 'PATCH');

  await check('octo', (body as { id: number }).id);

  expect((await app.ask('GET', '/api/repositories', { as: octo })).body).toMatchObject([
    { full_name: 'octo/new-name' },
  ]);
});

test('a default branch that has another name when somebody connects the repository again keeps the former one', async () => {
  const { db } = app.database;
  const { id } = (await connect(octo, secretPlans)).body as { id: number };
  await db.updateTable('repositories').set({ default_branch: 'master' }).execute();

  await connect(mona, secretPlans);
  await check('octo', id);

  const row = await db.selectFrom('repositories').select(['default_branch', 'former_default_branches']).execute();
  expect(row).toEqual([{ default_branch: 'main', former_default_branches: ['master'] }]);
});

test('sight is due for a check within the hour while its person is here, and after 20 hours otherwise', async () => {
  const { db } = app.database;
  const { id } = (await connect(octo, secretPlans)).body as { id: number };
  async function checked(): Promise<{ later: (minutes: number) => Date }> {
    await check('octo', id);
    const row = db.selectFrom('connections').select('checked_at').where('repository_id', '=', id);
    const { checked_at } = await row.executeTakeFirstOrThrow();
    return { later: (minutes) => new Date(checked_at.getTime() + minutes * 60_000) };
  }
  const isDue = async (at: Date) =>
    (await takeDueChecks(db, [host.url], at, 100)).some(({ repository_id }) => repository_id === id);

  const here = await checked();
  const sooner = [await isDue(here.later(49)), await isDue(here.later(50))];
  await db
    .updateTable('users')
    .set({ seen_at: here.later(-61) })
    .execute();
  const away = await checked();
  const later = [await isDue(away.later(19 * 60)), await isDue(away.later(20 * 60))];

  expect([sooner, later]).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('testing access tells whose token it is, what it may and what to do', async () => {
  const good = await app.ask('POST', '/api/test-github-access', { as: octo, body: secretPlans });
  const bad = await app.ask('POST', '/api/test-github-access', { as: octo, body: { owner: 'octo', name: 'nope' } });

  expect(good.body).toMatchObject({
    github_user: { login: 'octo' },
    token_scopes: expect.arrayContaining(['repo', 'read:org']),
    repository: { full_name: 'octo/secret-plans', private: true },
    repository_error: null,
    recommendations: [expect.any(String)],
  });
  expect(bad.status).toBe(200);
  expect(bad.body).toMatchObject({
    repository: null,
    repository_error: { message: expect.stringMatching(/./) },
    recommendations: [expect.stringContaining('Check the spelling of octo/nope'), expect.any(String)],
  });
});

test('a token without the scope for private repositories is told which one it lacks', async () => {
  const narrow = await app.signIn('mona', 'ghp_mona_read:user');

  const answer = await app.ask('POST', '/api/test-github-access', { as: narrow, body: secretPlans });

  expect(answer.body).toMatchObject({
    repository: null,
    recommendations: expect.arrayContaining([expect.stringContaining('scope repo')]),
  });
  mona = await app.signIn('mona');
});

test('a token without the permission for contents is told so, and takes no default branch from others', async () => {
  const { db } = app.database;
  await connect(octo, secretPlans);
  await host.control('repos/octo/secret-plans/pulls', { title: 'Plan', author: 'octo' });
  await host.control('permissions', { contents: false }, 'PATCH');
  const fine = await app.signIn('mona', 'github_pat_mona');

  const answer = await app.ask('POST', '/api/test-github-access', { as: fine, body: secretPlans });
  const connected = await connect(fine, secretPlans);
  await host.control('permissions', { contents: true }, 'PATCH');

  const row = await db.selectFrom('repositories').select(['default_branch', 'former_default_branches']).execute();
  expect(answer.body).toMatchObject({
    repository: { full_name: 'octo/secret-plans' },
    recommendations: [expect.stringContaining('read access to contents')],
  });
  expect(connected.status).toBe(201);
  expect(row).toEqual([{ default_branch: 'main', former_default_branches: [] }]);
  mona = await app.signIn('mona');
});

test('a token that was revoked ends the sessions of its person, and signing in again heals it', async () => {
  const token = 'ghp_mona_repo-read:org';
  const session = await app.signIn('mona', token);
  await host.control('tokens', { token }, 'DELETE');

  const first = await connect(session, secretPlans);
  const second = await connect(session, secretPlans);
  mona = await app.signIn('mona');
  const healed = await connect(mona, secretPlans);

  expect([first.status, second.status, healed.status]).toEqual([422, 401, 201]);
});

async function check(login: string, repository_id: number): Promise<boolean> {
  const { db } = app.database;
  const { id } = await db.selectFrom('users').select('id').where('login', '=', login).executeTakeFirstOrThrow();
  const noteSecurityEvent = async () => undefined;
  await checkAccess({ db, ...app.server.credentials, now: () => new Date(), noteSecurityEvent }, id, repository_id);
  return (await scopeOf(db, id)).repository_ids.includes(repository_id);
}
