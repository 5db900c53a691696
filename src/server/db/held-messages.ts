import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Has held messages to a person and to their channels looked at again now, because the hours in which they may come, or a time zone, have
 * changed. One that is being looked at by the hours of before is looked at once more.
 */
export async function lookAtHeldAgain(db: Kysely<Database>, user_id: number, now: Date): Promise<void> {
  await sql`
    update notifications set revision = revision + 1,
      next_attempt_at = case when state = 'held' then ${now} else next_attempt_at end
    where user_id = ${user_id} and state in ('pending', 'held')`.execute(db);
}
