import { type Kysely, sql } from 'kysely';

/** What each version's pages load, for the processes of other versions that are asked for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table front_end_files (
      name text primary key,
      body bytea not null,
      kept_at timestamptz not null
    )`.execute(db);
}
