import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StuckCounts, StuckPullRequest } from '#contract/team.ts';
import type { WaitingOn } from '#domain/whose-turn.ts';
import { attributionColumns } from '../db/attribution-columns.ts';
import type { Database } from '../db/database.ts';
import { isoOf } from '../db/iso-of.ts';
import { isOpen } from '../db/open-pull-requests.ts';
import { byRepository } from '../db/repository-order.ts';
import { reviewerNames } from '../db/reviewer-names.ts';
import { isAskedOfTeam } from '../metrics/asked-of-team.ts';
import { isOfScopeTeam, maybeReviewedBy } from '../metrics/belongs.ts';
import { isOld } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';

type Row = Omit<StuckPullRequest, 'has_reviewer'>;

/** Which of those that are stuck to tell. */
interface Wanted {
  /** Those that wait for the review of this team. */
  readonly asked?: number | undefined;
  readonly turn?: WaitingOn | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

/**
 * Which pull requests are stuck, that is open for more than `STUCK_AFTER_HOURS`, oldest first, by anybody and drafts too
 * (docs/metrics.md#the-team-and-its-people).
 * @throws HttpError 404 when the team that is asked is not the user's to see
 */
export async function stuckPullRequests(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  { asked, turn, limit }: Wanted = {},
): Promise<StuckPullRequest[]> {
  const { rows } = await sql<Row>`
    select p.host_id as github_id, p.title, r.name as repo_name, r.owner as repo_owner,
      coalesce(a.login, 'ghost') as author, a.name as author_display_name, a.avatar_url as author_avatar_url,
      coalesce(a.kind, 'ghost') as author_kind, f.by_agent, ${attributionColumns},
      p.lines_changed, p.created_at::text,
      ${reviewerNames} as reviewers,
      p.url as github_url, p.number as pr_number, p.draft,
      f.waiting_on, f.waiting_since::text, f.waiting_reason
    from ${await stuckOnes(db, scope, now, asked)}
      and ${turn === undefined ? sql`true` : sql`f.waiting_on = ${turn}`}
    order by p.created_at, ${byRepository}, p.number
    limit ${limit ?? null}::int`.execute(db);
  return rows.map((row) => ({
    ...row,
    has_reviewer: row.reviewers.length > 0,
    created_at: isoOf(row.created_at),
    waiting_since: row.waiting_since && isoOf(row.waiting_since),
  }));
}

/** How many they are, and of these whose turn it is. */
export async function countStuck(db: Kysely<Database>, scope: Scope, now: Date, asked?: number): Promise<StuckCounts> {
  const { rows } = await sql<StuckCounts>`
    select count(*)::int as "all", count(*) filter (where f.waiting_on = 'reviewers')::int as reviewers,
      count(*) filter (where f.waiting_on = 'author')::int as author,
      count(*) filter (where f.waiting_on = 'merge')::int as merge
    from ${await stuckOnes(db, scope, now, asked)}`.execute(db);
  return rows[0]!;
}

/** SQL behind `from` of the pull requests `p` that are stuck, with their facts `f`, repositories `r` and authors `a`. */
async function stuckOnes(
  db: Kysely<Database>,
  scope: Scope,
  now: Date,
  asked: number | undefined,
): Promise<RawBuilder<unknown>> {
  const isAsked = asked === undefined ? sql`true` : await isAskedOfTeam(db, scope.user_id, asked, now);
  const isMaybeOfTeam = scope.team === null ? sql`true` : maybeReviewedBy(scope.team, 'f');
  return sql`pull_requests p
    join repositories r on r.id = p.repository_id
    join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
    left join people a on a.id = p.author_id
    where ${scope.filter('p')} and ${isMaybeOfTeam} and ${isOfScopeTeam(scope, 'p', 'f')} and ${isOpen} and ${isOld('p', now)} and ${isAsked}`;
}
