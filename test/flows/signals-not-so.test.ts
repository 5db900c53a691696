import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnSignal } from '#contract/pull-requests.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import { type Answer, openTestApp, type TestApp } from '../support/app.ts';
import { aPerson, aPullRequest, approves, hour, merged, pushed } from '../support/builders.ts';
import { followMarks } from '../support/follow-marks.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, store } from '../support/stored.ts';

/*
 * Signals of one pull request, and who may say that one is not so; thresholds, and who may change them. Mona writes and administers, octo
 * reviews, hubot looks on.
 */

const MOMENT = Date.parse('2026-03-29T01:00:00Z');
const [MERGED, OTHER, OPEN] = [1, 2, 3];

let simulator: RunningSimulator;
let app: TestApp;
let mona: string;
let octo: string;
let hubot: string;
let repository: number;
let pulls: PullRequestRecord[];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({
    host_url: simulator.url,
    now: () => new Date(MOMENT),
    config: { admin_logins: ['mona'] },
  });
  const { db } = app.database;
  [mona, octo, hubot] = [await app.signIn('mona'), await app.signIn('octo'), await app.signIn('hubot')];
  const users = await Promise.all([mona, octo, hubot].map(idOf));
  // Another one had this name before, and nobody sees it.
  await aRepository(db, 'acme/web');
  repository = await aRepository(db, 'acme/web', users);
  const by = { author: aPerson('mona'), additions: 300, deletions: 200, createdAt: hour(0) };
  pulls = [
    aPullRequest(
      { ...by, number: MERGED },
      approves(5, 'octo'),
      pushed(6, 'mona', { sha: 'late' }),
      pushed(7, 'mona', { sha: 'later' }),
      merged(8, 'octo'),
    ),
    aPullRequest({ ...by, number: OTHER, additions: 50, deletions: 0 }, approves(5, 'octo'), merged(8, 'octo')),
    aPullRequest({ ...by, number: OPEN, author: aPerson('octo') }),
  ];
  await store(db, repository, MOMENT, pulls);
  // The accounts of the history are those who sign in.
  await sql`update repositories set host = (select host from users limit 1), default_branch = 'main'`.execute(db);
  await sql`update people p set host = u.host, host_id = u.host_id from users u where p.login = u.login`.execute(db);
  await sql`update pull_request_facts set base_ref = 'main'`.execute(db);
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

async function idOf(session: string): Promise<number> {
  const { body } = await app.ask('GET', '/auth/me', { as: session });
  return (body as { id: number }).id;
}

interface Shown {
  readonly signals: OwnSignal[];
  readonly may_dismiss_signals: boolean;
}

async function shownTo(as: string, number = MERGED): Promise<Shown> {
  return (await app.ask('GET', `/api/pr/acme/web/${number}`, { as })).body as Shown;
}

async function say(as: string, key: string, body: unknown, number = MERGED): Promise<Answer> {
  return await app.ask('PUT', `/api/pr/acme/web/${number}/signals/${key}`, { as, body });
}

interface Told {
  readonly value: number | null;
  readonly n: number;
  readonly left_out: { readonly dismissed: number };
}

async function shareOf(key: string): Promise<Told> {
  const { body } = await app.ask('GET', '/api/health?from=2026-03-01', { as: mona });
  return (body as { signals: (Told & { key: string })[] }).signals.find((signal) => signal.key === key)!;
}

async function audited(event: string): Promise<{ actor: string; subject: string | null }[]> {
  const { body } = await app.ask('GET', `/api/administration/audit?event=${event}`, { as: mona });
  return (body as { items: { actor: string; subject: string | null }[] }).items;
}

test('a pull request has its signals, each in a few words and with the rule that it meets', async () => {
  const { signals } = await shownTo(hubot);

  expect(signals).toEqual([
    {
      key: 'approved_then_pushed',
      name: 'pushed after approval (2 commits)',
      why: 'Pushed after the last approval: 2 commits that nobody reviewed.',
      dismissed: false,
      reason: null,
    },
    {
      key: 'big',
      name: 'big (500 lines)',
      why: '500 lines, more than 400; generated files aside.',
      dismissed: false,
      reason: null,
    },
  ]);
  expect((await shownTo(hubot, OTHER)).signals).toEqual([]);
  expect((await shownTo(hubot, OPEN)).signals.map(({ key, name }) => [key, name])).toEqual([
    ['long_open', 'open for 26 days'],
  ]);
});

test('its author and whoever reviewed it may say that one is not so; the browser knows', async () => {
  expect((await shownTo(mona)).may_dismiss_signals).toBe(true);
  expect((await shownTo(octo)).may_dismiss_signals).toBe(true);
  expect((await shownTo(hubot)).may_dismiss_signals).toBe(false);
  expect((await shownTo(mona, OPEN)).may_dismiss_signals).toBe(false);

  expect((await say(hubot, 'big', { dismissed: true })).status).toBe(403);
  expect((await say(hubot, 'big', { dismissed: false })).status).toBe(403);
  expect((await say(mona, 'long_open', { dismissed: true }, OPEN)).status).toBe(403);
});

test('so may the credited person of what an agent wrote', async () => {
  const { db } = app.database;
  await sql`update pull_request_facts set credited_id = (select id from people where login = 'octo')
    where repository_id = ${repository} and number = ${OTHER}`.execute(db);
  await sql`delete from reviews where repository_id = ${repository} and number = ${OTHER}`.execute(db);

  expect((await shownTo(octo, OTHER)).may_dismiss_signals).toBe(true);
});

test('what is not so leaves the share, is seen by everyone with its reason, and comes back', async () => {
  const before = await shareOf('big');

  const said = await say(octo, 'big', { dismissed: true, reason: ' Moved files only ' });
  const without = await shareOf('big');
  const seen = (await shownTo(hubot)).signals.find(({ key }) => key === 'big');
  const again = await say(mona, 'big', { dismissed: true, reason: 'Moved, by octo' });
  const back = await say(mona, 'big', { dismissed: false });

  expect(before).toMatchObject({ value: 0.5, n: 2, left_out: { dismissed: 0 } });
  expect(said).toMatchObject({ status: 200, body: { key: 'big', dismissed: true, reason: 'Moved files only' } });
  expect(without).toMatchObject({ value: 0, n: 1, left_out: { dismissed: 1 } });
  expect(seen).toMatchObject({ dismissed: true, reason: 'Moved files only' });
  expect(again.body).toMatchObject({ dismissed: true, reason: 'Moved, by octo' });
  expect(back).toMatchObject({ status: 200, body: { key: 'big', dismissed: false, reason: null } });
  expect(await shareOf('big')).toEqual(before);
});

test('who said so, and who took it back, stands in the audit log', async () => {
  await say(octo, 'big', { dismissed: true });
  await say(mona, 'big', { dismissed: false });

  expect((await audited('signal_dismissed'))[0]).toMatchObject({ actor: 'octo', subject: 'acme/web#1: big' });
  expect((await audited('signal_restored'))[0]).toMatchObject({ actor: 'mona', subject: 'acme/web#1: big' });
  const refused = await audited('signal_dismissed');
  await say(hubot, 'big', { dismissed: true });
  expect(await audited('signal_dismissed')).toHaveLength(refused.length);
});

test.each([
  ['a signal that it does not have', 'stamped', { dismissed: true }, 404],
  ['what is no signal', 'nothing', { dismissed: true }, 404],
  ['a reason of 201 characters', 'big', { dismissed: true, reason: 'x'.repeat(201) }, 400],
  ['a null character', 'big', { dismissed: true, reason: 'a\0b' }, 400],
  ['nothing said', 'big', {}, 400],
])('%s is refused', async (_, key, body, status) => {
  expect((await say(mona, key, body)).status).toBe(status);
});

test('while its repository is being recounted that is said, of changing a signal as of reading it', async () => {
  const { db } = app.database;
  // Another one goes on telling its figures.
  await aRepository(db, 'acme/beside', [await idOf(mona)]);
  await sql`insert into recounts (repository_id, sums, facts, unusable, total) values (${repository}, true, false, true, 1)`.execute(
    db,
  );
  try {
    const updating = { status: 503, body: { code: 'updating' } };
    expect(await say(mona, 'big', { dismissed: true })).toMatchObject(updating);
    expect(await app.ask('GET', `/api/pr/acme/web/${MERGED}`, { as: mona })).toMatchObject(updating);
  } finally {
    await sql`delete from recounts`.execute(db);
  }
});

test('a reason of 200 characters is kept, as are those of scripts that need two units each', async () => {
  for (const reason of ['x'.repeat(200), '😀'.repeat(100), '  <b>"quoted"</b>  '.trim()]) {
    await say(mona, 'big', { dismissed: true, reason });
    expect((await shownTo(hubot)).signals.find(({ key }) => key === 'big')).toMatchObject({ reason });
  }
  await say(mona, 'big', { dismissed: false });
});

test('whoever marks accounts for themselves can say it, too, and change thresholds', async () => {
  const { db } = app.database;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  await sql`insert into own_account_kinds (user_id, host, host_id, kind, set_at)
    select marking.id, marked.host, marked.host_id, 'agent', ${new Date(MOMENT)} from users marked, users marking
    where marked.login = 'hubot' and marking.login in ('octo', 'mona')`.execute(db);
  await followMarks({ db, log, now: () => new Date(MOMENT) }, new AbortController().signal);

  expect(await say(octo, 'big', { dismissed: true, reason: 'Mine' })).toMatchObject({ status: 200 });
  expect((await shownTo(hubot)).signals.find(({ key }) => key === 'big')).toMatchObject({ reason: 'Mine' });
  expect((await say(octo, 'big', { dismissed: false })).status).toBe(200);
  const changed = await app.ask('PUT', '/api/settings/health', { as: mona, body: { big: 500 } });
  expect(changed).toMatchObject({ status: 200, body: { big: 500 } });
  expect((await shownTo(hubot)).signals.map(({ key }) => key)).toEqual(['approved_then_pushed']);
});

test('what was said outlives that the pull request is read from the host again', async () => {
  const { db } = app.database;
  const said = await say(mona, 'approved_then_pushed', { dismissed: true, reason: 'We paired' });
  await sql`update pull_requests set title = title || ' (new)', updated_at = updated_at - interval '1 day'
    where repository_id = ${repository}`.execute(db);
  await sql`update repositories set host = 'https://host.test' where id = ${repository}`.execute(db);
  await store(db, repository, MOMENT + 1000, pulls.slice(0, 1));

  const { rows } = await sql`select key, reason from signal_dismissals where repository_id = ${repository}`.execute(db);
  expect(said.status).toBe(200);
  expect(rows).toEqual([{ key: 'approved_then_pushed', reason: 'We paired' }]);
});
