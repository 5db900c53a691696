import { type Kysely, sql } from 'kysely';

/** Workers look every second for checks of access that are due, also for those of before the clock was set back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index connections_checked on connections (checked_at)`.execute(db);
}
