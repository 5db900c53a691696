import { type Kysely, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';
import { allOf, type Filter } from './filters.ts';

/** How many pull requests of one repository in one state match; there is none of 0. */
export interface MatchCount {
  readonly repository_id: number;
  readonly state: 'open' | 'merged' | 'closed';
  readonly total: number;
  /** Their numbers, in any order, where they were collected. */
  readonly numbers: readonly number[] | null;
}

/** Of all that is in scope. */
export async function countsInScope(db: Kysely<Database>, scope: Scope): Promise<MatchCount[]> {
  return scope.coversRepositories ? await keptCounts(db, scope, []) : await scannedCounts(db, scope, [], null, 0);
}

/** From the totals that are kept with every save: for filters with `onTotals` and a scope that `coversRepositories`. */
export async function keptCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
): Promise<MatchCount[]> {
  const { rows } = await sql<MatchCount>`
    select p.repository_id, p.state, sum(p.total)::int as total, null as numbers
    from (
      select t.repository_id, coalesce(author.kind = 'bot', false) as by_bot,
        sum(t.open) as open, sum(t.merged) as merged, sum(t.opened - t.open - t.merged) as closed,
        sum(t.open_by_agent) as open_by_agent, sum(t.merged_by_agent) as merged_by_agent,
        sum(t.by_agent - t.open_by_agent - t.merged_by_agent) as closed_by_agent
      from contributor_totals t left join people author on author.id = t.person_id
      where ${scope.filter('t')}
      group by 1, 2
    ) kept
    cross join lateral (
      select repository_id, by_bot, state, by_agent, total
      from (values
        ('open', true, open_by_agent), ('open', false, open - open_by_agent),
        ('merged', true, merged_by_agent), ('merged', false, merged - merged_by_agent),
        ('closed', true, closed_by_agent), ('closed', false, closed - closed_by_agent)
      ) of_state (state, by_agent, total)
    ) p
    where ${allOf(filters.map(({ onTotals }) => onTotals!))}
    group by 1, 2 having sum(p.total) > 0`.execute(db);
  return rows;
}

/**
 * Scans the pull requests, in the index that holds what most filters take. Where no more than `most` of the matches pass `listed`, too,
 * their numbers are collected in the same scan. The two halves of the repositories are scanned at the same time: the oldest PostgreSQL
 * that we support does not aggregate arrays in parallel.
 */
export async function scannedCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  listed: Filter | null,
  most: number,
): Promise<MatchCount[]> {
  const isListed = listed?.condition ?? sql`true`;
  const halves = [0, 1].map((half) => scope.within(scope.repository_ids.filter((_id, index) => index % 2 === half)));
  const scans = halves.map((half) =>
    sql<MatchCount>`
      select p.repository_id, p.state, count(*)::int as total,
        case when sum(count(*) filter (where ${isListed})) over () <= ${most}
          then array_agg(p.number) filter (where ${isListed}) end as numbers
      from pull_requests p
      where ${half.filter('p')} and ${allOf(filters.map(({ condition }) => condition))}
      group by 1, 2`.execute(db),
  );
  return (await Promise.all(scans)).flatMap(({ rows }) => rows);
}

/** Sums by state, as the list shows them. */
export function byState(counts: readonly MatchCount[]): PullRequestList['counts'] {
  const of = (wanted: MatchCount['state']) => totalOf(counts.filter(({ state }) => state === wanted));
  return { all: totalOf(counts), open: of('open'), merged: of('merged'), closed: of('closed') };
}

/** How many match in all. */
export function totalOf(counts: readonly MatchCount[]): number {
  return counts.reduce((sum, { total }) => sum + total, 0);
}
