import { type Kysely, sql } from 'kysely';
import type { Team } from '#contract/teams.ts';
import type { Database } from '../db/database.ts';
import { isTeamVisible, partsOf } from '../metrics/team-people.ts';

type Row = Omit<Team, (typeof moments)[number]> & Readonly<Record<(typeof moments)[number], Date | null>>;
const moments = ['assumed_before', 'read_at', 'stale_since', 'archived_at'] as const;

/**
 * The teams and groups that a user sees, by lower-cased name, then id; of them one where its id is given. Archived ones are among them. What
 * a team holds counts as far as the user sees it (docs/server.md#teams-and-groups).
 */
export async function teamsSeenBy(
  db: Kysely<Database>,
  user_id: number,
  now: Date,
  id: number | null = null,
): Promise<Team[]> {
  const { rows } = await sql<Row>`
    with recursive seen as (select t.* from teams t where ${isTeamVisible(user_id)}),
    part (root, id, seen) as (
      select t.id, t.id, true from seen t where ${id}::int is null or t.id = ${id}
      union
      select part.root, held.id, part.seen and held.id in (select seen.id from seen)
      from part cross join lateral (${partsOf(sql`part.id`)}) held
    ),
    root as materialized (select root as id, bool_and(seen) as whole from part group by root),
    member (root, person_id) as (
      select root.id, m.person_id from root join team_people m on m.team_id = root.id
      where root.whole and m."from" <= ${now} and m."to" > ${now}
      union all
      select distinct part.root, m.person_id from part join root on root.id = part.root and not root.whole
      join team_members m on m.team_id = part.id
        and coalesce(m."from" <= ${now}, true) and coalesce(m."to" > ${now}, true)
      where part.seen
    ),
    people_now as (
      select member.root, count(*)::int as count
      from member join people person on person.id = member.person_id and person.kind = 'human'
      group by member.root
    )
    select t.id, t.source, t.organisation || '/' || t.slug as handle, t.name,
      (select parent.id from seen parent where parent.id = t.parent_id) as parent_id,
      coalesce(people_now.count, 0) as members_now, t.visibility,
      t.assumed_before, t.read_at, t.stale_since, t.archived_at,
      coalesce(t.created_by = ${user_id}, false) as mine
    from seen t left join people_now on people_now.root = t.id
    where ${id}::int is null or t.id = ${id}
    order by t.id`.execute(db);
  return rows
    .map((row) => {
      const told = Object.fromEntries(moments.map((name) => [name, row[name]?.toISOString() ?? null]));
      return { ...row, ...(told as Pick<Team, (typeof moments)[number]>) };
    })
    .sort((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
