import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RateLimit } from '../host/errors.ts';
import type { Database } from './database.ts';

/**
 * How much the holder of a webhook's secret can make this server ask the host for: counted in the database, so that the limits hold
 * across processes and restarts.
 */

/** Look-ups that hints about one repository lead to within an hour. */
const LOOKS_AN_HOUR = 300;
/** A number further above the highest known one than this is looked up once an hour when it is not there. */
const NUMBERS_AHEAD = 50;
/** Of a person's hourly quota, hints use less than one part in so many; so does what is read again. */
const SHARE_OF_QUOTA = 10;
/** Of what hints may use, look-ups leave one of these parts to checks of access, which so seldom wait for the next hour. */
const KEPT_FOR_CHECKS = 5;
/** Of such parts, how many checks use to which a delivery led that names nobody: there may be many, and each says little. */
const FOR_CHECKS_OF_EVERYBODY = 2;
/** Points held back while a look-up runs, at most: few cost more. */
const RESERVED = 50;
/** What a check of somebody's access costs: asking by its id where the repository is, and what it is there. */
export const POINTS_OF_A_CHECK = 2;
/** The quota of somebody of whom the host wants a pause: nothing is left of it until the window ends, and what was used counts on then. */
const PAUSED = 0;
const HOUR = 3_600_000;
/** How far clocks of two processes may lie apart. */
const MOST_AHEAD = 5 * 60_000;

/** Counts a look-up of this repository; false when it is one too many within the hour, and then it is not counted. */
export async function countLook(db: Kysely<Database>, repository_id: number, now: Date): Promise<boolean> {
  const isOver = isAnHourAgo(sql`l.window_from`, now);
  const { rows } = await sql`
    insert into hint_limits as l (repository_id, window_from, looks) values (${repository_id}, ${now}, 1)
    on conflict (repository_id) do update set
      looks = case when ${isOver} then 1 else l.looks + 1 end,
      window_from = case when ${isOver} then ${now}::timestamptz else l.window_from end
    where ${isOver} or l.looks < ${LOOKS_AN_HOUR}
    returning 1`.execute(db);
  return rows.length > 0;
}

/** A look-up that was counted did not happen. */
export async function uncountLook(db: Kysely<Database>, repository_id: number): Promise<void> {
  await sql`update hint_limits set looks = looks - 1 where repository_id = ${repository_id} and looks > 0`.execute(db);
}

/** Whether an hour has passed since then. */
function isAnHourAgo(moment: RawBuilder<unknown>, now: Date) {
  return sql<boolean>`(${moment} <= ${new Date(now.getTime() - HOUR)} or ${moment} > ${ahead(now)})`;
}

/** What lies further ahead than this, and can't, is of before the clock was set back. */
function ahead(now: Date): Date {
  return new Date(now.getTime() + MOST_AHEAD);
}

/**
 * Makes sure that hints lead to one sync of a repository an hour at most.
 * @returns null where this one may begin, and is counted; else when the next one may
 */
export async function claimHintedSync(db: Kysely<Database>, repository_id: number, now: Date): Promise<Date | null> {
  const { rows: claimed } = await sql`
    insert into hint_limits as l (repository_id, window_from, looks, synced_at) values (${repository_id}, ${now}, 0, ${now})
    on conflict (repository_id) do update set synced_at = ${now}
    where l.synced_at is null or ${isAnHourAgo(sql`l.synced_at`, now)}
    returning 1`.execute(db);
  if (claimed.length > 0) return null;
  const row = await db
    .selectFrom('hint_limits')
    .select('synced_at')
    .where('repository_id', '=', repository_id)
    .executeTakeFirst();
  return new Date((row?.synced_at ?? now).getTime() + HOUR);
}

/** Whether a number far above all known ones was found to be absent within the last hour. */
export async function isKnownAbsent(
  db: Kysely<Database>,
  repository_id: number,
  number: number,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('absent_numbers')
    .select('number')
    .where('repository_id', '=', repository_id)
    .where('number', '=', number)
    .where(sql<boolean>`not ${isAnHourAgo(sql`looked_at`, now)}`)
    .executeTakeFirst();
  return row !== undefined && (await isFarAhead(db, repository_id, number));
}

/** Remembers that the host has no pull request of this number, where it lies far above all known ones. */
export async function rememberAbsent(
  db: Kysely<Database>,
  repository_id: number,
  number: number,
  now: Date,
): Promise<void> {
  if (!(await isFarAhead(db, repository_id, number))) return;
  await db
    .insertInto('absent_numbers')
    .values({ repository_id, number, looked_at: now })
    .onConflict((conflict) => conflict.columns(['repository_id', 'number']).doUpdateSet({ looked_at: now }))
    .execute();
}

async function isFarAhead(db: Kysely<Database>, repository_id: number, number: number): Promise<boolean> {
  const { highest } = await db
    .selectFrom('pull_requests')
    .select(({ fn }) => fn.max('number').as('highest'))
    .where('repository_id', '=', repository_id)
    .executeTakeFirstOrThrow();
  return number > (highest ?? 0) + NUMBERS_AHEAD;
}

/** Points of a user's quota that a look-up may use, to be settled when it is over; or when there are some again. */
export type Reservation = { readonly points: number } | { readonly again: Date };

/**
 * What uses a share of its own of a user's quota: what hints lead to, what is read again of earlier pull requests, and workflow runs,
 * whose quota is that of requests (REST), not of points.
 */
export type QuotaPurpose = 'hints' | 'collection' | 'actions';

/**
 * Holds back points of this user's quota. Each purpose uses less than a tenth of it in each of the host's hours, and what hints have looked up
 * leaves some of that to `reserveCheck`.
 */
export async function reserveQuota(
  db: Kysely<Database>,
  user_id: number,
  purpose: QuotaPurpose,
  now: Date,
): Promise<Reservation> {
  return await reserve(db, user_id, purpose, now, purpose === 'hints' ? KEPT_FOR_CHECKS - 1 : KEPT_FOR_CHECKS);
}

/** The same for a check of this user's access that a hint or a delivery leads to; to be settled as one of `hints`. */
export async function reserveCheck(
  db: Kysely<Database>,
  user_id: number,
  now: Date,
  of: 'somebody' | 'everybody' = 'somebody',
): Promise<Reservation> {
  return await reserve(db, user_id, 'hints', now, of === 'somebody' ? KEPT_FOR_CHECKS : FOR_CHECKS_OF_EVERYBODY);
}

/** `parts`: of the purpose's share, how many of its `KEPT_FOR_CHECKS` parts may be used. */
async function reserve(
  db: Kysely<Database>,
  user_id: number,
  purpose: QuotaPurpose,
  now: Date,
  parts: number,
): Promise<Reservation> {
  const quota = sql<number | null>`nullif(q.quota, ${PAUSED}::int)`;
  const wanted = sql<number>`greatest(1, least(${RESERVED}::int, coalesce(${quota}, 1000000) / 100))`;
  const longest = new Date(now.getTime() + HOUR);
  const ended = sql<boolean>`(q.window_ends_at <= ${now} or q.window_ends_at > ${ahead(longest)})`;
  const { rows } = await sql<{ points: number }>`
    insert into hint_quotas as q (user_id, purpose, window_ends_at, points)
    values (${user_id}, ${purpose}, ${longest}, ${RESERVED})
    on conflict (user_id, purpose) do update set
      points = case when ${ended} and q.quota is distinct from ${PAUSED} then 0 else q.points end + ${wanted},
      quota = ${quota},
      window_ends_at = case when ${ended} then excluded.window_ends_at else q.window_ends_at end
    where ${ended} or q.quota is null
      or (q.points + ${wanted}) * ${SHARE_OF_QUOTA * KEPT_FOR_CHECKS}::int < q.quota::bigint * ${parts}::int
    returning ${wanted} as points`.execute(db);
  if (rows[0] !== undefined) return rows[0];
  const row = await db
    .selectFrom('hint_quotas')
    .select('window_ends_at')
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return { again: row?.window_ends_at ?? now };
}

/**
 * What a look-up has cost in place of what was held back for it, and what the host said about the quota, null where it said nothing; until
 * when the host wants a pause of this user, where it does.
 */
export async function settleQuota(
  db: Kysely<Database>,
  user_id: number,
  purpose: QuotaPurpose,
  reserved: number,
  used: number,
  heard: RateLimit | null,
  paused_until: Date | null = null,
): Promise<void> {
  const isSpent = heard?.remaining === 0;
  await db
    .updateTable('hint_quotas')
    .set({
      // Where nothing is left of it, nothing is left of this share.
      points: isSpent ? heard.limit : sql`greatest(0, points - ${reserved}::int + ${used}::int)`,
      // The next hour begins with the host's. What was under way when the host asked for a pause does not end that.
      ...(heard !== null && {
        quota: sql`case when ${!isSpent} and quota = ${PAUSED} then quota else ${heard.limit}::int end`,
        window_ends_at: sql`case when ${!isSpent} and quota = ${PAUSED} then window_ends_at else ${heard.reset_at}::timestamptz end`,
      }),
      ...(paused_until !== null && !isSpent && { quota: PAUSED, window_ends_at: paused_until }),
    })
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .execute();
}

/** The host wants a pause of this user: nothing is left of their share until then. */
export async function pauseQuota(
  db: Kysely<Database>,
  user_id: number,
  purpose: QuotaPurpose,
  until: Date,
): Promise<void> {
  await db
    .insertInto('hint_quotas')
    .values({ user_id, purpose, window_ends_at: until, points: 0, quota: PAUSED })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'purpose']).doUpdateSet({ quota: PAUSED, window_ends_at: until }),
    )
    .execute();
}

/** What the host said about a quota of which only what was used is known yet. */
export async function noteQuota(
  db: Kysely<Database>,
  user_id: number,
  purpose: QuotaPurpose,
  heard: RateLimit,
): Promise<void> {
  await db
    .updateTable('hint_quotas')
    .set({ quota: heard.limit, window_ends_at: heard.reset_at })
    .where('user_id', '=', user_id)
    .where('purpose', '=', purpose)
    .where('quota', 'is', null)
    .execute();
}

/** Forgets what no limit depends on any more. */
export async function forgetOldLimits(db: Kysely<Database>, now: Date): Promise<void> {
  await db.deleteFrom('absent_numbers').where(isAnHourAgo(sql`looked_at`, now)).execute();
  await sql`
    delete from hint_limits where ${isAnHourAgo(sql`window_from`, now)}
      and (synced_at is null or ${isAnHourAgo(sql`synced_at`, now)})`.execute(db);
}
