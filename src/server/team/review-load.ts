import { type Kysely, sql } from 'kysely';
import type { ReviewLoadRow } from '#contract/team.ts';
import { lastDays } from '#domain/period.ts';
import type { Database } from '../db/database.ts';
import { isComplexReview } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * Who carries the review load: reviews and merges of the last 7 days and what is requested of them now
 * (docs/metrics.md#the-team-and-its-people). A request to a team is no single person's.
 */
export async function reviewLoad(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  withAutomation: boolean,
): Promise<ReviewLoadRow[]> {
  const after = new Date(lastDays(now.getTime(), 7).after);
  const inScope = scope.filter();
  const { rows } = await sql<ReviewLoadRow>`
    with reviewed as (
      select author_id as person_id, count(*) as reviews,
        count(*) filter (where ${isComplexReview()}) as complex
      from reviews where ${inScope} and submitted_at > ${after} and ${withAutomation ? sql`(counts or automated)` : sql`counts`}
      group by author_id
    ), merged as (
      select author_id as person_id, count(*) as prs
      from pull_requests where ${inScope} and ended_at > ${after} and merged_at is not null
      group by author_id
    ), asked as (
      select request.person_id, count(*) as prs
      from pull_requests p
      join review_requests request on request.repository_id = p.repository_id and request.number = p.number
      where ${scope.filter('p')} and p.state = 'open' and not p.draft and request.person_id is not null
      group by request.person_id
    )
    select person.login as reviewer, person.name as display_name, person.avatar_url, person.kind,
      coalesce(reviewed.reviews, 0)::int as reviews_last_week,
      coalesce(merged.prs, 0)::int as merged_last_week,
      coalesce(reviewed.complex, 0)::int as complex_reviews,
      coalesce(asked.prs, 0)::int as outstanding_reviews
    from reviewed full join merged using (person_id) full join asked using (person_id)
    join people person on person.id = person_id
    where person.kind = 'human' or ${withAutomation}
    order by outstanding_reviews desc, reviews_last_week desc, lower(person.login) collate "C"`.execute(db);
  return rows;
}
