import { type Kysely, sql } from 'kysely';
import type { TeamView } from '#contract/teams.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

type Requests = TeamView['requests'];
type Row = Omit<Requests['items'][number], 'since'> & { since: Date; total: number };

/**
 * The review requests to these teams that are outstanding on open pull requests in scope, not on drafts, the oldest first. One was made when
 * the timeline last says so, or else when the pull request was ready, and never before it was last made ready.
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
        t.organisation || '/' || t.slug as team,
        greatest(
          case when told.requested >= coalesce(told.removed, '-infinity') then told.requested
            else coalesce(f.ready_at, p.created_at) end,
          told.ready
        ) as since
      from pull_requests p
      join review_requests request on request.repository_id = p.repository_id and request.number = p.number
      join teams t on lower('@' || t.organisation || '/' || t.slug) = lower(request.team) and t.archived_at is null
      join repositories r on r.id = p.repository_id and r.host = t.host
      join pull_request_facts f on f.repository_id = p.repository_id and f.number = p.number
      left join people author on author.id = p.author_id
      cross join lateral (
        select max(e.at) filter (where e.type = 'review_requested' and lower(e.team) = lower(request.team)) as requested,
          max(e.at) filter (where e.type = 'review_request_removed' and lower(e.team) = lower(request.team)) as removed,
          max(e.at) filter (where e.type = 'ready_for_review') as ready
        from events e where e.repository_id = p.repository_id and e.number = p.number
      ) told
      where ${scope.filter('p')} and p.state = 'open' and not p.draft and t.id = any(${team_ids}::int[])
    )
    select *, extract(epoch from greatest(${now}::timestamptz - since, interval '0'))::float8 / 3600 as waited_hours,
      count(*) over ()::int as total
    from asked
    order by since, lower(repo_owner) collate "C", lower(repo_name) collate "C", pr_number, team
    limit ${most}`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ total, since, ...row }) => ({ ...row, since: since.toISOString() })),
  };
}
