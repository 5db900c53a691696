import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PullRequestList } from '#contract/pull-requests.ts';
import type { Database } from '../db/database.ts';
import { pullRequestBelongs } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import { countBits, countByState, inState, type States, statesIn } from '../metrics/number-states.ts';
import { bitsOf, numbersIn } from '../metrics/person-numbers.ts';
import { outside, type Scope } from '../metrics/scope.ts';
import type { ScopeTeam } from '../metrics/team-people.ts';
import { type Filter, isBot, type TextMatches } from './filters.ts';
import { unnested } from './keys.ts';

export type CountsByState = PullRequestList['counts'];

/** How many pull requests of one repository match; there is none of a repository without any. */
export interface MatchCounts extends CountsByState {
  readonly repository_id: number;
  /** Which are listed, in any order; null where they were not collected or there are none. */
  readonly numbers: readonly number[] | null;
}

/** What is in scope, and of that of a team in which states the pull requests of its repositories are. */
export interface ScopeCounts {
  readonly inScope: readonly MatchCounts[];
  /** About how many pull requests each of its repositories has, of whatever team. */
  readonly stored: ReadonlyMap<number, number>;
  readonly states: ReadonlyMap<number, States>;
}

export async function countsInScope(db: Kysely<Database>, scope: Scope): Promise<ScopeCounts> {
  const { team } = scope;
  if (team === null) {
    const inScope = await (scope.coversRepositories
      ? keptCounts(db, scope, [])
      : scannedCounts(db, scope, [], null, 0));
    return { inScope, stored: new Map(inScope.map((of) => [of.repository_id, of.all])), states: new Map() };
  }
  const numbers = [...team.numbers!];
  const states = await statesIn(
    db,
    numbers.map(([id]) => id),
  );
  return {
    inScope: numbers.map(([repository_id, bits]) => ({
      repository_id,
      ...countByState(bits, states.get(repository_id)),
      numbers: null,
    })),
    // As many as there are numbers.
    stored: new Map(numbers.map(([repository_id, bits]) => [repository_id, bits.length * 8])),
    states,
  };
}

/** All that belongs to a team, with the numbers of those in a state, null for all. */
export function collectedOfTeam(
  { numbers }: ScopeTeam,
  { inScope, states }: ScopeCounts,
  state: 'open' | 'merged' | 'closed' | undefined,
): MatchCounts[] {
  return inScope.map((counts) => {
    const { repository_id } = counts;
    const bits = numbers!.get(repository_id)!;
    return {
      ...counts,
      numbers: numbersIn(state === undefined ? bits : inState(bits, states.get(repository_id), state)),
    };
  });
}

/**
 * From what is kept with every save: for filters with `onTotals`; of a team by the bits of what is in scope, with the numbers where all were
 * written by bots or agents.
 */
export async function keptCounts(
  db: Kysely<Database>,
  scope: Scope,
  filters: readonly Filter[],
  counted: Pick<ScopeCounts, 'states'> = { states: new Map() },
): Promise<MatchCounts[]> {
  const { team } = scope;
  const condition = allOf(filters.map(({ onTotals }) => onTotals!));
  if (team !== null) return await keptCountsOfTeam(db, team, scope, condition, counted);
  const rows = filters.length === 0 ? sql`contributor_totals` : totalsByAuthor(scope);
  return (
    await sql<MatchCounts>`
      select p.repository_id, ${sums}, null::int[] as numbers
      from ${rows} p where ${filters.length === 0 ? scope.filter('p') : condition}
      group by p.repository_id having sum(p.opened) > 0`.execute(db)
  ).rows;
}

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

/** The same of a team: what bots and agents wrote of each repository, which is little, is taken from its bits or is them. */
async function keptCountsOfTeam(
  db: Kysely<Database>,
  { numbers }: ScopeTeam,
  { filter }: Scope,
  condition: RawBuilder<unknown>,
  { states }: Pick<ScopeCounts, 'states'>,
): Promise<MatchCounts[]> {
  const repositories = sql`unnest(${[...numbers!.keys()]}::int[]) r (id)`;
  const { rows } = await sql<{ id: number; bots: Buffer | null; agents: Buffer | null; matching: number[] }>`
    select r.id, (
        select string_agg(int4send(p.number), ''::bytea) from pull_requests p
        where ${filter('p')} and p.repository_id = r.id and p.author_id = any(array(select id from people where kind = 'bot'))
      ) as bots, (
        select string_agg(int4send(f.number), ''::bytea) from pull_request_facts f
        where ${filter('f')} and f.repository_id = r.id and f.by_agent
      ) as agents,
      array(select p.kind from (values (0, false, false), (1, true, false), (2, false, true), (3, true, true)) p (kind, by_bot, by_agent)
        where ${condition}) as matching
    from ${repositories}`.execute(db);
  return rows.flatMap(({ id, bots, agents, matching }) => {
    const [byBot, byAgent] = [bots, agents].map((bytes) => (bytes === null ? new Uint8Array() : bitsOf(bytes)));
    // All bits of a byte for a kind of author that matches, by the numbers of the question.
    const [people, bot, agent, both] = [0, 1, 2, 3].map((kind) => (matching.includes(kind) ? 255 : 0));
    const bits = numbers!.get(id)!.map((byte, at) => {
      const ofBots = byBot![at] ?? 0;
      const ofAgents = byAgent![at] ?? 0;
      const ofOthers = (people! & ~ofBots) | (bot! & ofBots);
      return byte & ((ofOthers & ~ofAgents) | (((agent! & ~ofBots) | (both! & ofBots)) & ofAgents));
    });
    const counts = countByState(bits, states.get(id));
    if (counts.all === 0) return [];
    return [{ repository_id: id, ...counts, numbers: matching.includes(0) ? null : numbersIn(bits) }];
  });
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
function pullRequestsIn(scope: Scope, filters: readonly Filter[]): RawBuilder<unknown> {
  const { team, filter } = scope;
  const source = isOnFacts(filters) ? factsWith(filters) : sql`pull_requests`;
  const where = allOf([filter('p'), ...filters.map(conditionAmong(filters))]);
  const ofTeam = [...(team?.numbers ?? [])].reduce((sum, [, bits]) => sum + countBits(bits), 0);
  if (team !== null && ofTeam <= LOOKED_UP) {
    const keys = [...team.numbers!].flatMap(([repository_id, bits]) =>
      numbersIn(bits).map((number) => ({ repository_id, number })),
    );
    return sql`${unnested(keys)} own (repository_id, number)
      join ${source} p on p.repository_id = own.repository_id and p.number = own.number where ${where}`;
  }
  const belongs = team === null ? [] : [pullRequestBelongs(team, 'p', null)];
  const text = filters.find((one) => one.text !== undefined)?.text;
  if (text === undefined) return sql`${source} p where ${allOf([where, ...belongs])}`;
  const others = filters.filter((one) => one.text === undefined).map(({ condition }) => condition);
  return sql`${pullRequestsWithText(scope, text)} p where ${allOf([...others, ...belongs])}`;
}

/** Each way in which a pull request can hold a text is looked for by an index of its own. */
function pullRequestsWithText(scope: Scope, { inTitle, byAuthor, repositories }: TextMatches): RawBuilder<unknown> {
  const columns = sql`p.repository_id, p.number, p.author_id, p.state, p.draft`;
  const { filter } = outside(scope, repositories);
  const ways = [
    ...(repositories.length > 0 ? [scope.within(repositories).filter('p')] : []),
    ...(byAuthor === null ? [] : [sql`${filter('p')} and ${byAuthor}`]),
    byAuthor === null
      ? sql`${filter('p')} and ${inTitle}`
      : sql`${filter('p')} and ${inTitle} and (${byAuthor}) is not true`,
  ];
  const parts = ways.map((where) => sql`select ${columns} from pull_requests p where ${where}`);
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** The facts that filters are found on, as far as an index tells them apart. */
function factsWith(filters: readonly Filter[]): RawBuilder<unknown> {
  const facts = sql`
    select repository_id, number, author_id, draft, by_agent, authorship, agents, credited_id, ${isBot('author_id')} as by_bot,
      case when ended_at is null then 'open' when time_to_merge is null then 'closed' else 'merged' end as state
    from pull_request_facts`;
  const authorships = filters.find((one) => one.authorships !== undefined)?.authorships;
  return authorships === undefined
    ? sql`(${facts})`
    : sql`(${facts} where authorship = any(${authorships}::text[]) union all ${facts} where authorship is null)`;
}

/** Whether who wrote pull requests and whom they are credited to is found in an index of facts, which the other filters take, too. */
function isOnFacts(filters: readonly Filter[]): boolean {
  return !filters.some(({ text }) => text !== undefined) && filters.some(({ onFacts }) => onFacts !== undefined);
}

/** What of a filter holds of the rows in which these filters are looked for. */
function conditionAmong(filters: readonly Filter[]): (filter: Filter) => RawBuilder<unknown> {
  return (filter) => (isOnFacts(filters) ? (filter.onFacts ?? filter.onTotals) : null) ?? filter.condition;
}

/** How many are left of the first without the second, which are among them. */
export function withoutCounts(counts: readonly MatchCounts[], fewer: readonly MatchCounts[]): MatchCounts[] {
  const byRepository = new Map(fewer.map((one) => [one.repository_id, one]));
  return counts.flatMap((one) => {
    const less = byRepository.get(one.repository_id);
    if (less === undefined) return [one];
    if (less.all === one.all) return [];
    const [all, open, merged, closed] = (['all', 'open', 'merged', 'closed'] as const).map(
      (state) => one[state] - less[state],
    );
    return [{ ...one, all: all!, open: open!, merged: merged!, closed: closed! }];
  });
}

/** Over all repositories, as the list shows them. */
export function sumsOf(counts: readonly MatchCounts[]): CountsByState {
  const sum = (state: keyof CountsByState) => counts.reduce((total, one) => total + one[state], 0);
  return { all: sum('all'), open: sum('open'), merged: sum('merged'), closed: sum('closed') };
}
