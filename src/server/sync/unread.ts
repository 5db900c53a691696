import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { SkippedItem } from '../host/pages.ts';

/** After how many hours the host is asked again for a pull request that it could not tell, until it is stored. */
const HOURS_UNTIL_AGAIN = 24;
/** The most that one sync asks for again. */
const MOST_AGAIN = 100;
/** In place of a number, which begin at 1: pull requests that the host lists without telling which. */
const UNTOLD = 0;
/** For how many days changes are listed again because of those. */
const DAYS_OF_LISTING = 7;

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
/** What lies further ahead than a try can is of before the clock was set back. */
const isDue = (now: Date) =>
  sql<boolean>`(again_at <= ${now}::timestamptz or again_at > ${againAfter(againAfter(now))}::timestamptz)`;

/** The numbers that are to be asked for again now. */
export async function unreadOf(db: Kysely<Database>, repository_id: number, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('unstorable_pull_requests')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('number', '<>', UNTOLD)
    .where(isDue(now))
    .orderBy('again_at')
    .orderBy('number')
    .limit(MOST_AGAIN)
    .execute();
  return rows.map(({ number }) => number);
}

/** How many of these pull requests were left out when they were read last. */
export async function countLeftOut(
  db: Kysely<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<number> {
  const { left } = await db
    .selectFrom('unstorable_pull_requests')
    .select((select) => select.fn.countAll<number>().as('left'))
    .where('repository_id', '=', repository_id)
    .where(sql<boolean>`number = any(${numbers}::int[])`)
    .executeTakeFirstOrThrow();
  return left;
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

/**
 * Remembers that the host has listed pull requests without telling which: whatever changed since then is listed again by the next sync, and
 * then once a day, a week at most.
 */
export async function noteUntold(
  db: Kysely<Database>,
  repository_id: number,
  { since, reason }: { readonly since: Date; readonly reason: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('unstorable_pull_requests')
    .values({ repository_id, number: UNTOLD, updated_at: since, reason, noted_at: now, again_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Since when changes are to be listed again now; null where they need not be. */
export async function untoldSince(db: Kysely<Database>, repository_id: number, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('unstorable_pull_requests')
    .select('updated_at')
    .where('repository_id', '=', repository_id)
    .where('number', '=', UNTOLD)
    .where(isDue(now))
    .executeTakeFirst();
  return row?.updated_at ?? null;
}

/** After they were listed again in vain. */
export async function leaveUntold(db: Kysely<Database>, repository_id: number, now: Date): Promise<void> {
  await forgetUntold(db, repository_id, new Date(now.getTime() - DAYS_OF_LISTING * 24 * 3_600_000));
  await leaveUnread(db, repository_id, UNTOLD, now);
}

/** After all were told; or only if they were noted by then. */
export async function forgetUntold(db: Kysely<Database>, repository_id: number, noted_by?: Date): Promise<void> {
  await db
    .deleteFrom('unstorable_pull_requests')
    .where('repository_id', '=', repository_id)
    .where('number', '=', UNTOLD)
    .$if(noted_by !== undefined, (query) => query.where('noted_at', '<=', noted_by!))
    .execute();
}
