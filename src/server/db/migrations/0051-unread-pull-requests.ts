import { type Kysely, sql } from 'kysely';

/** When a pull request that the host could not tell is asked for again, beside those that could not be stored. */
const schema = 'alter table unstorable_pull_requests add column again_at timestamptz';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
