import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/**
 * Locks the syncs of a repository that are not over, before the repository itself is locked: a checkpoint locks its session first and the
 * repository later, and two that lock the same in another order would wait for each other in a circle.
 */
export async function lockSessions(transaction: Transaction<Database>, repository_id: number): Promise<void> {
  await sql`
    select from sync_sessions where repository_id = ${repository_id} and status in ('queued', 'running', 'waiting')
    order by id for update`.execute(transaction);
}
