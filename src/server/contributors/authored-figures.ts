import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type Window, windowBefore } from '#domain/period.ts';
import { LARGE_ABOVE_LINES } from '#domain/size.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';

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

/** What became of the pull requests that a person authored, in a period and in the one before it (metric definitions, section 4, "Metrics"). */
export async function authoredFigures(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  period: Window,
): Promise<AuthoredFigures> {
  const after = new Date(period.after);
  const before = new Date(windowBefore(period).after);
  const theirs = sql`repository_id = any(${scope.repository_ids}::int[]) and author_id = ${personId}`;
  const { rows } = await sql<AuthoredFigures>`
    select
      count(*) filter (where opened)::int as total_prs_opened,
      count(*) filter (where p.created_at <= ${after} and p.created_at > ${before})::int as opened_before,
      count(*) filter (where merged)::int as total_prs_merged,
      count(*) filter (where p.merged_at <= ${after} and p.merged_at > ${before})::int as merged_before,
      count(*) filter (where ended)::int as ended,
      count(*) filter (where merged)::float8 / nullif(count(*) filter (where ended), 0) as pr_merge_rate,
      avg(f.time_to_merge) filter (where merged) as avg_time_to_merge_hours,
      avg(f.time_to_merge) filter (where p.merged_at <= ${after} and p.merged_at > ${before}) as hours_to_merge_before,
      avg(f.review_cycles) filter (where merged and f.review_cycles > 0)::float8 as avg_review_cycles,
      avg(p.lines_changed) filter (where opened)::float8 as avg_pr_size,
      (avg((p.lines_changed > ${LARGE_ABOVE_LINES})::int) filter (where opened))::float8 as large_pr_frequency,
      count(*) filter (where opened and p.lines_changed < 200)::int as opened_under_200,
      count(*) filter (where opened and p.lines_changed <= 50)::int as size_0_50,
      count(*) filter (where opened and p.lines_changed between 51 and 200)::int as size_51_200,
      count(*) filter (where opened and p.lines_changed between 201 and 500)::int as size_201_500,
      count(*) filter (where opened and p.lines_changed between 501 and 1000)::int as size_501_1000,
      count(*) filter (where opened and p.lines_changed > 1000)::int as size_over_1000
    from (
      select repository_id, number from pull_requests where ${theirs} and created_at > ${before}
      union select repository_id, number from pull_requests where ${theirs} and ended_at > ${before}
    ) recent
    join pull_requests p using (repository_id, number)
    join pull_request_facts f using (repository_id, number)
    cross join lateral (
      select p.created_at > ${after} as opened, p.ended_at > ${after} as ended, p.merged_at > ${after} as merged
    ) in_period`.execute(db);
  return rows[0]!;
}
