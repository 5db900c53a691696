import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type Asked, contributed } from '../metrics/sources.ts';

/** How many people were active, by the weeks that begin at `starts`, or over all of the window. */
export async function activePeople(
  db: Kysely<Database>,
  asked: Asked,
  starts: readonly Date[] | null,
): Promise<number[]> {
  const { from, where } = contributed.rows({ ...asked, people: 'humans' }, 'each');
  const moments = starts ?? [new Date(0)];
  const { rows } = await sql<{ key: number; people: number }>`
    select width_bucket(it.at, ${moments}::timestamptz[]) as key, count(distinct it.person_id)::int as people
    from ${from} where ${where} group by 1`.execute(db);
  const byKey = new Map(rows.map(({ key, people }) => [key, people]));
  return moments.map((_, at) => byKey.get(at + 1) ?? 0);
}
