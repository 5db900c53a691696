import { type Kysely, sql } from 'kysely';

/**
 * Whether a person's time zone was chosen by them or taken from their browser. Whoever has another one than the default chose it before;
 * of the others it is taken from the browser with the next sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('time_zone_known', 'boolean', (column) => column.notNull().defaultTo(false))
    .execute();
  await sql`update users set time_zone_known = true where time_zone <> 'UTC'`.execute(db);
}
