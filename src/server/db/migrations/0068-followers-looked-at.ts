import { type Kysely, sql } from 'kysely';

/** The daily connecting of what people follow goes on behind whom it has reached when it is tried again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table followed_owners add column looked_at timestamptz`.execute(db);
}
