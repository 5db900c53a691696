import { type Kysely, sql } from 'kysely';

/** Whose token was deleted because nobody used it is told so; whoever has theirs deleted by signing out is not. */
const schema = 'alter table users add column unused_token_deleted_at timestamptz';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
