import { type Kysely, sql } from 'kysely';

/** Whose work a user is shown where it is not their own: visitors of the demo have done nothing there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column work_of text`.execute(db);
}
