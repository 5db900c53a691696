import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { teamNames } from '#domain/team-names.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import type { Bits } from './number-states.ts';

/**
 * Teams and groups, with who belonged to them when, as a viewer sees them (docs/server.md#teams-and-groups). Membership is joined with by the
 * moment of each act: nothing is stored beside pull requests and reviews, so that a corrected membership changes answers at once.
 */

/**
 * True of a row `t` of `teams` that a user sees: a team of the host that their token lists, or listed until it was archived, as long as no other
 * token has taken its place and the host has not refused it the list, a group of their own, or one that somebody at the same host made for everyone. What a group holds is seen part by
 * part.
 */
export function isTeamVisible(user_id: number | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`case t.source
    when 'host' then exists (select from team_readers reader where reader.team_id = t.id and reader.user_id = ${user_id}
      and (reader.lost_at is null or (t.archived_at is not null and not reader.withheld)))
    else t.created_by = ${user_id}
      or (t.visibility = 'everyone' and t.host = (select host from users where id = ${user_id}))
  end`;
}

/** What a team holds directly: `id`, its children at the host and the parts of a group. */
export const partsOf = (parent: RawBuilder<unknown>) => sql`
  select child.id from teams child where child.parent_id = ${parent}
  union select held.team_id from team_parts held where held.group_id = ${parent}`;

/** A time in which a person belonged to a team, half-open, its ends as the database writes them (`-infinity`: always, `infinity`: still). */
export interface Membership {
  readonly person_id: number;
  readonly from: string;
  readonly to: string;
  /** No bot and no agent. */
  readonly human: boolean;
}

/** Who belongs to a team, or to one of several, and by what pull requests are theirs. */
export interface ScopeTeam {
  readonly ids: readonly number[];
  /** Pull requests that members wrote, or those that members gave a counting review. */
  readonly as: 'author' | 'reviewer';
  /**
   * A relation of `person_id from to`: the times in which a person belonged to it, half-open, of one person never overlapping, both ends
   * given (`-infinity`: always, `infinity`: still). Bots and agents may be among them.
   */
  readonly people: RawBuilder<unknown>;
  /** The same, read once for all questions about the team, which find what is theirs by indexes then; null where there are very many. */
  readonly members: readonly Membership[] | null;
  /** The numbers of its pull requests, by repository, where they were read (person-numbers.ts). */
  readonly numbers?: ReadonlyMap<number, Bits>;
}

/** Up to how many times questions carry along themselves. */
const MOST_CARRIED = 1000;

/**
 * The teams of a question, each with those of its parts that the viewer sees.
 * @throws HttpError 404 when one is unknown, deleted or not to be seen by the user, all alike
 */
export async function teamOf(
  db: Kysely<Database>,
  user_id: number,
  ids: readonly number[],
  as: ScopeTeam['as'] = 'author',
): Promise<ScopeTeam> {
  const [only, ...more] = ids;
  const stored = sql`(select person_id, "from", "to" from team_people where team_id = ${only}::int)`;
  const { rows } = await sql<TimesRow & { seen: number[]; whole: boolean }>`
    with recursive ${partsOfAll(user_id, ids)},
    tree as materialized (select id, bool_or(seen) as seen from part group by id)
    select array(select id from tree where seen) as seen, (select bool_and(seen) from tree) as whole, times.*
    from (${timesIn(stored)}) times`.execute(db);
  const { seen, whole, ...times } = rows[0]!;
  if (!ids.every((id) => seen.includes(id))) throw notFound('Team not found');
  if (whole && more.length === 0) return { ids, as, ...peopleOf(times, stored) };
  const merged = sql`(
    select person_id, lower(period) as "from", upper(period) as "to"
    from (
      select person_id, unnest(range_agg(${period})) as period
      from team_members m where m.team_id = any(${seen}::int[]) group by person_id
    ) merged)`;
  const { rows: others } = await timesIn(merged).execute(db);
  return { ids, as, ...peopleOf(others[0]!, merged) };
}

/** Memberships as the database tells them at once, up to one more than are carried. */
type TimesRow = Readonly<{ people: number[]; from: string[]; to: string[]; humans: boolean[] }>;

const timesIn = (people: RawBuilder<unknown>) => sql<TimesRow>`
    select coalesce(array_agg(person_id), '{}') as people, coalesce(array_agg("from"::text), '{}') as "from",
      coalesce(array_agg("to"::text), '{}') as "to",
      coalesce(array_agg((select kind = 'human' from people where id = person_id)), '{}') as humans
    from (select * from ${people} every limit ${MOST_CARRIED + 1}) member`;

function peopleOf(
  { people, from, to, humans }: TimesRow,
  stored: RawBuilder<unknown>,
): Pick<ScopeTeam, 'members' | 'people'> {
  if (people.length > MOST_CARRIED) return { members: null, people: stored };
  return carried(people.map((person_id, at) => ({ person_id, from: from[at]!, to: to[at]!, human: humans[at]! })));
}

/** Memberships that questions carry along themselves, with their relation. */
export function carried(members: readonly Membership[]): Pick<ScopeTeam, 'members' | 'people'> {
  const [people, from, to] = [
    members.map(({ person_id }) => person_id),
    members.map(({ from }) => from),
    members.map(({ to }) => to),
  ];
  return {
    members,
    people: sql`(select * from unnest(${people}::int[], ${from}::timestamptz[], ${to}::timestamptz[])
      carried (person_id, "from", "to"))`,
  };
}

/** Several teams, told apart. */
export interface TeamsApart {
  /** Each by its id, with what tells it from the others. */
  readonly names: ReadonlyMap<number, string>;
  readonly as: ScopeTeam['as'];
  /** A relation of `team_id person_id from to`: of each team what `ScopeTeam.people` is of one. */
  readonly people: RawBuilder<unknown>;
}

/**
 * Teams to be told apart, each with those of its parts that the viewer sees: those of the question, or with null all that the user sees
 * but archived ones.
 * @throws HttpError 404 when one is unknown, deleted or not to be seen by the user, all alike
 */
export async function teamsApart(
  db: Kysely<Database>,
  user_id: number,
  ids: readonly number[] | null,
  as: ScopeTeam['as'] = 'author',
): Promise<TeamsApart> {
  const { rows } = await sql<{ id: number; name: string; handle: string | null; parts: number[]; whole: boolean }>`
    with recursive visible as (
      select t.id, t.name, t.organisation || '/' || t.slug as handle, t.archived_at from teams t where ${isTeamVisible(user_id)}
    ),
    part (root, id, seen) as (
      select id, id, true from visible where ${ids === null ? sql`archived_at is null` : sql`id = any(${ids}::int[])`}
      union
      select part.root, held.id, part.seen and held.id in (select id from visible)
      from part cross join lateral (${partsOf(sql`part.id`)}) held
    )
    select root as id, (select name from visible where id = root) as name, (select handle from visible where id = root) as handle,
      bool_and(seen) as whole, array_agg(distinct id) filter (where seen) as parts
    from part group by root order by root`.execute(db);
  if (ids !== null && rows.length < new Set(ids).size) throw notFound('Team not found');
  const whole = rows.filter((row) => row.whole).map(({ id }) => id);
  const parts = rows.filter((row) => !row.whole).flatMap(({ id, parts }) => parts.map((part) => ({ id, part })));
  const ofParts = sql`
    select team_id, person_id, lower(period) as "from", upper(period) as "to" from (
      select part.root as team_id, m.person_id, unnest(range_agg(${period})) as period
      from unnest(${parts.map(({ id }) => id)}::int[], ${parts.map(({ part }) => part)}::int[]) part (root, id)
      join team_members m on m.team_id = part.id group by 1, 2
    ) merged`;
  return {
    names: teamNames(rows),
    as,
    people: sql`(
      select team_id, person_id, "from", "to" from team_people where team_id = any(${whole}::int[])
      ${parts.length === 0 ? sql`` : sql`union all ${ofParts}`})`,
  };
}

/** These teams and all that they hold, as nested now; `seen`: there is a way to it on which the user sees every team. */
export async function partsSeen(
  db: Kysely<Database>,
  user_id: number,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly seen: boolean }[]> {
  const { rows } = await sql<{ id: number; seen: boolean }>`
    with recursive ${partsOfAll(user_id, ids)}
    select id, bool_or(seen) as seen from part group by id order by id`.execute(db);
  return rows;
}

/** These teams and all that they hold as `part`, a row of `id seen` for each way to one. */
function partsOfAll(user_id: number, ids: readonly number[]): RawBuilder<unknown> {
  return sql`
    part (id, seen) as (
      select t.id, ${isTeamVisible(user_id)} from teams t where t.id = any(${ids}::int[])
      union
      select t.id, part.seen and ${isTeamVisible(user_id)}
      from part cross join lateral (${partsOf(sql`part.id`)}) held join teams t on t.id = held.id
    )`;
}

/** A period of a row `m` of `team_members`. */
const period = sql`tstzrange(coalesce(m."from", '-infinity'), coalesce(m."to", 'infinity'))`;

/** Whether a person was a member at any time. A condition that never multiplies rows; of a deleted account it is null or false. */
export function isEverMember(
  { members, people }: Pick<ScopeTeam, 'members' | 'people'>,
  person: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (members === null) return sql<boolean>`${person} in (select member.person_id from ${people} member)`;
  return sql<boolean>`${person} = any(${[...new Set(members.map(({ person_id }) => person_id))]}::int[])`;
}

/** Whether a person was a member at a moment. A condition that never multiplies rows; of a deleted account it is null or false. */
export function isMemberAt(
  team: Pick<ScopeTeam, 'members' | 'people'>,
  person: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return isMemberWhen(team, person, sql`${moment} >= belongs."from" and ${moment} < belongs."to"`);
}

/** Whether a person was a member in a time, a row `belongs` of `person_id from to`, that meets a condition which holds of all of time. */
export function isMemberWhen(
  { members, people }: Pick<ScopeTeam, 'members' | 'people'>,
  person: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const isThen = (times: RawBuilder<unknown>) =>
    sql<boolean>`exists (select from ${times} belongs where belongs.person_id = ${person} and ${condition})`;
  if (members === null) return isThen(people);
  const sometimes = members.filter((member) => !isAlways(member));
  const isEver = isEverMember({ members, people }, person);
  if (sometimes.length === 0) return isEver;
  const others = [...new Set(sometimes.map(({ person_id }) => person_id))];
  return sql<boolean>`(${isEver} and (${person} <> all(${others}::int[]) or ${isThen(carried(sometimes).people)}))`;
}

/** Whether one person was a member at a moment, of rows that are all theirs. */
export function isThenMember(team: ScopeTeam, person: number, moment: RawBuilder<unknown>): RawBuilder<boolean> {
  if (team.members === null) return isMemberAt(team, sql`${person}::int`, moment);
  const times = team.members.filter(({ person_id }) => person_id === person);
  if (times.length === 0) return sql<boolean>`false`;
  if (times.some(isAlways)) return sql<boolean>`true`;
  const during = times.map(({ from, to }) => sql`${moment} >= ${from}::timestamptz and ${moment} < ${to}::timestamptz`);
  return sql<boolean>`(${sql.join(during, sql` or `)})`;
}

/** Whether somebody belongs to a team always and still. */
export const isAlways = ({ from, to }: Membership): boolean => from === '-infinity' && to === 'infinity';

/**
 * Keeps everybody else from changing members and nesting until the transaction ends; reading goes on. Whoever looks before they change,
 * or deletes a team, takes it first.
 */
export async function lockTeams(transaction: Transaction<Database>): Promise<void> {
  await sql`lock table team_people in share row exclusive mode`.execute(transaction);
}

/** Deletes users with all that is theirs; groups of others that held one of their groups have none of its people any more. */
export async function deleteUsers(db: Kysely<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.transaction().execute((within) => deleteUsersWithin(within, ids));
}

/** The same in a transaction, which locks teams before it locks anything of theirs. */
export async function deleteUsersWithin(within: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await lockTeams(within);
  const { rows } = await sql<{ id: number }>`
    select distinct held.group_id as id from team_parts held join teams t on t.id = held.team_id
    where t.created_by = any(${ids}::int[])`.execute(within);
  await within.deleteFrom('users').where('id', 'in', ids).execute();
  await expandTeams(
    within,
    rows.map(({ id }) => id),
  );
}

/**
 * Brings `team_people` in line with members and nesting, of these teams and of all that hold them. To be called once, last, in every
 * transaction that changes members, parents or parts: before one that takes a team out of another, with that other's id. One such
 * transaction at a time.
 */
export async function expandTeams(transaction: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await lockTeams(transaction);
  const { rows } = await sql<{ id: number }>`
    with recursive holder (id) as (
      select t.id from teams t where t.id = any(${ids}::int[])
      union
      select above.id from holder cross join lateral (
        select t.parent_id as id from teams t where t.id = holder.id and t.parent_id is not null
        union select held.group_id from team_parts held where held.team_id = holder.id
      ) above
    )
    select id from holder`.execute(transaction);
  const holders = rows.map(({ id }) => id);
  if (holders.length === 0) return;
  await sql`delete from team_people where team_id = any(${holders}::int[])`.execute(transaction);
  await sql`
    with recursive part (root, id) as (
      select t.id, t.id from teams t where t.id = any(${holders}::int[])
      union
      select part.root, held.id from part cross join lateral (${partsOf(sql`part.id`)}) held
    )
    insert into team_people (team_id, person_id, "from", "to")
    select root, person_id, lower(period), upper(period) from (
      select part.root, m.person_id, unnest(range_agg(${period})) as period
      from part join team_members m on m.team_id = part.id group by part.root, m.person_id
    ) merged`.execute(transaction);
}
