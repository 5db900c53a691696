import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { SkippedItem } from '../host/pages.ts';

/** After how many hours the host is asked again for a pull request that it could not tell, until it is stored. */
const HOURS_UNTIL_AGAIN = 24;
/** The most that one sync asks for again. */
const MOST_AGAIN = 100;

/**
 * Remembers pull requests that were left out of a page for a reason that passes, such as a host that could not compute them: no update date
 * leads to those that have ended.
 */
export async function noteUnread(
  db: Kysely<Database>,
  repository_id: number,
  skipped: readonly SkippedItem[],
  now: Date,
): Promise<void> {
  const left = new Map(skipped.flatMap(({ number, reason }) => (number === null ? [] : [[number, reason] as const])));
  if (left.size === 0) return;
  await sql`
    insert into unstorable_pull_requests (repository_id, number, updated_at, reason, noted_at, again_at)
    select ${repository_id}, number, 'epoch', reason, ${now}, ${againAfter(now)}
    from unnest(${[...left.keys()]}::int[], ${[...left.values()]}::text[]) as l (number, reason)
    on conflict (repository_id, number) do update set reason = excluded.reason, noted_at = excluded.noted_at,
      again_at = excluded.again_at`.execute(db);
}

const againAfter = (now: Date) => new Date(now.getTime() + HOURS_UNTIL_AGAIN * 3_600_000);

/** The numbers that are to be asked for again now. */
export async function unreadOf(db: Kysely<Database>, repository_id: number, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('unstorable_pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    // What lies further ahead than a try can is of before the clock was set back.
    .where(({ or, eb }) => or([eb('again_at', '<=', now), eb('again_at', '>', againAfter(againAfter(now)))]))
    .orderBy('again_at')
    .orderBy('number')
    .limit(MOST_AGAIN)
    .execute();
  return rows.map(({ number }) => number);
}

/** One that was asked for again in vain is left for another day. */
export async function leaveUnread(
  db: Kysely<Database>,
  repository_id: number,
  number: number,
  now: Date,
): Promise<void> {
  await db
    .updateTable('unstorable_pull_requests')
    .set({ again_at: againAfter(now) })
    .where('repository_id', '=', repository_id)
    .where('number', '=', number)
    .where('again_at', 'is not', null)
    .execute();
}
