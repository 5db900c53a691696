import { sql } from 'kysely';
import type { AuthorshipMetric } from '#domain/ai-authorship.ts';
import { ENOUGH_FINDINGS, LIFT, type ReviewerMetric } from '#domain/ai-reviewers.ts';
import { lastCalendarDays } from '#domain/calendar-days.ts';
import { leftOutReasons } from '#domain/metrics/left-out.ts';
import type { MetricKey, Statistic } from '#domain/metrics/metric.ts';
import { LARGE_ABOVE_LINES, SMALL_BELOW_LINES, STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import type { SignalMetric } from '#domain/signals.ts';
import { clockIn } from '../db/time-zones.ts';
import { authorship } from './authorship.ts';
import { isAwaiting, isComplex, isOld, isStale } from './conditions.ts';
import type { Counted, LeftOut } from './counted.ts';
import { reviewers } from './reviewer-metrics.ts';
import { signals } from './signals.ts';
import * as activities from './sources/activity.ts';
import * as pulls from './sources/pull-requests.ts';
import * as reviewing from './sources/reviews.ts';
import type { Sql, Viewpoint } from './sources/source.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How many of one metric there are for each of another; the things behind it are those of `of`. */
export interface Ratio {
  readonly of: CountedKey;
  readonly per: CountedKey;
}

/** A metric of figures, of signals, of agents' pull requests beside people's, or of AI reviewers. */
export type AnyMetric = MetricKey | SignalMetric | AuthorshipMetric | ReviewerMetric;
type RatioKey = 'review_ratio';

/** How much larger one metric is of AI reviewers than of people, null with fewer than `enough` things on either side. */
interface Difference {
  readonly of: ReviewerMetric;
  readonly enough: number;
}

/** What is only told over time, by the two sides of which it is made (lines.ts). */
export const differences: Readonly<Record<typeof LIFT, Difference>> = {
  [LIFT]: { of: 'ai_acted_on', enough: ENOUGH_FINDINGS },
};
/** What lines are made of. */
export type LineMetric = AnyMetric | keyof typeof differences;

export const isDifference = (key: LineMetric): key is keyof typeof differences => key in differences;
type CountedKey = Exclude<MetricKey, RatioKey>;

const isMerged = () => sql`it.time_to_merge is not null`;
const isUnmerged = () => sql`it.time_to_merge is null`;
const size = () => sql`it.lines_changed::float8`;
const timeToMerge = () => sql`it.time_to_merge`;
const response = () => sql`it.response_hours`;
/** A pull request, as one number. */
const address = () => sql`(it.repository_id::bigint << 32 | it.number)`;

/** Of people what bots and agents among them submitted stands for counting reviews. */
const isGiven = ({ person, people, byPerson }: Viewpoint) =>
  person !== null || people !== 'everybody' || byPerson ? sql`(it.counts or it.automated)` : sql`it.counts`;
const hasResponse = (asked: Viewpoint) => sql`${isGiven(asked)} and it.response_hours is not null`;

/** The calendar day of a contribution for whoever asks; a date later than now counts as now. */
const dayOf = ({ now, time_zone }: Viewpoint) =>
  sql`${clockIn(time_zone, sql`least(it.at, ${now}::timestamptz)`)}::date`;

/** A bit for each of the calendar days, of which there is place for 62. */
function daysTally({ now, time_zone, window }: Viewpoint): Sql | null {
  const count = Math.ceil((now.getTime() - window.after.getTime()) / DAY) + 1;
  if (count > 62) return null;
  const starts = lastCalendarDays(now.getTime(), count, time_zone).map(({ from }) => new Date(from));
  return sql`bit_or(1::bigint << width_bucket(it.at, ${starts}::timestamptz[]))`;
}

export const closedUnmerged: LeftOut = { reason: 'Closed without merging', from: pulls.ended, where: isUnmerged };
const replies: LeftOut = { reason: leftOutReasons.replies, from: reviewing.reviews, where: () => sql`it.is_reply` };
const byMachines: LeftOut = {
  reason: leftOutReasons.byMachines,
  from: reviewing.reviews,
  where: () => sql`it.automated`,
  ofTeam: true,
};
const otherReviews: LeftOut = {
  reason: 'Reviews by the author or a deleted account, or after the end',
  from: reviewing.reviews,
  where: () => sql`not (it.counts or it.automated or it.is_reply)`,
};
const noResponse: LeftOut = {
  reason: 'Reviews during a draft and follow-ups',
  from: reviewing.reviews,
  where: (asked) => sql`${isGiven(asked)} and it.response_hours is null`,
};

const counted: Readonly<Record<CountedKey, Counted>> = {
  opened: { from: pulls.opened, made: 'count', kept: { n: 'opened' } },
  opened_small: { from: pulls.opened, where: () => sql`it.lines_changed < ${SMALL_BELOW_LINES}`, made: 'count' },
  size: { from: pulls.opened, value: size, made: 'mean', kept: { n: 'opened', sum: 'lines_opened' } },
  large_share: { from: pulls.opened, value: () => sql`it.lines_changed > ${LARGE_ABOVE_LINES}`, made: 'share' },

  merged: {
    from: pulls.ended,
    where: isMerged,
    made: 'count',
    leftOut: [closedUnmerged],
    kept: { n: 'merged' },
  },
  closed: { from: pulls.ended, where: isUnmerged, made: 'count' },
  merge_rate: { from: pulls.ended, value: isMerged, made: 'share', kept: { n: 'ended', sum: 'merged' } },
  time_to_merge: {
    from: pulls.ended,
    where: isMerged,
    value: timeToMerge,
    made: 'mean',
    leftOut: [closedUnmerged],
    kept: { n: 'merged', sum: 'merge_ms', times: HOUR },
  },
  merged_size: { from: pulls.ended, where: isMerged, value: size, made: 'mean', leftOut: [closedUnmerged] },
  rounds: {
    from: pulls.ended,
    where: () => sql`${isMerged()} and it.review_cycles > 0`,
    value: () => sql`it.review_cycles::float8`,
    made: 'mean',
    leftOut: [
      {
        reason: 'Merged without a review',
        from: pulls.ended,
        where: () => sql`${isMerged()} and it.review_cycles = 0`,
      },
      closedUnmerged,
    ],
    kept: { n: 'with_cycles', sum: 'cycles' },
  },
  first_time_approval_rate: {
    from: pulls.ended,
    where: () => sql`it.approved_first_time is not null`,
    value: () => sql`it.approved_first_time`,
    made: 'percent',
    leftOut: [{ reason: 'Without a review', from: pulls.ended, where: () => sql`it.approved_first_time is null` }],
  },
  approval_rate: {
    from: pulls.openedAndEnded,
    where: () => sql`it.latest_opinion is not null`,
    value: () => sql`it.latest_opinion = 'approved'`,
    made: 'percent',
    different: address,
    leftOut: [
      {
        reason: 'Without an approval or a request for changes',
        from: pulls.openedAndEnded,
        where: () => sql`it.latest_opinion is null`,
      },
    ],
  },
  faster: {
    from: pulls.ended,
    where: isMerged,
    value: (asked) => sql`it.time_to_merge < ${comparedIn(asked).hours}::float8`,
    made: 'percent',
    leftOut: [closedUnmerged],
  },
  smaller: {
    from: pulls.ended,
    where: isMerged,
    value: (asked) => sql`it.lines_changed < ${comparedIn(asked).lines_changed}::int`,
    made: 'percent',
    leftOut: [closedUnmerged],
  },

  open: { from: pulls.open, made: 'count' },
  stuck: {
    from: pulls.open,
    where: ({ now }) => isOld('it', now),
    made: 'count',
    afterHours: STUCK_AFTER_HOURS,
  },
  awaiting: { from: pulls.openFacts, where: ({ now }) => isAwaiting('it', now), made: 'count' },
  stale: {
    from: pulls.openFacts,
    where: ({ now }) => isStale('it', now),
    made: 'count',
    at: sql`it.last_activity_at`,
    leftOut: [{ reason: 'Drafts', from: pulls.openFacts, where: () => sql`it.draft` }],
  },

  time_to_first_review: {
    from: pulls.firstReviews,
    value: () => sql`it.time_to_first_review`,
    made: 'mean',
    leftOut: [
      byMachines,
      replies,
      {
        reason: leftOutReasons.notReviewedYet,
        from: pulls.openedFacts,
        where: () => sql`it.first_review_at is null`,
      },
    ],
  },
  reviews: {
    from: reviewing.reviews,
    where: isGiven,
    value: response,
    made: 'count',
    leftOut: [replies, byMachines, otherReviews],
  },
  counting_reviews: {
    from: reviewing.reviews,
    where: () => sql`it.counts`,
    value: response,
    made: 'count',
    kept: { n: 'counting_reviews' },
  },
  response_time: {
    from: reviewing.reviews,
    where: hasResponse,
    value: response,
    made: 'mean',
    leftOut: [noResponse],
    kept: { n: 'responses', sum: 'response_ms', times: HOUR },
  },
  complex_reviews: {
    from: reviewing.reviews,
    where: (asked) => sql`${isGiven(asked)} and ${isComplex('it')}`,
    value: response,
    made: 'count',
    leftOut: [
      {
        reason: 'Reviews with less feedback',
        from: reviewing.reviews,
        where: (asked) => sql`${isGiven(asked)} and not ${isComplex('it')}`,
        ofTeam: true,
      },
    ],
  },
  pull_requests_reviewed: {
    from: reviewing.reviews,
    where: isGiven,
    made: 'count',
    different: address,
    leftOut: [replies, otherReviews],
    kept: { n: 'reviewed' },
    // Of a window that ends now: a pull request reviewed in it has the reviewer's latest review in it.
    isKept: sql`it.counts and it.latest`,
  },
  developers_helped: {
    from: reviewing.reviewsOfPeople,
    where: isGiven,
    made: 'count',
    different: () => sql`pull.author_id`,
  },
  active_reviewers: { from: reviewing.reviews, where: isGiven, made: 'count', different: () => sql`it.author_id` },
  reviews_received: {
    from: reviewing.reviewsReceived,
    where: () => sql`it.counts`,
    made: 'count',
    leftOut: [{ ...replies, from: reviewing.reviewsReceived }],
  },
  from_outside: { from: reviewing.reviewsOnTeams, value: () => sql`it.crosses`, made: 'share' },
  to_outside: { from: reviewing.reviewsByTeams, value: () => sql`it.crosses`, made: 'share' },
  outstanding_reviews: {
    from: reviewing.reviewRequests,
    where: () => sql`not pull.draft`,
    made: 'count',
    leftOut: [
      { reason: 'Requested on drafts', from: reviewing.reviewRequests, where: () => sql`pull.draft`, ofTeam: true },
      {
        reason: 'Requested of teams',
        from: reviewing.reviewRequests,
        where: () => sql`it.person_id is null`,
        ofTeam: true,
        ofAnybody: true,
      },
    ],
  },

  contributors: { from: activities.activity, made: 'count', different: () => sql`it.person_id` },
  active_pull_requests: { from: activities.timeline, made: 'count', different: address },
  active_days: { from: activities.contributed, made: 'count', different: dayOf, tally: daysTally },
  contributions: {
    from: activities.contributed,
    made: 'count',
    different: () => sql`it.sha`,
    nullsDiffer: true,
    kept: { n: 'contributions' },
  },
  commits: { from: activities.commits, made: 'count', different: () => sql`it.sha` },
  repositories: { from: activities.participations, made: 'count', different: () => sql`it.repository_id` },
  code_area_share: {
    from: pulls.areas,
    value: () => sql`it.lines`,
    made: 'part',
    different: () => sql`(it.repository_id, it.number, it.area)`,
    leftOut: [closedUnmerged],
  },
};

/** Every metric; what is missing here does not compile (docs/metrics.md). */
export const catalogue: Readonly<
  Record<CountedKey | SignalMetric | AuthorshipMetric | ReviewerMetric, Counted> & Record<RatioKey, Ratio>
> = {
  ...counted,
  ...signals,
  ...authorship,
  ...reviewers,
  review_ratio: { of: 'reviews', per: 'opened' },
};

/** The metric whose things are behind another, or the metric itself. */
export function countedOf(key: LineMetric): Counted {
  const metric = catalogue[isDifference(key) ? differences[key].of : key];
  return 'per' in metric ? counted[metric.of] : metric;
}

/** Whether a number of a metric is how many there are, which is 0 over nothing; others are null. */
export function isCount(key: LineMetric, statistic: Statistic = 'value'): boolean {
  return statistic === 'n' || (statistic === 'value' && ['count', 'sum'].includes(countedOf(key).made));
}

/** What a figure of a metric says of its values unless asked for something else. */
export function ownStatistic(key: LineMetric): Statistic {
  return countedOf(key).own ?? 'value';
}

function comparedIn({ compared }: Viewpoint): NonNullable<Viewpoint['compared']> {
  if (compared === null) throw new Error('A comparison is asked for without a pull request.');
  return compared;
}
