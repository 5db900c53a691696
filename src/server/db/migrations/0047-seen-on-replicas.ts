import { type Kysely, sql } from 'kysely';

/** Up to where a read replica has to have followed before it may answer a person, who has changed something or was told of a change. */
const schema = 'alter table users add column written_lsn pg_lsn';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
