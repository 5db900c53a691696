import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { aPullRequest, hour } from '../../../test/support/builders.ts';
import { emptyAfterApp, openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { secretBox } from '../secret-box.ts';

const SECRET = { owner: 'octo', name: 'secret-plans' };
/** Reads nothing private. */
const WEAK = 'ghp_octo_read:user';
/** Another token with everything. */
const OTHER = 'ghp_octo_repo-read:org-read:user';

let database: OpenDatabase;
let host: RunningSimulator;
let app: TestApp;
let octo: string;
let elapsed = 0;
const now = () => new Date(Date.now() + elapsed);

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  elapsed = 0;
  host = await startSimulator({ world: 'tiny' });
  await host.control('repos', { ...SECRET, private: true, readers: ['octo', 'mona'] });
  app = await openTestApp({ host_url: host.url, now, database });
  octo = await app.signIn('octo');
  await app.ask('POST', '/api/repos', { as: octo, body: SECRET });
});
afterEach(async () => {
  await app?.stop();
  await host?.stop();
  await emptyAfterApp(database, 'allowed_logins');
});
afterAll(() => database.close());

const repositories = async (as: string) => (await app.ask('GET', '/api/repositories', { as })).body;
const sees = async (as: string) => ((await repositories(as)) as { name: string }[]).map(({ name }) => name);
const me = async (as: string) => (await app.ask('GET', '/auth/me', { as })).status;
const token = (token: string, replace?: boolean) => app.ask('POST', '/auth/token', { body: { token, replace } });

test('a token that may read less than the stored one does not take its place unasked', async () => {
  const refused = await token(WEAK);

  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'weaker_token', error: 'This token may read less than the one in use. Replace it?' },
  });
  expect(await sees(octo)).toEqual(['secret-plans']);
});

test('a token without any scope opens nothing that another token of its person had connected, also after it has replaced that', async () => {
  const weak = await app.signIn('octo', WEAK, true);

  expect(await repositories(weak)).toEqual([]);
  expect((await app.ask('GET', '/api/prs', { as: weak })).body).toMatchObject({ total: 0 });
  expect((await app.ask('POST', '/api/repos', { as: weak, body: SECRET })).status).toBe(422);
  expect(await repositories(weak)).toEqual([]);
});

test('sessions belong to the credential that opened them: another token ends them, the same one does not', async () => {
  const second = await app.signIn('octo');
  const both = [await me(octo), await me(second)];
  const other = await app.signIn('octo', OTHER);

  expect(both).toEqual([200, 200]);
  expect([await me(octo), await me(second), await me(other)]).toEqual([401, 401, 200]);
});

test('what was checked with another token is not shown before it was checked with this one, and then by itself', async () => {
  const faults = { match: { kind: 'rest', operation: 'GET /repos/:owner/:repo' }, effect: { name: 'bad_gateway' } };
  await host.control('faults', faults);
  const other = await app.signIn('octo', OTHER);
  const before = await sees(other);
  await host.control('faults', undefined, 'DELETE');
  const again = await app.signIn('octo', OTHER);

  expect(before).toEqual([]);
  await expect.poll(() => sees(again)).toEqual(['secret-plans']);
});

test('where the host does not say what a new token may read, nothing changes and it is to be tried again', async () => {
  await host.control('faults', {
    match: { kind: 'graphql', operation: 'RepositoriesById' },
    effect: { name: 'bad_gateway' },
  });

  const answer = await token(OTHER);

  expect(answer).toMatchObject({ status: 503, body: { code: 'host_busy' } });
  expect(answer.headers['retry-after']).toBe('10');
  expect(await sees(octo)).toEqual(['secret-plans']);
});

test('the stronger token that was replaced goes on serving syncs of what it read, and gives nobody sight', async () => {
  const { db } = app.database;
  const weak = await app.signIn('octo', WEAK, true);
  const { user_id, repository_id } = await db
    .selectFrom('connections')
    .select(['user_id', 'repository_id'])
    .executeTakeFirstOrThrow();
  const { credentials } = app.server;
  const forSync = await credentials.clientForSync(user_id, repository_id);
  const read = await forSync?.client.repository(SECRET.owner, SECRET.name);
  const hidden = await sees(weak);
  elapsed = 7 * 24 * 3_600_000 + 1000;
  const later = await credentials.clientForSync(user_id, repository_id);

  expect(read).toMatchObject({ name: 'secret-plans' });
  expect(hidden).toEqual([]);
  expect(later?.grant_id).toBe((await credentials.clientFor(user_id))?.grant_id);
});

test('a replaced token that the host rejects is forgotten, and nobody’s session ends', async () => {
  const { db } = app.database;
  const weak = await app.signIn('octo', WEAK, true);
  const { grant_id, user_id } = await db.selectFrom('former_credentials').selectAll().executeTakeFirstOrThrow();
  await host.control('tokens', { token: 'ghp_octo' }, 'DELETE');

  expect(await app.server.credentials.rejectToken(user_id, grant_id)).toBe(true);
  expect(await db.selectFrom('former_credentials').selectAll().execute()).toEqual([]);
  expect(await me(weak)).toBe(200);
});

test('once the new token has read all that the replaced one read, that is forgotten', async () => {
  const { db } = app.database;
  await app.signIn('octo', WEAK, true);
  const kept = await db.selectFrom('former_credentials').selectAll().execute();
  const strong = await app.signIn('octo', OTHER);

  expect(kept).toHaveLength(1);
  await expect.poll(() => sees(strong)).toEqual(['secret-plans']);
  await expect.poll(() => db.selectFrom('former_credentials').selectAll().execute()).toEqual([]);
});

test('a token that the host rejects ends its person’s sessions and nobody else’s', async () => {
  const mona = await app.signIn('mona');
  await app.ask('POST', '/api/repos', { as: mona, body: SECRET });
  await host.control('tokens', { token: 'ghp_octo' }, 'DELETE');
  const { id } = ((await repositories(octo)) as { id: number }[])[0]!;
  await app.ask('POST', '/api/pr/octo/secret-plans/1/refresh', { as: octo });
  await app.ask('POST', '/api/test-github-access', { as: octo, body: SECRET });
  await app.ask('POST', '/api/repos', { as: octo, body: SECRET });

  expect(await me(octo)).toBe(401);
  expect((await app.ask('GET', `/api/prs?repository=${id}`, { as: octo })).status).toBe(401);
  expect(await sees(mona)).toEqual(['secret-plans']);
});

const plans = 'octo/secret-plans';
test.each<[what: string, method: 'POST' | 'PUT', path: string, body?: object]>([
  ['tests access', 'POST', '/api/test-github-access', SECRET],
  ['estimates an import', 'POST', '/api/repos/estimate', { repositories: [SECRET] }],
  ['creates a webhook', 'POST', '/api/repos/{id}/webhook'],
  ['makes a new secret', 'POST', '/api/repos/{id}/webhook/rotate'],
  ['asks for the webhook of an organisation', 'POST', '/api/organisations/octo-org/webhook'],
  ['says who wrote a pull request', 'PUT', `/api/pr/${plans}/1/authorship`, { authorship: 'human', tool: null }],
  ['puts a stranger into a group', 'POST', '/api/teams', { name: 'One', members: ['newcomer'] }],
])('a token that the host rejects when its person %s ends their sessions', async (_, method, path, body) => {
  const { id } = ((await repositories(octo)) as { id: number }[])[0]!;
  await store(app.database.db, id, hour(1), [aPullRequest()]);
  await host.control('tokens', { token: 'ghp_octo' }, 'DELETE');

  const answer = await app.ask(method, path.replace('{id}', String(id)), { as: octo, ...(body && { body }) });

  expect(answer).toMatchObject({ status: 422, body: { code: 'token_rejected' } });
  expect(await me(octo)).toBe(401);
});

test('once the host rejects the token no more webhooks are asked for, and the rest is told why', async () => {
  await host.control('repos', { owner: 'octo', name: 'other-plans', private: true, readers: ['octo'] });
  await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo', name: 'other-plans' } });
  const ids = ((await repositories(octo)) as { id: number }[]).map(({ id }) => id);
  await host.control('tokens', { token: 'ghp_octo' }, 'DELETE');

  const { body } = await app.ask('POST', '/api/repos/webhooks', { as: octo, body: { ids } });

  const reason = expect.stringMatching(/ does not accept the access token /);
  expect(body).toEqual({ results: ids.map((id) => ({ id, status: 'refused', reason })) });
  expect(ids).toHaveLength(2);
  expect(await me(octo)).toBe(401);
});

test('a 401 that the host does not repeat ends nothing', async () => {
  await host.control('faults', {
    match: { kind: 'graphql', operation: 'Repository', next: 1 },
    effect: { name: 'bad_credentials' },
  });

  const answer = await app.ask('POST', '/api/repos', { as: octo, body: SECRET });

  expect(answer.status).not.toBe(200);
  expect(await me(octo)).toBe(200);
  expect(await sees(octo)).toEqual(['secret-plans']);
});

test('a stored token that cannot be opened counts as rejected, once in the log, and stops nobody else', async () => {
  const { db } = app.database;
  const mona = await app.signIn('mona');
  const row = await db.selectFrom('users').select('id').where('login', '=', 'octo').executeTakeFirstOrThrow();
  const sealed = secretBox(Buffer.alloc(32, 9)).seal('ghp_octo', `token of user ${row.id}`);
  await db.updateTable('credentials').set({ token_encrypted: sealed }).where('user_id', '=', row.id).execute();
  const { credentials } = app.server;

  const clients = [await credentials.clientFor(row.id), await credentials.clientFor(row.id)];

  expect(clients).toEqual([null, null]);
  expect(app.logged.filter((line) => line.includes('cannot be opened with this key'))).toHaveLength(1);
  expect([await me(octo), await me(mona)]).toEqual([401, 200]);
  expect(await me(await app.signIn('octo'))).toBe(200);
});

test.each(['gho_0123456789abcdefghijABCDEFGHIJ012345', '0123456789abcdef0123456789abcdef01234567', 'ghu_octo', 'octo'])(
  'only a personal access token signs in: not %s',
  async (text) => {
    expect(await token(text)).toMatchObject({
      status: 422,
      body: { code: 'not_a_personal_token', error: 'That is not a personal access token.' },
    });
  },
);

test.each(['ghp_octo\nx', 'ghp_océo', 'ghp_oc to'])(
  'a token that is not printable ASCII is a mistake: %j',
  async (text) => {
    expect(await token(text)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  },
);

test('whoever is no longer in ALLOWED_LOGINS is signed out with the next request', async () => {
  const mona = await app.signIn('mona');
  const restarted = await openTestApp({ host_url: host.url, database, config: { allowed_logins: ['octo'] } });

  expect((await restarted.ask('GET', '/api/repos', { as: mona })).status).toBe(401);
  expect((await restarted.ask('GET', '/api/repos', { as: octo })).status).toBe(200);
  expect(await me(mona)).toBe(401);
  await restarted.server.stop(1000);
});

test('a login of ALLOWED_LOGINS means the account that had it first, not who takes the name over', async () => {
  const listed = await openTestApp({ host_url: host.url, database, config: { allowed_logins: ['octo'] } });
  const before = await listed.signIn('octo');
  await host.control('accounts/octo', { login: 'octo-was-here' }, 'PATCH');
  await host.control('accounts', { login: 'newcomer' });
  await host.control('accounts/newcomer', { login: 'octo' }, 'PATCH');

  const other = await listed.ask('POST', '/auth/token', { body: { token: 'ghp_octo' } });

  expect(other).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  expect((await listed.ask('GET', '/auth/me', { as: before })).status).toBe(200);
  await listed.server.stop(1000);
});

test('membership of ALLOWED_ORGS is asked again while somebody is active; unknown for a day it counts as none', async () => {
  const members = await openTestApp({
    ...{ host_url: host.url, database, role: 'all', now },
    config: { allowed_orgs: ['octo-org'] },
  });
  const { db } = database;
  const first = await members.signIn('octo');
  const asks = async (as: string) => (await members.ask('GET', '/auth/me', { as })).status;
  const atOnce = await asks(first);
  await db.updateTable('users').set({ organizations: [] }).execute();
  const left = await asks(first);
  const again = await members.signIn('octo');
  await db
    .updateTable('users')
    .set({ organizations_at: new Date(now().getTime() - 24 * 3_600_000 - 1000) })
    .execute();
  const unknown = await asks(again);

  expect([atOnce, left, unknown]).toEqual([200, 401, 401]);
  await members.stop();
});
