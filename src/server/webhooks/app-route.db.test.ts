import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cookieIn, openTestApp, simulatedApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { AddedRepository } from '../../contract/repositories.ts';

const secret = 'what the App signs with';

let simulator: RunningSimulator;
let app: TestApp;
let octo: string;
let mona: string;
let hello: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({
    host_url: simulator.url,
    role: 'all',
    oauth: { ...simulatedApp, app: { id: '7', slug: 'mergelight' } },
    config: { github_webhook_secret: secret },
  });
  await app.server.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.app.server.address() as AddressInfo;
  const hook = { url: `http://127.0.0.1:${port}/webhooks/github/app`, secret };
  await simulator.control('app', { id: 7, slug: 'mergelight', expiring: true, hook });
  await simulator.control('repos/octo-org/hello', { private: true, readers: ['octo', 'mona'] }, 'PATCH');
});
beforeEach(async () => {
  await simulator.control('app/installations/octo-org', { repositories: 'all' }, 'PATCH');
  octo = await signInByApp('octo');
  mona = await signInByApp('mona');
  for (const cookie of [octo, mona]) {
    const answer = await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'hello' } });
    expect([200, 201]).toContain(answer.status);
    hello = (answer.body as { id: number }).id;
  }
});
afterAll(async () => {
  await app?.stop();
  await simulator?.stop();
});

async function signInByApp(login: string): Promise<string> {
  const begun = await app.ask('GET', '/auth/login');
  const query = new URL(String(begun.headers.location)).searchParams;
  query.set('login', login);
  const consented = await fetch(`${simulator.url}/login/oauth/authorize`, {
    method: 'POST',
    body: query,
    redirect: 'manual',
  });
  const back = new URL(consented.headers.get('location') ?? '');
  const answer = await app.ask('GET', `${back.pathname}${back.search}`, { as: cookieIn(begun, 'sign_in') });
  return cookieIn(answer, 'session');
}

const readable = async (cookie: string) =>
  ((await app.ask('GET', '/api/repositories', { as: cookie })).body as { id: number }[]).map(({ id }) => id);

/** A delivery as the host would send it, or somebody who would like to be the host. */
const deliver = (event: string, payload: object, signedWith: string | null = secret) => {
  const body = JSON.stringify(payload);
  const signature = `sha256=${createHmac('sha256', signedWith ?? '')
    .update(body)
    .digest('hex')}`;
  return app.ask('POST', '/webhooks/github/app', {
    body: payload,
    headers: { 'x-github-event': event, ...(signedWith !== null && { 'x-hub-signature-256': signature }) },
  });
};

test('what happens in a repository on which the App is installed is looked at without a webhook of its own', async () => {
  await app.database.db.deleteFrom('hints').execute();
  await simulator.control('repos/octo-org/hello/pulls', { title: 'Told by the App', author: 'mona' });

  await expect
    .poll(async () => {
      const { body } = await app.ask('GET', '/api/prs', { as: octo });
      return (body as { prs: { title: string }[] }).prs.map(({ title }) => title);
    })
    .toContain('Told by the App');
  const [repository] = (await app.ask('GET', '/api/repos', { as: octo })).body as { webhook_active: boolean }[];
  expect(repository?.webhook_active).toBe(true);
});

test('who joins a team that is imported is read when the App tells of it', async () => {
  const imported = await app.ask('POST', '/api/teams/import', {
    ...{ as: octo, body: { organisation: 'octo-org', slugs: ['greeters'] } },
  });
  expect(imported).toMatchObject({ status: 202, body: { imported: 1, people: 0 } });
  const members = async () => {
    const { rows } = await sql<{ login: string }>`
      select p.login from team_members m join people p on p.id = m.person_id where m."to" is null order by 1`.execute(
      app.database.db,
    );
    return rows.map(({ login }) => login);
  };

  await simulator.control('teams/octo-org/greeters', { members: { octo: 'MEMBER' } }, 'PATCH');

  // The first delivery of an organisation is followed at once.
  await expect.poll(members).toEqual(['octo']);
  await simulator.control('teams/octo-org/greeters', { members: { octo: null } }, 'PATCH');
});

test('whoever signs in by the App is offered no webhook of the repository’s own: the App’s delivers, and its tokens may create none', async () => {
  const body = { owner: 'octo-org', name: 'hello' };
  const without = await openTestApp({
    ...{ host_url: simulator.url, database: app.database },
    oauth: { ...simulatedApp, app: { id: '7', slug: 'mergelight' } },
  });
  const byApp = await app.ask('POST', '/api/repos', { as: octo, body });
  const byHand = await without.ask('POST', '/api/repos', { as: octo, body });
  const refused = await app.ask('POST', `/api/repos/${hello}/webhook`, { as: octo });
  const refusedToo = await without.ask('POST', `/api/repos/${hello}/webhook`, { as: octo });
  const token = await app.signIn('octo', 'ghp_octo', true);
  const byToken = await app.ask('POST', '/api/repos', { as: token, body });
  await without.stop();

  expect([byApp, byHand, byToken].map((answer) => (answer.body as AddedRepository).webhook_by)).toEqual([
    ...['app', 'by_hand', 'create'],
  ]);
  expect([refused, refusedToo]).toMatchObject([
    { status: 422, body: { code: 'app_creates_no_webhooks', error: expect.stringContaining('nothing to create') } },
    { status: 422, body: { code: 'app_creates_no_webhooks', error: expect.stringContaining('by hand') } },
  ]);
});

test('whoever is taken off a repository is checked at once, and nobody else is', async () => {
  const due = async () => {
    const rows = await app.database.db
      .selectFrom('connections as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select(['u.login', 'c.checked_at'])
      .orderBy('u.login')
      .execute();
    return new Map(rows.map(({ login, checked_at }) => [login, checked_at]));
  };
  const before = await due();

  await simulator.control('repos/octo-org/hello', { readers: ['octo'] }, 'PATCH');

  await expect.poll(() => readable(mona)).toEqual([]);
  expect(await readable(octo)).toEqual([hello]);
  expect((await due()).get('octo')).toEqual(before.get('octo'));
  await simulator.control('repos/octo-org/hello', { readers: ['octo', 'mona'] }, 'PATCH');
});

test('where the App is taken off a repository everybody who read it by the App is checked at once', async () => {
  const before = [await readable(octo), await readable(mona)];

  await simulator.control('app/installations/octo-org', { repositories: [] }, 'PATCH');

  expect(before).toEqual([[hello], [hello]]);
  await expect.poll(async () => [await readable(octo), await readable(mona)]).toEqual([[], []]);
});

test('where the App comes back everybody sees the repository again', async () => {
  await simulator.control('app/installations/octo-org', { repositories: null }, 'PATCH');
  await expect.poll(() => readable(octo)).toEqual([]);

  await simulator.control('app/installations/octo-org', { repositories: ['hello'] }, 'PATCH');

  await expect.poll(() => readable(octo)).toEqual([hello]);
});

test('whoever takes their authorization back is signed out at once, and nobody else is', async () => {
  await simulator.control('app/revoke', { login: 'octo' });

  await expect.poll(async () => (await app.ask('GET', '/auth/me', { as: octo })).status).toBe(401);
  expect((await app.ask('GET', '/auth/me', { as: mona })).status).toBe(200);
  expect(await readable(mona)).toEqual([hello]);
});

test('a delivery about somebody who has not left changes nothing', async () => {
  const id = (
    await app.database.db.selectFrom('users').select('host_id').where('login', '=', 'octo').executeTakeFirst()
  )?.host_id;

  const answer = await deliver('github_app_authorization', { action: 'revoked', sender: { id: Number(id) } });

  expect([answer.status, answer.body]).toEqual([202, { understood: true }]);
  expect((await app.ask('GET', '/auth/me', { as: octo })).status).toBe(200);
});

test('nobody but the App is listened to', async () => {
  const payload = { action: 'revoked', sender: { id: 1 } };

  const wrong = await deliver('github_app_authorization', payload, 'a guess');
  const none = await deliver('github_app_authorization', payload, null);
  const unknown = await deliver('star', { action: 'created' });
  const elsewhere = await deliver('pull_request', {
    ...{ action: 'opened', pull_request: { number: 1 }, repository: { id: 999_999_999 } },
  });

  expect([wrong.status, none.status]).toEqual([401, 401]);
  expect(wrong.body).toMatchObject({ code: 'wrong_signature' });
  expect([unknown.status, unknown.body]).toEqual([202, { understood: false }]);
  expect([elsewhere.status, elsewhere.body]).toEqual([202, { understood: true }]);
});

test('a server without the App’s secret knows no such address, and reads no body for it', async () => {
  const without = await openTestApp({ host_url: simulator.url, database: app.database });

  const answer = await without.ask('POST', '/webhooks/github/app', { body: {} });

  expect(answer.status).toBe(404);
  expect(answer.headers.connection).toBe('close');
  await without.stop();
});

const monaRow = async () =>
  await app.database.db
    .selectFrom('users')
    .select(['id', 'host_id'])
    .where('login', '=', 'mona')
    .executeTakeFirstOrThrow();
const monaIsNamed = async () =>
  await deliver('member', { action: 'edited', member: { id: Number((await monaRow()).host_id) } });
const checkOfMonaDueAt = async () => {
  const { id } = await monaRow();
  const [row] = await app.database.db
    .selectFrom('connections')
    .select('check_due_at')
    .where('user_id', '=', id)
    .execute();
  return row!.check_due_at.getTime();
};
/** Sets mona's share of her quota, and how much of it is used, in points. */
async function shareOfMona(quota: number, points: number, window_ends_at: Date): Promise<void> {
  const { id } = await monaRow();
  await app.database.db.deleteFrom('hint_quotas').execute();
  await app.database.db
    .insertInto('hint_quotas')
    .values({ user_id: id, purpose: 'hints', quota, points, window_ends_at })
    .execute();
}

test('however many deliveries name somebody, less than a tenth of their quota is used, the rest waits, and their token is asked about now and then', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000);
  await shareOfMona(300, 0, inAnHour);
  await simulator.control('counters', undefined, 'DELETE');
  for (let times = 0; times < 24; times += 1) {
    expect((await monaIsNamed()).status).toBe(202);
    // Until the check has ended: one that was taken is due a minute later.
    await expect.poll(checkOfMonaDueAt, { interval: 5 }).toBeGreaterThan(Date.now() + 120_000);
  }
  // Each check costs two points, and 30 are a tenth.
  const checks = async () =>
    ((await simulator.control('counters')) as { operations: Record<string, number> }).operations;
  await expect.poll(async () => (await checks())['GET /repos/:owner/:repo']).toBe(14);
  expect((await checks())['GET /user'] ?? 0).toBeLessThan(3);

  await shareOfMona(300, 30, inAnHour);
  await app.database.db
    .updateTable('connections')
    .set({ check_due_at: new Date(Date.now() + 86_400_000) })
    .execute();
  await monaIsNamed();
  expect(await checkOfMonaDueAt()).toBe(inAnHour.getTime());
});

test('where one person’s check cannot be noted, that is logged, and everybody else is checked', async () => {
  const { db } = app.database;
  const checkedAt = async (login: string) =>
    (
      await db
        .selectFrom('connections as c')
        .innerJoin('users as u', 'u.id', 'c.user_id')
        .select('c.checked_at')
        .where('u.login', '=', login)
        .executeTakeFirstOrThrow()
    ).checked_at;
  const { id } = await db.selectFrom('users').select('id').where('login', '=', 'octo').executeTakeFirstOrThrow();
  for (const statement of [
    "create function refuse_quota() returns trigger language plpgsql as $$ begin raise 'no quota today'; end $$",
    `create trigger refuse_quota before insert or update on hint_quotas for each row
      when (new.user_id = ${id} and new.purpose = 'hints') execute function refuse_quota()`,
  ])
    await sql.raw(statement).execute(db);
  await db.deleteFrom('hint_quotas').execute();
  const before = [await checkedAt('octo'), await checkedAt('mona')];

  const answer = await deliver('organization', { action: 'renamed', organization: { login: 'octo-org' } });

  expect(answer.status).toBe(202);
  await expect.poll(async () => (await checkedAt('mona'))! > before[1]!).toBe(true);
  expect(await checkedAt('octo')).toEqual(before[0]);
  expect(app.logged.filter((line) => line.includes('failed to have the access of somebody checked'))).toEqual([
    expect.stringContaining('no quota today'),
  ]);
  await sql.raw('drop function refuse_quota cascade').execute(db);
});

test('whoever takes their authorization back is signed out at once, whatever was delivered about them a moment before', async () => {
  // Nothing is read or checked with the token.
  const { id } = await monaRow();
  await app.database.db.deleteFrom('connections').where('user_id', '=', id).execute();
  await monaIsNamed();

  await simulator.control('app/revoke', { login: 'mona' });

  const me = async () => (await app.ask('GET', '/auth/me', { as: mona })).status;
  await expect.poll(me, { timeout: 3000 }).toBe(401);
});

test('nobody is asked about in their name while the host wants a pause of them', async () => {
  await app.database.db.deleteFrom('hint_quotas').execute();
  await simulator.control('faults', { match: {}, effect: { name: 'secondary_limit_403', retryAfter: 1800 } });
  await monaIsNamed();
  const inAQuarter = Date.now() + 900_000;
  await expect.poll(checkOfMonaDueAt).toBeGreaterThan(inAQuarter);
  await monaIsNamed();
  const meanwhile = await checkOfMonaDueAt();
  await simulator.control('faults', undefined, 'DELETE');
  await app.database.db.deleteFrom('hint_quotas').execute();
  await app.database.db.updateTable('connections').set({ check_due_at: new Date() }).execute();

  expect(meanwhile).toBeGreaterThan(inAQuarter);
});
