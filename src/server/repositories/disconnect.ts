import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { lockSessions } from '../db/session-locks.ts';
import { notFound } from '../http/errors.ts';
import { giveUp } from './forget.ts';

export interface DisconnectDeps {
  /** Ends a running sync of the repository that this user began. */
  readonly cancelSync: (repository_id: number, of_user: number) => Promise<void>;
  /** Has a worker delete what nobody has connected any more; the caller does not wait for it. */
  readonly cleanUpSoon: () => void;
}

/**
 * Takes a repository from the user; the last user's removal gives it up, and `forgetUnconnected` deletes its data in a worker
 * (docs/server.md#connections). `cancelSync` ends a running sync of this user; one of others' goes on.
 * @throws HttpError 404 when it is not theirs
 */
export async function disconnectRepository(
  db: Kysely<Database>,
  user_id: number,
  repository_id: number,
  { cancelSync, cleanUpSoon }: DisconnectDeps,
): Promise<void> {
  const isLast = await db.transaction().execute(async (within) => {
    await lockSessions(within, repository_id);
    // Whoever connects or removes it at this moment waits for us.
    const repository = await within
      .selectFrom('repositories')
      .select(['host', 'host_id'])
      .where('id', '=', repository_id)
      .forUpdate()
      .executeTakeFirst();
    const { numDeletedRows } = await within
      .deleteFrom('connections')
      .where('user_id', '=', user_id)
      .where('repository_id', '=', repository_id)
      .executeTakeFirst();
    if (repository === undefined || numDeletedRows === 0n) throw notFound('Repository not found');
    await within
      .insertInto('removed_connections')
      .values({ user_id, ...repository })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const others = await within
      .selectFrom('connections')
      .select('user_id')
      .where('repository_id', '=', repository_id)
      .limit(1)
      .execute();
    if (others.length === 0) await giveUp(within, repository_id);
    return others.length === 0;
  });
  if (isLast) cleanUpSoon();
  else await cancelSync(repository_id, user_id);
}
