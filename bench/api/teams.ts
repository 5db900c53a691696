import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';
import { expandTeams } from '../../src/server/metrics/team-people.ts';
import { HOST, HUMANS, NOW } from './fill.ts';

const TEAMS = 200;
/** The largest team, which others are part of, by its id; its 50 people are every twelfth. */
export const LARGEST_TEAM = 1;
const LARGEST = 50;
/** Who is in the largest team, wherever a call is about somebody. */
const FIRST_OF_LARGEST = 7;
/** Its parts, the teams behind it. */
const PARTS = 4;
/** Of the others, so many have as many parts each, and as many of these one of their own. */
const PARENTS = 20;
const SMALL = 5;

/**
 * Adds 200 teams that the user's token lists, half of them parts of others, in up to three levels. The largest has 50 people, most of them
 * through its parts, the others five each and their parts. Some memberships began or ended within the last two years.
 */
export async function fillTeams(db: Kysely<Database>, user_id: number): Promise<void> {
  const moment = sql`${NOW}::timestamptz`;
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into teams (host, source, host_id, organization_id, organisation, slug, name, visibility, created_at, assumed_before, read_at)
      select ${HOST}, 'host', t::text, 'acme', 'acme', 'team-' || t, 'Team ' || t, 'visible', ${moment}, ${moment}, ${moment}
      from generate_series(1, ${TEAMS}::int) t`.execute(trx);
    const [parents, parts, lowest] = [1 + PARTS, 1 + PARTS + PARENTS, 1 + PARTS + PARENTS * (1 + PARTS)];
    await sql`
      update teams set parent_id = case when id <= ${parents}::int then ${LARGEST_TEAM}::int
        when id <= ${lowest}::int then ${parents + 1}::int + (id - ${parts}::int - 1) / ${PARTS}::int else id - ${lowest - parts}::int end
      where id between 2 and ${parents}::int or id between ${parts + 1}::int and ${lowest + PARENTS}::int`.execute(trx);
    await sql`
      insert into team_members (team_id, person_id, "from", "to")
      select team, person, case when person / 12 % 3 = 1 then ${moment} - (30 + person) * interval '1 day' end,
        case when person / 12 % 6 = 2 then ${moment} - person * interval '12 hours' end
      from (
        select case when i % 10 = 0 then ${LARGEST_TEAM}::int else 2 + i % ${PARTS}::int end as team,
          ${FIRST_OF_LARGEST}::int + 12 * i as person
        from generate_series(0, ${LARGEST - 1}::int) i
        union
        select team, 1 + (team * 37 + i * 12 + i % 7 + 1) % ${HUMANS}::int
        from generate_series(${2 + PARTS}::int, ${TEAMS}::int) team, generate_series(1, ${SMALL}::int) i
      ) members`.execute(trx);
    await sql`
      insert into team_readers (user_id, team_id, checked_at) select ${user_id}::int, id, ${moment} from teams`.execute(
      trx,
    );
    await expandTeams(
      trx,
      Array.from({ length: TEAMS }, (_, index) => index + 1),
    );
  });
  await sql`analyze teams, team_members, team_people, team_readers`.execute(db);
}
