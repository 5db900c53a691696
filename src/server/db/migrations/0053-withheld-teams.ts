import { type Kysely, sql } from 'kysely';

/** Whose sight of the host's teams waits for a list by the weaker token that they signed in with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table team_readers add withheld boolean not null default false`.execute(db);
}
