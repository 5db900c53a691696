import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  asksNoMore,
  checked,
  closed,
  comments,
  dismisses,
  draft,
  type Happening,
  hour,
  merged,
  pending,
  pushed,
  ready,
  reopened,
  replies,
  requestsChanges,
  says,
} from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import type { Database } from '../db/database.ts';
import { lensOf } from '../db/lens.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf } from '../metrics/scope.ts';
import { personDesk } from './desk.ts';
import { beginWithSnoozes } from './first-snoozes.ts';
import { itemsOf, placedWork } from './person-work.ts';
import { explainTurn, workRoutes } from './routes.ts';
import { type CountsByRepository, workCountsIn } from './work-counts.ts';

let database: OpenDatabase;
let now = hour(0);
let users: Map<string, number>;
let web: number;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'teams');
  now = hour(24);
  users = new Map();
  web = await aRepository(db, 'acme/web');
  for (const login of ['ada', 'bo', 'cy', 'dee']) await theUser(login);
});

/** The user of an account, who has connected acme/web. */
async function theUser(login: string): Promise<number> {
  const { db } = database;
  const id = await aUser(db);
  await db.updateTable('users').set({ host_id: login, login }).where('id', '=', id).execute();
  await sql`insert into people (host, host_id, login, type, kind) values (${HOST}, ${login}, ${login}, 'user', 'human')
    on conflict do nothing`.execute(db);
  await aConnection(db, id, web);
  users.set(login, id);
  return id;
}

async function theTeam(
  name: string,
  readers: readonly string[],
  members: readonly string[],
  parent: number | null = null,
) {
  const { db } = database;
  const people = await db.selectFrom('people').select(['id', 'host_id']).execute();
  return await aTeam(
    db,
    name,
    readers.map((login) => users.get(login)!),
    people.flatMap(({ id, host_id }) => (members.includes(host_id!) ? [{ person: id, from: null, to: null }] : [])),
    parent,
  );
}

const keep = (...pulls: PullRequestRecord[]) => store(database.db, web, now, pulls);
const userOf = (login: string) => ({ id: users.get(login)!, host: HOST, login, time_zone: 'UTC', own_marks: false });
const routes = (db: Kysely<Database> = database.db, shared = database.db) =>
  workRoutes({ db, now: () => new Date(now) }, shared);
const work = (login: string, query: object = {}, db?: Kysely<Database>) =>
  routes(db).getMyWork({ user: userOf(login), query } as never) as ReturnType<typeof asked>;
const asked = (login: string) => routes().getMyWork({ user: userOf(login), query: {} } as never);
const snooze = (login: string, body: object, number = 1, name = 'web') =>
  routes().saveSnooze({
    user: userOf(login),
    params: { owner: 'Acme', name, number },
    body: { until: null, until_change: false, ...body },
  } as never);
const wake = (login: string, number = 1, name = 'web') =>
  routes().deleteSnooze({ user: userOf(login), params: { owner: 'acme', name, number } } as never);

/** What the pull request with a number is to somebody. */
async function itemOf(login: string, number = 1) {
  const placed = await placedWork(database.db, await scopeOf(database.db, users.get(login)!), new Date(now));
  return placed.find((one) => one.number === number)?.work ?? null;
}

async function said(login: string, number = 1): Promise<string | null> {
  const item = await itemOf(login, number);
  return item && `${item.kind} ${item.reason} ${(item.since - hour(0)) / 3_600_000}`;
}

/** Each section with something in it, with its numbers in their order. */
async function listed(login: string, query: object = {}): Promise<Record<string, number[]>> {
  const { sections } = await work(login, query);
  return Object.fromEntries(
    sections.flatMap(({ key, items }) => (items.length === 0 ? [] : [[key, items.map((one) => one.pr_number)]])),
  );
}

describe('in one second', () => {
  const core = '@acme/core';
  /** What happened in the hour 10, then what it is to ada, who wrote it, to bo, and to cy of the team. */
  test.each<[string, readonly Happening[], readonly [Happening, Happening], readonly (string | null)[]]>([
    [
      'a push lies before a review',
      [],
      [pushed(10), comments(10, 'bo')],
      ['author commented 10', 'reviewed_waits commented 10', null],
    ],
    [
      'a comment of the author lies before a review',
      [comments(1, 'bo')],
      [says(10, 'ada'), requestsChanges(10, 'bo')],
      ['author changes_requested 10', 'reviewed_waits changes_requested 10', null],
    ],
    [
      'a request lies before a review',
      [comments(1, 'bo'), pending('bo')],
      [asks(10, 'bo'), comments(10, 'bo')],
      ['author commented 10', 'reviewed_waits commented 10', null],
    ],
    [
      'a push lies before an approval',
      [],
      [pushed(10), approves(10, 'bo')],
      ['merge approved 10', 'reviewed_waits approved 10', null],
    ],
    [
      'it became ready before it was asked',
      [draft(1), pending('bo')],
      [asks(10, 'bo'), ready(10)],
      ['yours_waits never_reviewed 10', 'review requested 10', null],
    ],
    [
      'a request that stands came after its removal',
      [asks(1, 'bo'), pending('bo')],
      [asksNoMore(10, 'bo'), asks(10, 'bo')],
      ['yours_waits never_reviewed 0', 'review requested 10', null],
    ],
    [
      'a request of a team that stands came after its removal',
      [asks(1, core), pending(core)],
      [asksNoMore(10, core), asks(10, core)],
      ['yours_waits never_reviewed 0', null, 'team_review requested_of_team 10'],
    ],
    [
      'who reviewed when their team was asked keeps their peace',
      [pending(core), requestsChanges(11, 'bo'), pushed(12)],
      [asks(10, core), approves(10, 'cy')],
      ['yours_waits updated_after_review 12', 'review_again answered 12', 'reviewed_waits approved_by_you 12'],
    ],
  ])('%s', async (_, before, [one, other], expected) => {
    await theTeam('core', ['cy'], ['cy']);
    for (const both of [
      [one, other],
      [other, one],
    ]) {
      await keep(aPullRequest({}, ...before.slice(0, 1), ...both, ...before.slice(1)));
      expect([await said('ada'), await said('bo'), await said('cy')]).toEqual(expected);
    }
  });

  test('a dismissal comes after its review', async () => {
    await keep(aPullRequest({}, approves(10, 'bo', { id: '77' }), dismisses(10, '77')));

    expect(await said('bo')).toBe('review_again dismissed 10');
    expect(await said('ada')).toBe('yours_waits review_dismissed 10');
  });

  test('a push that has several approvals dismissed has each told to whoever gave it', async () => {
    await keep(
      aPullRequest(
        {},
        ...[approves(9, 'cy', { id: '76' }), approves(9, 'bo', { id: '77' }), requestsChanges(8, 'dee', { id: '78' })],
        ...[pushed(10), dismisses(10, '77'), dismisses(10, '76'), dismisses(11, '78')],
      ),
    );

    expect([await said('bo'), await said('cy'), await said('dee')]).toEqual([
      ...['review_again dismissed 10', 'review_again dismissed 10'],
      'review_again updated 10',
    ]);
  });

  test('an approval that was dismissed while another one held is not why it waits', async () => {
    await keep(
      aPullRequest(
        {},
        ...[approves(8, 'cy', { id: '76' }), approves(8, 'bo', { id: '77' })],
        ...[dismisses(9, '77'), dismisses(10, '76')],
      ),
    );

    expect([await said('bo'), await said('cy')]).toEqual(['review_again updated 10', 'review_again dismissed 10']);
  });
});

describe('since when a review is asked for', () => {
  test.each<[string, readonly Happening[], number, number]>([
    ['the latest request', [asks(1, 'bo'), asks(5, 'bo')], 5, 5],
    ['no request of somebody else', [asks(1, 'bo'), asks(5, 'cy')], 1, 1],
    ['a removal takes a request back', [asks(3, 'bo'), asksNoMore(5, 'bo')], 0, 0],
    ['where the timeline is cut, since it was ready', [draft(1), ready(7)], 7, 7],
    ['never before it was last made ready', [asks(1, 'bo'), draft(2), ready(7)], 7, 7],
    ['the item begins with the turn where that is later', [asks(1, 'bo'), comments(2, 'cy'), pushed(9)], 1, 9],
  ])('%s', async (_, happenings, asked_at, since) => {
    await keep(aPullRequest({}, ...happenings, pending('bo')));

    expect(await itemOf('bo')).toMatchObject({ kind: 'review', askedAt: hour(asked_at), since: hour(since) });
  });
});

test('what is somebody’s turn waits for them alone, and for as long as it is theirs', async () => {
  await keep(
    aPullRequest({ number: 1 }, pending('bo')),
    aPullRequest({ number: 2 }, requestsChanges(1, 'bo'), pending('bo')),
    aPullRequest({ number: 3 }, requestsChanges(1, 'bo'), pushed(2)),
    aPullRequest({ number: 4 }, approves(1, 'bo')),
    aPullRequest({ number: 5, draft: true }, pending('bo')),
    aPullRequest({ number: 6, author: aPerson('cy') }, pending('bo'), merged(3)),
    aPullRequest({ number: 7, author: aPerson('bot-x') }, comments(1, 'bo'), pending('agent-y')),
  );

  expect(await listed('bo')).toEqual({ review: [1, 3], reviewed_waits: [2, 4, 7] });
  expect(await listed('ada')).toEqual({ author: [2], merge: [4], yours_waits: [1, 3], draft: [5] });
  expect(await listed('dee')).toEqual({});
  now = hour(365 * 24 + 2);
  expect(await said('bo', 3)).toBe('review_again answered 2');
  now = hour(365 * 24 + 2) + 1;
  expect(await said('bo', 3)).toBe('reviewed_waits faded 2');
  const counts = { review: 1, author: 0, merge: 0, team_review: 0, snoozed: 0 };
  expect((await work('bo')).counts).toEqual({ turn: 1, ...counts });
});

test('a reply makes nobody a reviewer, and who was never seen is not recognised', async () => {
  await keep(aPullRequest({}, comments(1, 'cy', { threads: 1 }), replies(2, 'bo'), pending('dee')));

  expect(await said('bo')).toBeNull();
  expect((await work('dee')).recognised).toBe(true);
  expect((await work('ada')).recognised).toBe(true);
  const nobody = await theUser('eve');
  expect(nobody).toBeGreaterThan(0);
  expect(await work('eve')).toMatchObject({ recognised: false, counts: { turn: 0 } });
  expect((await work('eve')).sections.map(({ key, total }) => [key, total])).toEqual(
    ['review', 'author', 'merge', 'team_review', 'yours_waits', 'reviewed_waits', 'draft', 'snoozed'].map((key) => [
      key,
      0,
    ]),
  );
});

test('an account is known by the host’s id, and a mannequin or bot never has an item', async () => {
  const { db } = database;
  await keep(aPullRequest({}, pending('bo')));
  await db.updateTable('users').set({ login: 'renamed' }).where('host_id', '=', 'bo').execute();
  expect(await said('bo')).toBe('review requested 0');
  await db.updateTable('people').set({ type: 'mannequin' }).where('host_id', '=', 'bo').execute();
  expect(await said('bo')).toBeNull();
  await db.updateTable('people').set({ type: 'user', kind: 'bot' }).where('host_id', '=', 'bo').execute();
  expect(await said('bo')).toBeNull();
});

const notBegun: Happening = ({ checks }) => {
  checks.push({ id: '1', name: 'build', outcome: null, completedAt: null, startedAt: null });
};

test('an item of a section says why it stands where it stands', async () => {
  now = hour(60);
  await keep(
    aPullRequest({ number: 1 }, asks(20, 'bo'), pending('bo')),
    aPullRequest({ number: 2 }, asks(1, 'bo'), checked(2, 'failure'), pending('bo')),
    aPullRequest({ number: 3 }, asks(2, 'bo'), checked(2, 'success'), pending('bo', '@acme/x')),
    aPullRequest({ number: 4 }, asks(30, 'bo'), checked(2, 'cancelled'), pending('bo')),
    // Asked for once more, and not begun: it is the latest of its name, whatever comes first.
    aPullRequest({ number: 5 }, asks(40, 'bo'), notBegun, checked(2, 'failure'), pending('bo')),
  );
  const { sections, as_of } = await work('bo');

  expect(as_of).toBe('2026-03-04T21:00:00.000Z');
  expect(sections[0]!.items.map(({ pr_number, overdue, checks }) => [pr_number, overdue, checks])).toEqual([
    [3, true, 'passing'],
    [2, true, 'failing'],
    [1, false, null],
    [4, false, null],
    [5, false, 'running'],
  ]);
  expect(sections[0]!.items[0]).toEqual({
    ...{ repo_owner: 'acme', repo_name: 'web', pr_number: 3, title: 'Pull request 3', github_url: `${HOST}/pull/3` },
    ...{
      author: 'ada',
      author_avatar_url: null,
      author_kind: 'human',
      by_agent: false,
      lines_changed: 10,
      changed_files: 1,
    },
    ...{ authorship: 'human', agents: [], credited_to: 'ada', credit_by: 'author' },
    ...{ draft: false, created_at: '2026-03-02T09:00:00.000Z', kind: 'review', reason: 'requested', team: null },
    ...{ asked_at: '2026-03-02T11:00:00.000Z', reviewed: false, since: '2026-03-02T11:00:00.000Z', waited_hours: 58 },
    ...{ waited_working_hours: null, overdue: true, overdue_after_hours: 48, checks: 'passing' },
    ...{ reviewers: ['bo', '@acme/x'], waiting_on: 'reviewers', waits_for: ['bo', '@acme/x'], snooze: null },
  });
});

test('an item says whether its person has reviewed, asked or not', async () => {
  const answered = [asks(1, 'bo'), comments(2, 'bo'), asks(3, 'bo'), asks(3, 'cy')];
  await keep(aPullRequest({ number: 1 }, ...answered, requestsChanges(4, 'dee'), pending('bo', 'cy')));
  const [bo, cy] = (await Promise.all(['bo', 'cy'].map((login) => work(login)))).map(
    ({ sections }) => sections.find(({ key }) => key === 'reviewed_waits')!.items[0]!,
  );

  expect(bo).toMatchObject({ asked_at: '2026-03-02T12:00:00.000Z', reviewed: true });
  expect(cy).toMatchObject({ asked_at: '2026-03-02T12:00:00.000Z', reviewed: false });
});

test('a pull request that is deleted while items are read takes no other’s place', async () => {
  await keep(aPullRequest({ number: 1 }, pending('bo')), aPullRequest({ number: 2 }, asks(5, 'bo'), pending('bo')));
  const placed = await placedWork(database.db, await scopeOf(database.db, users.get('bo')!), new Date(now));
  await database.db.deleteFrom('pull_requests').where('number', '=', placed[0]!.number).execute();

  const items = await itemsOf(database.db, placed, new Date(now));
  const [, other] = placed;
  expect(items.map(({ item }) => [item.pr_number, Date.parse(item.since)])).toEqual([
    [other!.number, other!.work.since],
  ]);
});

test('an item names those whose review it waits for: asked now, or called back, and nobody else', async () => {
  const longAgo = 2 * 365 * 24;
  now = hour(10);
  await keep(
    aPullRequest({ number: 1 }, approves(1, 'cy'), requestsChanges(2, 'bo'), pushed(3)),
    aPullRequest({ number: 2, createdAt: hour(-longAgo) }, comments(1 - longAgo, 'dee'), pushed(3)),
    aPullRequest(
      { number: 3 },
      ...[approves(1, 'cy'), comments(1.5, 'dee'), requestsChanges(2, 'bo'), pushed(3)],
      pending('cy', '@acme/x', 'bo', 'bot-x'),
    ),
    aPullRequest({ number: 4 }, comments(1, 'bo'), asks(2, 'cy', 'bo'), pending('cy')),
    aPullRequest({ number: 5 }, approves(1, 'bo'), pending('cy')),
  );
  const names = async () => {
    const items = (await work('ada')).sections.flatMap((section) => section.items);
    return Object.fromEntries(items.map(({ pr_number, waits_for }) => [pr_number, waits_for]));
  };

  expect(await names()).toEqual({ 1: ['bo'], 2: [], 3: ['cy', 'bo', '@acme/x', 'dee'], 4: [], 5: [] });
  now = hour(3) + 365 * 24 * 3_600_000 + 1;
  expect(await names()).toEqual({ 1: [], 2: [], 3: ['cy', 'bo', '@acme/x'], 4: [], 5: [] });
});

test('what is asked of a team is asked of its members and of those of the teams in it, once each', async () => {
  const parent = await theTeam('core', ['bo', 'cy', 'ada'], ['cy', 'ada']);
  await theTeam('inner', ['bo'], ['bo'], parent);
  await keep(
    aPullRequest({ number: 1 }, asks(3, '@acme/core'), asks(2, '@acme/inner'), pending('@acme/core', '@Acme/Inner')),
    aPullRequest({ number: 2 }, asks(3, '@acme/core'), pending('@acme/core', 'bo')),
    aPullRequest(
      { number: 3 },
      ...[asks(3, '@acme/core'), approves(4, 'cy'), requestsChanges(4.5, 'dee'), pushed(5), pending('@acme/core')],
    ),
    aPullRequest(
      { number: 4 },
      ...[approves(3, 'cy'), asks(4, '@acme/core'), requestsChanges(4.5, 'dee'), pushed(5), pending('@acme/core')],
    ),
    // Their review answered the one team, and not the one that was asked later.
    aPullRequest(
      { number: 5 },
      ...[asks(1, '@acme/core'), approves(2, 'bo'), requestsChanges(3, 'dee'), pushed(4), asks(5, '@acme/inner')],
      pending('@acme/core', '@acme/inner'),
    ),
  );

  expect(await itemOf('bo', 1)).toMatchObject({ kind: 'team_review', team: '@Acme/Inner', since: hour(2) });
  expect(await itemOf('cy', 1)).toMatchObject({ kind: 'team_review', team: '@acme/core', askedAt: hour(3) });
  expect(await said('bo', 2)).toBe('review requested 0');
  expect(await said('cy', 3)).toBe('reviewed_waits approved_by_you 5');
  expect(await said('bo', 3)).toBe('team_review requested_of_team 5');
  expect(await said('cy', 4)).toBe('team_review requested_of_team 5');
  expect(await itemOf('bo', 5)).toMatchObject({ kind: 'team_review', team: '@acme/inner', since: hour(5) });
  expect(await said('ada', 1)).toBe('yours_waits never_reviewed 0');
});

test('what is asked of a team that was made again under its address is asked of its new members alone', async () => {
  const gone = await theTeam('core', ['bo', 'cy'], ['cy']);
  await database.db
    .updateTable('teams')
    .set({ archived_at: new Date(hour(1)) })
    .where('id', '=', gone)
    .execute();
  await theTeam('Core', ['bo', 'cy'], ['bo']);
  await keep(aPullRequest({}, pending('@acme/core')));

  expect(await said('bo')).toBe('team_review requested_of_team 0');
  expect(await said('cy')).toBeNull();
});

test('a team that one’s token does not list gives no item, and is named to nobody', async () => {
  await theTeam('secret', ['bo'], ['bo', 'cy']);
  await keep(aPullRequest({}, pending('@acme/secret')));

  expect(await said('bo')).toBe('team_review requested_of_team 0');
  expect(await said('cy')).toBeNull();
  expect((await work('cy')).counts.turn).toBe(0);
  await sql`update team_readers set lost_at = now()`.execute(database.db);
  expect(await said('bo')).toBeNull();
});

test('a repository that one does not see, or not any more, gives nobody an item', async () => {
  const { db } = database;
  const api = await aRepository(db, 'acme/api', [users.get('bo')!]);
  await keep(aPullRequest({}, pending('bo', 'cy')));
  await store(db, api, now, [aPullRequest({ number: 8 }, pending('bo', 'cy'))]);

  expect(await listed('bo')).toEqual({ review: [8, 1] });
  expect(await listed('bo', { repository: api })).toEqual({ review: [8] });
  expect((await work('bo', { repository: api })).counts.turn).toBe(1);
  expect(await listed('cy')).toEqual({ review: [1] });
  await expect(work('cy', { repository: api })).rejects.toMatchObject({ status: 404 });
  await expect(snooze('cy', { until_change: true }, 8, 'api')).rejects.toMatchObject({
    ...{ status: 404, message: 'PR not found' },
  });
  await db
    .updateTable('connections')
    .set({ readable: false })
    .where('user_id', '=', users.get('bo')!)
    .where('repository_id', '=', web)
    .execute();
  expect(await listed('bo')).toEqual({ review: [8] });
  expect((await personDesk(db, users.get('bo')!, new Date(now))).map(({ key, total }) => [key, total])[0]).toEqual([
    'review',
    1,
  ]);
  await db
    .updateTable('credentials')
    .set({ rejected_at: new Date(now) })
    .where('user_id', '=', users.get('bo')!)
    .execute();
  expect(await listed('bo')).toEqual({});
  expect(await personDesk(db, users.get('bo')!, new Date(now))).toEqual([]);
});

test('a team narrows to what its members opened, and leaves out what other teams ask', async () => {
  const ours = await theTeam('ours', ['bo'], ['ada']);
  await keep(
    aPullRequest({ number: 1 }, pending('bo')),
    aPullRequest({ number: 2, author: aPerson('cy') }, pending('bo')),
    aPullRequest({ number: 3, author: aPerson('cy') }),
    aPullRequest({ number: 4 }),
  );

  expect(await work('bo', { team: ours })).toMatchObject({ counts: { turn: 1, review: 1 }, waiting_for_nobody: 1 });
  expect(await listed('bo', { team: ours })).toEqual({ review: [1] });
  expect(await work('bo')).toMatchObject({ counts: { turn: 2 }, waiting_for_nobody: 2 });
  await expect(work('cy', { team: ours })).rejects.toMatchObject({ status: 404 });
});

test('waits for nobody what no human and no team is asked to review and nobody is called back to', async () => {
  await keep(
    aPullRequest({ number: 1 }, pending('bot-x', 'agent-y')),
    aPullRequest({ number: 2 }, pending('@acme/web')),
    aPullRequest({ number: 3 }, pending('bo')),
    aPullRequest({ number: 4 }, comments(1, 'bo'), pushed(2)),
    aPullRequest({ number: 5 }, approves(1, 'bo'), pushed(2)),
    aPullRequest({ number: 6, draft: true }),
    aPullRequest({ number: 7 }, closed(2)),
    aPullRequest({ number: 8 }, comments(1, 'bot-x'), pushed(2)),
  );

  expect((await work('dee')).waiting_for_nobody).toBe(2);
});

describe('a snooze', () => {
  beforeEach(() => keep(aPullRequest({}, asks(1, 'bo'), pending('bo', 'cy'))));
  const at = (hours: number) => new Date(hour(hours)).toISOString();

  test('moves the item, with its kind and reason, until its time, and is the person’s alone', async () => {
    expect(await snooze('bo', { until: at(30) })).toEqual({ until: at(30), until_change: false });

    const { counts, sections } = await work('bo');
    expect(counts).toEqual({ turn: 0, review: 0, author: 0, merge: 0, team_review: 0, snoozed: 1 });
    expect(sections.at(-1)!.items[0]).toMatchObject({
      ...{ kind: 'review', reason: 'requested', snooze: { until: at(30), until_change: false } },
    });
    expect((await work('cy')).counts).toMatchObject({ turn: 1, snoozed: 0 });
    expect((await personDesk(database.db, users.get('bo')!, new Date(now))).every(({ total }) => total === 0)).toBe(
      true,
    );
    now = hour(30) - 1;
    expect((await work('bo')).counts.snoozed).toBe(1);
    now = hour(30);
    expect((await work('bo')).counts).toMatchObject({ turn: 1, snoozed: 0 });
  });

  test('until something changes ends when the item is another, or began at another time', async () => {
    await snooze('bo', { until_change: true });
    await keep(aPullRequest({}, asks(1, 'bo'), says(3, 'cy'), pending('bo', 'cy')));
    expect((await work('bo')).counts.snoozed).toBe(1);
    await keep(aPullRequest({}, asks(1, 'bo'), asksNoMore(4, 'bo'), asks(5, 'bo'), pending('bo', 'cy')));
    expect((await work('bo')).counts).toMatchObject({ turn: 1, snoozed: 0 });
    await snooze('bo', { until_change: true });
    await keep(aPullRequest({}, asks(1, 'bo'), asks(5, 'bo'), requestsChanges(6, 'cy'), pending('bo')));
    expect((await work('bo')).counts.snoozed).toBe(0);
    expect(await listed('bo')).toEqual({ reviewed_waits: [1] });
  });

  describe('until something changes that has ended', () => {
    const core = '@acme/core';
    const ofTeam = (...more: readonly Happening[]) => aPullRequest({}, asks(1, core), pending(core), ...more);
    const snoozes = () => database.db.selectFrom('snoozes').select(['kind', 'since']).execute();
    const desk = async (db: Kysely<Database>) =>
      void (await personDesk(db, users.get('bo')!, new Date(now), [web], database.db));
    const counts = async () =>
      void (await workCountsIn(
        database.db,
        (user_id) => lensOf(database.pool, user_id),
        new Map([[users.get('bo')!, [web]]]),
        new Date(now),
      ));
    /** Bo marks somebody who has nothing to do with it. */
    const marks = () =>
      sql`insert into own_account_kinds (user_id, host, host_id, kind, set_at)
        values (${users.get('bo')!}, ${HOST}, 'zoe', 'bot', now()) on conflict do nothing`.execute(database.db);
    beforeEach(async () => {
      await theTeam('core', ['bo'], ['bo']);
      await keep(ofTeam());
      await snooze('bo', { until_change: true });
    });

    test.each<[string, () => Promise<unknown>]>([
      ['the list', () => work('bo')],
      ['the list through a lens', () => work('bo', {}, lensOf(database.pool, users.get('bo')!))],
      ['a message', () => desk(database.db)],
      ['a message through a lens', () => desk(lensOf(database.pool, users.get('bo')!))],
      ['an open page', counts],
      ['an open page through a lens', async () => [await marks(), await counts()]],
    ])('does not come back with the item, once %s has found it to be another', async (_, look) => {
      await look();
      expect(await snoozes()).toEqual([{ kind: 'team_review', since: new Date(hour(1)) }]);
      await keep(ofTeam(asks(2, 'bo'), pending('bo')));
      await look();
      expect(await snoozes()).toEqual([]);
      await keep(ofTeam(asks(2, 'bo'), asksNoMore(3, 'bo')));
      expect(await said('bo')).toBe('team_review requested_of_team 1');
      expect((await work('bo')).counts).toMatchObject({ turn: 1, snoozed: 0 });
    });

    test.each<[string, () => Promise<unknown>]>([
      ['the list', () => work('bo')],
      ['an open page', counts],
    ])('nor once %s has found it to be none', async (_, look) => {
      await keep(aPullRequest({}, asks(1, core)));
      await look();
      await keep(ofTeam());
      expect((await work('bo')).counts).toMatchObject({ turn: 1, snoozed: 0 });
    });

    test('is the one that was found: what is put away again meanwhile stays', async () => {
      await keep(ofTeam(asks(2, 'bo'), pending('bo')));
      let isFirst = true;
      const between: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (isFirst && result.rows.some((row) => 'snoozed_kind' in row)) {
            isFirst = false;
            await snooze('bo', { until_change: true });
          }
          return result;
        },
      };
      await work('bo', {}, database.db.withPlugin(between));
      expect(isFirst).toBe(false);
      expect(await snoozes()).toEqual([{ kind: 'review', since: new Date(hour(2)) }]);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['the list', () => work('bo')],
      ['a message', () => desk(database.db)],
      ['an open page', counts],
    ])('has not, where %s finds it so while teams are hidden until they are read again', async (_, look) => {
      await sql`update team_readers set lost_at = now(), withheld = true`.execute(database.db);
      expect(await said('bo')).toBeNull();
      await look();
      await sql`update team_readers set lost_at = null, withheld = false`.execute(database.db);
      expect((await work('bo')).counts).toMatchObject({ turn: 0, snoozed: 1 });
      await sql`update team_readers set lost_at = now()`.execute(database.db);
      await look();
      expect(await snoozes()).toEqual([]);
    });

    test('has not, while the pull request waits to be counted for its person alone', async () => {
      const lens = { repository_id: web, user_id: users.get('bo')! };
      await database.db
        .insertInto('lenses')
        .values({ ...lens, changed_at: new Date(now) })
        .execute();
      const { id: person_id } = await database.db.selectFrom('people').select('id').limit(1).executeTakeFirstOrThrow();
      await database.db
        .insertInto('lens_pending')
        .values({ ...lens, number: 1, person_id })
        .execute();
      await keep(ofTeam(asks(2, 'bo'), pending('bo')));
      expect((await work('bo')).counts.snoozed).toBe(0);
      expect(await snoozes()).toHaveLength(1);
      await database.db.deleteFrom('lens_pending').execute();
      await work('bo');
      expect(await snoozes()).toEqual([]);
    });
  });

  test('without that outlives every change', async () => {
    await snooze('bo', { until: at(48) });
    await keep(aPullRequest({}, requestsChanges(2, 'bo'), pushed(3), pending('cy')));
    expect((await work('bo')).sections.at(-1)!.items[0]).toMatchObject({ kind: 'review_again', reason: 'answered' });
  });

  test('replaces the one before, is taken back, and taking back what is not there is no error', async () => {
    await snooze('bo', { until: at(30) });
    await snooze('bo', { until_change: true });
    expect(await database.db.selectFrom('snoozes').select(['until', 'until_change']).execute()).toEqual([
      { until: null, until_change: true },
    ]);
    await wake('cy');
    await wake('bo', 99);
    await wake('bo', 1, 'nothing-of-that-name');
    expect((await work('bo')).counts.snoozed).toBe(1);
    await wake('bo');
    await wake('bo');
    expect((await work('bo')).counts.snoozed).toBe(0);
  });

  test.each([
    [24, 'must be in the future'],
    [24 + 90 * 24 + 0.001, 'must be at most 90 days ahead'],
  ])('until the hour %d is refused: %s', async (until, message) => {
    await expect(snooze('bo', { until: at(until) })).rejects.toMatchObject({
      ...{ status: 400, issues: [{ path: 'until', message }] },
    });
  });

  test('is allowed for exactly 90 days', async () => {
    expect(await snooze('bo', { until: at(24 + 90 * 24) })).toMatchObject({ until: at(24 + 90 * 24) });
  });

  test('is refused of what is closed, out of the list or unknown', async () => {
    await keep(aPullRequest({ number: 2 }, pending('bo'), closed(3)));
    await expect(snooze('bo', { until_change: true }, 2)).rejects.toMatchObject({
      ...{ status: 409, message: 'It is closed already' },
    });
    await expect(snooze('dee', { until_change: true })).rejects.toMatchObject({
      ...{ status: 409, message: 'It isn’t in your list' },
    });
    await expect(snooze('bo', { until_change: true }, 99)).rejects.toMatchObject({ status: 404 });
  });

  test('is refused for a moment while its repository is being recounted, where others go on', async () => {
    await aConnection(database.db, users.get('bo')!, await aRepository(database.db, 'acme/beside'));
    await sql`insert into recounts (repository_id, sums, facts, unusable, total) values (${web}, true, false, true, 1)`.execute(
      database.db,
    );
    await expect(snooze('bo', { until_change: true })).rejects.toMatchObject({ status: 503, code: 'updating' });
  });

  test('of a closed pull request is deleted in the transaction that stores its end, and does not come back with it', async () => {
    await snooze('bo', { until: at(40) });
    await snooze('cy', { until_change: true });
    await keep(aPullRequest({}, asks(1, 'bo'), pending('bo', 'cy'), closed(3)));

    expect(await database.db.selectFrom('snoozes').selectAll().execute()).toEqual([]);
    const reopening = aPullRequest({}, asks(1, 'bo'), pending('bo', 'cy'), closed(3), reopened(4));
    await store(database.db, web, now, [{ ...reopening, updatedAt: hour(4) }]);
    expect((await work('bo')).counts).toMatchObject({ turn: 1, snoozed: 0 });
  });

  test('stays when the transaction that would store the end fails', async () => {
    await snooze('bo', { until_change: true });
    const failed = database.db.transaction().execute(async (transaction) => {
      await sql`update pull_requests set state = 'closed' where repository_id = ${web}`.execute(transaction);
      expect(await transaction.selectFrom('snoozes').selectAll().execute()).toEqual([]);
      throw new Error('on the way');
    });
    await expect(failed).rejects.toThrow('on the way');
    expect((await work('bo')).counts.snoozed).toBe(1);
  });

  test('changes no figure and nobody else’s list', async () => {
    const before = await work('cy');
    await snooze('bo', { until_change: true });
    expect(await work('cy')).toEqual(before);
  });
});

test('each section has its own order, whatever else waits', async () => {
  now = hour(60);
  await keep(
    aPullRequest({ number: 1, author: aPerson('bo') }, approves(1, 'cy'), checked(1, 'failure')),
    aPullRequest({ number: 2 }, asks(5, 'bo'), pending('bo'), checked(1, 'failure')),
    aPullRequest({ number: 3, author: aPerson('bo'), createdAt: hour(20) }, approves(21, 'cy'), checked(21)),
  );
  const at = new Date(now);
  const placed = await placedWork(database.db, await scopeOf(database.db, users.get('bo')!), at);
  const orders = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ].map((numbers) => numbers.map((number) => placed.find((one) => one.number === number)!));

  for (const order of orders)
    expect((await itemsOf(database.db, order, at)).map(({ section, item }) => [section, item.pr_number])).toEqual([
      ['review', 2],
      ['merge', 3],
      ['merge', 1],
    ]);
});

test('the explanation has the items in the order of the screen, and counts what it leaves out', async () => {
  await keep(
    aPullRequest({ number: 1, author: aPerson('bo') }, comments(5, 'ada')),
    aPullRequest({ number: 2 }, asks(9, 'bo'), pending('bo')),
    aPullRequest({ number: 3 }, asks(4, 'bo'), pending('bo')),
    aPullRequest({ number: 4, author: aPerson('bo'), draft: true }),
    aPullRequest({ number: 5, author: aPerson('bo') }),
    aPullRequest({ number: 6 }, asks(4, 'bo'), pending('bo')),
    aPullRequest({ number: 7 }, approves(4, 'bo')),
  );
  await snooze('bo', { until_change: true }, 6);
  const scope = await scopeOf(database.db, users.get('bo')!);
  const explained = await explainTurn(database.db, scope, new Date(now), { limit: 2, offset: 1 });

  expect(explained).toMatchObject({ metric: 'my_work.turn', value: 3, n: 3, total: 3, hasMore: false });
  expect(explained.items.map(({ pr_number, value, at }) => [pr_number, value, at])).toEqual([
    [2, 15, new Date(hour(9)).toISOString()],
    [1, 19, new Date(hour(5)).toISOString()],
  ]);
  expect(explained.left_out).toEqual([
    { reason: 'draft', count: 1 },
    { reason: 'snoozed', count: 1 },
    { reason: 'waits for others', count: 2 },
  ]);
  expect((await work('bo')).counts.turn).toBe(explained.value);
});

test('open pages are told of all people at once what each is told alone, of what they may read', async () => {
  const { db } = database;
  const core = await theTeam('core', ['bo', 'cy', 'dee'], ['bo', 'cy', 'dee']);
  expect(core).toBeGreaterThan(0);
  await keep(
    aPullRequest({ number: 1, author: aPerson('bo') }, comments(5, 'ada')),
    aPullRequest({ number: 2 }, asks(9, 'bo'), pending('bo')),
    aPullRequest({ number: 3 }, asks(4, 'cy'), pending('cy')),
    aPullRequest({ number: 4, author: aPerson('bo') }, approves(4, 'cy')),
    aPullRequest({ number: 5 }, asks(3, '@acme/core'), pending('@acme/core')),
  );
  const other = await aRepository(db, 'acme/other', [users.get('bo')!, users.get('cy')!]);
  await store(db, other, now, [
    aPullRequest({ number: 1 }, asks(9, 'bo'), pending('bo')),
    aPullRequest({ number: 2 }, asks(4, 'dee'), pending('dee')),
  ]);
  await snooze('bo', { until_change: true }, 2);
  const counts = async (asked: ReadonlyMap<number, readonly number[]>) =>
    await workCountsIn(db, (user_id) => lensOf(database.pool, user_id), asked, new Date(now));
  const sum = (own: CountsByRepository | null | undefined) =>
    Object.fromEntries(
      ['turn', 'review', 'author', 'merge', 'team_review', 'snoozed'].map((key) => [
        key,
        [...(own?.values() ?? [])].reduce((so, one) => so + one[key as keyof typeof one], 0),
      ]),
    );
  const everybody = new Map([...users.values()].map((id) => [id, [web, other]]));
  const expectAlike = async () => {
    const told = await counts(everybody);
    for (const [login, id] of users) expect([login, sum(told.get(id))]).toEqual([login, (await work(login)).counts]);
  };
  await expectAlike();
  expect((await work('bo')).counts).toMatchObject({ review: 1, snoozed: 1, team_review: 1 });
  expect((await work('dee')).counts, 'they do not read the other').toMatchObject({ review: 0 });
  expect([...(await counts(new Map([[users.get('bo')!, [other]]]))).get(users.get('bo')!)!.keys()]).toEqual([other]);

  await db.updateTable('connections').set({ readable: false }).where('user_id', '=', users.get('ada')!).execute();
  expect((await counts(everybody)).get(users.get('ada')!), 'nothing can be said of what nobody may read').toBe(null);
});

test('whoever begins with snoozes has two, of kinds of which more waits, once all of it is stored', async () => {
  const { db } = database;
  await keep(
    ...[1, 2, 3].map((number) => aPullRequest({ number }, asks(number, 'bo'), pending('bo'))),
    ...[4, 5].map((number) => aPullRequest({ number, author: aPerson('bo') }, requestsChanges(number, 'cy'))),
    aPullRequest({ number: 6, author: aPerson('bo') }, approves(1, 'cy')),
  );
  const begin = () => beginWithSnoozes(db, users.get('bo')!, new Date(now));
  expect(await begin()).toBe(false);
  expect((await work('bo')).counts.snoozed).toBe(0);
  await db
    .updateTable('repositories')
    .set({ history_completed_at: new Date(now) })
    .execute();
  expect([await begin(), await begin()]).toEqual([true, true]);

  expect(await listed('bo')).toEqual({ review: [1, 2], author: [4], merge: [6], snoozed: [3, 5] });
  const { sections } = await work('bo');
  expect(sections.at(-1)!.items.map(({ snooze }) => snooze)).toEqual([
    { until: new Date(now + 3 * 24 * 3_600_000).toISOString(), until_change: false },
    { until: null, until_change: true },
  ]);
  expect((await work('ada')).counts.snoozed).toBe(0);
});

test('a section shows at most 200 items and counts all', async () => {
  await keep(...Array.from({ length: 203 }, (_, at) => aPullRequest({ number: at + 1 }, pending('bo'))));
  const [review] = (await work('bo')).sections;
  expect([review!.total, review!.items.length]).toEqual([203, 200]);
});

test('the answer costs three statements, of fifty open ones as of one, and one more when a snooze has ended', async () => {
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const cost = async () => {
    statements = 0;
    const db = database.db.withPlugin(counting);
    await routes(db, db).getMyWork({ user: userOf('bo'), query: {} } as never);
    return statements;
  };
  await keep(aPullRequest({}, pending('bo')));
  expect(await cost()).toBe(3);
  await keep(...Array.from({ length: 50 }, (_, at) => aPullRequest({ number: at + 1 }, pending('bo'))));
  expect(await cost()).toBe(3);
  await snooze('bo', { until_change: true });
  expect(await cost()).toBe(3);
  await keep(aPullRequest({}, asks(1, 'bo'), pending('bo')));
  expect([await cost(), await cost()]).toEqual([4, 3]);
});
