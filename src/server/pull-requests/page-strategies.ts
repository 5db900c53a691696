import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import type { ScopeTeam } from '../metrics/team-people.ts';
import type { PullRequestListRequest } from './filters.ts';
import type { MatchCounts } from './match-counts.ts';
import { rowsOfTeam } from './written-by.ts';

/** Which page of the list, in which order. */
export type PageRequest = Pick<PullRequestListRequest, 'state' | 'limit' | 'offset' | 'sortBy' | 'sortOrder'>;

export interface PullRequestKey {
  readonly repository_id: number;
  readonly number: number;
}

const sortKeys = {
  updated_at: sql`p.updated_at`,
  created_at: sql`p.created_at`,
  lines_changed: sql`p.lines_changed`,
  title: sql`p.title_lower`,
};

const directions = { ASC: sql`asc`, DESC: sql`desc` };

/** Of each repository at first. */
const FEWEST = 10;

/**
 * Walks the sort index of each repository for its first rows that meet the condition on `p`, of the repositories given: at first twice as many as its share of the
 * matches lets expect within the page and before it, and more while all of these lie there. So little more is read than that,
 * however many repositories there are. `matches` is not empty.
 */
export async function pageFromSortIndex(
  db: Kysely<Database>,
  scope: Scope,
  matches: readonly MatchCounts[],
  request: PageRequest,
  condition: (of: Scope) => RawBuilder<unknown>,
): Promise<PullRequestKey[]> {
  const wanted = request.offset + request.limit;
  const sizes = matches
    .map((counts) => [counts.repository_id, counts[request.state ?? 'all']] as const)
    .filter(([, size]) => size > 0);
  const all = sizes.reduce((sum, [, size]) => sum + size, 0);
  // In powers of two, so that many repositories have the same.
  const rounded = (rows: number) => Math.min(wanted, FEWEST * 2 ** Math.ceil(Math.log2(Math.max(1, rows / FEWEST))));
  let limits = new Map(sizes.map(([id, size]) => [id, rounded((2 * wanted * size) / all)]));
  for (;;) {
    const rows = await topRowsPerRepository(db, scope, limits, request, condition);
    const found = Map.groupBy(rows, ({ repository_id }) => repository_id);
    const cut = [...limits].filter(([id, limit]) => limit < wanted && found.get(id)?.length === limit);
    if (cut.length === 0) return rows.slice(request.offset);
    limits = new Map([...limits, ...cut.map(([id, limit]) => [id, rounded(4 * limit)] as const)]);
  }
}

/** The rows of the list up to the page's end, if of each repository no more than its limit were there. */
async function topRowsPerRepository(
  db: Kysely<Database>,
  scope: Scope,
  limits: ReadonlyMap<number, number>,
  { limit, offset, sortBy, sortOrder }: PageRequest,
  condition: (of: Scope) => RawBuilder<unknown>,
): Promise<PullRequestKey[]> {
  const key = sortKeys[sortBy];
  const direction = directions[sortOrder];
  const repositoriesByLimit = Map.groupBy(limits.keys(), (id) => limits.get(id)!);
  const parts = [...repositoriesByLimit].map(
    ([limit, repository_ids]) => sql`
      select r.owner, r.name, r.id as repository_id, first.number, first.key
      from repositories r
      cross join lateral (
        select p.number, ${key} as key from pull_requests p
        where p.repository_id = r.id and ${scope.filter('p')} and ${condition(scope.within(repository_ids))}
        order by ${key} ${direction}, p.number
        limit ${limit}
      ) first
      where ${scope.within(repository_ids).filter('r', 'id')}`,
  );
  const { rows } = await sql<PullRequestKey>`
    select repository_id, number
    from (${sql.join(parts, sql` union all `)}) chosen
    order by key ${direction}, lower(owner) collate "C", lower(name) collate "C", number
    limit ${offset + limit}`.execute(db);
  return rows;
}

/** The page of those that belong to the team of the scope and meet conditions on `p` that read what stands in the index by author. */
export async function pageFromTeam(
  db: Kysely<Database>,
  team: ScopeTeam,
  scope: Scope,
  { sortBy, sortOrder, limit, offset }: PageRequest,
  conditions: readonly RawBuilder<unknown>[],
): Promise<PullRequestKey[]> {
  // Ties are told by a number of each repository: texts are compared once.
  const { rows } = await sql<PullRequestKey>`
    select p.repository_id, p.number from ${rowsOfTeam(team, scope)} p
    join (
      select r.id, row_number() over (order by lower(r.owner) collate "C", lower(r.name) collate "C") as place
      from repositories r where ${scope.filter('r', 'id')}
    ) r on r.id = p.repository_id
    where ${allOf(conditions)}
    order by ${sortKeys[sortBy]} ${directions[sortOrder]}, r.place, p.number
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The page of these alone, whose numbers were collected, in any order; only those that are still there. */
export async function pageFromMatches(
  db: Kysely<Database>,
  matches: readonly MatchCounts[],
  request: PageRequest,
): Promise<PullRequestKey[]> {
  const keys = matches.flatMap(({ repository_id, numbers }) =>
    (numbers ?? []).map((number) => ({ repository_id, number })),
  );
  const { limit, offset } = request;
  if (offset === 0 && keys.length <= limit) return keys;
  const { rows } = await sql<PullRequestKey>`
    select p.repository_id, p.number
    from ${unnested(keys)} match (repository_id, number)
    join repositories r on r.id = match.repository_id
    join pull_requests p on p.repository_id = match.repository_id and p.number = match.number
    order by ${orderOf(request)}
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The order of the list, of the pull request `p` in the repository `r`; ties stand by owner, name and number. */
export function orderOf({ sortBy, sortOrder }: PageRequest) {
  return sql`${sortKeys[sortBy]} ${directions[sortOrder]}, lower(r.owner) collate "C", lower(r.name) collate "C", p.number`;
}

/** The keys as a table's rows, to be joined with. */
export function unnested(keys: readonly PullRequestKey[]) {
  return sql`unnest(
      ${keys.map(({ repository_id }) => repository_id)}::int[], ${keys.map(({ number }) => number)}::int[]
    )`;
}
