import { type Kysely, sql } from 'kysely';
import { ENOUGH_PEOPLE } from '#domain/concentration.ts';
import type { Database } from '../db/database.ts';
import { contributed } from '../metrics/sources/activity.ts';
import { reviews } from '../metrics/sources/reviews.ts';
import type { Asked } from '../metrics/sources/source.ts';

/** How many people were active in a window: where enough gave counting reviews, these, for more of them make no difference. */
export async function activeInWindow(db: Kysely<Database>, asked: Asked): Promise<number> {
  const { from, where } = reviews.rows(asked, 'each');
  const { rows } = await sql<{ reviewers: number }>`
    select count(*)::int as reviewers from (select distinct it.author_id from ${from} where ${where} and it.counts) given`.execute(
    db,
  );
  const { reviewers } = rows[0]!;
  return reviewers >= ENOUGH_PEOPLE ? reviewers : (await activePeople(db, asked, [new Date(0)]))[0]!;
}

/** How many people were active, by the weeks that begin at `starts`. */
export async function activePeople(db: Kysely<Database>, asked: Asked, starts: readonly Date[]): Promise<number[]> {
  const { from, where } = contributed.rows({ ...asked, people: 'humans' }, 'each');
  const { rows } = await sql<{ key: number; people: number }>`
    select key, count(*)::int as people from (
      select distinct width_bucket(it.at, ${starts}::timestamptz[]) as key, it.person_id from ${from} where ${where}
    ) active group by key`.execute(db);
  const byKey = new Map(rows.map(({ key, people }) => [key, people]));
  return starts.map((_, at) => byKey.get(at + 1) ?? 0);
}
