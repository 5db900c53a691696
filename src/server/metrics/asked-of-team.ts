import { type Kysely, type RawBuilder, sql } from 'kysely';
import { teamHandle } from '../db/asked-reviewers.ts';
import type { Database } from '../db/database.ts';
import { partsSeen, teamOf } from './team-people.ts';

/**
 * True of a pull request `p` that is open, waits for reviewers, and on which a review is requested of somebody who is a member of the team
 * now, of the team itself or of a part of it, as far as the user sees them (docs/server.md#lists-and-searches). A request names a team as
 * it was called then: after a rename the host has to be asked again.
 * @throws HttpError 404 when the team is unknown, deleted or not to be seen by the user
 */
export async function isAskedOfTeam(
  db: Kysely<Database>,
  user_id: number,
  team_id: number,
  now: Date,
): Promise<RawBuilder<boolean>> {
  const [{ people }, parts] = await Promise.all([teamOf(db, user_id, [team_id]), partsSeen(db, user_id, [team_id])]);
  const seen = parts.filter(({ seen }) => seen).map(({ id }) => id);
  const { rows } = await sql<{ members: number[]; handles: string[] }>`
    select array(
      select belongs.person_id from ${people} belongs join people person on person.id = belongs.person_id
      where person.kind = 'human' and belongs."from" <= ${now} and belongs."to" > ${now}
    ) as members, array(
      select ${teamHandle('t')} from teams t where t.id = any(${seen}::int[]) and ${teamHandle('t')} is not null
    ) as handles`.execute(db);
  const { members, handles } = rows[0]!;
  return sql<boolean>`(p.state = 'open'
    and exists (select from pull_request_facts f
      where f.repository_id = p.repository_id and f.number = p.number and f.waiting_on = 'reviewers')
    and exists (select from review_requests request
      where request.repository_id = p.repository_id and request.number = p.number
        and (request.person_id = any(${members}::int[]) or lower(request.team) = any(${handles}::text[]))))`;
}
