import { type Kysely, sql, type Transaction } from 'kysely';
import { HostError, type HostErrorKind } from '../host/errors.ts';
import type { SecurityEvent } from '../security-events.ts';
import type { Database } from './database.ts';
import { pauseQuota } from './hint-limits.ts';

/** Whose connection to what, as one of their credentials is told about it. */
export interface CheckedConnection {
  readonly user_id: number;
  readonly repository_id: number;
  /** The credential that the host was asked with. */
  readonly grant_id: number;
}

/** How the host says that a token may not read a repository. */
export const REFUSALS = ['not_found', 'forbidden', 'blocked', 'sso_required', 'missing_scope'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** True of a failure by which the host refuses the repository to this token; any other says nothing about access. */
export function isRefusal(error: unknown): error is HostError & { readonly kind: Refusal } {
  return error instanceof HostError && (REFUSALS as readonly HostErrorKind[]).includes(error.kind);
}

/** A first refusal is asked about again after this long, in seconds: the same answer then settles it. */
const SECONDS_UNTIL_SETTLED = 30;
/** Lost sight is looked at again this many minutes after it was lost, then every hour, after a day like any other. */
const LOST_CHECK_MINUTES = [1, 10, 60];
/** Sight is checked once a day at the least, and within an hour while its person is here. */
const MINUTES_BETWEEN_CHECKS = { here: 50, away: 20 * 60 };
/** Somebody is here while their last request is younger than this. */
const MINUTES_HERE = 60;
/** A check that failed for a reason that says nothing about access is tried again after this long, in seconds. */
const SECONDS_UNTIL_RETRY = 60;
/** However long a pause the host asks for, checks are tried again after so long: its quotas are of an hour. */
const LONGEST_PAUSE_MINUTES = 61;
/** A stronger credential that a weaker one replaced serves syncs for so long, in days. */
export const DAYS_OF_FORMER = 7;
/** A person's `seen_at` is written at most this often, in minutes. */
const MINUTES_BETWEEN_SEEN = 5;

/**
 * The host let this token read the repository, under this name, when it was asked at `asked_at`. Nothing when another credential is stored
 * meanwhile, or it was refused to this one since then. A check that fell due since then stays due: the answer is older.
 */
export async function noteReadable(
  db: Kysely<Database>,
  { user_id, repository_id, grant_id }: CheckedConnection,
  name: { readonly owner: string; readonly name: string },
  now: Date,
  asked_at = now,
): Promise<void> {
  await sql`
    update connections c set readable = true, checked_at = ${now}, checked_with = ${grant_id},
      check_due_at = case when c.check_due_at > ${asked_at} and c.check_due_at <= ${now}::timestamptz + interval '10 seconds'
        then c.check_due_at else ${dueAfter(now)} end,
      lost_at = null, lost_reason = null, lost_link = null, settled = true, seen_owner = ${name.owner}, seen_name = ${name.name},
      former_grant_id = null
    where c.user_id = ${user_id} and c.repository_id = ${repository_id} and ${isStored(grant_id)}
      and not (c.lost_at is not null and c.checked_with = ${grant_id} and c.checked_at > ${asked_at})`.execute(db);
}

/**
 * Forgets former credentials that serve no sync any more: the stored one has read all that they read, or they are too old. Of one
 * person, or of everybody.
 */
export async function forgetFormerCredentials(
  db: Kysely<Database>,
  now: Date,
  user_id: number | null = null,
): Promise<void> {
  await sql`
    delete from former_credentials f
    where (${user_id}::int is null or f.user_id = ${user_id})
      and (f.replaced_at <= ${now}::timestamptz - make_interval(days => ${DAYS_OF_FORMER})
        or not exists (select from connections c where c.former_grant_id = f.grant_id))`.execute(db);
}

/**
 * The host refused the repository to this token: its person no longer sees it. The first refusal is asked about again after 30 s, the
 * second settles it. Nothing when another credential is stored meanwhile.
 * @returns the security event to note where this settled it, else null
 */
export async function noteRefused(
  db: Kysely<Database>,
  { user_id, repository_id, grant_id }: CheckedConnection,
  refusal: { readonly kind: Refusal | 'gone'; readonly link: string | null },
  now: Date,
): Promise<SecurityEvent | null> {
  return await db.transaction().execute(async (within) => {
    const before = await lockConnection(within, user_id, repository_id);
    if (before === undefined) return null;
    const known = before.checked_with === grant_id && before.lost_at !== null;
    // One in the future is of before the clock was set back.
    const lost_at = known && before.lost_at! <= now ? before.lost_at! : now;
    const settled = known && (before.settled || now.getTime() - lost_at.getTime() >= SECONDS_UNTIL_SETTLED * 1000);
    const check_due_at = settled
      ? lostCheckAfter(lost_at, now)
      : new Date(lost_at.getTime() + SECONDS_UNTIL_SETTLED * 1000);
    // That it was deleted explains why it is not found from then on.
    const lost_reason = before.lost_reason === 'gone' && refusal.kind === 'not_found' ? 'gone' : refusal.kind;
    const { numUpdatedRows } = await within
      .updateTable('connections as c')
      .set({
        ...{ readable: false, checked_at: now, checked_with: grant_id, lost_at, settled, check_due_at },
        ...{ lost_reason, lost_link: refusal.link },
      })
      .where('c.user_id', '=', user_id)
      .where('c.repository_id', '=', repository_id)
      .where(isStored(grant_id))
      .executeTakeFirst();
    // What the host listed for them before is not what it shows them any more.
    if (numUpdatedRows > 0n) await within.deleteFrom('repository_lists').where('user_id', '=', user_id).execute();
    if (numUpdatedRows === 0n || !settled || (known && before.settled)) return null;
    const subject = `${before.seen_owner}/${before.seen_name}: ${lost_reason}`;
    return { event: 'sight_lost', actor: user_id, subject, repository_id };
  });
}

async function lockConnection(within: Transaction<Database>, user_id: number, repository_id: number) {
  return await within
    .selectFrom('connections')
    .select(['checked_with', 'lost_at', 'lost_reason', 'settled', 'seen_owner', 'seen_name'])
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * The check failed for a reason that says nothing about access: everything stays, and it is tried again. Where the host asks this person for a
 * pause, until `paused_until`, none of their others is tried before either, and nothing that is hinted at is asked in their name.
 */
export async function noteUnchecked(
  db: Kysely<Database>,
  { user_id, repository_id }: Pick<CheckedConnection, 'user_id' | 'repository_id'>,
  now: Date,
  paused_until: Date | null = null,
): Promise<void> {
  const again = new Date(now.getTime() + SECONDS_UNTIL_RETRY * 1000);
  await db
    .updateTable('connections')
    .set({ check_due_at: again })
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .execute();
  if (paused_until === null) return;
  const longest = new Date(now.getTime() + LONGEST_PAUSE_MINUTES * 60_000);
  const until = paused_until < longest ? paused_until : longest;
  await db
    .updateTable('connections')
    .set({ check_due_at: until })
    .where('user_id', '=', user_id)
    .where('check_due_at', '<', until)
    .execute();
  await pauseQuota(db, user_id, 'hints', until);
}

/**
 * Takes connections whose check is due, the longest ago first, for whoever calls: nobody else takes them within a minute. Only of
 * people of these hosts, with a token that theirs accepts.
 */
export async function takeDueChecks(
  db: Kysely<Database>,
  hosts: readonly string[],
  now: Date,
  limit: number,
): Promise<{ user_id: number; repository_id: number }[]> {
  const { rows } = await sql<{ user_id: number; repository_id: number }>`
    with due as (
      select c.user_id, c.repository_id from connections c
      -- A check in the future is one of before the clock was set back; one that was taken a moment ago is under way or has just failed.
      where (c.check_due_at <= ${now} or (c.checked_at > ${now}::timestamptz + interval '5 minutes'
        and c.check_due_at > ${now}::timestamptz + make_interval(secs => ${SECONDS_UNTIL_RETRY})))
        and exists (select from credentials k where k.user_id = c.user_id and k.rejected_at is null)
        and exists (select from users u where u.id = c.user_id and u.host = any(${hosts}::text[]))
      order by c.check_due_at limit ${limit} for update of c skip locked
    )
    update connections c set check_due_at = ${now}::timestamptz + make_interval(secs => ${SECONDS_UNTIL_RETRY})
    from due where c.user_id = due.user_id and c.repository_id = due.repository_id
    returning c.user_id, c.repository_id`.execute(db);
  return rows;
}

/** Somebody has made a request: what they see is checked within the hour. Written now and then only. */
export async function noteSeen(
  db: Kysely<Database>,
  user: { readonly id: number; readonly seen_at: Date },
  now: Date,
): Promise<void> {
  const written = new Date(now.getTime() - MINUTES_BETWEEN_SEEN * 60_000);
  if (user.seen_at > written) return;
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ seen_at: now })
    .where('id', '=', user.id)
    .where('seen_at', '<=', written)
    .executeTakeFirst();
  // Another request of theirs was faster.
  if (numUpdatedRows === 0n) return;
  await sql`
    update connections set check_due_at = checked_at + make_interval(mins => ${MINUTES_BETWEEN_CHECKS.here})
    where user_id = ${user.id} and readable
      and check_due_at > checked_at + make_interval(mins => ${MINUTES_BETWEEN_CHECKS.here})`.execute(db);
}

function isStored(grant_id: number) {
  return sql<boolean>`exists (select from credentials k where k.user_id = c.user_id and k.grant_id = ${grant_id})`;
}

function dueAfter(now: Date) {
  return sql`${now}::timestamptz + make_interval(mins => case
    when exists (select from users u where u.id = c.user_id
      and u.seen_at > ${now}::timestamptz - make_interval(mins => ${MINUTES_HERE}))
    then ${MINUTES_BETWEEN_CHECKS.here}::int else ${MINUTES_BETWEEN_CHECKS.away}::int end)`;
}

function lostCheckAfter(lost_at: Date, now: Date): Date {
  const minutes = (now.getTime() - lost_at.getTime()) / 60_000;
  const next = LOST_CHECK_MINUTES.find((at) => at > minutes) ?? (Math.floor(minutes / 60) + 1) * 60;
  if (next > 24 * 60) return new Date(now.getTime() + MINUTES_BETWEEN_CHECKS.away * 60_000);
  return new Date(lost_at.getTime() + next * 60_000);
}
