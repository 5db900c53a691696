import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { pullRequestsOf } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { type Filter, isBot } from './filters.ts';

type CountsByState = PullRequestList['counts'];

/** How many pull requests of one repository match; there is none of a repository without any. */
export interface MatchCounts extends CountsByState {
  readonly repository_id: number;
  /** Which are listed, in any order; null where they were not collected or there are none. */
  readonly numbers: readonly number[] | null;
}

/** Of all that is in scope. */
export async function countsInScope(db: Kysely<Database>, scope: Scope): Promise<MatchCounts[]> {
  return scope.coversRepositories ? await keptCounts(db, scope, []) : await scannedCounts(db, scope, [], null, 0);
}

/** From the totals that are kept with every save: for filters with `onTotals` and a scope that `coversRepositories`. */
export async function keptCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
): Promise<MatchCounts[]> {
  const { rows } = await sql<MatchCounts>`
    select p.repository_id, sum(p.opened)::int as "all", sum(p.open)::int as open, sum(p.merged)::int as merged,
      sum(p.opened - p.open - p.merged)::int as closed, null as numbers
    from ${filters.length === 0 ? sql`contributor_totals p` : totalsByAuthor(scope)}
    where ${filters.length === 0 ? scope.filter('p') : allOf(filters.map(({ onTotals }) => onTotals!))}
    group by p.repository_id having sum(p.opened) > 0`.execute(db);
  return rows;
}

/** The kept totals, told apart by what filters with `onTotals` look at. */
const totalsByAuthor = (scope: Scope) => sql`(
      select t.repository_id, ${isBot('t.person_id')} as by_bot, sum(t.opened) as opened, sum(t.open) as open,
        sum(t.merged) as merged, sum(t.by_agent) as by_agent, sum(t.open_by_agent) as open_by_agent,
        sum(t.merged_by_agent) as merged_by_agent
      from contributor_totals t where ${scope.filter('t')} group by 1, 2
    ) kept
    cross join lateral (
      select repository_id, by_bot, true as by_agent, by_agent as opened, open_by_agent as open, merged_by_agent as merged
      union all
      select repository_id, by_bot, false, opened - by_agent, open - open_by_agent, merged - merged_by_agent
    ) p`;

/**
 * Scans the pull requests, in the index that holds what most filters take. Where no more than `most` of the matches pass `listed`, too,
 * their numbers are collected in the same scan. The two halves of the repositories are scanned at the same time: PostgreSQL 15 does
 * not aggregate arrays in parallel.
 */
export async function scannedCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  listed: Filter | null,
  most: number,
): Promise<MatchCounts[]> {
  const isFound = conditionOn(scope, filters);
  const isListed = listed === null ? sql`true` : isFound(listed);
  const halves = [0, 1].map((half) => scope.within(scope.repository_ids.filter((_id, index) => index % 2 === half)));
  const scans = halves.map((half) =>
    sql<MatchCounts>`
      select p.repository_id, count(*)::int as "all", count(*) filter (where p.state = 'open')::int as open,
        count(*) filter (where p.state = 'merged')::int as merged, count(*) filter (where p.state = 'closed')::int as closed,
        case when sum(count(*) filter (where ${isListed})) over () <= ${most}
          then array_agg(p.number) filter (where ${isListed}) end as numbers
      from ${pullRequestsIn(half, filters)}
      where ${half.filter('p')} and ${allOf(filters.map(isFound))}
      group by p.repository_id`.execute(db),
  );
  return (await Promise.all(scans)).flatMap(({ rows }) => rows);
}

/** Whether what these filters read stands in the index by which the pull requests of the scope's team are found. */
function isInIndex({ team }: Scope, filters: readonly Filter[]): boolean {
  return team?.as === 'author' && !filters.some(({ readsText }) => readsText);
}

/** The pull requests `p` of all repositories, or those that belong to the team of the scope; from an index with the columns of totals, too. */
function pullRequestsIn(scope: Scope, filters: readonly Filter[]): RawBuilder<unknown> {
  const { team, filter } = scope;
  if (team === null) return sql`pull_requests p`;
  const own = pullRequestsOf(team, filter);
  if (isInIndex(scope, filters))
    return sql`(
        select repository_id, number, author_id, draft, by_agent, ${isBot('author_id')} as by_bot,
          case when ended_at is null then 'open' when time_to_merge is null then 'closed' else 'merged' end as state
        from ${own} own) p`;
  return sql`${own} own join pull_requests p on p.repository_id = own.repository_id and p.number = own.number`;
}

/** What of a filter holds of these. */
function conditionOn(scope: Scope, filters: readonly Filter[]): (filter: Filter) => RawBuilder<unknown> {
  const inIndex = isInIndex(scope, filters);
  return ({ condition, onTotals }) => (inIndex && onTotals !== null ? onTotals : condition);
}

/** Over all repositories, as the list shows them. */
export function sumsOf(counts: readonly MatchCounts[]): CountsByState {
  const sum = (state: keyof CountsByState) => counts.reduce((total, one) => total + one[state], 0);
  return { all: sum('all'), open: sum('open'), merged: sum('merged'), closed: sum('closed') };
}
