import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { isRefusal } from '../db/sight.ts';
import type { HostClient } from '../host/client.ts';
import { isVisible } from '../metrics/scope.ts';

/** The host is waited for so long, in milliseconds. */
export const PATIENCE = 10_000;

/**
 * Whether a new token can't read one of the repositories that its person sees now.
 * @throws HostError when the host fails; the signal's reason when it takes too long
 */
export async function readsLess(
  db: Kysely<Database>,
  client: HostClient,
  user_id: number,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = await db
    .selectFrom('connections as c')
    .innerJoin('repositories as r', 'r.id', 'c.repository_id')
    .select(['r.host_id', 'r.node_id'])
    .where('c.user_id', '=', user_id)
    .where(isVisible)
    .execute();
  const keys = seen.flatMap(({ node_id }) => node_id ?? []);
  if (keys.length > 0 && !(await client.readsAll(keys, signal))) return true;
  // Of repositories that were not read since their key is stored.
  for (const { host_id } of seen.filter(({ node_id }) => node_id === null)) {
    signal.throwIfAborted();
    try {
      await client.repositoryById(host_id);
    } catch (error) {
      if (isRefusal(error)) return true;
      throw error;
    }
  }
  return false;
}
