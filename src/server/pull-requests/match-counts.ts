import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { pullRequestsOf } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import { type Filter, isBot } from './filters.ts';
import { countsWrittenBy } from './written-by.ts';

export type CountsByState = PullRequestList['counts'];

/** How many pull requests of one repository match; there is none of a repository without any. */
export interface MatchCounts extends CountsByState {
  readonly repository_id: number;
  /** Which are listed, in any order; null where they were not collected or there are none. */
  readonly numbers: readonly number[] | null;
}

/** Of all that is in scope, and how many of its repositories are `stored`, of whatever team. */
export async function countsInScope(
  db: Kysely<Database>,
  scope: Scope,
): Promise<{ readonly inScope: readonly MatchCounts[]; readonly stored: CountsByState }> {
  const { team, ofEverybody } = scope;
  if (team === null) {
    const inScope = await (scope.coversRepositories
      ? keptCounts(db, scope, [])
      : scannedCounts(db, scope, [], null, 0));
    return { inScope, stored: sumsOf(inScope) };
  }
  if (team.as === 'reviewer' || !ofEverybody.coversRepositories) {
    const [inScope, { stored }] = await Promise.all([
      scannedCounts(db, scope, [], null, 0),
      countsInScope(db, ofEverybody),
    ]);
    return { inScope, stored };
  }
  // At once: each question takes longer than its answer.
  const { rows } = await sql<MatchCounts | (CountsByState & { readonly repository_id: null })>`
    ${addedUp(countsWrittenBy(team, scope), sql`true`)}
    union all select null, ${sums}, null from contributor_totals p where ${scope.filter('p')}`.execute(db);
  const inScope = rows.filter((row) => row.repository_id !== null);
  return { inScope, stored: rows.find((row) => row.repository_id === null)! };
}

/**
 * From the totals that are kept with every save: for filters with `onTotals`, of everybody and of what members of a team wrote. Of these the
 * totals serve as far as they tell.
 */
export async function keptCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
): Promise<MatchCounts[]> {
  const { team } = scope;
  const rows = team === null ? totalsByAuthor(scope) : countsWrittenBy(team, scope);
  const kept =
    team === null && filters.length === 0
      ? addedUp(sql`contributor_totals`, scope.filter('p'))
      : addedUp(rows, allOf(filters.map(({ onTotals }) => onTotals!)));
  return (await sql<MatchCounts>`${kept}`.execute(db)).rows;
}

/** Of rows `p` of `repository_id opened open merged`. */
const addedUp = (rows: RawBuilder<unknown>, where: RawBuilder<unknown>) => sql`
    select p.repository_id, ${sums}, null::int[] as numbers
    from ${rows} p where ${where}
    group by p.repository_id having sum(p.opened) > 0`;

const sums = sql`coalesce(sum(p.opened), 0)::int as "all", coalesce(sum(p.open), 0)::int as open, coalesce(sum(p.merged), 0)::int as merged,
      coalesce(sum(p.opened - p.open - p.merged), 0)::int as closed`;

/** The kept totals, told apart by what filters with `onTotals` look at. */
const totalsByAuthor = (scope: Scope) => sql`(select p.* from (
      select t.repository_id, ${isBot('t.person_id')} as by_bot, sum(t.opened) as opened, sum(t.open) as open,
        sum(t.merged) as merged, sum(t.by_agent) as by_agent, sum(t.open_by_agent) as open_by_agent,
        sum(t.merged_by_agent) as merged_by_agent
      from contributor_totals t where ${scope.filter('t')} group by 1, 2
    ) kept
    cross join lateral (
      select repository_id, by_bot, true as by_agent, by_agent as opened, open_by_agent as open, merged_by_agent as merged
      union all
      select repository_id, by_bot, false, opened - by_agent, open - open_by_agent, merged - merged_by_agent
    ) p)`;

/**
 * Scans the pull requests, in the index that holds what most filters take. Where no more than `most` of the matches pass `listed`, too,
 * their numbers are collected in the same scan. The two halves of the repositories are scanned at the same time: PostgreSQL 15 does
 * not aggregate arrays in parallel. Of what a team wrote there is too little for that.
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
  const scans = (scope.team?.as === 'author' ? [scope] : halves).map((half) =>
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

/**
 * Whether what these filters read is found in an index of facts, not of pull requests: of what belongs to a team by its authors, and of who
 * wrote pull requests and whom they are credited to.
 */
function isOnFacts({ team }: Scope, filters: readonly Filter[]): boolean {
  if (filters.some(({ readsText }) => readsText)) return false;
  return team === null ? filters.some(({ onFacts }) => onFacts !== undefined) : team.as === 'author';
}

/** The pull requests `p` of all repositories, or those that belong to the team of the scope; from an index with the columns of totals, too. */
function pullRequestsIn(scope: Scope, filters: readonly Filter[]): RawBuilder<unknown> {
  const { team, filter } = scope;
  const own = team === null ? null : pullRequestsOf(team, filter);
  if (isOnFacts(scope, filters))
    return sql`(
        select repository_id, number, author_id, draft, by_agent, authorship, agents, credited_id, ${isBot('author_id')} as by_bot,
          case when ended_at is null then 'open' when time_to_merge is null then 'closed' else 'merged' end as state
        from ${own ?? sql`pull_request_facts`} own) p`;
  if (own === null) return sql`pull_requests p`;
  return sql`${own} own join pull_requests p on p.repository_id = own.repository_id and p.number = own.number`;
}

/** What of a filter holds of these. */
function conditionOn(scope: Scope, filters: readonly Filter[]): (filter: Filter) => RawBuilder<unknown> {
  const onFacts = isOnFacts(scope, filters);
  return (filter) => (onFacts ? (filter.onFacts ?? filter.onTotals) : null) ?? filter.condition;
}

/** Over all repositories, as the list shows them. */
export function sumsOf(counts: readonly MatchCounts[]): CountsByState {
  const sum = (state: keyof CountsByState) => counts.reduce((total, one) => total + one[state], 0);
  return { all: sum('all'), open: sum('open'), merged: sum('merged'), closed: sum('closed') };
}
