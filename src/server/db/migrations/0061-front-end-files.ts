import { type Kysely, sql } from 'kysely';

/** What each version's pages load, for the processes of other versions that are asked for it; and what was told of a pull request is found by it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table front_end_files (
      name text primary key,
      body bytea not null,
      kept_at timestamptz not null
    )`.execute(db);
  await sql`create index notification_keys_pull_request on notification_keys (repository_id, number)`.execute(db);
  await sql`drop index notification_keys_repository`.execute(db);
}
