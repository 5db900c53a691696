import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  type Happening,
  hour,
  merged,
  pushed,
  replies,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { contributorExports, contributorRoutes } from './routes.ts';

const NOW = new Date(hour(24 * 20));
let database: OpenDatabase;
let user: number;
let web: number;
let api: number;

beforeAll(async () => {
  database = await openTestDatabase();
  user = await aUser(database.db);
  const stranger = await aUser(database.db);
  web = await aRepository(database.db, 'acme/web', [user]);
  api = await aRepository(database.db, 'acme/api', [user]);
  const foreign = await aRepository(database.db, 'else/where', [stranger]);
  await store(database.db, web, NOW.getTime(), [
    aPullRequest({ number: 1 }, approves(1, 'bo'), says(2, 'onlooker'), replies(3, 'answerer'), merged(4)),
    aPullRequest({ number: 2, author: aPerson('bot-r') }, approves(5, 'agent-z'), approves(6, 'ada')),
    aPullRequest({ number: 3, author: null }, pushed(7, 'bo', { sha: 'of-bo' })),
  ]);
  await store(database.db, api, NOW.getTime(), [
    aPullRequest({ number: 1, author: aPerson('adalbert') }, says(1, 'bo')),
  ]);
  await store(database.db, foreign, NOW.getTime(), [aPullRequest({ number: 1, author: aPerson('foreigner') })]);
});
afterAll(() => database.close());

type Routes = ReturnType<typeof contributorRoutes>;
const me = () => ({ id: user, host: 'h', login: 'me', time_zone: 'UTC', own_marks: false });

/** Asks as the browser does, and holds the answer against the contract. */
async function ask<N extends keyof Routes>(
  name: N,
  query: object = {},
  params: object = {},
): Promise<Awaited<ReturnType<Routes[N]>>> {
  const handlers = contributorRoutes({ db: database.db, now: () => NOW });
  const asked = { user: me(), query, params };
  const answer = await (handlers[name] as (asked: unknown) => Promise<unknown>)(asked);
  endpoints[name].answer?.parse(answer);
  return answer as never;
}

const logins = (rows: readonly { username: string }[]) => rows.map(({ username }) => username);

test('contributors are the humans who authored or reviewed, latest activity first', async () => {
  expect(logins(await ask('listContributors'))).toEqual(['bo', 'ada', 'adalbert']);
  expect(logins(await ask('listContributors', { accounts: 'all' }))).toEqual([
    'bo',
    'ada',
    'agent-z',
    'adalbert',
    'bot-r',
  ]);
  expect(logins(await ask('listContributors', { repository: api }))).toEqual(['adalbert']);
});

test('the search finds the exact login first, then those that begin with the text', async () => {
  expect(logins(await ask('searchContributors', { q: ' ADA ' }))).toEqual(['ada', 'adalbert']);
  expect(logins(await ask('searchContributors', { q: 'b' }))).toEqual(['bo', 'adalbert']);
  expect(await ask('searchContributors', { q: '  ' })).toEqual([]);
  expect(await ask('searchContributors', { q: 'foreigner' })).toEqual([]);
});

test('a repository where somebody only commented is none of theirs', async () => {
  expect(await ask('searchContributors', { q: 'bo' })).toMatchObject([{ username: 'bo', repository_count: 1 }]);
  expect(await ask('listContributors')).toMatchObject([{ username: 'bo', repositories_count: 1 }, {}, {}]);
});

test('the search finds bots and agents when asked for, and at most twenty', async () => {
  const other = await aUser(database.db);
  const crowd = await aRepository(database.db, `crowd/all-${other}`, [other]);
  const names = Array.from(
    { length: 22 },
    (_, index) => `${index === 0 ? 'Zoe' : 'zoe'}-${String(index).padStart(2, '0')}`,
  );
  await store(
    database.db,
    crowd,
    NOW.getTime(),
    names.map((login, index) => aPullRequest({ number: index + 1, author: aPerson(login) })),
  );
  const { searchContributors } = contributorRoutes({ db: database.db, now: () => NOW });
  const asked = { user: { ...me(), id: other }, query: { q: 'zoe' } } as never;

  expect(logins(await searchContributors(asked))).toEqual(names.slice(0, 20));
  expect(logins(await ask('searchContributors', { q: 'agent-' }))).toEqual([]);
  expect(await ask('searchContributors', { q: 'agent-', accounts: 'all' })).toMatchObject([
    { username: 'agent-z', repository_count: 1 },
  ]);
});

test('of two who had a login one after the other, the one active last is meant', async () => {
  const other = await aUser(database.db);
  const renamed = await aRepository(database.db, `renamed/all-${other}`, [other]);
  const was = (id: string) => aPerson('kim', { id });
  const pulls = [
    aPullRequest({ number: 1, author: was('kim-now'), createdAt: hour(50) }),
    aPullRequest({ number: 2, author: was('kim-before'), createdAt: hour(10) }),
    aPullRequest({ number: 3, author: was('kim-before'), createdAt: hour(9) }),
  ];
  for (const pull of pulls) await store(database.db, renamed, NOW.getTime(), [pull]);
  const { getContributorMetrics } = contributorRoutes({ db: database.db, now: () => NOW });
  const asked = { user: { ...me(), id: other }, query: {}, params: { username: 'KIM' } } as never;

  expect(await getContributorMetrics(asked)).toMatchObject({ username: 'kim', total_prs_opened: 1 });
});

test('a merge that only moves files owns no area of the code', async () => {
  const other = await aUser(database.db);
  const moved = await aRepository(database.db, `moved/all-${other}`, [other]);
  const file = (path: string, additions: number) => ({ path, additions, deletions: 0 });
  await store(database.db, moved, NOW.getTime(), [
    { ...aPullRequest({ number: 1 }, merged(400)), files: [file('src/web/a.ts', 0), file('b.md', 0)] },
    {
      ...aPullRequest({ number: 2, author: aPerson('bo') }, merged(400)),
      files: [file('src/web/a.ts', 0), file('b.md', 3)],
    },
  ]);
  const { getContributorMetrics } = contributorRoutes({ db: database.db, now: () => NOW });
  const of = async (username: string) =>
    (await getContributorMetrics({ user: { ...me(), id: other }, query: {}, params: { username } } as never))
      .code_ownership_areas;

  expect(await of('ada')).toEqual([]);
  expect(await of('bo')).toEqual([{ path: '.', percentage: 100 }]);
});

test('badges need five of the period, whose first moment is none of it, and fewer than 200 lines', async () => {
  const other = await aUser(database.db);
  const crowd = await aRepository(database.db, `badges/all-${other}`, [other]);
  const edge = 24 * 13;
  const five = (build: (index: number) => PullRequestRecord) => Array.from({ length: 5 }, (_, index) => build(index));
  const by = (
    login: string | null,
    opened: number,
    overrides: Partial<PullRequestRecord>,
    ...happenings: Happening[]
  ) =>
    aPullRequest(
      { author: login === null ? null : aPerson(login), createdAt: hour(opened), ...overrides },
      ...happenings,
    );
  const late = (index: number) => edge + (index === 4 ? 0 : 1);
  const pulls = [
    ...five(() => by('small', edge + 10, { additions: 199, deletions: 0 })),
    ...five(() => by('large', edge + 10, { additions: 200, deletions: 0 })),
    ...five(() => by('closer', edge - 50, {}, merged(edge + 1))),
    ...five((index) => by('nearly', edge - 50, {}, merged(late(index)))),
    ...five(() => by(null, edge - 3, {}, approves(edge + 1, 'fast'))),
    ...five((index) => by(null, edge - 3, {}, approves(late(index), 'slow'))),
    by(null, edge - 3, {}, approves(edge, 'slow'), approves(edge + 1, 'slow')),
  ];
  await store(
    database.db,
    crowd,
    NOW.getTime(),
    pulls.map((pull, index) => ({ ...pull, number: index + 1 })),
  );
  const { getContributorMetrics } = contributorRoutes({ db: database.db, now: () => NOW });
  const badges: Record<string, string[]> = {};
  for (const username of ['small', 'large', 'closer', 'nearly', 'fast', 'slow']) {
    const asked = { user: { ...me(), id: other }, query: { period: '7d' }, params: { username } } as never;
    badges[username] = (await getContributorMetrics(asked)).badges.map(({ label }) => label);
  }

  expect(badges).toEqual({
    small: ['Small PRs'],
    large: [],
    closer: ['Closer'],
    nearly: [],
    fast: ['Top Reviewer', 'Fast Responder'],
    slow: ['Top Reviewer'],
  });
});

test('whoever submitted a review exists, bots and agents and mere repliers too', async () => {
  for (const username of ['ada', 'BO', 'bot-r', 'agent-z', 'answerer'])
    expect((await ask('getContributorMetrics', {}, { username })).username).toBe(username === 'BO' ? 'bo' : username);
});

test('someone unknown, unseen, deleted or who only commented is not found', async () => {
  for (const username of ['nobody', 'foreigner', 'ghost', 'onlooker', '%'])
    for (const name of ['getContributorMetrics', 'listContributorPullRequests', 'getReviewHeatmap'] as const)
      await expect(ask(name, {}, { username }), `${name} of ${username}`).rejects.toMatchObject({ status: 404 });
});

test('a person without anything in the period has zeros for counts and nulls for means', async () => {
  const metrics = await ask('getContributorMetrics', { period: '7d' }, { username: 'ada' });

  expect(metrics).toMatchObject({
    total_prs_opened: 0,
    avg_time_to_merge_hours: null,
    avg_pr_size: null,
    pr_merge_rate: null,
    avg_review_cycles: null,
    review_response_time_p95: null,
    large_pr_frequency: null,
    prs_opened_trend: 0,
    top_reviewed_by: [],
    code_ownership_areas: [],
    badges: [],
  });
  expect(metrics.activity_calendar).toHaveLength(84);
  expect(metrics.velocity_trend).toHaveLength(6);
});

test('a contributor’s figures hold what their trends compare with, and how far back that is known', async () => {
  const compared = async (period: string) =>
    await ask('getContributorMetrics', { period, repository: web }, { username: 'ada' });

  expect(await compared('7d')).toMatchObject({
    previous: { total_prs_opened: 0, total_prs_merged: 0, total_prs_reviewed: 0, avg_time_to_merge_hours: null },
    compared_with: {
      from: new Date(hour(24 * 6)).toISOString(),
      history_begins: expect.any(String),
      import_complete: false,
    },
  });
  await database.db.updateTable('repositories').set({ history_completed_at: NOW }).where('id', '=', web).execute();
  expect((await compared('30d')).compared_with).toMatchObject({
    from: new Date(hour(-24 * 40)).toISOString(),
    import_complete: true,
  });
});

test('whom another repository knows has zeros and an empty list in one where they did nothing', async () => {
  const metrics = await ask('getContributorMetrics', { repository: api }, { username: 'ADA' });

  expect(metrics).toMatchObject({ username: 'ada', last_active: null, total_prs_opened: 0, current_open_prs: 0 });
  expect(await ask('listContributorPullRequests', { repository: api }, { username: 'ada' })).toEqual([]);
  expect(await ask('getReviewHeatmap', { repository: api }, { username: 'bo' })).toEqual([]);
  await expect(ask('getContributorMetrics', { repository: api }, { username: 'foreigner' })).rejects.toMatchObject({
    status: 404,
  });
});

test('an unknown period is 30 days', async () => {
  const of = (period: string) => ask('getContributorMetrics', { period }, { username: 'ada' });

  expect(await of('a while')).toEqual(await of('30d'));
});

test('without a period all pull requests of a contributor are listed, with one those opened in it', async () => {
  expect(await ask('listContributorPullRequests', {}, { username: 'ada' })).toMatchObject([
    { pr_number: 1, state: 'merged', reviewers: ['bo'], last_review_at: new Date(hour(1)).toISOString() },
  ]);
  expect(await ask('listContributorPullRequests', { period: '7d' }, { username: 'ada' })).toEqual([]);
});

test('the heat map tells weekday and hour in the viewer’s zone', async () => {
  // The review was given on Monday, 2 March 2026, at 10:00 UTC.
  expect(await ask('getReviewHeatmap', {}, { username: 'bo' })).toEqual([{ weekday: 1, hour: 10, count: 1 }]);
});

test('an export holds the same figures as the page', async () => {
  const { whole, own } = contributorExports({ db: database.db, now: () => NOW });
  const exported = await whole(me(), { username: 'ada', period: '90d' });
  const { metrics, ...rest } = await own(me(), { username: 'ada', period: '90d' });

  expect(exported.metrics).toEqual(await ask('getContributorMetrics', { period: '90d' }, { username: 'ada' }));
  expect(exported.prs).toEqual(await ask('listContributorPullRequests', { period: '90d' }, { username: 'ada' }));
  expect(exported).toMatchObject({ period: '90d', as_of: NOW, metrics });
  expect(exported).toMatchObject(rest);
});
