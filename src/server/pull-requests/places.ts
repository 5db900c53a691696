import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Which page of the list, in which order. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: 'updated_at' | 'created_at' | 'lines_changed' | 'title';
  readonly sortOrder: 'ASC' | 'DESC';
}

/** Where one row of the list stands. */
export interface Place {
  readonly repository_id: number;
  readonly number: number;
}

const keys = {
  updated_at: sql`p.updated_at`,
  created_at: sql`p.created_at`,
  lines_changed: sql`p.lines_changed`,
  title: sql`p.title_lower`,
};

const directions = { ASC: sql`asc`, DESC: sql`desc` };

/** Of each repository at first. */
const FEWEST = 10;

/**
 * Each repository gives its own first rows that meet the condition on `p`, in order: at first twice as many as lie within the page and
 * before it if they are as many as its size lets expect, and more while all of these do. So little more is read than that, however
 * many repositories there are. `sizes` says how many pull requests each has.
 */
export async function pageFromSortIndex(
  db: Kysely<Database>,
  sizes: ReadonlyMap<number, number>,
  request: PageRequest,
  condition: RawBuilder<unknown>,
): Promise<Place[]> {
  const wanted = request.offset + request.limit;
  const all = sizes.values().reduce((sum, size) => sum + size, 0);
  // In powers of two, so that many repositories have the same.
  const rounded = (rows: number) => Math.min(wanted, FEWEST * 2 ** Math.ceil(Math.log2(Math.max(1, rows / FEWEST))));
  let limits = new Map([...sizes].map(([id, size]) => [id, rounded((2 * wanted * size) / all)]));
  for (;;) {
    const rows = await topRowsPerRepository(db, limits, request, condition);
    const found = Map.groupBy(rows, ({ repository_id }) => repository_id);
    const cut = [...limits].filter(([id, limit]) => limit < wanted && found.get(id)?.length === limit);
    if (cut.length === 0) return rows.slice(request.offset);
    limits = new Map([...limits, ...cut.map(([id, limit]) => [id, rounded(4 * limit)] as const)]);
  }
}

/** The rows of the list up to the page's end, if of each repository no more than its limit were there. */
async function topRowsPerRepository(
  db: Kysely<Database>,
  limits: ReadonlyMap<number, number>,
  { limit, offset, sortBy, sortOrder }: PageRequest,
  condition: RawBuilder<unknown>,
): Promise<Place[]> {
  const key = keys[sortBy];
  const direction = directions[sortOrder];
  const repositoriesByLimit = Map.groupBy(limits.keys(), (id) => limits.get(id)!);
  const parts = [...repositoriesByLimit].map(
    ([limit, repository_ids]) => sql`
      select r.owner, r.name, r.id as repository_id, first.number, first.key
      from repositories r
      cross join lateral (
        select p.number, ${key} as key from pull_requests p
        where p.repository_id = r.id and ${condition}
        order by ${key} ${direction}, p.number
        limit ${limit}
      ) first
      where r.id = any(${repository_ids}::int[])`,
  );
  const { rows } = await sql<Place>`
    select repository_id, number
    from (${sql.join(parts, sql` union all `)}) chosen
    order by key ${direction}, lower(owner) collate "C", lower(name) collate "C", number
    limit ${offset + limit}`.execute(db);
  return rows;
}

/** Of these alone those on the page, in any order; only those that are still there. */
export async function pageFromMatches(
  db: Kysely<Database>,
  matches: readonly Place[],
  request: PageRequest,
): Promise<readonly Place[]> {
  const { limit, offset } = request;
  if (offset === 0 && matches.length <= limit) return matches;
  const { rows } = await sql<Place>`
    select p.repository_id, p.number
    from ${unnested(matches)} match (repository_id, number)
    join repositories r on r.id = match.repository_id
    join pull_requests p on p.repository_id = match.repository_id and p.number = match.number
    order by ${orderOf(request)}
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The order of the list, of the pull request `p` in the repository `r`; ties stand by owner, name and number. */
export function orderOf({ sortBy, sortOrder }: PageRequest) {
  return sql`${keys[sortBy]} ${directions[sortOrder]}, lower(r.owner) collate "C", lower(r.name) collate "C", p.number`;
}

/** The places as a table's rows, to be joined with. */
export function unnested(places: readonly Place[]) {
  return sql`unnest(
      ${places.map(({ repository_id }) => repository_id)}::int[], ${places.map(({ number }) => number)}::int[]
    )`;
}
