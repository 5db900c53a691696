import { type Kysely, sql } from 'kysely';
import type { TeamView } from '#contract/teams.ts';
import { askedAt, askedMoments, teamHandle } from '../db/asked-reviewers.ts';
import type { Database } from '../db/database.ts';
import { repositoryOrder } from '../db/repository-order.ts';
import type { Scope } from '../metrics/scope.ts';

type Requests = TeamView['requests'];
type Row = Omit<Requests['items'][number], 'since'> & { since: Date; total: number };

/**
 * The review requests to these teams that are outstanding on open pull requests in scope, not on drafts, those asked first
 * (`askedAt`) before the others.
 */
export async function requestsTo(
  db: Kysely<Database>,
  scope: Scope,
  team_ids: readonly number[],
  now: Date,
  most: number,
): Promise<Requests> {
  const { rows } = await sql<Row>`
    with asked as (
      select r.owner as repo_owner, r.name as repo_name, p.number as pr_number, p.title, p.lines_changed,
        coalesce(author.login, 'ghost') as author, author.name as author_display_name, author.avatar_url as author_avatar_url,
        coalesce(author.kind, 'ghost') as author_kind,
        t.organisation || '/' || t.slug as team,
        ${askedAt('told')} as since
      from pull_requests p
      join review_requests request on request.repository_id = p.repository_id and request.number = p.number
      join teams t on ${teamHandle('t')} = lower(request.team)
      join repositories r on r.id = p.repository_id and r.host = t.host
      join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
      left join people author on author.id = p.author_id
      cross join lateral ${askedMoments(sql`lower(e.team) = lower(request.team)`)} told
      where ${scope.filter('p')} and p.state = 'open' and not p.draft and t.id = any(${team_ids}::int[])
    )
    select *, extract(epoch from greatest(${now}::timestamptz - since, interval '0'))::float8 / 3600 as waited_hours,
      count(*) over ()::int as total
    from asked
    order by since, ${repositoryOrder('repo_owner', 'repo_name')}, pr_number, team
    limit ${most}`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total, since, ...row }) => ({ ...row, since: since.toISOString() })),
  };
}
