import { type Kysely, sql } from 'kysely';
import type { ReviewerStat } from '#contract/team.ts';
import { lastDays } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Who reviewed in the last 7 days, how often and how fast (docs/metrics.md#the-team-and-its-people). `withAutomation` adds
 * bots and agents by the reviews that they submitted; no human's figure changes by it.
 */
export async function reviewerStats(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  withAutomation: boolean,
): Promise<ReviewerStat[]> {
  const after = new Date(lastDays(now.getTime(), 7).after);
  const { rows } = await sql<ReviewerStat>`
    select person.login as reviewer, person.name as display_name, person.avatar_url, person.kind,
      given.review_count, given.avg_review_time_hours
    from (
      select author_id, count(*)::int as review_count, avg(response_hours)::float8 as avg_review_time_hours
      from reviews
      where ${scope.filter()} and submitted_at > ${after}
        and ${withAutomation ? sql`(counts or automated)` : sql`counts`}
      group by author_id
    ) given
    join people person on person.id = given.author_id
    order by given.review_count desc, given.avg_review_time_hours nulls last, lower(person.login) collate "C"`.execute(
    db,
  );
  return rows;
}
