import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { byRepository, repositoryOrder } from '../db/repository-order.ts';
import { humansOf, pullRequestBelongs } from '../metrics/belongs.ts';
import { allOf } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import type { ScopeTeam } from '../metrics/team-people.ts';
import type { PullRequestListRequest } from './filters.ts';
import { type PullRequestKey, unnested } from './keys.ts';
import type { MatchCounts } from './match-counts.ts';

/** Which page of the list, in which order. */
export type PageRequest = Pick<PullRequestListRequest, 'state' | 'limit' | 'offset' | 'sortBy' | 'sortOrder'>;

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
 * Walks the sort index of each repository for its first rows that meet the condition on `p`, of the repositories given: at first somewhat more than its share of the
 * matches lets expect within the page and before it, and more while all of these lie there. So little more is read than that,
 * however many repositories there are; where numbers were collected, no more than these. `matches` is not empty.
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
  // Repositories are not equally busy all the time, and of few matches it is chance where they lie.
  const expected = (share: number) => 1.25 * share + 3 * Math.sqrt(share);
  // In four steps to the double, so that many repositories have the same.
  const rounded = (rows: number) =>
    Math.min(wanted, Math.ceil(FEWEST * 2 ** (Math.ceil(4 * Math.log2(Math.max(1, rows / FEWEST))) / 4)));
  const collected = keysOf(matches);
  const isCollected = new Set(collected.map(({ repository_id }) => repository_id));
  let limits = new Map(
    sizes
      .filter(([id]) => !isCollected.has(id))
      .map(([id, size]) => [id, rounded(expected((wanted * size) / all))] as const),
  );
  for (;;) {
    const rows = await topRowsPerRepository(db, scope, limits, collected, request, condition);
    const found = Map.groupBy(rows, ({ repository_id }) => repository_id);
    const cut = [...limits].filter(([id, limit]) => limit < wanted && found.get(id)?.length === limit);
    if (cut.length === 0) return rows.slice(request.offset);
    limits = new Map([...limits, ...cut.map(([id, limit]) => [id, rounded(4 * limit)] as const)]);
  }
}

/** The rows of the list up to the page's end, if of each repository no more than its limit, and these, were there. */
async function topRowsPerRepository(
  db: Kysely<Database>,
  scope: Scope,
  limits: ReadonlyMap<number, number>,
  collected: readonly PullRequestKey[],
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
  if (collected.length > 0)
    parts.push(sql`
      select r.owner, r.name, p.repository_id, p.number, ${key} as key
      from ${unnested(collected)} match (repository_id, number)
      join repositories r on r.id = match.repository_id
      join pull_requests p on p.repository_id = match.repository_id and p.number = match.number`);
  const { rows } = await sql<PullRequestKey>`
    select repository_id, number
    from (${sql.join(parts, sql` union all `)}) chosen
    order by key ${direction}, ${repositoryOrder('owner', 'name')}, number
    limit ${offset + limit}`.execute(db);
  return rows;
}

/**
 * The page of those that a team's members wrote or are credited with and that meet conditions on `p` which read what stands in the index by
 * author, which is read instead of much of the sort index.
 */
export async function pageFromAuthors(
  db: Kysely<Database>,
  team: ScopeTeam,
  { filter }: Scope,
  { sortBy, sortOrder, limit, offset }: PageRequest,
  conditions: readonly RawBuilder<unknown>[],
): Promise<PullRequestKey[]> {
  const { people } = humansOf(team);
  const isMembers = (person: RawBuilder<unknown>) => sql`${person} in (select person_id from ${people} member)`;
  const columns = sql`p.repository_id, p.number, p.author_id, p.state, p.draft, p.created_at, p.updated_at, p.lines_changed`;
  const isOfTeam = (alias: string) => allOf([filter(alias), pullRequestBelongs(team, alias, null)]);
  // Ties are told by a number of each repository: texts are compared once.
  const { rows } = await sql<PullRequestKey>`
    select p.repository_id, p.number from (
      select ${columns} from pull_requests p where ${isMembers(sql`p.author_id`)} and ${isOfTeam('p')}
      union all
      select ${columns} from pull_request_facts its
      join pull_requests p on p.repository_id = its.repository_id and p.number = its.number
      where its.credit_by <> 'author' and ${isMembers(sql`its.credited_id`)} and ${isOfTeam('its')}
        and (its.author_id is null or not ${isMembers(sql`its.author_id`)})
    ) p
    join (
      select r.id, row_number() over (order by ${byRepository}) as place
      from repositories r where ${filter('r', 'id')}
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
  const keys = keysOf(matches);
  if (request.offset === 0 && keys.length <= request.limit) return keys;
  return await keysInOrder(db, keys, request);
}

/** Those whose numbers were collected. */
function keysOf(matches: readonly MatchCounts[]): PullRequestKey[] {
  return matches.flatMap(({ repository_id, numbers }) => (numbers ?? []).map((number) => ({ repository_id, number })));
}

/** The page of these alone, in the order of the list; only those that are still there. */
export async function keysInOrder(
  db: Kysely<Database>,
  keys: readonly PullRequestKey[],
  request: PageRequest,
): Promise<PullRequestKey[]> {
  const { limit, offset } = request;
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
  return sql`${sortKeys[sortBy]} ${directions[sortOrder]}, ${byRepository}, p.number`;
}
