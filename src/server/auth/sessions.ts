import { randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import type { SessionItem } from '#contract/session.ts';
import type { Database } from '../db/database.ts';
import { hashOf } from '../sha256.ts';

/** How long a session lasts at most, in seconds. */
export const SESSION_SECONDS = 7 * 24 * 3600;
/** How long it lasts when nobody uses it, in seconds. */
const IDLE_SECONDS = 24 * 3600;
/** The last use is written at most so often, in seconds. */
const USE_WRITTEN_EVERY = 60;
/** Of one person at once; the next sign-in ends the one that was not used for longest. */
const MOST_SESSIONS = 100;

export type UserRow = Selectable<Database['users']>;

/** Somebody who has just signed in, and the credential by which they did. */
export type SignedInUser = UserRow & { readonly grant_id: number };

/**
 * Makes a session and returns its id, 256 random bits, of which the database keeps only the hash. `browser` is what the person calls
 * theirs, see `browserName`.
 */
export async function startSession(
  db: Kysely<Database>,
  { id: user_id, grant_id }: { id: number; grant_id: number },
  browser: string | null,
  now: Date,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  await db
    .insertInto('sessions')
    .values({
      id_hash: hashOf(id),
      user_id,
      grant_id,
      browser,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
    })
    .execute();
  await db
    .deleteFrom('sessions')
    .where('id_hash', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id_hash')
        .where('user_id', '=', user_id)
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(MOST_SESSIONS),
    )
    .execute();
  return id;
}

/** Somebody who asks with a session. */
export type SessionUser = UserRow & {
  /** Whether they have marked accounts for themselves. */
  readonly own_marks: boolean;
  /** When the session was last used, as far as that is written. */
  readonly last_used_at: Date;
};

/**
 * Whose session it is; null for one that is unknown, ended or expired, or whose credential was replaced or is rejected by the host. Leaves no
 * trace: see `noteUse`.
 */
export async function userOfSession(db: Kysely<Database>, id: string, now: Date): Promise<SessionUser | null> {
  const row = await livingOnes(db, now)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select(['sessions.last_used_at', hasOwnMarks.as('own_marks')])
    .where('id_hash', '=', hashOf(id))
    .executeTakeFirst();
  return row ?? null;
}

/** The session is used, for the last time before this at `last_used_at`. Written now and then only, and not while another process writes it. */
export async function noteUse(db: Kysely<Database>, id: string, last_used_at: Date, now: Date): Promise<void> {
  const written = new Date(now.getTime() - USE_WRITTEN_EVERY * 1000);
  if (last_used_at >= written) return;
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('id_hash', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id_hash')
        .where('id_hash', '=', hashOf(id))
        .where('last_used_at', '<', written)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Which of these sessions live. That nobody but open pages ask is no use of them. */
export async function livingSessions(db: Kysely<Database>, ids: readonly string[], now: Date): Promise<Set<string>> {
  const byHash = new Map(ids.map((id) => [hashOf(id), id]));
  const rows = await livingOnes(db, now)
    .select('id_hash')
    .where(sql<boolean>`id_hash = any(${[...byHash.keys()]})`)
    .execute();
  return new Set(rows.map(({ id_hash }) => byHash.get(id_hash)!));
}

/** A person's living sessions, the one used last first; `current` is the id by which the request came. */
export async function listSessions(
  db: Kysely<Database>,
  user_id: number,
  current: string | undefined,
  now: Date,
): Promise<SessionItem[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'id_hash', 'created_at', 'last_used_at', 'browser'])
    .where('user_id', '=', user_id)
    .where(lives(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
  const currentHash = current === undefined ? null : hashOf(current);
  // That the one that asks is used is written behind the answer.
  const used = rows.map((row) => (row.id_hash === currentHash ? { ...row, last_used_at: now } : row));
  used.sort((a, b) => b.last_used_at.getTime() - a.last_used_at.getTime());
  return used.map(({ id, id_hash, created_at, last_used_at, browser }) => ({
    id,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
    browser,
    current: id_hash === currentHash,
  }));
}

/** Of the row of `users` in the question around it. */
const hasOwnMarks = sql<boolean>`exists (select from own_account_kinds where user_id = users.id)`;

/** Ends a session; one that does not exist is as good as ended. */
export async function endSession(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute();
}

/** Ends one of a person's sessions by the id that lists give it; false when they have none of it. */
export async function endListedSession(db: Kysely<Database>, user_id: number, listed_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('id', '=', listed_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a person. Returns how many: none where another call was faster. */
export async function endAllSessions(db: Kysely<Database>, user_id: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('user_id', '=', user_id).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the sessions of which nobody can make use any more. */
export async function forgetEndedSessions(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(({ eb, not }) => not(lives(now)(eb)))
    .execute();
}

/** The sessions that have not ended and whose credential is the stored one and accepted by the host. */
function livingOnes(db: Kysely<Database>, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('credentials', (join) =>
      join
        .onRef('credentials.user_id', '=', 'sessions.user_id')
        .onRef('credentials.grant_id', '=', 'sessions.grant_id'),
    )
    .where(lives(now))
    .where('credentials.rejected_at', 'is', null);
}

function lives(now: Date) {
  return (eb: ExpressionBuilder<Database, 'sessions'>) =>
    eb.and([
      eb('sessions.expires_at', '>', now),
      eb('sessions.last_used_at', '>', new Date(now.getTime() - IDLE_SECONDS * 1000)),
    ]);
}
