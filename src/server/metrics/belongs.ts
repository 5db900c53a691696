import { type RawBuilder, sql } from 'kysely';
import { ownerOf } from '../db/attribution-columns.ts';
import type { Bits } from './number-states.ts';
import type { Scope } from './scope.ts';
import {
  carried,
  isAlways,
  isEverMember,
  isMemberAt,
  isMemberWhen,
  type ScopeTeam,
  type TeamsApart,
} from './team-people.ts';

/*
 * By what things belong to a team (docs/metrics.md#teams): conditions on rows of questions, by the alias that a question gives them. None of
 * them multiplies rows.
 */

/** Of a team the people alone, and when: bots and agents may be members at the host, but count in no figure. */
export function humansOf(team: ScopeTeam): ScopeTeam {
  if (team.members !== null) return { ...team, ...carried(team.members.filter(({ human }) => human)) };
  return {
    ...team,
    people: sql`(select member.person_id, member."from", member."to" from ${team.people} member
      where member.person_id in (select id from people where kind = 'human'))`,
  };
}

/**
 * Of a team those who belong to it always and still, and all others: of the first all that is kept of anybody serves for the team, too
 * (sums.ts).
 */
export function splitByTenure({ numbers: _ofAll, ...team }: ScopeTeam): {
  readonly always: ScopeTeam;
  readonly sometimes: ScopeTeam;
} {
  if (team.members !== null) {
    const parts = Object.groupBy(team.members, (member) => (isAlways(member) ? 'always' : 'sometimes'));
    const part = (name: 'always' | 'sometimes') => ({ ...team, ...carried(parts[name] ?? []) });
    return { always: part('always'), sometimes: part('sometimes') };
  }
  const part = (condition: RawBuilder<unknown>): ScopeTeam => ({
    ...team,
    people: sql`(select member.person_id, member."from", member."to" from ${team.people} member where ${condition})`,
  });
  const whole = sql`member."from" = '-infinity' and member."to" = 'infinity'`;
  return { always: part(whole), sometimes: part(sql`not (${whole})`) };
}

/** Whether a person, no bot and no agent, was a member at a moment: by that what somebody did belongs to a team. */
export function isMember(
  team: ScopeTeam,
  person: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return isMemberAt(humansOf(team), person, moment);
}

/**
 * Whether a pull request belongs to a team: to that of whom it is credited to, else of its author, when it was opened; or, where the team
 * is asked for as reviewers, to that of whoever gave it a counting review, then. `pull` is the alias of its row or of its facts, `facts`
 * that of its facts, null where they aren't joined with; `counted` is what holds of them anyway, so that not all of history is read, and
 * `author` who opened it, where the row says so: few of others are credited to a member, so that the facts of all else are not looked up.
 */
export function pullRequestBelongs(
  team: ScopeTeam,
  pull: string,
  facts: string | null,
  {
    counted = () => sql`true`,
    author,
  }: { readonly counted?: (facts: string) => RawBuilder<unknown>; readonly author?: RawBuilder<unknown> } = {},
): RawBuilder<boolean> {
  const isOf = (alias: string) =>
    sql`${sql.ref(`${alias}.repository_id`)} = ${sql.ref(`${pull}.repository_id`)}
      and ${sql.ref(`${alias}.number`)} = ${sql.ref(`${pull}.number`)}`;
  if (team.numbers !== undefined) return isAmong(team.numbers, pull);
  if (team.as === 'reviewer')
    return sql<boolean>`exists (select from reviews given where ${isOf('given')} and given.counts
      and ${isMember(team, sql`given.author_id`, sql`given.submitted_at`)})`;
  const isCredited = (alias: string) => isMember(team, ownerOf(alias), sql.ref(`${alias}.created_at`));
  if (facts !== null) return isCredited(facts);
  const isTheirs = sql<boolean>`exists (select from pull_request_facts its
    where ${isOf('its')} and ${counted('its')} and ${isCredited('its')})`;
  if (author === undefined) return isTheirs;
  const isMembers = (person: RawBuilder<unknown>) => isEverMember(humansOf(team), person);
  return sql<boolean>`((${isMembers(author)} or (${sql.ref(`${pull}.repository_id`)}, ${sql.ref(`${pull}.number`)}) in (
      select other.repository_id, other.number from pull_request_facts other
      where ${counted('other')} and other.credit_by <> 'author' and ${isMembers(sql`other.credited_id`)}
    )) and ${isTheirs})`;
}

/** The same of the team that a scope is narrowed to; true of everything where it is narrowed to none. */
export function isOfScopeTeam({ team }: Scope, pull: string, facts: string | null): RawBuilder<boolean> {
  return team === null ? sql<boolean>`true` : pullRequestBelongs(team, pull, facts);
}

/**
 * True of the facts with this alias, at least, of each pull request that belongs to a team by who reviewed it. Asked first, it saves most of
 * the looks at reviews where many pull requests are gone through one by one.
 */
export function maybeReviewedBy({ as, members }: ScopeTeam, facts: string): RawBuilder<boolean> {
  if (as !== 'reviewer' || members === null) return sql<boolean>`true`;
  const people = [...new Set(members.map(({ person_id }) => person_id))];
  return sql<boolean>`${sql.ref(`${facts}.reviewer_ids`)} && ${people}::int[]`;
}

/**
 * Whether the pull request of a row of `repository_id number` with this alias is one of those, by repository; false where it is of another. The
 * bits of all lie behind each other, those of a repository from its place on.
 */
function isAmong(numbers: ReadonlyMap<number, Bits>, alias: string): RawBuilder<boolean> {
  if (numbers.size === 0) return sql<boolean>`false`;
  const [id, number] = [sql.ref(`${alias}.repository_id`), sql.ref(`${alias}.number`)];
  const lowest = Math.min(...numbers.keys());
  const places: (number | null)[] = Array.from({ length: Math.max(...numbers.keys()) - lowest + 1 }, () => null);
  const sizes = [...places];
  let place = 0;
  for (const [repository_id, bits] of numbers) {
    places[repository_id - lowest] = place;
    sizes[repository_id - lowest] = bits.length * 8;
    place += bits.length * 8;
  }
  const at = sql`${id} - ${sql.lit(lowest - 1)}`;
  const isKnown = sql`${number} < (${sizes}::int[])[${at}]`;
  return sql<boolean>`case when ${isKnown}
    then get_bit(${Buffer.concat([...numbers.values()])}::bytea, (${places}::int[])[${at}] + ${number}) = 1 else false end`;
}

/**
 * Of rows that are told apart by team: a join with each team that they belong to, which repeats those of several and keeps those of none,
 * and whether one belongs to any of some teams. A row belongs by a person at a moment, or with `pull` by the counting reviews of the pull
 * request with that alias; reviews are `given`, of which those `inScope` are looked at.
 */
export function eachTeam(
  { people }: Pick<TeamsApart, 'people'>,
  by:
    | { readonly person: RawBuilder<unknown>; readonly at: RawBuilder<unknown> }
    | { readonly pull: string; readonly inScope: RawBuilder<boolean> },
): {
  readonly join: (teams: readonly number[] | null) => RawBuilder<unknown>;
  readonly isOf: (teams: readonly number[]) => RawBuilder<boolean>;
} {
  const members = (teams: readonly number[] | null) => sql`(
    select member.team_id, member.person_id, member."from", member."to" from ${people} member
    where member.person_id in (select id from people where kind = 'human')
      and ${teams === null ? sql`true` : sql`member.team_id = any(${teams}::int[])`})`;
  const isAt = (team: string, at: RawBuilder<unknown>) =>
    sql`${at} >= ${sql.ref(`${team}.from`)} and ${at} < ${sql.ref(`${team}.to`)}`;
  const [rows, isTheirs] =
    'pull' in by
      ? [
          (teams: readonly number[] | null) => sql`(
            select distinct given.repository_id, given.number, giver.team_id from ${members(teams)} giver
            join reviews given on given.author_id = giver.person_id and given.counts and ${isAt('giver', sql`given.submitted_at`)}
            where ${by.inScope})`,
          sql`each_team.repository_id = ${sql.ref(`${by.pull}.repository_id`)} and each_team.number = ${sql.ref(`${by.pull}.number`)}`,
        ]
      : [members, sql`each_team.person_id = ${by.person} and ${isAt('each_team', by.at)}`];
  return {
    join: (teams) => sql` left join ${rows(teams)} each_team on ${isTheirs}`,
    isOf: (teams) => sql<boolean>`exists (select from ${rows(teams)} each_team where ${isTheirs})`,
  };
}

/** Whether a person, no bot and no agent, was a member at any moment of a window: a list of a team's people holds nobody else. */
export function wasMemberIn(
  team: ScopeTeam,
  person: RawBuilder<unknown>,
  { after, until }: { readonly after: Date; readonly until: Date | null },
  now: Date,
): RawBuilder<boolean> {
  return isMemberWhen(humansOf(team), person, sql`belongs."from" <= ${until ?? now} and belongs."to" > ${after}`);
}
