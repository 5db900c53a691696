import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { HostError } from '../host/host.ts';
import { type Connecting, described, isPassing } from './connect.ts';

/** Sight is checked at least daily (server specification, section 4): an hourly look takes those older than this, in hours. */
const CHECK_AFTER_HOURS = 20;

type Checking = Pick<Connecting, 'db' | 'clientFor' | 'rejectToken' | 'now'>;

/**
 * Asks the host whether the user's token still reads a repository they connected, and remembers the answer: at once they see it or
 * they don't; others are not touched. A renamed or moved repository takes its new name. A failure that says nothing about
 * access leaves everything as it is, as does a token that is not accepted: its user has to sign in again.
 * @returns whether the user sees it now
 */
export async function checkAccess(checking: Checking, user_id: number, repository_id: number): Promise<boolean> {
  const { db, now } = checking;
  const connection = await db
    .selectFrom('connections')
    .innerJoin('repositories', 'repositories.id', 'connections.repository_id')
    .select(['repositories.host_id', 'connections.readable'])
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst();
  if (connection === undefined) return false;
  const client = await checking.clientFor(user_id);
  if (client === null) return connection.readable;
  try {
    const repository = await client.repositoryById(connection.host_id);
    await db.updateTable('repositories').set(described(repository)).where('id', '=', repository_id).execute();
    await remember(db, user_id, repository_id, true, now());
    return true;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.kind === 'unauthorized') await checking.rejectToken(user_id);
    if (isPassing(error) || error.kind === 'unauthorized') return connection.readable;
    await remember(db, user_id, repository_id, false, now());
    return false;
  }
}

/** The connections whose last check is longest ago and too long, with a token to check with; at most `limit`. */
export async function dueForCheck(
  db: Kysely<Database>,
  now: Date,
  limit: number,
): Promise<{ user_id: number; repository_id: number }[]> {
  return await db
    .selectFrom('connections')
    .innerJoin('credentials', 'credentials.user_id', 'connections.user_id')
    .select(['connections.user_id', 'connections.repository_id'])
    .where('credentials.rejected_at', 'is', null)
    .where('connections.checked_at', '<', new Date(now.getTime() - CHECK_AFTER_HOURS * 3_600_000))
    .orderBy('connections.checked_at')
    .limit(limit)
    .execute();
}

async function remember(
  db: Kysely<Database>,
  user_id: number,
  repository_id: number,
  readable: boolean,
  checked_at: Date,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ readable, checked_at })
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .execute();
}
