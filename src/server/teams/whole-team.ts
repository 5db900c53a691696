import { type Kysely, sql } from 'kysely';
import type { WholeTeam } from '#contract/teams.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { appearsIn, isContributor } from '../metrics/conditions.ts';
import { type Scope, scopeWithoutFigures } from '../metrics/scope.ts';
import { partsOf, partsSeen } from '../metrics/team-people.ts';
import { teamsSeenBy } from './list-teams.ts';
import { requestsTo } from './team-requests.ts';

/** So many requests are listed. */
const MOST_REQUESTS = 100;

/**
 * A team with its people and what is asked of it, as this user sees it (docs/server.md#teams-and-groups).
 * @throws HttpError 404 for one that is unknown, deleted or not to be seen, all alike
 */
export async function wholeTeam(
  db: Kysely<Database>,
  user: Pick<SignedIn, 'id'>,
  id: number,
  now: Date,
  isAdministrator: boolean,
): Promise<WholeTeam> {
  const [team] = await teamsSeenBy(db, user.id, now, id);
  if (team === undefined) throw notFound('Team not found');
  const seen = (await partsSeen(db, user.id, [id])).filter((part) => part.seen).map((part) => part.id);
  const scope = await scopeWithoutFigures(db, user.id);
  const { rows: parts } = await sql<{ id: number }>`
    select id from (${partsOf(sql`${id}::int`)}) held where id = any(${seen}::int[]) order by id`.execute(db);
  const people = await membersOf(db, scope, seen, now, isAdministrator);
  const { items, total } = await requestsTo(db, scope, seen, now, MOST_REQUESTS);
  return {
    ...team,
    teams: parts.map((part) => part.id),
    ...listed(id, people),
    requests: items.map(({ repo_owner, repo_name, pr_number, title, since, team: asked }) => ({
      ...{ repo_owner, repo_name, pr_number, title },
      ...{ asked_at: since, team: asked },
    })),
    requests_total: total,
  };
}

interface Member {
  readonly person_id: number;
  readonly team_id: number;
  readonly username: string;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly is_now: boolean;
  /** They take part in a repository of the scope. */
  readonly appears: boolean;
  readonly is_contributor: boolean;
  /** The viewer may know when people were members of that team. */
  readonly sees_when: boolean;
}

/**
 * Every time in which a human was an immediate member of one of these teams, by login. When that was is for those who are members of the same
 * team now, at once or by a part of it, its maker and administrators, also where it is seen as a part of another one.
 */
async function membersOf(
  db: Kysely<Database>,
  scope: Scope,
  team_ids: readonly number[],
  now: Date,
  isAdministrator: boolean,
): Promise<Member[]> {
  const isNow = sql`coalesce(m."from" <= ${now}, true) and coalesce(m."to" > ${now}, true)`;
  const { rows } = await sql<Member>`
    with recursive part (root, id) as (
      select id, id from unnest(${team_ids}::int[]) id
      union
      select part.root, held.id from part cross join lateral (${partsOf(sql`part.id`)}) held where held.id = any(${team_ids}::int[])
    ),
    own as materialized (
      select part.root as id from part join team_members m on m.team_id = part.id and ${isNow}
      join people person on person.id = m.person_id and person.kind = 'human'
      join users u on u.id = ${scope.user_id} and u.host = person.host and u.host_id = person.host_id
      union
      select id from teams where id = any(${team_ids}::int[]) and created_by = ${scope.user_id}
    ),
    members as materialized (select * from team_members where team_id = any(${team_ids}::int[])),
    named as materialized (
      select person.*, ${appearsIn(scope, sql`person.id`)} as appears,
        ${isContributor(scope, sql`person.id`)} as is_contributor
      from people person
      where person.kind = 'human' and person.id in (select person_id from members)
    )
    select m.person_id, m.team_id, person.login as username, person.name as display_name, person.avatar_url, m."from", m."to",
      ${isNow} as is_now, person.appears, person.is_contributor, ${isAdministrator}::boolean or m.team_id in (select id from own) as sees_when
    from members m join named person on person.id = m.person_id
    order by lower(person.login) collate "C", person.id, m."from" nulls first, m."to" nulls last, m.team_id`.execute(
    db,
  );
  return rows;
}

/** Who is named and who is counted in a team. */
function listed(id: number, people: readonly Member[]): Pick<WholeTeam, 'members' | 'hidden_members'> {
  const shown = people.filter(({ is_now, sees_when }) => sees_when || is_now);
  const hidden = new Set(people.filter(({ appears, is_now }) => is_now && !appears).map(({ person_id }) => person_id));
  const entries = Map.groupBy(
    shown.filter(({ appears }) => appears),
    ({ person_id, from, to, sees_when }) =>
      sees_when ? `${person_id} ${from?.getTime()} ${to?.getTime()}` : person_id,
  );
  const members = [...entries.values()].map((same) => {
    const { username, display_name, avatar_url, is_contributor, from, to, sees_when } = same[0]!;
    const through = same.map(({ team_id }) => team_id);
    return {
      ...{ username, display_name, avatar_url, is_contributor },
      ...(sees_when && { from: from?.toISOString() ?? null, to: to?.toISOString() ?? null }),
      via: through.includes(id) ? [] : [...new Set(through)].sort((a, b) => a - b),
    };
  });
  return { members, hidden_members: hidden.size };
}
