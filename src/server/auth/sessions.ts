import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../db/database.ts';

/** How long a session lasts, in seconds (server specification, section 3). */
export const SESSION_SECONDS = 7 * 24 * 3600;

export type UserRow = Selectable<Database['users']>;

/** Makes a session and returns its id, 256 random bits, of which the database keeps only the hash. Expired ones are swept out. */
export async function startSession(db: Kysely<Database>, user_id: number, now: Date): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  await db
    .insertInto('sessions')
    .values({
      id_hash: hashOf(id),
      user_id,
      created_at: now,
      expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
    })
    .execute();
  return id;
}

/** Whose session it is; null for one that is unknown, ended or expired. */
export async function userOfSession(db: Kysely<Database>, id: string, now: Date): Promise<UserRow | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('id_hash', '=', hashOf(id))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a session; one that does not exist is as good as ended. */
export async function endSession(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute();
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
