import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Team, WholeTeam } from '#contract/teams.ts';
import { cookieIn, noLimits, openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { addresses } from '../host/github/addresses.ts';
import { githubHost } from '../host/github/host.ts';
import { openLog } from '../log.ts';
import { shownPerson } from '../my-work/person-work.ts';
import { outletsOf } from '../notifications/configured-outlets.ts';
import { forgetUnconnected } from '../repositories/forget.ts';
import { forgetUnimported } from '../teams/import.ts';
import { type DemoHost, startDemoHost } from './demo-host.ts';
import { forgetVisitors } from './explore.ts';

const now = () => new Date();

let folder: string;
let demo: DemoHost;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-demo-'));
  demo = await startDemoHost({
    ...{ program: resolve('src/simulator/main.ts'), data_dir: folder, public_url: `${PUBLIC_URL}/demo-host` },
    ...{ now, log: openLog('silent') },
  });
  const sending = { mail: null, slack: null, allow_private_webhooks: false, notifications: true };
  app = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    outlets: {
      ...outletsOf({ config: { ...sending, public_url: PUBLIC_URL }, now }),
      checkTarget: async () => 'was looked up',
    },
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });
});
afterAll(async () => {
  await app?.stop();
  demo?.stop();
  await rm(folder, { recursive: true });
});

test('exploring the demo signs in, connects its repositories and starts to sync them', async () => {
  const answer = await app.ask('POST', '/auth/demo', { body: { time_zone: 'Europe/Oslo' } });

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ host: 'demo', time_zone: 'Europe/Oslo' });
  const session = cookieIn(answer, 'session');
  const repositories = (await app.ask('GET', '/api/repos', { as: session })).body as { id: number }[];
  expect(repositories.length).toBeGreaterThan(1);
  for (const { id } of repositories) {
    const sync = await app.ask('GET', `/api/sync-repo-complete?repoId=${id}`, { as: session });
    expect(sync.body).toMatchObject({ status: 'queued' });
  }
  // Whoever signs in waits for the repositories, and not for a sync that works beside.
  const { db } = app.database;
  const connections = await db.selectFrom('connections').select('connected_at').execute();
  const sessions = await db.selectFrom('sync_sessions').select('created_at').execute();
  const connected = Math.max(...connections.map(({ connected_at }) => connected_at.getTime()));
  expect(Math.min(...sessions.map(({ created_at }) => created_at.getTime()))).toBeGreaterThanOrEqual(connected);
});

test('the teams of its company are imported, and each visitor sees those that all its members are shown', async () => {
  const { id } = await visit();
  const seenBy = async (user_id: number) =>
    await app.database.db
      .selectFrom('team_readers as r')
      .innerJoin('teams as t', 't.id', 'r.team_id')
      .select(['t.slug', 't.visibility'])
      .where('r.user_id', '=', user_id)
      .orderBy('t.slug')
      .execute();
  const all = await app.database.db.selectFrom('teams').select(['slug', 'visibility']).orderBy('slug').execute();

  expect(all.filter(({ visibility }) => visibility === 'visible').length).toBeGreaterThan(3);
  expect(await seenBy(id)).toEqual(all.filter(({ visibility }) => visibility === 'visible'));
});

test('each visitor begins with a group of their own, in which people came and went, and which stays deleted', async () => {
  const { session, id } = await visit();
  const groupsOf = async (as: string) =>
    ((await app.ask('GET', '/api/teams', { as })).body as Team[]).filter(({ mine }) => mine);
  const [group] = await groupsOf(session);
  const { body } = await app.ask('GET', `/api/teams/${group!.id}`, { as: session });

  expect(group).toMatchObject({ name: 'Checkout', visibility: 'mine', members_now: 3 });
  expect(
    (body as WholeTeam).hidden_members + new Set((body as WholeTeam).members.map(({ username }) => username)).size,
  ).toBe(3);
  const periods = await app.database.db
    .selectFrom('team_members as m')
    .innerJoin('people as p', 'p.id', 'm.person_id')
    .select(['p.login', 'm.from', 'm.to'])
    .where('m.team_id', '=', group!.id)
    .orderBy('p.login')
    .execute();
  const weeksAgo = (at: Date | null) => at && Math.round((Date.now() - at.getTime()) / (7 * 86_400_000));
  expect(periods.map(({ login, from, to }) => [login, weeksAgo(from), weeksAgo(to)])).toEqual([
    ['devi-r', null, 8],
    ['gavin-q', 26, null],
    ['ilse-m', null, null],
    ['paulina-k', null, null],
  ]);

  expect((await app.ask('DELETE', `/api/teams/${group!.id}`, { as: session })).status).toBe(204);
  const again = await visit(session);
  expect(again.id).toBe(id);
  expect(await groupsOf(again.session)).toEqual([]);
});

test('each visitor is shown the work of the same person of the company, who is not signed in for it', async () => {
  const [one, other] = [await visit(), await visit()];
  const { desk } = (await demo.ready(30_000))!;
  const { account } = await githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now })
    .as(`ghp_${desk}`)
    .viewer();
  const shown = async ({ id }: { id: number }) =>
    await app.database.db.selectFrom('users').select(['work_of', 'host_id']).where('id', '=', id).executeTakeFirst();

  expect(await shown(one)).toMatchObject({ work_of: account.id });
  expect(await shown(other)).toMatchObject({ work_of: account.id });
  expect((await shown(one))!.host_id).not.toBe(account.id);
  const { id } = one;
  await expect
    .poll(() => shownPerson(app.database.db, { id, login: 'visitor' }), { timeout: 30_000 })
    .toBe(account.login);
  const theirs = app.database.db.selectFrom('users').select('id').where('host_id', '=', account.id);
  expect(await theirs.execute()).toEqual([]);
});

test('what a visitor would be told arrives in an inbox of theirs, whatever channel it is for, and nobody else sees it', async () => {
  const [one, other] = [await visit(), await visit()];
  const call = async (method: 'GET' | 'POST', path: string, as: string, body?: unknown) =>
    await app.ask(method, path, { as, ...(body !== undefined && { body }) });
  const webhook = { type: 'webhook', name: 'Board', url: 'https://nowhere.example/hook' };
  const { id } = (await call('POST', '/api/channels', one.session, webhook)).body as { id: number };

  for (const channel of ['mail', 'slack_dm', id])
    expect((await call('POST', '/api/notifications/test', one.session, { channel })).body).toMatchObject({ ok: true });

  const inboxOf = async (as: string) =>
    ((await call('GET', '/api/demo/inbox', as)).body as { messages: { type: string; to: string; raw: string }[] })
      .messages;
  const arrived = await inboxOf(one.session);
  expect(arrived.map(({ type }) => type)).toEqual(['webhook', 'slack_dm', 'mail']);
  expect(arrived[0]!.to).toBe('https://nowhere.example/hook');
  expect(JSON.parse(arrived[0]!.raw)).toMatchObject({ kind: 'test' });
  expect(arrived[2]!.raw).toContain('This is Mergelight. It works.');
  expect(await inboxOf(other.session)).toEqual([]);
});

test('where the name of a visitor’s channel leads is never asked for, and a private address is refused', async () => {
  const { session } = await visit();
  const make = async (url: string) =>
    await app.ask('POST', '/api/channels', { as: session, body: { type: 'webhook', name: 'Board', url } });

  expect((await make('https://inside.example/hook')).status).toBe(201);
  for (const url of ['https://10.0.0.1/hook', 'https://[::1]/hook', 'https://localhost/hook'])
    expect((await make(url)).body).toMatchObject({ issues: [{ path: 'url', message: 'leads to a private address' }] });
});

test('a second visitor finds the same company and imports nothing again', async () => {
  await app.ask('POST', '/auth/demo');
  const before = await app.database.db.selectFrom('sync_sessions').select('id').execute();

  const answer = await app.ask('POST', '/auth/demo');

  expect(answer.status).toBe(200);
  expect(await app.database.db.selectFrom('sync_sessions').select('id').execute()).toEqual(before);
});

async function visit(as?: string): Promise<{ session: string; login: string; id: number }> {
  const answer = await app.ask('POST', '/auth/demo', as === undefined ? {} : { as });
  const { id, github_username } = answer.body as { id: number; github_username: string };
  return { session: cookieIn(answer, 'session'), login: github_username, id };
}

async function repositoriesOf(session: string): Promise<{ id: number }[]> {
  return (await app.ask('GET', '/api/repos', { as: session })).body as { id: number }[];
}

test('what one visitor removes and sets is not changed for another, who comes back as the same', async () => {
  const [one, other] = [await visit(), await visit()];
  const all = await repositoriesOf(other.session);

  for (const { id } of await repositoriesOf(one.session))
    await app.ask('DELETE', `/api/repos/${id}`, { as: one.session });
  await app.ask('PATCH', '/auth/me', { as: one.session, body: { time_zone: 'Asia/Tokyo' } });

  expect(await repositoriesOf(one.session)).toEqual([]);
  expect(await repositoriesOf(other.session)).toEqual(all);
  expect((await app.ask('GET', '/auth/me', { as: other.session })).body).toMatchObject({ time_zone: 'UTC' });
  expect(other.login).not.toBe(one.login);
  expect((await visit(other.session)).id).toBe(other.id);
});

test('nobody signs in as the one who keeps the demo’s repositories, and what they hold is not imported again', async () => {
  const { db } = app.database;
  const stored = await db.selectFrom('repositories').select('id').orderBy('id').execute();
  await db.deleteFrom('users').where('login', 'like', 'visitor-%').execute();

  const { session } = await visit();

  expect((await repositoriesOf(session)).map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort());
  const residents = await db.selectFrom('users').select('id').where('login', 'not like', 'visitor-%').execute();
  expect(residents).toHaveLength(1);
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', residents[0]!.id).execute()).toEqual([]);
});

test('a visitor is forgotten a day after their last request, and who keeps the repositories is not', async () => {
  const { db } = app.database;
  const [gone, stays] = [await visit(), await visit()];
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await db
    .updateTable('users')
    .set({ seen_at: hoursAgo(25) })
    .where('login', 'not like', 'visitor-%')
    .execute();
  await db
    .updateTable('users')
    .set({ seen_at: hoursAgo(24.1) })
    .where('id', '=', gone.id)
    .execute();
  await db
    .updateTable('users')
    .set({ seen_at: hoursAgo(23) })
    .where('id', '=', stays.id)
    .execute();

  await forgetVisitors(db, ['demo'], now());

  const left = (await db.selectFrom('users').select('login').execute()).map(({ login }) => login);
  expect(left).toContain(stays.login);
  expect(left).not.toContain(gone.login);
  expect(left.some((login) => !login.startsWith('visitor-'))).toBe(true);
  expect((await app.ask('GET', '/auth/me', { as: gone.session })).status).toBe(401);
});

test('once the demo is switched off its visitors are signed out, and nothing can be sent in their name', async () => {
  const { session } = await visit();
  const without = await openTestApp({ host_url: 'http://127.0.0.1:9', database: app.database });

  const hook = { type: 'webhook', name: 'Board', url: 'https://nowhere.example/hook' };
  const made = await without.ask('POST', '/api/channels', { as: session, body: hook });
  const sent = await without.ask('POST', '/api/notifications/test', { as: session, body: { channel: 'mail' } });

  expect([made.status, sent.status, (await app.ask('GET', '/auth/me', { as: session })).status]).toEqual([
    401, 401, 401,
  ]);
  await without.stop();
});

test('the demo holds 200 visitors: one more takes the place of whoever was away longest, and of nobody who is there', async () => {
  const { db } = app.database;
  await db.deleteFrom('users').where('login', 'like', 'visitor-%').execute();
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const users = Array.from({ length: 200 }, (_, n) => ({
    ...{ host: 'demo', host_id: `v${n}`, login: `visitor-${n}`, created_at: at(60), signed_in_at: at(60) },
    seen_at: at(n === 7 ? 16 : 14),
  }));
  await db.insertInto('users').values(users).execute();

  expect((await app.ask('POST', '/auth/demo')).status).toBe(200);
  expect(await db.selectFrom('users').select('id').where('login', '=', 'visitor-7').execute()).toEqual([]);
  const full = await app.ask('POST', '/auth/demo');
  expect([full.status, (full.body as { code: string }).code]).toEqual([503, 'demo_full']);
  expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
  await db.deleteFrom('users').where('login', 'like', 'visitor-%').execute();
});

test('an address that brings very many new visitors has to wait; its visitors come back, and other addresses come in', async () => {
  const limited = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    database: app.database,
    config: { limits: { ...noLimits, demo_visitors: 2 } },
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });
  const come = async (address: string, as?: string) =>
    await limited.ask('POST', '/auth/demo', {
      headers: { 'x-forwarded-for': address },
      ...(as !== undefined && { as }),
    });
  const first = cookieIn(await come('192.0.2.1'), 'session');
  expect((await come('192.0.2.1')).status).toBe(200);

  const refused = await come('192.0.2.1');

  expect([refused.status, (refused.body as { code: string }).code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
  expect((await come('192.0.2.1', first)).status).toBe(200);
  expect((await come('192.0.2.2')).status).toBe(200);
  await limited.stop();
});

test('its pictures and pages are reached through this server, nothing else of it is', async () => {
  const answer = await app.ask('POST', '/auth/demo');
  const picture = new URL((answer.body as { avatar_url: string }).avatar_url);
  expect(picture.origin).toBe(PUBLIC_URL);

  const shown = await app.ask('GET', picture.pathname);
  const controls = await app.ask('GET', '/demo-host/_control/state');
  const signIn = await app.ask('GET', '/demo-host/login/oauth/authorize');
  const api = await app.ask('GET', '/demo-host/api/v3/user');

  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect([controls.status, signIn.status, api.status]).toEqual([404, 404, 404]);
});

test('whoever comes too early is asked to come back', async () => {
  const early = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    database: app.database,
    demo: {
      process: {
        ...{ url: 'http://127.0.0.1:9', since: now(), ready: async () => null },
        ...{ onStartedAgain: () => undefined, stop: () => undefined },
      },
      host: githubHost({ key: 'demo', label: 'demo', ...addresses('http://127.0.0.1:9'), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });

  const answer = await early.ask('POST', '/auth/demo');

  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ code: 'demo_not_ready', error: expect.stringContaining('being prepared') });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  await early.stop();
});

test('its pictures and pages follow the server to another port', async () => {
  await app.ask('POST', '/auth/demo');

  const moved = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    database: app.database,
    config: { public_url: 'http://localhost:3999' },
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: 'http://localhost:3999',
    },
  });

  // Who keeps the repositories signs in again after a start, at a host that still runs with the address from before here.
  const { db } = app.database;
  const visitors = await db.selectFrom('users').select('avatar_url').where('login', 'like', 'visitor-%').execute();
  const repositories = await db.selectFrom('repositories').select('url').execute();
  expect(visitors.length).toBeGreaterThan(0);
  for (const { avatar_url } of visitors)
    expect(avatar_url).toMatch(/^http:\/\/localhost:3999\/demo-host\/avatars\/\d+$/);
  expect(repositories.length).toBeGreaterThan(1);
  for (const { url } of repositories) expect(url).toMatch(/^http:\/\/localhost:3999\/demo-host\/brasswick\/[\w-]+$/);
  await moved.stop();
});

test('each web process has the demo’s host deliver to its own port again after a start, whoever works on the queue', async () => {
  await app.ask('POST', '/auth/demo');
  const host = githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now });
  const web = await openTestApp({
    ...{ host_url: 'http://127.0.0.1:9', database: app.database, role: 'web' },
    demo: { process: demo, host, deliver_to: 'http://127.0.0.1:3998' },
  });
  const { login, repositories } = (await demo.ready(30_000))!;
  const { owner, name } = repositories[0]!;
  const hooks = async () => {
    const answer = await fetch(`${addresses(demo.url).api_url}/repos/${owner}/${name}/hooks`, {
      headers: { authorization: `Bearer ghp_${login}` },
    });
    return ((await answer.json()) as { config: { url: string } }[]).map(({ config }) => new URL(config.url).origin);
  };

  await expect.poll(hooks, { timeout: 30_000 }).toContain('http://127.0.0.1:3998');
  await web.stop();
});

test('a day after the demo was switched off all of it is gone; switched on again it is set up from the start', async () => {
  const { db } = app.database;
  await app.ask('POST', '/auth/demo');
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const count = async (table: 'repositories' | 'users') => (await db.selectFrom(table).select('id').execute()).length;
  const imported = async () =>
    (await db.selectFrom('teams').select('id').where('created_by', 'is', null).execute()).length;
  const before = [await count('repositories'), await imported()];

  await forgetVisitors(db, ['http://127.0.0.1:9'], at(23));
  expect(await count('repositories')).toBe(before[0]);
  await forgetVisitors(db, ['http://127.0.0.1:9'], at(25));
  await forgetUnconnected(db, new AbortController().signal, (error) => {
    throw error;
  });
  await forgetUnimported(db);
  expect([await count('users'), await count('repositories'), await imported()]).toEqual([0, 0, 0]);

  const again = await openTestApp({
    ...{ host_url: 'http://127.0.0.1:9', database: app.database },
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });
  const session = cookieIn(await again.ask('POST', '/auth/demo'), 'session');
  const repositories = (await again.ask('GET', '/api/repos', { as: session })).body as { id: number }[];
  expect([repositories.length, await imported()]).toEqual(before);
  for (const { id } of repositories)
    expect((await again.ask('GET', `/api/sync-repo-complete?repoId=${id}`, { as: session })).body).toMatchObject({
      status: 'queued',
    });
  await again.stop();
});
