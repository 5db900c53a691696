import { type Kysely, sql } from 'kysely';
import type { ContributorPullRequest } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import { byRepository } from '../db/repository-order.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import type { Scope } from '../metrics/scope.ts';
import { authored } from '../metrics/starters.ts';
import { isOpenedAsMember } from './member-totals.ts';

/**
 * The pull requests that a person authored, newest first; with `after` those opened later than that, with a team those opened while they
 * belonged to it (docs/server.md#lists-and-searches).
 */
export async function contributorPullRequests(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  after: Date | null,
): Promise<ContributorPullRequest[]> {
  const { rows } = await sql<ContributorPullRequest>`
    select p.host_id as github_id, p.number as pr_number, p.title, p.state, p.draft,
      r.name as repo_name, r.owner as repo_owner,
      ${reviewerNames} as reviewers,
      p.lines_changed, p.created_at::text, p.ended_at::text, f.last_review_at::text, p.url as github_url
    from ${authored('pull_requests', scope)} p
    join repositories r on r.id = p.repository_id
    join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
    where ${scope.filter('p')} and p.author_id = ${personId} and ${isOpenedAsMember(scope, personId, 'p')}
      and ${after === null ? sql`true` : sql`p.created_at > ${after}`}
    order by p.created_at desc, ${byRepository}, p.number`.execute(db);
  return rows.map((row) => ({
    ...row,
    created_at: isoOf(row.created_at),
    ended_at: row.ended_at && isoOf(row.ended_at),
    last_review_at: row.last_review_at && isoOf(row.last_review_at),
  }));
}
