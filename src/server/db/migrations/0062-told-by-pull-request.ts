import { type Kysely, sql } from 'kysely';

/** What was told of a pull request is found by it, whichever limit it passed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notification_keys_pull_request on notification_keys (repository_id, number)`.execute(db);
  await sql`drop index notification_keys_repository`.execute(db);
}
