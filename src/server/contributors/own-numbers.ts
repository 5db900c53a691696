import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type ActivityDay, CALENDAR_DAYS, withLevels } from '#domain/activity-calendar.ts';
import { dateIn, lastCalendarDays } from '#domain/calendar-days.ts';
import { lastSixWeeks, type Window, windowBefore } from '#domain/period.ts';
import { type SizeBucket, sizeBuckets } from '#domain/size-buckets.ts';
import type { Database } from '../db/database.ts';
import { fromTo, over, since } from '../metrics/asked.ts';
import { type Columns, type ColumnsOf, compile, numbersOf } from '../metrics/compile.ts';
import type { Asked } from '../metrics/sources/source.ts';

/** Numbers of one person, in a period and in the one before it (docs/metrics.md#one-person). */
export interface OwnNumbers
  extends Pick<
    ContributorMetrics,
    | 'total_prs_opened'
    | 'total_prs_merged'
    | 'total_commits'
    | 'avg_time_to_merge_hours'
    | 'avg_pr_size'
    | 'pr_merge_rate'
    | 'avg_review_cycles'
    | 'large_pr_frequency'
    | 'total_prs_reviewed'
    | 'unique_developers_reviewed'
    | 'avg_review_response_time'
    | 'review_response_time_p50'
    | 'review_response_time_p75'
    | 'review_response_time_p95'
  > {
  readonly opened_before: number;
  readonly merged_before: number;
  readonly reviewed_before: number;
  /** Hours; null without a merge in the period before. */
  readonly hours_to_merge_before: number | null;
  /** Merged or closed without merging in the period. */
  readonly ended: number;
  readonly opened_small: number;
  readonly counting_reviews: number;
  /** How many reviews have a response time. */
  readonly responses: number;
  readonly sizes: Readonly<Record<SizeBucket, number>>;
}

/** Those of the numbers that columns ask for. */
type Of<Asking> = Pick<OwnNumbers, keyof Asking & keyof OwnNumbers>;

/** What a person did in a period, which `asked` covers; two questions at once. */
export async function ownNumbers(db: Kysely<Database>, asked: Asked, period: Window): Promise<OwnNumbers> {
  const before = over(windowBefore(period));
  const bySize = Object.fromEntries(
    sizeBuckets.map((size) => [size, { metric: 'opened', only: { size } }]),
  ) as ColumnsOf<Record<SizeBucket, number>>;
  const authored = {
    total_prs_opened: 'opened',
    opened_before: { metric: 'opened', window: before },
    avg_pr_size: 'size',
    large_pr_frequency: 'large_share',
    opened_small: 'opened_small',
    ...bySize,
    total_prs_merged: 'merged',
    merged_before: { metric: 'merged', window: before },
    ended: { metric: 'merge_rate', statistic: 'n' },
    pr_merge_rate: 'merge_rate',
    avg_time_to_merge_hours: 'time_to_merge',
    hours_to_merge_before: { metric: 'time_to_merge', window: before },
    avg_review_cycles: 'rounds',
  } satisfies Columns;
  const reviewed = {
    total_prs_reviewed: 'pull_requests_reviewed',
    reviewed_before: { metric: 'pull_requests_reviewed', window: before },
    counting_reviews: 'counting_reviews',
    responses: { metric: 'response_time', statistic: 'n' },
    avg_review_response_time: 'response_time',
    review_response_time_p50: { metric: 'response_time', statistic: 'p50' },
    review_response_time_p75: { metric: 'response_time', statistic: 'p75' },
    review_response_time_p95: { metric: 'response_time', statistic: 'p95' },
    unique_developers_reviewed: 'developers_helped',
    total_commits: 'commits',
  } satisfies Columns;
  const [numbers, ofReviews] = await Promise.all([
    numbersOf<Of<typeof authored> & Record<SizeBucket, number>>(db, asked, authored),
    numbersOf<Of<typeof reviewed>>(db, asked, reviewed),
  ]);
  const sizes = Object.fromEntries(sizeBuckets.map((size) => [size, numbers[size]])) as Record<SizeBucket, number>;
  return { ...numbers, ...ofReviews, sizes };
}

/**
 * How many pull requests a person opened and had merged in each of the last six weeks, oldest first (`velocity_trend` in
 * docs/metrics.md#one-person).
 */
export async function velocityOf(db: Kysely<Database>, asked: Asked): Promise<ContributorMetrics['velocity_trend']> {
  const weeks = lastSixWeeks(asked.now.getTime());
  const { rows } = await sql<{ prs_opened: number; prs_merged: number }>`
    select prs_opened, prs_merged from ${compile(
      { ...asked, window: since(weeks[0]!.after) },
      { prs_opened: 'opened', prs_merged: 'merged' },
      { starts: weeks.map(({ after }) => new Date(after + 1)) },
    )} weeks order by key`.execute(db);
  return rows.map((row, index) => ({ week: dateIn(asked.time_zone, weeks[index]!.after), ...row }));
}

/**
 * What a person did on each of the last 84 calendar days: pull requests opened, commits authored (each sha once a day), counting
 * reviews and comments (`activity_calendar` in docs/metrics.md#one-person). Oldest first.
 */
export async function activityCalendar(db: Kysely<Database>, asked: Asked): Promise<ActivityDay[]> {
  const days = lastCalendarDays(asked.now.getTime(), CALENDAR_DAYS, asked.time_zone);
  const { rows } = await sql<{ count: number }>`
    select count from ${compile(
      { ...asked, window: fromTo(days[0]!.from, null) },
      { count: 'contributions' },
      { starts: days.map(({ from }) => new Date(from)) },
    )} days order by key`.execute(db);
  return withLevels(days.map(({ date }, index) => ({ date, count: rows[index]!.count })));
}
