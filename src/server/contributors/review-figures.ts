import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import { type Window, windowBefore } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';

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

/** The reviews that a person gave, in a period and in the one before it (metric definitions, section 4, "Metrics" and `badges`). */
export async function reviewFigures(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  period: Window,
): Promise<ReviewFigures> {
  const after = new Date(period.after);
  const before = new Date(windowBefore(period).after);
  const { rows } = await sql<ReviewFigures>`
    select
      count(distinct (r.repository_id, r.number)) filter (where r.submitted_at > ${after})::int as total_prs_reviewed,
      count(distinct (r.repository_id, r.number)) filter (where r.submitted_at <= ${after})::int as reviewed_before,
      count(*) filter (where r.counts and r.submitted_at > ${after})::int as counting_reviews,
      count(r.response_hours) filter (where r.submitted_at > ${after})::int as responses,
      avg(r.response_hours) filter (where r.submitted_at > ${after}) as avg_review_response_time,
      percentile_cont(0.5) within group (order by r.response_hours) filter (where r.submitted_at > ${after}) as review_response_time_p50,
      percentile_cont(0.75) within group (order by r.response_hours) filter (where r.submitted_at > ${after}) as review_response_time_p75,
      percentile_cont(0.95) within group (order by r.response_hours) filter (where r.submitted_at > ${after}) as review_response_time_p95,
      count(distinct author.id) filter (where r.submitted_at > ${after})::int as unique_developers_reviewed
    from reviews r
    join pull_requests p on p.repository_id = r.repository_id and p.number = r.number
    left join people author on author.id = p.author_id and author.kind = 'human'
    where r.repository_id = any(${scope.repository_ids}::int[]) and r.author_id = ${personId} and (r.counts or r.automated) and r.submitted_at > ${before}`.execute(
    db,
  );
  return rows[0]!;
}
