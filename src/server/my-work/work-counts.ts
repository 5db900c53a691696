import { type Kysely, sql } from 'kysely';
import type { WorkCounts } from '#contract/my-work.ts';
import type { Database } from '../db/database.ts';
import { isWithheld } from '../db/recounts.ts';
import { isVisible } from '../metrics/scope.ts';
import { scopeUnlessRecounted } from './desk.ts';
import { countsOf, type PlacedWork, placedWork, placedWorkOfSeveral } from './person-work.ts';

/** Counts by repository id; a repository in which nothing waits is absent. */
export type CountsByRepository = ReadonlyMap<number, WorkCounts>;

/**
 * How much waits for each user in the given repositories, for their open pages (docs/server.md). Repositories that a user may not read count
 * nothing. Null for a user while all of theirs are being recounted. One query covers all users, except those with marks of their own, who are
 * read one by one through `lensOf`.
 */
export async function workCountsIn(
  db: Kysely<Database>,
  lensOf: (user_id: number) => Kysely<Database>,
  repositoriesByUser: ReadonlyMap<number, readonly number[]>,
  now: Date,
): Promise<ReadonlyMap<number, CountsByRepository | null>> {
  const pairs = [...repositoriesByUser].flatMap(([user_id, ids]) => ids.map((id) => [user_id, id] as const));
  const { rows } = await sql<{ user_id: number; own_marks: boolean; shown: number[] | null }>`
    select c.user_id, exists (select from own_account_kinds mark where mark.user_id = c.user_id) as own_marks,
      array_agg(c.repository_id) filter (where not ${isWithheld('c.repository_id')}) as shown
    from unnest(${pairs.map(([user_id]) => user_id)}::int[], ${pairs.map(([, id]) => id)}::int[]) pair (user_id, repository_id)
    join connections c on c.user_id = pair.user_id and c.repository_id = pair.repository_id
    where ${isVisible} group by c.user_id`.execute(db);
  const usersWithOwnMarks = new Set(rows.flatMap(({ user_id, own_marks }) => (own_marks ? [user_id] : [])));
  const readable = new Map(
    rows.flatMap(({ user_id, shown }) => (shown === null || usersWithOwnMarks.has(user_id) ? [] : [[user_id, shown]])),
  );
  const countsByUser = new Map<number, CountsByRepository | null>();
  const placed = readable.size === 0 ? new Map<number, never>() : await placedWorkOfSeveral(db, readable, now);
  for (const [user_id, ids] of repositoriesByUser)
    countsByUser.set(
      user_id,
      usersWithOwnMarks.has(user_id)
        ? await throughLens(lensOf(user_id), db, user_id, ids, now)
        : readable.has(user_id)
          ? byRepository(placed.get(user_id) ?? [])
          : null,
    );
  return countsByUser;
}

async function throughLens(
  lens: Kysely<Database>,
  shared: Kysely<Database>,
  user_id: number,
  repository_ids: readonly number[],
  now: Date,
): Promise<CountsByRepository | null> {
  const scope = await scopeUnlessRecounted(lens, user_id);
  return scope === null ? null : byRepository(await placedWork(lens, scope.within(repository_ids), now, null, shared));
}

function byRepository(placed: readonly PlacedWork[]): CountsByRepository {
  const grouped = Map.groupBy(placed, ({ repository_id }) => repository_id);
  return new Map([...grouped].map(([id, own]) => [id, countsOf(own)]));
}
