import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import { expandTeams } from '../../src/server/metrics/team-people.ts';
import { HOST } from './stored.ts';

/** From an instant to another, that one not counted; null: always, and still. */
export interface Membership {
  /** A row id of `people`. */
  readonly person: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** A team of the host that these users see, by its row id. */
export async function aTeam(
  db: Kysely<Database>,
  name: string,
  readers: readonly number[],
  members: readonly Membership[],
  parent: number | null = null,
): Promise<number> {
  const id = await db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('teams')
      .values({
        host: HOST,
        host_id: name,
        source: 'host',
        organization_id: 'acme',
        organisation: 'acme',
        slug: name.toLowerCase(),
        name,
        parent_id: parent,
        visibility: 'visible',
        created_at: new Date(0),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const user_id of readers)
      await transaction
        .insertInto('team_readers')
        .values({ user_id, team_id: id, checked_at: new Date(0) })
        .execute();
    await sql`
      insert into team_members (team_id, person_id, "from", "to")
      select ${id}::int, * from unnest(${members.map(({ person }) => person)}::int[],
        ${members.map(({ from }) => from && new Date(from))}::timestamptz[], ${members.map(({ to }) => to && new Date(to))}::timestamptz[])`.execute(
      transaction,
    );
    await expandTeams(transaction, [id]);
    return id;
  });
  return id;
}

/** A group that the user made, of these teams alone, by its row id. */
export async function aGroup(
  db: Kysely<Database>,
  user_id: number,
  parts: readonly number[],
  visibility: 'mine' | 'everyone' = 'mine',
): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('teams')
      .values({
        host: HOST,
        source: 'own',
        name: `Of ${parts.join(', ')}`,
        visibility,
        created_by: user_id,
        created_at: new Date(0),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const team_id of parts) await transaction.insertInto('team_parts').values({ group_id: id, team_id }).execute();
    await expandTeams(transaction, [id]);
    return id;
  });
}
