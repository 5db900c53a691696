import { type Kysely, sql } from 'kysely';

/** How long checks ran while a pull request waited follows everybody's own marks, too: it is counted by who reviewed when. */
const schema = 'alter table lens_facts add column ci_overlap_hours double precision';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
