import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

const AT_MOST = 3;

/**
 * The three humans with most counting reviews since `after` on a person's pull requests (`top_reviewed_by` in
 * docs/metrics.md#one-person).
 */
export async function topReviewersOf(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  after: Date,
): Promise<ContributorMetrics['top_reviewed_by']> {
  // A review that counts lies before the end: pull requests that ended before the window have none in it.
  const theirs = sql`${scope.filter()} and author_id = ${personId}`;
  const { rows } = await sql<ContributorMetrics['top_reviewed_by'][number]>`
    select person.login as username, person.avatar_url, given.count
    from (
      select r.author_id, count(*)::int as count
      from (
        select repository_id, number from pull_requests where ${theirs} and state = 'open'
        union all
        select repository_id, number from pull_request_facts where ${theirs} and ended_at > ${after}
      ) reviewed
      join reviews r on r.repository_id = reviewed.repository_id and r.number = reviewed.number
      where r.counts and r.submitted_at > ${after}
      group by r.author_id
    ) given
    join people person on person.id = given.author_id
    order by count desc, lower(person.login) collate "C"
    limit ${AT_MOST}`.execute(db);
  return rows;
}
