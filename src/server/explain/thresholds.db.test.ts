import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Explanation } from '#contract/explain.ts';
import { authorshipWords } from '#domain/ai-authorship.ts';
import { definitions, type FigureKey } from '#domain/metrics/definitions.ts';
import { defaultHealthSettings } from '#domain/signals.ts';
import { aPerson, aPullRequest, comments, hour, merged } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { contributorMetrics } from '../contributors/contributor-metrics.ts';
import { findContributor } from '../contributors/find-contributor.ts';
import type { OpenDatabase } from '../db/open.ts';
import { windowAsked } from '../metrics/asked-window.ts';
import type { Scope } from '../metrics/scope.ts';
import { pullRequestDetail } from '../pull-requests/pull-request-detail.ts';
import { developerStats } from '../team/developer-stats.ts';
import { reviewLoad } from '../team/review-load.ts';
import { stuckPullRequests } from '../team/stuck-pull-requests.ts';
import { definitionOf } from '../trends/figures.ts';
import { isUndecided } from '../trends/trends.ts';
import { explainRoutes } from './routes.ts';

// Modules are shared by the files of a worker: these are loaded again with the bounds below, and so are those of the file after this one.
vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());
/** Other bounds than the product's, by which every figure below comes to something else. */
vi.mock('#domain/metrics/thresholds.ts', async (original) => ({
  ...(await original<object>()),
  STUCK_AFTER_HOURS: 10,
  AWAITING_AFTER_HOURS: 20,
  ENOUGH_TO_COMPARE: 1,
  STALE_AFTER_DAYS: 2,
  LARGE_ABOVE_LINES: 9,
  COMPLEX_FROM_COMMENTS: 2,
  REVERTED_WITHIN_DAYS: 3,
  FOLLOWED_WITHIN_DAYS: 2,
}));

const now = new Date(hour(24 * 20));
const hoursAgo = (hours: number) => hour(24 * 20) - hours * 3_600_000;
let database: OpenDatabase;
let scope: Scope;
let repository: number;

beforeAll(async () => {
  database = await openTestDatabase();
  repository = await aRepository(database.db, 'acme/bounds');
  scope = await aScope(database.db, [repository]);
  const reviewedAt = 24 * 20 - 30;
  await store(database.db, repository, now.getTime(), [
    aPullRequest({ number: 1, createdAt: hoursAgo(11) }),
    aPullRequest({ number: 2, createdAt: hoursAgo(21) }),
    aPullRequest({ number: 3, createdAt: hoursAgo(50) }),
    aPullRequest(
      { number: 4, createdAt: hoursAgo(40) },
      comments(reviewedAt, 'ben', { threads: 2 }),
      merged(reviewedAt + 1),
    ),
    aPullRequest({ number: 5, author: aPerson('ben'), createdAt: hoursAgo(40) }, merged(reviewedAt + 2)),
  ]);
});
afterAll(() => database.close());

async function explained(metric: FigureKey, query: Record<string, unknown> = {}): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => now });
  const user = { id: scope.user_id, host: 'h', login: 'me', time_zone: 'UTC' };
  const asked = { params: { metric }, query: { limit: 100, offset: 0, ...query }, user };
  return await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
}

test('a changed threshold changes the list, the figure, what explains it and its words at once', async () => {
  const { db } = database;
  const stuck = await stuckPullRequests(db, scope, now);
  expect(stuck.map(({ pr_number }) => pr_number)).toEqual([3, 2, 1]);
  expect(await explained('team.stuck_prs')).toMatchObject({ value: 3, n: 3 });
  expect(definitions['team.stuck_prs'].definition).toContain('more than 10 hours');
  expect(definitionOf('stuck', defaultHealthSettings)).toContain('more than 10 hours');

  const [ada] = (await developerStats(db, scope, now, 'UTC', windowAsked({}, 30, now, 'UTC'), false)).filter(
    ({ author }) => author === 'ada',
  );
  expect(ada?.prs_awaiting_review).toBe(2);
  expect(await explained('developer.prs_awaiting_review', { username: 'ada' })).toMatchObject({ value: 2, n: 2 });
  expect(definitions['developer.prs_awaiting_review'].definition).toContain('more than 20 hours');

  const [ben] = (await reviewLoad(db, scope, now, windowAsked({}, 7, now, 'UTC'), false)).filter(
    ({ reviewer }) => reviewer === 'ben',
  );
  expect(ben?.complex_reviews).toBe(1);
  expect(await explained('load.complex_reviews', { username: 'ben' })).toMatchObject({ value: 1, n: 1 });
  expect(await explained('team.complex_reviews')).toMatchObject({ value: 1, n: 1 });
  expect(definitions['team.complex_reviews'].definition).toContain('at least 2 comments');

  const person = (await findContributor(db, scope, 'ada', now))!;
  const metrics = await contributorMetrics(db, scope, person, '7d', now, 'UTC');
  const ofAda = { username: 'ada', period: '7d' };
  expect(metrics.stale_prs.map(({ pr_number }) => pr_number)).toEqual([3]);
  expect(await explained('contributor.stale_prs', ofAda)).toMatchObject({ value: 1, n: 1 });
  expect(definitions['contributor.stale_prs'].definition).toContain('2 days or more');
  expect(metrics.large_pr_frequency).toBe(1);
  expect(await explained('contributor.large_pr_frequency', ofAda)).toMatchObject({ value: 1, n: 4 });
  expect(definitions['contributor.large_pr_frequency'].definition).toContain('more than 9 changed lines');

  const found = { id: repository, owner: 'acme', name: 'bounds' };
  const detail = await pullRequestDetail(db, scope, found, 5, now, 'UTC');
  expect(detail?.comparative_metrics.team_p50_cycle_time).not.toBeNull();
});

test('a changed number of days changes when a signal is known and the words of it at once', () => {
  const isKnownAfter = (key: 'reverted' | 'followed_up', days: number) =>
    !isUndecided(key, { to: now.getTime() - days * 24 * 3_600_000 }, now);
  for (const [key, days] of [
    ['reverted', 3],
    ['followed_up', 2],
  ] as const) {
    expect([isKnownAfter(key, days - 1), isKnownAfter(key, days)]).toEqual([false, true]);
    expect(definitionOf(key, defaultHealthSettings)).toContain(`ithin ${days} days`);
    expect(authorshipWords[key].definition).toMatch(new RegExp(`ithin ${days} days.* merged ${days} days before`));
  }
});
