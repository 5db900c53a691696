import { type Kysely, sql } from 'kysely';

/** Who no longer finds a team in a list that they are shown of the others: if it is archived, they see it as it was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table team_readers add lost_at timestamptz`.execute(db);
}
