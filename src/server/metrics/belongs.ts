import { type RawBuilder, sql } from 'kysely';
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
export function partsOf(team: ScopeTeam): { readonly always: ScopeTeam; readonly sometimes: ScopeTeam } {
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
 * that of its facts, null where they aren't joined with; `counted` is what holds of them anyway, so that not all of history is read.
 */
export function pullRequestBelongs(
  team: ScopeTeam,
  pull: string,
  facts: string | null,
  counted: (facts: string) => RawBuilder<unknown> = () => sql`true`,
): RawBuilder<boolean> {
  const isOf = (alias: string) =>
    sql`${sql.ref(`${alias}.repository_id`)} = ${sql.ref(`${pull}.repository_id`)}
      and ${sql.ref(`${alias}.number`)} = ${sql.ref(`${pull}.number`)}`;
  if (team.as === 'reviewer')
    return sql<boolean>`exists (select from reviews given where ${isOf('given')} and given.counts
      and ${isMember(team, sql`given.author_id`, sql`given.submitted_at`)})`;
  const isCredited = (alias: string) => isMember(team, creditedTo(alias), sql.ref(`${alias}.created_at`));
  if (facts !== null) return isCredited(facts);
  return sql<boolean>`exists (select from pull_request_facts its where ${isOf('its')} and ${counted('its')} and ${isCredited('its')})`;
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

/**
 * The same as a relation of `repository_id number`, each once, found by an index of whom they are by, for questions that look through much
 * of history; of those by author with `ended_at time_to_merge draft by_agent author_id credited_id` of their facts, from that index alone, and
 * `authorship agents`.
 */
export function pullRequestsOf(team: ScopeTeam, filter: (alias: string) => RawBuilder<boolean>): RawBuilder<unknown> {
  const { people } = humansOf(team);
  if (team.as === 'reviewer')
    return sql`(select distinct given.repository_id, given.number from ${people} member
      join reviews given on given.author_id = member.person_id and ${filter('given')}
      where given.counts and ${isDuring('given.submitted_at')})`;
  return sql`(
    select its.repository_id, its.number, its.ended_at, its.time_to_merge, its.draft, its.by_agent, its.author_id,
      its.authorship, its.agents, its.credited_id
    from ${people} member
    join pull_request_facts its on ${creditedTo('its')} = member.person_id and ${filter('its')}
    where ${isDuring('its.created_at')})`;
}

/** Whether a moment is in the time of a `member`. */
export const isDuring = (moment: string) =>
  sql`${sql.ref(moment)} >= member."from" and ${sql.ref(moment)} < member."to"`;

/**
 * What holds of every pull request `pull` that belongs to a team by its author, and of few others: it spares the look at the facts of most.
 */
export function mayBelong(
  team: ScopeTeam,
  pull: string,
  filter: (alias: string) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  const humans = humansOf(team);
  return sql<boolean>`(${isEverMember(humans, sql.ref(`${pull}.author_id`))}
    or (${sql.ref(`${pull}.repository_id`)}, ${sql.ref(`${pull}.number`)}) in (
      select its.repository_id, its.number from pull_request_facts its
      where ${filter('its')} and its.credit_by <> 'author' and ${isEverMember(humans, sql`its.credited_id`)}))`;
}

/** By facts with this alias whose pull request it is in a team: the credited person's, else the author's. */
export function creditedTo(facts: string): RawBuilder<number | null> {
  return sql<number | null>`coalesce(${sql.ref(`${facts}.credited_id`)}, ${sql.ref(`${facts}.author_id`)})`;
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
