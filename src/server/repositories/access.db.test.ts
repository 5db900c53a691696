import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConnectedRepository } from '#contract/repositories.ts';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { emptyAfterApp, openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { OpenDatabase } from '../db/open.ts';
import { noteReadable, takeDueChecks } from '../db/sight.ts';
import type { NoteSecurityEvent, SecurityEvent } from '../security-events.ts';
import { checkAccess, checkEverythingOf } from './access.ts';

const SECRET = { owner: 'octo', name: 'secret-plans' };

let database: OpenDatabase;
let host: RunningSimulator;
let app: TestApp;
let mona: string;
let id: number;
let user_id: number;
let elapsed = 0;
const now = () => new Date(Date.now() + elapsed);

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  elapsed = 0;
  noted = [];
  host = await startSimulator({ world: 'tiny' });
  await host.control('repos', { ...SECRET, private: true, readers: ['octo', 'mona'] });
  app = await openTestApp({ host_url: host.url, now, database });
  mona = await app.signIn('mona');
  id = ((await app.ask('POST', '/api/repos', { as: mona, body: SECRET })).body as { id: number }).id;
  user_id = (await app.database.db.selectFrom('users').select('id').executeTakeFirstOrThrow()).id;
});
afterEach(async () => {
  await app?.stop();
  await host?.stop();
  await emptyAfterApp(database);
});
afterAll(() => database.close());

let noted: SecurityEvent[] = [];
const noteSecurityEvent: NoteSecurityEvent = async (event) => void noted.push(event);
const check = (deleted = false) =>
  checkAccess({ db: app.database.db, ...app.server.credentials, now, noteSecurityEvent }, user_id, id, deleted);
const listed = async () => ((await app.ask('GET', '/api/repos', { as: mona })).body as ConnectedRepository[])[0]!;
const sees = async () => ((await app.ask('GET', '/api/repositories', { as: mona })).body as unknown[]).length === 1;
const withdraw = () => host.control('repos/octo/secret-plans', { readers: ['octo'] }, 'PATCH');

test('a page of a gateway that says 404 takes no repository away', async () => {
  await host.control('faults', { match: { kind: 'rest' }, effect: { name: 'gateway_not_found' } });

  await check();

  expect(await sees()).toBe(true);
  expect(await listed()).toMatchObject({ access: { state: 'readable', reason: null }, condition: 'ok', message: null });
});

test('the first 404 of the host hides a repository, and the next answer brings it back', async () => {
  await host.control('faults', { match: { kind: 'rest', next: 1 }, effect: { name: 'not_found' } });
  await check();
  const hidden = [await sees(), (await listed()).access];
  elapsed += 29_000;
  const tooSoon = await takeDueChecks(app.database.db, [host.url], now(), 10);
  elapsed += 2000;
  const due = await takeDueChecks(app.database.db, [host.url], now(), 10);
  await check();

  expect(hidden).toMatchObject([
    false,
    { state: 'checking', reason: 'Checking again whether your account may still read octo/secret-plans' },
  ]);
  expect([tooSoon, due]).toEqual([[], [{ user_id, repository_id: id }]]);
  expect(await sees()).toBe(true);
});

test('the same answer after 30 seconds settles it: the list says why, under the name last seen, and shows nothing', async () => {
  await withdraw();
  await check();
  elapsed += 31_000;
  await check();
  await host.control('repos/octo/secret-plans', { name: 'new-secret-name' }, 'PATCH');
  await app.database.db.updateTable('repositories').set({ name: 'new-secret-name' }).execute();

  expect(await listed()).toMatchObject({
    full_name: 'octo/secret-plans',
    access: { state: 'lost', link: null },
    condition: 'lost',
    message: 'GitHub no longer shows octo/secret-plans to your account. With access again it comes back by itself.',
    ...{ pull_requests: null, last_synced_at: null, first_connected_at: null, imported_at: null },
  });
  for (const path of [`/api/prs?repository=${id}`, `/api/sync-repo-complete?repoId=${id}`])
    expect((await app.ask('GET', path, { as: mona })).status).toBe(404);
});

test('lost sight is looked at again after 1, 10 and 60 minutes, every hour for a day, and then once a day', async () => {
  await withdraw();
  const start = now().getTime();
  const minutes: number[] = [];
  for (let looks = 0; looks < 30; looks += 1) {
    await check();
    const { check_due_at } = await app.database.db
      .selectFrom('connections')
      .select('check_due_at')
      .executeTakeFirstOrThrow();
    minutes.push(Math.round((check_due_at.getTime() - start) / 6000) / 10);
    elapsed = check_due_at.getTime() - Date.now() + 5;
  }

  expect(minutes.slice(0, 5).map((at) => Math.round(at * 2) / 2)).toEqual([0.5, 1, 10, 60, 120]);
  expect(minutes.map(Math.round)).toContain(24 * 60);
  expect(minutes.map(Math.round).filter((at) => at > 24 * 60)[0]).toBe(44 * 60);
});

test('after the clock was set back by a day lost sight is looked at again within a minute', async () => {
  await withdraw();
  elapsed = 86_400_000;
  await check();
  elapsed += 31_000;
  await check();
  elapsed = 0;
  await check();

  expect(await takeDueChecks(app.database.db, [host.url], new Date(now().getTime() + 61_000), 10)).toHaveLength(1);
});

test('whoever guesses the new name of what they lost sight of learns nothing of it', async () => {
  await withdraw();
  await check();
  elapsed += 31_000;
  await check();
  await app.database.db.updateTable('repositories').set({ owner: 'acme', name: 'new-secret-name' }).execute();
  const before = await listed();
  elapsed += 10_000;

  const guess = await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'acme', name: 'new-secret-name' } });

  expect(guess.status).toBe(422);
  expect(await listed()).toEqual(before);
  await app.ask('POST', '/api/repos', { as: mona, body: SECRET });
  expect(await listed()).not.toEqual(before);
});

test('sight that is lost is noted once with the reason, and that it came back as well', async () => {
  await withdraw();
  const events: string[][] = [];
  for (let at = 0; at < 4; at += 1) {
    if (at === 3) await host.control('repos/octo/secret-plans', { readers: ['octo', 'mona'] }, 'PATCH');
    await check();
    elapsed += 31_000;
    events.push(noted.map(({ event, subject }) => `${event} ${subject}`));
  }

  const lost = 'sight_lost octo/secret-plans: not_found';
  expect(events).toEqual([[], [lost], [lost], [lost, 'sight_regained octo/secret-plans']]);
  expect(noted).toMatchObject([
    { actor: user_id, repository_id: id },
    { actor: user_id, repository_id: id },
  ]);
});

test('connecting again with a token that may not read it takes the repository away, and settles that it is lost', async () => {
  await withdraw();

  const answer = await app.ask('POST', '/api/repos', { as: mona, body: SECRET });
  elapsed += 31_000;
  await app.ask('POST', '/api/repos', { as: mona, body: SECRET });

  expect(answer.status).toBe(422);
  expect(await sees()).toBe(false);
  expect(app.logged.filter((line) => line.includes('"sight_lost"'))).toHaveLength(1);
});

test('single sign-on is told with the way back, a deleted repository as gone', async () => {
  await host.control('repos/octo/secret-plans', { saml: true }, 'PATCH');
  await check();
  elapsed += 31_000;
  await check();
  const asked = await listed();
  await host.control('repos/octo/secret-plans', { saml: false, deleted: true }, 'PATCH');
  await check(true);

  expect(asked.access.reason).toMatch(/^octo asks for single sign-on: sign in to the organization at GitHub/);
  expect(asked.access.link).toMatch(/\/sso\?/);
  expect(await listed()).toMatchObject({ condition: 'gone', message: 'octo/secret-plans was deleted at GitHub.' });
});

test('a pause that the host asks of somebody holds for all their checks, and for an hour at most', async () => {
  await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo-org', name: 'hello' } });
  await host.control('faults', { match: { kind: 'rest' }, effect: { name: 'primary_limit', resetIn: 1800 } });
  const dueWithin = async (minutes: number) =>
    (await takeDueChecks(app.database.db, [host.url], new Date(now().getTime() + minutes * 60_000), 10)).length;
  await app.database.db.updateTable('connections').set({ check_due_at: now() }).execute();

  await check();

  expect(await dueWithin(29)).toBe(0);
  expect(await dueWithin(31)).toBe(2);
});

test('at a pause that the host asks for after a sign-in, the rest is not asked about before its end', async () => {
  for (let made = 1; made <= 9; made += 1) {
    await host.control('repos', { owner: 'octo', name: `made-${made}` });
    await app.ask('POST', '/api/repos', { as: mona, body: { owner: 'octo', name: `made-${made}` } });
  }
  const { db } = app.database;
  await db.updateTable('connections').set({ readable: false, check_due_at: now() }).execute();
  await host.control('faults', { match: { kind: 'rest' }, effect: { name: 'primary_limit', resetIn: 1800 } });
  await host.control('counters', undefined, 'DELETE');

  await checkEverythingOf({ db, ...app.server.credentials, now, noteSecurityEvent }, user_id);

  const { kinds } = (await host.control('counters')) as { kinds: { rest: { requests: number } } };
  const due = await db.selectFrom('connections').select('check_due_at').execute();
  expect(kinds.rest.requests).toBeLessThanOrEqual(4);
  expect(due).toHaveLength(10);
  for (const { check_due_at } of due) expect(check_due_at.getTime() - now().getTime()).toBeGreaterThan(29 * 60_000);
});

test('whoever hears first that a repository is private has everybody else’s access to it checked at once', async () => {
  await host.control('repos/octo/secret-plans', { private: false }, 'PATCH');
  await check();
  const octo = await app.signIn('octo');
  await app.ask('POST', '/api/repos', { as: octo, body: SECRET });
  const due = async () => (await takeDueChecks(app.database.db, [host.url], now(), 10)).map((each) => each.user_id);
  const before = await due();
  await host.control('repos/octo/secret-plans', { private: true }, 'PATCH');

  await check();

  expect(before).toEqual([]);
  expect(await due()).not.toEqual([]);
  expect(await due()).not.toContain(user_id);
});

test('an answer of before a refusal brings nothing back', async () => {
  const asked_at = now();
  elapsed += 1000;
  await withdraw();
  await check();
  const { db } = app.database;
  const [{ checked_with }] = (await db.selectFrom('connections').select('checked_with').execute()) as [
    { checked_with: number },
  ];

  await noteReadable(db, { user_id, repository_id: id, grant_id: checked_with }, SECRET, now(), asked_at);

  expect(await sees()).toBe(false);
});

test('a check that falls due while the host is asked is made after the answer of before', async () => {
  const asked_at = now();
  elapsed += 1000;
  const { db } = app.database;
  await db.updateTable('connections').set({ check_due_at: now() }).execute();
  elapsed += 1000;
  const [{ checked_with }] = (await db.selectFrom('connections').select('checked_with').execute()) as [
    { checked_with: number },
  ];

  await noteReadable(db, { user_id, repository_id: id, grant_id: checked_with }, SECRET, now(), asked_at);

  expect(await takeDueChecks(db, [host.url], now(), 10)).toEqual([{ user_id, repository_id: id }]);
  await noteReadable(db, { user_id, repository_id: id, grant_id: checked_with }, SECRET, now(), now());
  expect(await takeDueChecks(db, [host.url], now(), 10)).toEqual([]);
});

test('checks of before the clock was set back are taken once, and not over and over while they fail', async () => {
  await app.database.db
    .updateTable('connections')
    .set({ checked_at: new Date(now().getTime() + 86_400_000) })
    .execute();
  await app.database.db
    .updateTable('connections')
    .set({ check_due_at: new Date(now().getTime() + 86_400_000) })
    .execute();

  expect(await takeDueChecks(app.database.db, [host.url], now(), 10)).toHaveLength(1);
  expect(await takeDueChecks(app.database.db, [host.url], now(), 10)).toEqual([]);
});

test('a new name and the archive are told in words', async () => {
  await host.control('repos/octo/secret-plans', { name: 'open-plans' }, 'PATCH');
  elapsed += 1000;
  await check();
  const renamed = await listed();
  await host.control('repos/octo/open-plans', { archived: true }, 'PATCH');
  await check();

  expect(renamed).toMatchObject({
    full_name: 'octo/open-plans',
    condition: 'renamed',
    message: 'Renamed: it was called octo/secret-plans before.',
  });
  expect(await listed()).toMatchObject({ condition: 'archived' });
});
