import { type Kysely, sql } from 'kysely';

/** When the host's answer was there: it can take much longer than what may happen in one second of an update date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table pull_requests add column answered_at timestamptz`.execute(db);
}
