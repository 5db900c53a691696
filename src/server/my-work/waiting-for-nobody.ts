import { type Kysely, sql } from 'kysely';
import { isCalledBack } from '#domain/my-work.ts';
import { isAsked, latestReviews } from '../db/asked-reviewers.ts';
import type { Database } from '../db/database.ts';
import { pullRequestBelongs } from '../metrics/belongs.ts';
import type { Scope } from '../metrics/scope.ts';

interface Row {
  readonly repository_id: number;
  readonly number: number;
  readonly waiting_since: Date;
  readonly reviewed_at: Date | null;
  readonly opinion: 'approved' | 'changes_requested' | null;
}

/** How many open pull requests in scope wait for reviewers of whom there are none: nobody is asked, and nobody's review calls them back. */
export async function waitingForNobody(db: Kysely<Database>, scope: Scope, now: Date): Promise<number> {
  const { rows } = await sql<Row>`
    with unasked as materialized (
      select p.repository_id, p.number, f.waiting_since
      from pull_requests p join pull_request_facts f using (repository_id, number)
      where ${scope.filter('p')} and p.state = 'open' and not p.draft and f.waiting_on = 'reviewers'
        and ${scope.team === null ? sql`true` : pullRequestBelongs(scope.team, 'p', 'f')}
        and not ${isAsked('p')}
    )
    select one.*, given.reviewed_at, given.opinion
    from unasked one left join lateral ${latestReviews('one')} given on true`.execute(db);
  const all = Map.groupBy(rows, ({ repository_id, number }) => `${repository_id}/${number}`);
  return [...all.values()].filter(
    (reviews) =>
      !reviews.some(({ waiting_since, reviewed_at, opinion }) =>
        isCalledBack(
          { waiting_since: waiting_since.getTime() },
          { reviewedAt: reviewed_at?.getTime() ?? null, opinion },
          now.getTime(),
        ),
      ),
  ).length;
}
