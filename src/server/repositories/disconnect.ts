import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { notFound } from '../http/errors.ts';

/**
 * Takes a repository from the user; the last user's removal deletes its data (server specification, section 4). `cancelSync` ends a
 * running sync that nobody else's connection needs: one of this user, or any once the data goes.
 * @throws HttpError 404 when it is not theirs
 */
export async function disconnectRepository(
  db: Kysely<Database>,
  user_id: number,
  repository_id: number,
  cancelSync: (repository_id: number, of_user: number | null) => Promise<void>,
): Promise<void> {
  const deletes = await db.transaction().execute(async (within) => {
    // Whoever connects or removes it at this moment waits for us.
    await within.selectFrom('repositories').select('id').where('id', '=', repository_id).forUpdate().execute();
    const { numDeletedRows } = await within
      .deleteFrom('connections')
      .where('user_id', '=', user_id)
      .where('repository_id', '=', repository_id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('Repository not found');
    const others = await within
      .selectFrom('connections')
      .select('user_id')
      .where('repository_id', '=', repository_id)
      .limit(1)
      .execute();
    return others.length === 0;
  });
  await cancelSync(repository_id, deletes ? null : user_id);
  if (deletes) await deleteUnconnected(db, repository_id);
}

/** Deletes a repository with all that is stored of it, unless somebody has connected it meanwhile. */
async function deleteUnconnected(db: Kysely<Database>, repository_id: number): Promise<void> {
  await db
    .deleteFrom('repositories')
    .where('id', '=', repository_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('connections').select('user_id').whereRef('repository_id', '=', 'repositories.id'))),
    )
    .execute();
}
