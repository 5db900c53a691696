import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import type { WindowQuery } from '#contract/values.ts';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  closed,
  comments,
  hour,
  merged,
  pending,
  pushed,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { teamRoutes } from './routes.ts';

const NOW = new Date(hour(24 * 60));
const daysAgo = (days: number) => 24 * (60 - days);
let database: OpenDatabase;
let user: number;
let mine: number;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  user = await aUser(database.db);
  mine = await aRepository(database.db, `acme/web-${user}`, [user]);
});

type Name =
  | 'getTeamStats'
  | 'listStuckPullRequests'
  | 'countStuckPullRequests'
  | 'listReviewerStats'
  | 'listDeveloperStats'
  | 'listReviewLoad';

/** Asks as the browser does, and holds the answer against the contract. */
async function ask<N extends Name>(
  name: N,
  {
    as = user,
    zone = 'UTC',
    ...query
  }: { as?: number; zone?: string; repository?: number; accounts?: 'all' } & WindowQuery = {},
): Promise<Awaited<ReturnType<ReturnType<typeof teamRoutes>[N]>>> {
  const handlers = teamRoutes({ db: database.db, now: () => NOW });
  const asked = { user: { id: as, host: 'h', login: 'me', time_zone: zone }, query };
  const answer = await (handlers[name] as (asked: unknown) => Promise<unknown>)(asked);
  endpoints[name].answer?.parse(answer);
  return answer as never;
}

const storeMine = (...pulls: Parameters<typeof store>[3][number][]) => store(database.db, mine, NOW.getTime(), pulls);

test('whoever has connected nothing gets zeros for counts, nulls for means and empty lists', async () => {
  const newcomer = await aUser(database.db);
  const nothing = {
    total_contributors: 0,
    pr_merge_rate: null,
    merged_prs: 0,
    avg_time_to_merge_hours: null,
    avg_review_time_hours: null,
    total_prs: 0,
    total_reviews: 0,
    avg_pr_size: null,
  };

  const stats = await ask('getTeamStats', { as: newcomer });

  expect(stats).toMatchObject({
    ...nothing,
    open_prs: 0,
    active_prs_today: 0,
    active_prs_yesterday: 0,
    previous: nothing,
  });
  expect(stats.series).toHaveLength(30);
  expect(stats.series[0]).toMatchObject({ merged_prs: 0, open_prs: 0, pr_merge_rate: null });
  for (const name of ['listStuckPullRequests', 'listReviewerStats', 'listDeveloperStats', 'listReviewLoad'] as const)
    expect(await ask(name, { as: newcomer })).toEqual([]);
});

test('what others connect, and what they disconnect, changes no figure of mine', async () => {
  const pull = (number: number) =>
    aPullRequest(
      { number, createdAt: hour(daysAgo(5)) },
      requestsChanges(daysAgo(4), 'bo'),
      pushed(daysAgo(3), 'ada', { sha: `of-${number}` }),
      approves(daysAgo(2), 'bo'),
      pending('cy'),
    );
  await storeMine(pull(1), { ...pull(2), ...aPullRequest({ number: 2 }, merged(daysAgo(1))) });
  const everything = async () => {
    const names = [
      'getTeamStats',
      'listStuckPullRequests',
      'countStuckPullRequests',
      'listReviewerStats',
      'listDeveloperStats',
      'listReviewLoad',
    ] as const;
    return await Promise.all(names.map((name) => ask(name, { accounts: 'all' })));
  };
  const before = await everything();

  const other = await aUser(database.db);
  const theirs = await aRepository(database.db, `else/where-${other}`, [other]);
  await store(database.db, theirs, NOW.getTime(), [pull(1), pull(7)]);
  const meanwhile = await everything();
  await database.db.deleteFrom('repositories').where('id', '=', theirs).execute();

  expect(meanwhile).toEqual(before);
  expect(await everything()).toEqual(before);
});

test('a repository narrows every figure; one that is not mine is not found', async () => {
  const second = await aRepository(database.db, `acme/second-${user}`, [user]);
  const foreign = await aRepository(database.db, `else/foreign-${user}`);
  await storeMine(aPullRequest({ number: 1, createdAt: hour(daysAgo(9)) }));
  await store(database.db, second, NOW.getTime(), [aPullRequest({ number: 1, createdAt: hour(daysAgo(10)) })]);

  expect(await ask('listStuckPullRequests')).toHaveLength(2);
  expect(await ask('listStuckPullRequests', { repository: second })).toMatchObject([{ repo_name: `second-${user}` }]);
  expect(await ask('getTeamStats', { repository: second })).toMatchObject({ open_prs: 1, total_prs: 1 });
  await expect(ask('getTeamStats', { repository: foreign })).rejects.toMatchObject({ status: 404 });
});

test('stuck begins after STUCK_AFTER_HOURS, to the second, and says whom it waits for', async () => {
  await storeMine(
    aPullRequest({ number: 1, createdAt: NOW.getTime() - STUCK_AFTER_HOURS * 3_600_000 }),
    aPullRequest({
      number: 2,
      createdAt: NOW.getTime() - STUCK_AFTER_HOURS * 3_600_000 - 1000,
      author: aPerson('bot-x'),
    }),
    aPullRequest({ number: 3, createdAt: hour(daysAgo(9)), draft: true, author: null }, pending('cy')),
  );

  expect(await ask('listStuckPullRequests')).toMatchObject([
    {
      pr_number: 3,
      author: 'ghost',
      author_kind: 'ghost',
      draft: true,
      has_reviewer: true,
      waiting_on: 'author',
      waiting_reason: 'draft',
    },
    {
      pr_number: 2,
      author_kind: 'bot',
      has_reviewer: false,
      waiting_on: 'reviewers',
      waiting_reason: 'never_reviewed',
    },
  ]);
});

test('what is stuck is counted by whose turn it is, and told by turn and the oldest first', async () => {
  await storeMine(
    ...[1, 2, 3].map((number) => aPullRequest({ number, createdAt: hour(daysAgo(9)) - number * 3_600_000 })),
    aPullRequest({ number: 4, createdAt: hour(daysAgo(5)), draft: true }),
    aPullRequest({ number: 5, createdAt: hour(daysAgo(20)) }, approves(daysAgo(4), 'cy')),
    aPullRequest({ number: 6, createdAt: NOW.getTime() - STUCK_AFTER_HOURS * 3_600_000 }),
  );
  const numbers = async (more: object = {}) =>
    (await ask('listStuckPullRequests', more)).map(({ pr_number }) => pr_number);

  expect(await ask('countStuckPullRequests')).toEqual({ all: 5, reviewers: 3, author: 1, merge: 1 });
  expect(await numbers()).toEqual([5, 3, 2, 1, 4]);
  expect(await numbers({ limit: 2 })).toEqual([5, 3]);
  expect(await numbers({ turn: 'reviewers', limit: 2 })).toEqual([3, 2]);
  expect(await numbers({ turn: 'author' })).toEqual([4]);
  const elsewhere = await aRepository(database.db, `acme/nothing-stuck-${user}`, [user]);
  expect(await ask('countStuckPullRequests', { repository: elsewhere })).toEqual({
    all: 0,
    reviewers: 0,
    author: 0,
    merge: 0,
  });
});

test('a window holds its end and not its beginning', async () => {
  const moment = (milliseconds: number) => (NOW.getTime() - hour(0) - milliseconds) / 3_600_000;
  const week = 7 * 24 * 3_600_000;
  await storeMine(
    aPullRequest(
      { number: 1 },
      approves(moment(week), 'at-the-edge'),
      approves(moment(week - 1000), 'inside'),
      approves(moment(0), 'just-now'),
    ),
  );

  expect((await ask('listReviewerStats')).map(({ reviewer }) => reviewer).sort()).toEqual(['inside', 'just-now']);
});

test('bots and agents are listed when asked for, and change nothing of the people’s figures', async () => {
  await storeMine(
    aPullRequest(
      { number: 1, createdAt: hour(daysAgo(4)) },
      approves(daysAgo(3), 'agent-z'),
      comments(daysAgo(2), 'bo'),
    ),
  );

  const people = await ask('listReviewerStats');
  const all = await ask('listReviewerStats', { accounts: 'all' });

  expect(people.map(({ reviewer }) => reviewer)).toEqual(['bo']);
  expect(all.filter(({ kind }) => kind === 'human')).toEqual(people);
  expect(all.map(({ reviewer, kind }) => `${reviewer} ${kind}`).sort()).toEqual(['agent-z agent', 'bo human']);
});

test('a developer is who has something open, or opened, ended or reviewed something in the last 30 days, to the second', async () => {
  const at = (days: number, seconds = 0) => NOW.getTime() - days * 24 * 3_600_000 + seconds * 1000;
  const moment = (time: number) => (time - hour(0)) / 3_600_000;
  const long = { createdAt: at(300) };
  await storeMine(
    aPullRequest({ number: 1, createdAt: at(200), author: aPerson('with-one-open') }),
    aPullRequest({ number: 2, ...long, author: aPerson('merged-at-the-edge') }, merged(moment(at(30)))),
    aPullRequest({ number: 3, ...long, author: aPerson('merged-inside') }, merged(moment(at(30, 1)))),
    aPullRequest({ number: 4, createdAt: at(30), author: aPerson('opened-at-the-edge') }, closed(moment(at(30)))),
    aPullRequest({ number: 5, createdAt: at(30, 1), author: aPerson('opened-inside') }, closed(moment(at(30, 1)))),
    aPullRequest({ number: 6, ...long, author: aPerson('closed-before') }, closed(moment(at(45)))),
    aPullRequest({ number: 7, ...long, author: null }, approves(moment(at(30)), 'reviewed-at-the-edge')),
    aPullRequest({ number: 8, ...long, author: null }, approves(moment(at(30, 1)), 'reviewed-inside')),
  );

  expect((await ask('listDeveloperStats')).map(({ author }) => author).sort()).toEqual([
    'merged-inside',
    'opened-inside',
    'reviewed-inside',
    'with-one-open',
  ]);
});

test('a developer’s trend compares with the 30 days before, of which the first moment is none', async () => {
  const moment = (days: number, seconds = 0) =>
    (NOW.getTime() - days * 24 * 3_600_000 + seconds * 1000 - hour(0)) / 3_600_000;
  const by = (login: string, number: number, days: number, seconds = 0) =>
    aPullRequest(
      { number, createdAt: hour(moment(days, seconds)) - 3_600_000, author: aPerson(login) },
      merged(moment(days, seconds)),
    );
  await storeMine(
    by('ada', 1, 3),
    by('ada', 2, 60),
    by('bo', 3, 3),
    by('bo', 4, 60, 1),
    by('cy', 5, 30),
    by('cy', 6, 3),
  );

  const stats = await ask('listDeveloperStats');

  expect(stats.map(({ author, merged_prs, velocity_trend }) => `${author} ${merged_prs} ${velocity_trend}`)).toEqual([
    'ada 1 up',
    'bo 1 stable',
    'cy 1 stable',
  ]);
});

test('awaiting review begins after 48 hours of waiting, not at them', async () => {
  const since = (seconds: number) => (NOW.getTime() - 48 * 3_600_000 - seconds * 1000 - hour(0)) / 3_600_000;
  await storeMine(
    aPullRequest({ number: 1, createdAt: hour(since(0)) }),
    aPullRequest({ number: 2, createdAt: hour(since(1)), author: aPerson('bo') }),
    aPullRequest(
      { number: 3, createdAt: hour(0), author: aPerson('bo') },
      requestsChanges(daysAgo(9), 'cy'),
      pushed(since(0), 'bo'),
    ),
  );

  const awaiting = (await ask('listDeveloperStats')).map(({ author, prs_awaiting_review }) => [
    author,
    prs_awaiting_review,
  ]);

  expect(Object.fromEntries(awaiting)).toMatchObject({ ada: 0, bo: 1 });
});

test('review load counts requests of a person, not those of a team or on a draft', async () => {
  await storeMine(
    aPullRequest({ number: 1, createdAt: hour(daysAgo(1)) }, pending('cy', '@acme/core')),
    aPullRequest({ number: 2, createdAt: hour(daysAgo(1)), draft: true }, pending('cy')),
  );

  expect(await ask('listReviewLoad')).toMatchObject([{ reviewer: 'cy', outstanding_reviews: 1, reviews_last_week: 0 }]);
});

test('review load tells whoever was only asked from contributors, of any repository', async () => {
  const second = await aRepository(database.db, `acme/second-${user}`, [user]);
  await storeMine(aPullRequest({ number: 1, createdAt: hour(daysAgo(1)) }, pending('cy')));
  await store(database.db, second, NOW.getTime(), [
    aPullRequest({ number: 1, createdAt: hour(daysAgo(1)) }, pending('ada')),
  ]);
  const known = async (query: object) =>
    (await ask('listReviewLoad', query)).map(({ reviewer, is_contributor }) => [reviewer, is_contributor]);

  expect(await known({})).toEqual([
    ['ada', true],
    ['cy', false],
  ]);
  expect(await known({ repository: second })).toEqual([['ada', true]]);
});

test('days are those of the viewer’s zone', async () => {
  // 2026-05-01 09:00 UTC is 21:00 in Auckland: its day began at 12:00 UTC of the day before.
  await storeMine(aPullRequest({ number: 1, createdAt: NOW.getTime() - 11 * 3_600_000 }));

  expect((await ask('getTeamStats', { zone: 'UTC' })).active_prs_today).toBe(0);
  expect((await ask('getTeamStats', { zone: 'Pacific/Auckland' })).active_prs_today).toBe(1);
});

test('today is compared with yesterday up to this time of day', async () => {
  const at = (moment: string) => Date.parse(`2026-${moment}Z`);
  const moments = [
    at('04-29T23:59:59'),
    at('04-30T00:00:00'),
    at('04-30T09:00:00'),
    at('04-30T09:00:01'),
    at('04-30T23:59:59'),
    at('05-01T00:00:00'),
  ];
  await storeMine(...moments.map((createdAt, index) => aPullRequest({ number: index + 1, createdAt })));

  expect(await ask('getTeamStats')).toMatchObject({ active_prs_today: 1, active_prs_yesterday: 2 });
  // It is 21:00 in Auckland, where yesterday began at 12:00 UTC on 29 April.
  expect(await ask('getTeamStats', { zone: 'Pacific/Auckland' })).toMatchObject({
    active_prs_today: 2,
    active_prs_yesterday: 3,
  });
});

test('a stuck pull request tells that an agent wrote it, under its own account or a person’s', async () => {
  const week = { createdAt: hour(daysAgo(7)) };
  await storeMine(
    aPullRequest({ ...week, number: 1, author: aPerson('agent-z') }),
    aPullRequest({ ...week, number: 2, headRef: 'codex/tidy-up' }),
    aPullRequest({ ...week, number: 3 }),
  );

  const rows = await ask('listStuckPullRequests');

  expect(rows.map(({ pr_number, by_agent }) => [pr_number, by_agent])).toEqual([
    [1, true],
    [2, true],
    [3, false],
  ]);
});

/** The repository's history has been read to its end once. */
const wholly = (id: number) =>
  database.db.updateTable('repositories').set({ history_completed_at: NOW }).where('id', '=', id).execute();

test('the team’s figures say since when there is history, and whether all of it is imported', async () => {
  const second = await aRepository(database.db, `acme/second-${user}`, [user]);
  const foreign = await aRepository(database.db, `else/foreign-${user}`);
  await storeMine(aPullRequest({ number: 1, createdAt: hour(daysAgo(12)) }));
  await store(database.db, second, NOW.getTime(), [aPullRequest({ number: 1, createdAt: hour(daysAgo(45)) })]);
  await store(database.db, foreign, NOW.getTime(), [aPullRequest({ number: 1, createdAt: hour(daysAgo(59)) })]);
  const compared = async (repository?: number) =>
    (await ask('getTeamStats', repository === undefined ? {} : { repository })).compared_with;
  const from = new Date(hour(daysAgo(60))).toISOString();
  const begins = (days: number) => new Date(hour(daysAgo(days))).toISOString();

  expect(await compared()).toEqual({ from, history_begins: begins(45), import_complete: false });
  await wholly(mine);
  expect(await compared()).toMatchObject({ import_complete: false });
  expect(await compared(mine)).toEqual({ from, history_begins: begins(12), import_complete: true });
  await wholly(second);
  expect(await compared()).toEqual({ from, history_begins: begins(45), import_complete: true });
});

test('with no repository there is nothing to import and no history', async () => {
  const { compared_with } = await ask('getTeamStats', { as: await aUser(database.db) });

  expect(compared_with).toMatchObject({ history_begins: null, import_complete: true });
});

test('developers’ trends are comparable only where the 30 days before are wholly stored', async () => {
  const comparable = async () => (await ask('listDeveloperStats'))[0]?.trends_comparable;
  await storeMine(aPullRequest({ number: 1, createdAt: hour(daysAgo(59)) }, merged(daysAgo(2))));
  await wholly(mine);
  expect(await comparable()).toBe(false);

  await storeMine(aPullRequest({ number: 2, createdAt: hour(daysAgo(60)) }));
  expect(await comparable()).toBe(true);
  await database.db.updateTable('repositories').set({ history_completed_at: null }).where('id', '=', mine).execute();
  expect(await comparable()).toBe(false);
});

test('the means of the team say of how many they are, in both windows', async () => {
  await storeMine(
    aPullRequest({ number: 1, createdAt: hour(daysAgo(6)) }, approves(daysAgo(5), 'bo'), merged(daysAgo(4))),
    aPullRequest({ number: 2, createdAt: hour(daysAgo(6)) }, closed(daysAgo(3))),
    aPullRequest({ number: 3, createdAt: hour(daysAgo(40)) }, approves(daysAgo(39), 'bo')),
  );

  expect(await ask('getTeamStats')).toMatchObject({
    ended_prs: 2,
    first_reviewed_prs: 1,
    previous: { ended_prs: 0, first_reviewed_prs: 1 },
  });
});

/** 2026-05-01 09:00 UTC. */
const at = (moment: string) => Date.parse(`2026-${moment}Z`);

test('a window by its ends holds its first instant and not its last; dates are midnights of the viewer’s zone', async () => {
  const moments = ['03-31T21:59:59', '03-31T22:00:00', '04-07T21:59:59', '04-07T22:00:00'];
  await storeMine(...moments.map((moment, index) => aPullRequest({ number: index + 1, createdAt: at(moment) })));
  const opened = async (query: WindowQuery & { zone?: string }) => {
    const { total_prs, previous, compared_with } = await ask('getTeamStats', query);
    return { opened: [total_prs, previous.total_prs], comparedFrom: compared_with.from };
  };

  const [from, to] = ['2026-04-01', '2026-04-08'];
  expect(await opened({ from, to, zone: 'Europe/Oslo' })).toEqual({
    opened: [2, 1],
    comparedFrom: '2026-03-24T21:59:59.999Z',
  });
  expect(await opened({ from, to })).toEqual({ opened: [2, 2], comparedFrom: '2026-03-24T23:59:59.999Z' });
  expect(await opened({ from: '2026-04-07T22:00:00Z', to: '2026-04-07T22:00:01Z' })).toMatchObject({ opened: [1, 1] });
  // Without an end it goes on until now; without a beginning it is as long as the call's own.
  expect(await opened({ from: '2026-04-07T22:00:00Z' })).toMatchObject({ opened: [1, 3] });
  expect(await opened({ to: '2026-04-07T22:00:00Z' })).toMatchObject({ opened: [3, 0] });
});

test('every list of people is over the chosen window, and what is open or outstanding is that of now', async () => {
  await storeMine(
    aPullRequest(
      { number: 1, createdAt: at('02-10T10:00:00'), author: aPerson('ada') },
      approves((at('02-11T10:00:00') - hour(0)) / 3_600_000, 'bo'),
      merged((at('02-12T10:00:00') - hour(0)) / 3_600_000),
    ),
    aPullRequest({ number: 2, createdAt: at('04-30T10:00:00'), author: aPerson('ada') }, pending('cy')),
  );
  const february = { from: '2026-02-01', to: '2026-03-01' };

  expect(await ask('listReviewerStats', february)).toMatchObject([{ reviewer: 'bo', review_count: 1 }]);
  expect(await ask('listReviewerStats')).toEqual([]);
  expect(await ask('listReviewerStats', { period: '90d' })).toHaveLength(1);
  expect(await ask('listDeveloperStats', february)).toMatchObject([
    { author: 'ada', merged_prs: 1, open_prs: 1, active_days: 1 },
    { author: 'bo', merged_prs: 0, reviews_given: 1, active_days: 1 },
  ]);
  expect(await ask('listReviewLoad', february)).toMatchObject([
    { reviewer: 'cy', outstanding_reviews: 1, reviews_last_week: 0 },
    { reviewer: 'bo', outstanding_reviews: 0, reviews_last_week: 1 },
    { reviewer: 'ada', outstanding_reviews: 0, merged_last_week: 1 },
  ]);
  expect(await ask('getTeamStats', february)).toMatchObject({ total_prs: 1, open_prs: 1 });
});

test('the days of the team’s figures are those of the window, its last one last, at most the last 90', async () => {
  await storeMine(aPullRequest({ number: 1, createdAt: at('02-10T10:00:00') }));
  const days = async (query: WindowQuery) => {
    const { series } = await ask('getTeamStats', query);
    return [series.length, series[0]?.date, series.at(-1)?.date];
  };

  expect(await days({})).toEqual([30, '2026-04-02', '2026-05-01']);
  expect(await days({ period: '7d' })).toEqual([7, '2026-04-25', '2026-05-01']);
  expect(await days({ period: '90d' })).toEqual([90, '2026-02-01', '2026-05-01']);
  expect(await days({ period: '1y' })).toEqual([90, '2026-02-01', '2026-05-01']);
  expect(await days({ from: '2026-02-09', to: '2026-02-12' })).toEqual([3, '2026-02-09', '2026-02-11']);
  const { series } = await ask('getTeamStats', { from: '2026-02-09', to: '2026-02-12' });
  expect(series.map(({ open_prs }) => open_prs)).toEqual([0, 1, 1]);
});

test('a window may be as long as two years, and begins before it ends and before now', async () => {
  const refused = (query: WindowQuery, path: string) =>
    expect(ask('getTeamStats', query)).rejects.toMatchObject({ status: 400, issues: [{ path }] });

  await ask('getTeamStats', { from: '2024-03-01', to: '2026-03-01' });
  await refused({ from: '2024-03-01', to: '2026-03-02' }, 'from');
  await refused({ from: '2026-03-01', to: '2026-03-01' }, 'from');
  await refused({ from: '2026-03-02', to: '2026-03-01' }, 'from');
  await refused({ from: '2026-05-02' }, 'from');
  await refused({ from: '2026-05-02', to: '2026-06-01' }, 'from');
  await refused({ period: '7d', from: '2026-03-01' }, 'period');
  expect(await ask('getTeamStats', { to: '0001-01-01' })).toMatchObject({ total_prs: 0 });
});

test.each([
  { period: '2y' },
  { period: '' },
  { from: 'yesterday' },
  { from: '2026-02-30' },
  { to: '2026-03-01T10:00' },
  { to: '2026-3-1' },
])('what is no window is refused before anything is asked: %o', (query) => {
  for (const name of ['getTeamStats', 'listReviewerStats', 'listDeveloperStats', 'listReviewLoad'] as const)
    expect(endpoints[name].query.safeParse(query).success, name).toBe(false);
});
