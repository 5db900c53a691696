import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type Window, windowBefore } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

export interface ReviewFigures
  extends Pick<
    ContributorMetrics,
    | 'total_prs_reviewed'
    | 'unique_developers_reviewed'
    | 'avg_review_response_time'
    | 'review_response_time_p50'
    | 'review_response_time_p75'
    | 'review_response_time_p95'
  > {
  readonly reviewed_before: number;
  readonly counting_reviews: number;
  /** How many of them have a response time. */
  readonly responses: number;
}

/** The reviews that a person gave, in a period and in the one before it (docs/metrics.md#one-person). */
export async function reviewFigures(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  period: Window,
): Promise<ReviewFigures> {
  const after = new Date(period.after);
  const before = new Date(windowBefore(period).after);
  const { rows } = await sql<ReviewFigures>`
    with given as materialized (
      select repository_id, number, counts, response_hours, submitted_at > ${after} as now from reviews
      where ${scope.filter()} and author_id = ${personId} and (counts or automated)
        and submitted_at > ${before}
    )
    select
      count(distinct (repository_id, number)) filter (where now)::int as total_prs_reviewed,
      count(distinct (repository_id, number)) filter (where not now)::int as reviewed_before,
      count(*) filter (where now and counts)::int as counting_reviews,
      count(response_hours) filter (where now)::int as responses,
      avg(response_hours) filter (where now) as avg_review_response_time,
      percentile_cont(0.5) within group (order by response_hours) filter (where now) as review_response_time_p50,
      percentile_cont(0.75) within group (order by response_hours) filter (where now) as review_response_time_p75,
      percentile_cont(0.95) within group (order by response_hours) filter (where now) as review_response_time_p95,
      (
        select count(distinct author.id)::int
        from given g
        join pull_requests p on p.repository_id = g.repository_id and p.number = g.number
        join people author on author.id = p.author_id and author.kind = 'human'
        where g.now
      ) as unique_developers_reviewed
    from given`.execute(db);
  return rows[0]!;
}
