import { type Kysely, sql } from 'kysely';
import type { WorkCounts } from '#contract/my-work.ts';
import type { Database } from '../db/database.ts';
import { isWithheld } from '../db/recounts.ts';
import { isVisible } from '../metrics/scope.ts';
import { scopeUnlessRecounted } from './desk.ts';
import { countsOf, type PlacedWork, placedWork, placedWorkOfSeveral } from './person-work.ts';

/** By repository, how much of it waits for a user; none where nothing does. */
export type CountsByRepository = ReadonlyMap<number, WorkCounts>;

/**
 * How much waits for several users, for their open pages, each in the repositories that are named for them, as far as they may read those;
 * null for whom all of them are being recounted. However many users there are it is read once for all who have no marks of their own;
 * `lensOf` is the database as one of the others sees it.
 */
export async function workCountsIn(
  db: Kysely<Database>,
  lensOf: (user_id: number) => Kysely<Database>,
  asked: ReadonlyMap<number, readonly number[]>,
  now: Date,
): Promise<ReadonlyMap<number, CountsByRepository | null>> {
  const pairs = [...asked].flatMap(([user_id, ids]) => ids.map((id) => [user_id, id] as const));
  const { rows } = await sql<{ user_id: number; own_marks: boolean; shown: number[] | null }>`
    select c.user_id, exists (select from own_account_kinds mark where mark.user_id = c.user_id) as own_marks,
      array_agg(c.repository_id) filter (where not ${isWithheld('c.repository_id')}) as shown
    from unnest(${pairs.map(([user_id]) => user_id)}::int[], ${pairs.map(([, id]) => id)}::int[]) pair (user_id, repository_id)
    join connections c on c.user_id = pair.user_id and c.repository_id = pair.repository_id
    where ${isVisible} group by c.user_id`.execute(db);
  const withLens = new Set(rows.flatMap(({ user_id, own_marks }) => (own_marks ? [user_id] : [])));
  const sights = new Map(
    rows.flatMap(({ user_id, shown }) => (shown === null || withLens.has(user_id) ? [] : [[user_id, shown]])),
  );
  const told = new Map<number, CountsByRepository | null>();
  const placed = sights.size === 0 ? new Map<number, never>() : await placedWorkOfSeveral(db, sights, now);
  for (const [user_id, ids] of asked)
    told.set(
      user_id,
      withLens.has(user_id)
        ? await throughLens(lensOf(user_id), user_id, ids, now)
        : sights.has(user_id)
          ? byRepository(placed.get(user_id) ?? [])
          : null,
    );
  return told;
}

async function throughLens(
  lens: Kysely<Database>,
  user_id: number,
  repository_ids: readonly number[],
  now: Date,
): Promise<CountsByRepository | null> {
  const scope = await scopeUnlessRecounted(lens, user_id);
  return scope === null ? null : byRepository(await placedWork(lens, scope.within(repository_ids), now));
}

function byRepository(placed: readonly PlacedWork[]): CountsByRepository {
  const grouped = Map.groupBy(placed, ({ repository_id }) => repository_id);
  return new Map([...grouped].map(([id, own]) => [id, countsOf(own)]));
}
