import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import {
  aPullRequest,
  approves,
  closed,
  comments,
  hour,
  merged,
  ready,
  replies,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { measured } from '../../../test/support/every-figure.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { explainRoutes } from './routes.ts';

/** A month after the first of them was opened; what is reviewed after hour 505 is in the last week. */
const NOW = new Date(hour(673));
let database: OpenDatabase;
let user: { id: number };

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  user = { id: await aUser(db) };
  const id = await aRepository(db, 'acme/web', [user.id]);
  await store(db, id, NOW.getTime(), [
    // Two answers, a follow-up without a response time of its own, and three replies in threads.
    aPullRequest(
      { number: 1 },
      requestsChanges(600, 'ben'),
      approves(602, 'ben'),
      replies(604, 'ben'),
      replies(605, 'ben'),
      replies(606, 'ben'),
      merged(630),
    ),
    aPullRequest({ number: 2 }, closed(640)),
    aPullRequest({ number: 3 }),
    aPullRequest({ number: 4 }, merged(650)),
    aPullRequest({ number: 5 }, closed(641)),
    // After the end, and the author’s own.
    aPullRequest({ number: 6 }, merged(550), approves(560, 'ben'), comments(555, 'ada')),
    aPullRequest({ number: 7, draft: true }),
    aPullRequest({ number: 8 }, approves(570, 'ben'), ready(580)),
  ]);
});
afterAll(() => database.close());

async function leftOut(metric: FigureKey, username: string | null): Promise<string[]> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => NOW });
  const query = { limit: 10, offset: 0, order: 'latest', ...(username !== null && { username }) };
  const asked = { params: { metric }, query, user: { ...user, time_zone: 'UTC' } };
  const { left_out } = await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
  return left_out.map(({ reason, count }) => `${count} ${reason}`);
}

const unmerged = '2 Closed without merging';
const notReviews = ['3 Replies in threads', '1 Reviews by the author or a deleted account, or after the end'];
const noResponse = ['2 Reviews during a draft and follow-ups'];

/** Of the team, or of ada, who wrote everything. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'team.merged_prs': [unmerged],
  'team.avg_time_to_merge_hours': [unmerged],
  'team.avg_review_time_hours': [
    '0 Reviews by bots and agents',
    '3 Replies in threads',
    '7 Opened in the window and not reviewed yet',
  ],
  'team.total_reviews': [
    '3 Replies in threads',
    '0 Reviews by bots and agents',
    '2 Reviews by the author or a deleted account, or after the end',
  ],
  'team.outstanding_reviews': ['0 Requested on drafts', '0 Requested of teams'],
  'team.complex_reviews': ['2 Reviews with less feedback'],
  'load.merged_last_week': [unmerged],
  'developer.merged_prs': [unmerged],
  'developer.avg_merge_time_hours': [unmerged],
  'developer.review_approval_rate': ['6 Without an approval or a request for changes'],
  'developer.first_time_approval_rate': ['4 Without a review'],
  'contributor.total_prs_merged': [unmerged],
  'contributor.avg_time_to_merge_hours': [unmerged],
  'contributor.avg_review_cycles': ['2 Merged without a review', unmerged],
  'contributor.stale_prs': ['1 Drafts'],
  'all_time.total_prs_merged': [unmerged],
};
/** Of ben, who reviewed. */
const expectedOfBen: Readonly<Record<string, readonly string[]>> = {
  'reviewer.review_count': notReviews,
  'reviewer.avg_review_time_hours': noResponse,
  'load.reviews_last_week': notReviews,
  'developer.reviews_given': notReviews,
  'developer.avg_review_response_hours': noResponse,
  'contributor.total_prs_reviewed': notReviews,
  'contributor.avg_review_response_time': noResponse,
  'contributor.review_response_time_p50': noResponse,
  'contributor.review_response_time_p75': noResponse,
  'contributor.review_response_time_p95': noResponse,
};

// Those of parts and of comparisons are asked for with what they are parts of, in explain-bounds and explain-parts.
const whole = [...measured].filter(([, { part, among }]) => part === undefined && among === undefined);

test.each(whole.map(([key]) => key))('%s tells how much it leaves out, and why', async (key) => {
  const whom = key.startsWith('team.') ? null : key in expectedOfBen ? 'ben' : 'ada';

  expect(await leftOut(key, whom)).toEqual(expectedOfBen[key] ?? expected[key] ?? []);
});

test('whom nothing was left out of is told so', async () => {
  expect(await leftOut('reviewer.review_count', 'ada')).toEqual([
    '0 Replies in threads',
    '1 Reviews by the author or a deleted account, or after the end',
  ]);
  expect(await leftOut('developer.merged_prs', 'ben')).toEqual(['0 Closed without merging']);
  expect(await leftOut('reviewer.avg_review_time_hours', 'ada')).toEqual(['0 Reviews during a draft and follow-ups']);
});
