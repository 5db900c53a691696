import { afterAll, beforeAll, expect, test } from 'vitest';
import { pullRequestDetail as shape } from '#contract/pull-requests.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  checked,
  comments,
  hour,
  merged,
  OPENED_AT,
  pushed,
  replies,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Scope } from '../metrics/scope.ts';
import { type FoundRepository, findRepository, pullRequestDetail } from './pull-request-detail.ts';
import { pullRequestRoutes } from './routes.ts';

const NOW = new Date(hour(200));
let database: OpenDatabase;
let repositoryId: number;
let scope: Scope;
let repository: FoundRepository;

beforeAll(async () => {
  database = await openTestDatabase();
  repositoryId = await aRepository(database.db, 'Acme/web');
  scope = await aScope(database.db, [repositoryId]);
  repository = (await findRepository(database.db, scope, 'ACME', 'Web'))!;
});
afterAll(() => database.close());

/** Stores so many of a person's pull requests that took `hours` to merge, ending at `end`, from a number on. */
async function mergedOnes(from: number, count: number, hours: number, end: number, author = aPerson('bo')) {
  const pulls = Array.from({ length: count }, (_, index) =>
    aPullRequest(
      { number: from + index, author, createdAt: hour(end - hours), additions: 100, deletions: 0 },
      merged(end),
    ),
  );
  await store(database.db, repositoryId, NOW.getTime(), pulls);
}

const detailOf = async (number: number) =>
  (await pullRequestDetail(database.db, scope, repository, number, NOW, 'UTC'))!;

test('who is asked now is told with the latest request, people before teams, bots left out', async () => {
  const pull = aPullRequest(
    {
      number: 950,
      requested: [{ team: '@acme/core' }, { person: aPerson('zoe') }, { person: aPerson('agent-x') }],
    },
    asks(1, 'zoe'),
    asks(2, '@acme/core'),
    approves(3, 'zoe'),
    asks(4, 'zoe'),
  );
  await store(database.db, repositoryId, NOW.getTime(), [pull]);

  const { requested_reviewers, reviewers } = await detailOf(950);

  expect(requested_reviewers).toEqual([
    { reviewer: 'zoe', avatar_url: null, asked_at: new Date(hour(4)).toISOString() },
    { reviewer: '@acme/core', avatar_url: null, asked_at: new Date(hour(2)).toISOString() },
  ]);
  expect(reviewers.map(({ username }) => username)).toEqual(['zoe']);
});

test('those in it who exist as contributors are told apart from whoever was only asked, or only commented', async () => {
  const pull = aPullRequest(
    { number: 951, requested: [{ person: aPerson('newcomer') }, { team: '@acme/core' }] },
    asks(1, 'newcomer'),
    says(2, 'passer-by'),
    approves(3, 'zoe'),
  );
  await store(database.db, repositoryId, NOW.getTime(), [pull]);

  expect((await detailOf(951)).contributors).toEqual(['ada', 'zoe']);
});

test('one pull request in depth is the stored record read by the rules, and keeps the contract', async () => {
  await store(database.db, repositoryId, NOW.getTime(), [
    {
      ...aPullRequest(
        { number: 1 },
        asks(0.5, 'zoe'),
        comments(1, 'zoe', { id: '77', threads: 2 }),
        replies(2, 'ada'),
        pushed(3),
        approves(5, 'zoe'),
        says(5.5, 'cy'),
        approves(6, 'agent-x'),
        checked(7),
        merged(8, 'cy'),
      ),
      title: 'In depth',
    },
  ]);

  const detail = await detailOf(1);

  expect(shape.parse(detail)).toEqual(detail);
  expect(detail).toMatchObject({
    title: 'In depth',
    state: 'merged',
    repository: { owner: 'Acme', name: 'web' },
    author: 'ada',
    merged_at: new Date(hour(8)).toISOString(),
  });
  expect(
    detail.reviews.map(({ reviewer, state, comments_count, response_time }) => [
      reviewer,
      state,
      comments_count,
      response_time,
    ]),
  ).toEqual([
    ['zoe', 'commented', 3, 0.5],
    ['zoe', 'approved', 0, 2],
  ]);
  expect(detail.reviewers).toEqual([
    {
      username: 'zoe',
      avatar_url: null,
      reviews_submitted: 2,
      total_comments: 3,
      avg_response_time: 1.25,
      approval_rate: 100,
    },
  ]);
  expect(detail.timeline.map(({ type }) => type)).toEqual([
    'opened',
    'review_requested',
    'review',
    'review',
    'commit',
    'review',
    'comment',
    'review',
    'status_check',
    'merged',
  ]);
  expect(new Set(detail.timeline.map(({ id }) => id)).size).toBe(detail.timeline.length);
  const { active_development_time, waiting_for_review_time, post_approval_time } = detail.time_metrics;
  expect([active_development_time, waiting_for_review_time, post_approval_time]).toEqual([1, 4, 3]);
  expect(detail.time_metrics).toMatchObject({
    review_cycles: 2,
    time_to_merge: 8,
    time_to_first_review: 1,
    waiting_on: null,
  });
});

test('an open one runs on up to now', async () => {
  await store(database.db, repositoryId, hour(10), [aPullRequest({ number: 2 })]);

  const { time_metrics } = await detailOf(2);

  expect(time_metrics).toMatchObject({ waiting_for_review_time: 200, waiting_on: 'reviewers', time_to_merge: null });
  expect(time_metrics.phases).toEqual([{ phase: 'waiting', from: new Date(OPENED_AT).toISOString(), to: null }]);
});

test('with fewer than five others the team says nothing, with five it does', async () => {
  const id = await aRepository(database.db, 'Acme/compared');
  const ownScope = await aScope(database.db, [id]);
  const its = (await findRepository(database.db, ownScope, 'acme', 'compared'))!;
  const other = (number: number, hours: number, size: number) =>
    aPullRequest({ number, author: aPerson('bo'), additions: size, deletions: 0 }, merged(hours));
  await store(database.db, id, NOW.getTime(), [
    aPullRequest({ number: 1, additions: 10, deletions: 0 }, merged(20)),
    aPullRequest({ number: 2, author: aPerson('bot-x') }, merged(1)),
    aPullRequest({ number: 3, author: null }, merged(1)),
    aPullRequest({ number: 4, additions: 40, deletions: 0 }, merged(4)),
    ...[2, 20, 6].map((hours, index) => other(5 + index, hours, 10 * index)),
  ]);
  const ask = () => pullRequestDetail(database.db, ownScope, its, 1, NOW, 'UTC');

  expect((await ask())!.comparative_metrics).toEqual({
    author_avg_pr_size: 40,
    author_avg_cycle_time: 4,
    size_percentile: null,
    cycle_time_percentile: null,
    team_p50_cycle_time: null,
    team_p75_cycle_time: null,
    team_p90_cycle_time: null,
    team_p50_pr_size: null,
    author_set_size: 1,
    comparison_set_size: 4,
  });

  await store(database.db, id, NOW.getTime(), [other(9, 8, 10)]);

  // The others took 2, 4, 6, 8 and 20 hours; four of them less than 20, and one changed fewer than 10 lines.
  expect((await ask())!.comparative_metrics).toEqual({
    author_avg_pr_size: 40,
    author_avg_cycle_time: 4,
    size_percentile: 20,
    cycle_time_percentile: 80,
    team_p50_cycle_time: 6,
    team_p75_cycle_time: 8,
    team_p90_cycle_time: expect.closeTo(15.2, 9),
    team_p50_pr_size: 10,
    author_set_size: 1,
    comparison_set_size: 5,
  });
});

test('the comparison looks 90 days back from the end, for the author 180, not from now, and the edge is outside', async () => {
  const ninetyDays = 90 * 24;
  const end = 5 * ninetyDays;
  await store(database.db, repositoryId, NOW.getTime(), [
    aPullRequest({ number: 500, createdAt: hour(-end - 10) }, merged(-end)),
  ]);
  await mergedOnes(501, 5, 10, -end - ninetyDays + 1);
  await mergedOnes(511, 3, 10, -end - ninetyDays);
  await mergedOnes(521, 2, 10, -end + 1);
  await mergedOnes(531, 1, 10, -end - 2 * ninetyDays + 1, aPerson('ada'));
  await mergedOnes(541, 1, 10, -end - 2 * ninetyDays, aPerson('ada'));

  expect((await detailOf(500)).comparative_metrics).toMatchObject({ comparison_set_size: 5, author_set_size: 1 });
});

test('one of a repository that others connected, or that I may no longer read, is not found, nor looked for', async () => {
  const others = await aRepository(database.db, 'Acme/theirs');
  await aScope(database.db, [others]);
  const lost = await aRepository(database.db, 'Acme/lost', [scope.user_id]);
  await database.db.updateTable('connections').set({ readable: false }).where('repository_id', '=', lost).execute();
  for (const id of [others, lost]) await store(database.db, id, NOW.getTime(), [aPullRequest({ number: 1 })]);
  const { getPullRequest } = pullRequestRoutes({ db: database.db, now: () => NOW }, () => {
    throw new Error('The host is asked.');
  });

  for (const repoName of ['theirs', 'lost']) {
    const asked = {
      user: { id: scope.user_id, host: 'h', login: 'me', time_zone: 'UTC' },
      params: { repoOwner: 'acme', repoName, prNumber: 1 },
      gone: new AbortController().signal,
    };
    await expect(getPullRequest(asked as unknown as Parameters<typeof getPullRequest>[0])).rejects.toMatchObject({
      status: 404,
    });
  }
});

test('one that is not stored yet is fetched first; one that the host does not have is not found', async () => {
  const wanted: number[] = [];
  const { getPullRequest } = pullRequestRoutes(
    { db: database.db, now: () => NOW },
    async ({ repository_id, number }) => {
      wanted.push(number);
      if (number !== 900) return false;
      await store(database.db, repository_id, NOW.getTime(), [{ ...aPullRequest({ number }), title: 'Just fetched' }]);
      return true;
    },
  );
  const ask = (prNumber: number, repoName = 'WEB') =>
    getPullRequest({
      user: { id: scope.user_id, host: 'h', login: 'me', time_zone: 'UTC' },
      params: { repoOwner: 'acme', repoName, prNumber },
      gone: new AbortController().signal,
    } as unknown as Parameters<typeof getPullRequest>[0]);

  expect((await ask(900)).title).toBe('Just fetched');
  expect((await ask(900)).title).toBe('Just fetched');
  await expect(ask(901)).rejects.toMatchObject({ status: 404 });
  await expect(ask(1, 'unknown')).rejects.toMatchObject({ status: 404 });
  expect(wanted).toEqual([900, 901]);
});
