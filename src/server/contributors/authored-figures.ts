import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { LARGE_ABOVE_LINES } from '#domain/metrics/thresholds.ts';
import { type Window, windowBefore } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

export interface AuthoredFigures
  extends Pick<
    ContributorMetrics,
    | 'total_prs_opened'
    | 'total_prs_merged'
    | 'avg_time_to_merge_hours'
    | 'avg_pr_size'
    | 'pr_merge_rate'
    | 'avg_review_cycles'
    | 'large_pr_frequency'
  > {
  readonly opened_before: number;
  readonly merged_before: number;
  /** The mean time to merge in the window before, in hours; null without a merge in it. */
  readonly hours_to_merge_before: number | null;
  /** Merged or closed without merging in the period. */
  readonly ended: number;
  readonly opened_under_200: number;
  readonly size_0_50: number;
  readonly size_51_200: number;
  readonly size_201_500: number;
  readonly size_501_1000: number;
  readonly size_over_1000: number;
}

/** What became of the pull requests that a person authored, in a period and in the one before it (docs/metrics.md#one-person). */
export async function authoredFigures(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  period: Window,
): Promise<AuthoredFigures> {
  const after = new Date(period.after);
  const before = new Date(windowBefore(period).after);
  const theirs = sql`${scope.filter()} and author_id = ${personId}`;
  const { rows } = await sql<AuthoredFigures>`
    select opened.*, ended.*
    from (
      select
        count(*) filter (where now)::int as total_prs_opened,
        count(*) filter (where not now)::int as opened_before,
        avg(lines) filter (where now)::float8 as avg_pr_size,
        (avg((lines > ${LARGE_ABOVE_LINES})::int) filter (where now))::float8 as large_pr_frequency,
        count(*) filter (where now and lines < 200)::int as opened_under_200,
        count(*) filter (where now and lines <= 50)::int as size_0_50,
        count(*) filter (where now and lines between 51 and 200)::int as size_51_200,
        count(*) filter (where now and lines between 201 and 500)::int as size_201_500,
        count(*) filter (where now and lines between 501 and 1000)::int as size_501_1000,
        count(*) filter (where now and lines > 1000)::int as size_over_1000
      from (
        select lines_changed as lines, created_at > ${after} as now from pull_requests where ${theirs} and created_at > ${before}
      ) either
    ) opened, (
      select
        count(time_to_merge) filter (where now)::int as total_prs_merged,
        count(time_to_merge) filter (where not now)::int as merged_before,
        count(*) filter (where now)::int as ended,
        count(time_to_merge) filter (where now)::float8 / nullif(count(*) filter (where now), 0) as pr_merge_rate,
        avg(time_to_merge) filter (where now) as avg_time_to_merge_hours,
        avg(time_to_merge) filter (where not now) as hours_to_merge_before,
        avg(review_cycles) filter (where now and time_to_merge is not null and review_cycles > 0)::float8 as avg_review_cycles
      from (
        select time_to_merge, review_cycles, ended_at > ${after} as now from pull_request_facts
        where ${theirs} and ended_at > ${before}
      ) either
    ) ended`.execute(db);
  return rows[0]!;
}
