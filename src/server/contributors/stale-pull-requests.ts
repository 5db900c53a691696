import { type Kysely, sql } from 'kysely';
import type { ContributorMetrics } from '#contract/contributors.ts';
import type { Database } from '../db/database.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { byRepository } from '../db/repository-order.ts';
import { isStale } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { authored } from '../metrics/starters.ts';
import { isOpenedAsMember } from './member-totals.ts';

/**
 * A person's open, non-draft pull requests without human activity for `STALE_AFTER_DAYS` or more, longest first (`stale_prs` in
 * docs/metrics.md#one-person); with a team those that they opened while they belonged to it.
 */
export async function stalePullRequests(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  now: Date,
): Promise<ContributorMetrics['stale_prs']> {
  const { rows } = await sql<ContributorMetrics['stale_prs'][number]>`
    select p.number as pr_number, p.title, r.owner || '/' || r.name as repo,
      floor(extract(epoch from ${now}::timestamptz - f.last_activity_at) / 86400)::int as days_stale, p.url
    from ${authored('pull_requests', scope)} p
    join repositories r on r.id = p.repository_id
    join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
    where ${scope.filter('p')} and p.author_id = ${personId} and ${isOpenedAsMember(scope, personId, 'p')}
      and ${isOpen} and ${isStale('f', now)}
    order by f.last_activity_at, ${byRepository}, p.number`.execute(db);
  return rows;
}
