import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { pullRequestBelongs } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import { countBits, countStates } from '../metrics/number-states.ts';
import { numbersIn } from '../metrics/person-numbers.ts';
import type { Scope } from '../metrics/scope.ts';
import type { ScopeTeam } from '../metrics/team-people.ts';
import { type Filter, isBot } from './filters.ts';
import { unnested } from './keys.ts';

export type CountsByState = PullRequestList['counts'];

/** How many pull requests of one repository match; there is none of a repository without any. */
export interface MatchCounts extends CountsByState {
  readonly repository_id: number;
  /** Which are listed, in any order; null where they were not collected or there are none. */
  readonly numbers: readonly number[] | null;
}

/** Of all that is in scope, and about how many of its repositories are `stored`, of whatever team. */
export async function countsInScope(
  db: Kysely<Database>,
  scope: Scope,
): Promise<{ readonly inScope: readonly MatchCounts[]; readonly stored: number }> {
  const { team } = scope;
  if (team === null) {
    const inScope = await (scope.coversRepositories
      ? keptCounts(db, scope, [])
      : scannedCounts(db, scope, [], null, 0));
    return { inScope, stored: sumsOf(inScope).all };
  }
  // As many as there are numbers.
  const stored = [...team.numbers!.values()].reduce((sum, bits) => sum + bits.length * 8, 0);
  return { inScope: await countsOfTeam(db, team), stored };
}

/** By the kept states of its pull requests. */
async function countsOfTeam(db: Kysely<Database>, { numbers }: ScopeTeam): Promise<MatchCounts[]> {
  const counts = await countStates(db, numbers!);
  return [...counts].map(([repository_id, of]) => ({ repository_id, ...of, numbers: null }));
}

/**
 * From what is kept with every save: for filters with `onTotals`; of a team from what is `inScope` of it, with the numbers where all were
 * written by bots or agents.
 */
export async function keptCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  inScope: readonly MatchCounts[] = [],
): Promise<MatchCounts[]> {
  const { team } = scope;
  const rows = team === null ? totalsByAuthor(scope) : totalsOfTeam(team, scope, inScope);
  const kept =
    team === null && filters.length === 0
      ? addedUp(sql`contributor_totals`, scope.filter('p'))
      : addedUp(rows, allOf(filters.map(({ onTotals }) => onTotals!)), team !== null);
  return (await sql<MatchCounts>`${kept}`.execute(db)).rows;
}

/** Of rows `p` of `repository_id opened open merged`. */
const addedUp = (rows: RawBuilder<unknown>, where: RawBuilder<unknown>, areNumbered = false) => sql`
    select p.repository_id, ${sums},
      ${areNumbered ? sql`case when bool_and(p.number is not null) then array_agg(p.number) end` : sql`null::int[]`} as numbers
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
 * What belongs to a team, as rows of `repository_id number by_bot by_agent opened open merged` to be added up: all of it as people's,
 * and what bots and agents wrote of it, with its numbers, taken away from that again.
 */
function totalsOfTeam(team: ScopeTeam, { filter }: Scope, counts: readonly MatchCounts[]): RawBuilder<unknown> {
  const column = (name: 'repository_id' | keyof CountsByState) => counts.map((of) => of[name]);
  return sql`(
    select repository_id, null::int as number, false as by_bot, false as by_agent, opened, open, merged
    from unnest(${column('repository_id')}::int[], ${column('all')}::int[], ${column('open')}::int[], ${column('merged')}::int[])
      own (repository_id, opened, open, merged)
    union all
    select its.repository_id, case when sign > 0 then its.number end, sign > 0 and ${isBot('its.author_id')}, sign > 0 and its.by_agent, sign,
      case when its.ended_at is null then sign else 0 end, case when its.time_to_merge is not null then sign else 0 end
    from (
      select p.repository_id, p.number from pull_requests p
      where ${filter('p')} and p.author_id = any(array(select id from people where kind = 'bot'))
        and ${pullRequestBelongs(team, 'p', null)}
      union
      select f.repository_id, f.number from pull_request_facts f
      where ${filter('f')} and f.by_agent and ${pullRequestBelongs(team, 'f', 'f')}
    ) machines
    cross join lateral (
      select f.* from pull_request_facts f
      where f.repository_id = machines.repository_id and f.number = machines.number offset 0
    ) its
    cross join (values (1), (-1)) signs (sign))`;
}

/**
 * Scans the pull requests, in the index that holds what most filters take. Where no more than `most` of the matches pass `listed`, too,
 * their numbers are collected in the same scan. The two halves of the repositories are scanned at the same time: PostgreSQL 15 does
 * not aggregate arrays in parallel. Of a team there is too little for that.
 */
export async function scannedCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  listed: Filter | null,
  most: number,
): Promise<MatchCounts[]> {
  const isListed = listed === null ? sql`true` : conditionAmong(filters)(listed);
  const halves = [0, 1].map((half) => scope.within(scope.repository_ids.filter((_id, index) => index % 2 === half)));
  const scans = (scope.team === null ? halves : [scope]).map((half) =>
    sql<MatchCounts>`
      select p.repository_id, count(*)::int as "all", count(*) filter (where p.state = 'open')::int as open,
        count(*) filter (where p.state = 'merged')::int as merged, count(*) filter (where p.state = 'closed')::int as closed,
        case when sum(count(*) filter (where ${isListed})) over () <= ${most}
          then array_agg(p.number) filter (where ${isListed}) end as numbers
      from ${pullRequestsIn(half, filters)}
      group by p.repository_id`.execute(db),
  );
  return (await Promise.all(scans)).flatMap(({ rows }) => rows);
}

/** Up to this many that belong to a team are looked up by their keys; of more each that passes all else is tested. */
const LOOKED_UP = 5000;

/** The pull requests `p` that meet the filters, of all repositories or of the team of the scope. */
function pullRequestsIn({ team, filter }: Scope, filters: readonly Filter[]): RawBuilder<unknown> {
  const source = isOnFacts(filters)
    ? sql`(
        select repository_id, number, author_id, draft, by_agent, authorship, agents, credited_id, ${isBot('author_id')} as by_bot,
          case when ended_at is null then 'open' when time_to_merge is null then 'closed' else 'merged' end as state
        from pull_request_facts)`
    : sql`pull_requests`;
  const where = allOf([filter('p'), ...filters.map(conditionAmong(filters))]);
  if (team === null) return sql`${source} p where ${where}`;
  const all = [...team.numbers!.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  if (all > LOOKED_UP) return sql`${source} p where ${where} and ${pullRequestBelongs(team, 'p', null)}`;
  const keys = [...team.numbers!].flatMap(([repository_id, bits]) =>
    numbersIn(bits).map((number) => ({ repository_id, number })),
  );
  return sql`${unnested(keys)} own (repository_id, number)
    join ${source} p on p.repository_id = own.repository_id and p.number = own.number where ${where}`;
}

/** Whether who wrote pull requests and whom they are credited to is found in an index of facts, which the other filters take, too. */
function isOnFacts(filters: readonly Filter[]): boolean {
  return !filters.some(({ readsText }) => readsText) && filters.some(({ onFacts }) => onFacts !== undefined);
}

/** What of a filter holds of the rows in which these filters are looked for. */
function conditionAmong(filters: readonly Filter[]): (filter: Filter) => RawBuilder<unknown> {
  return (filter) => (isOnFacts(filters) ? (filter.onFacts ?? filter.onTotals) : null) ?? filter.condition;
}

/** Over all repositories, as the list shows them. */
export function sumsOf(counts: readonly MatchCounts[]): CountsByState {
  const sum = (state: keyof CountsByState) => counts.reduce((total, one) => total + one[state], 0);
  return { all: sum('all'), open: sum('open'), merged: sum('merged'), closed: sum('closed') };
}
