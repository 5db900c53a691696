import { sql } from 'kysely';
import { pullRequestBelongs } from '../belongs.ts';
import { allOf, contributes } from '../conditions.ts';
import { contributions } from '../contributions.ts';
import { isStarted } from '../starters.ts';
import { isMemberAt, type ScopeTeam } from '../team-people.ts';
import {
  type Asked,
  authoredIn,
  type Belonging,
  belongs,
  countedMembers,
  isOfTeam,
  isTeamOfFacts,
  isWanted,
  it,
  narrowed,
  type Source,
  type Span,
  type Sql,
  table,
  type Use,
  wanted,
  within,
} from './source.ts';

const everyMoment = table(sql`timeline_moments it`, {
  moment: it('at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('at'), pull: 'it' },
});

/** Everything in the timelines of pull requests; `person_id` is null of checks and deleted accounts. */
export const timeline: Source = {
  ...everyMoment,
  rows: (asked, use) => {
    const { scope } = asked;
    const { team } = scope;
    if (team === null || !isTeamOfFacts(everyMoment, asked)) return everyMoment.rows(asked, use);
    const { from, where } = everyMoment.rows({ ...asked, scope: scope.ofEverybody }, use);
    // Each pull request, of which there is much, is looked up once.
    return {
      from: sql`(
          with acts as materialized (select it.* from ${from} where ${where}),
          theirs as materialized (
            select repository_id, number from (select distinct repository_id, number from acts) pull
            where ${pullRequestBelongs(team, 'pull', null, { counted: (facts) => scope.filter(facts) })}
          )
          select acts.* from acts join theirs using (repository_id, number)
        ) it`,
      where: sql`true`,
    };
  },
};

const byActivity: Belonging = { person: it('person_id'), at: it('at') };

/**
 * The same of a team's people while they were members. Whoever still is did something then if their last activity lies in it, which is kept;
 * what others did is read.
 */
function activityOf(team: ScopeTeam, asked: Asked, use: Use): { readonly from: Sql; readonly where: Sql } {
  const { scope, window } = asked;
  const { people, members } = countedMembers(team, asked);
  const isKept = sql`member."to" = 'infinity'`;
  const wasActive = sql`t.person_id = member.person_id and ${scope.filter('t')}
    and t.last_activity_at > ${window.after} and t.last_activity_at >= member."from"`;
  const acts = (person: string, more: Sql) =>
    sql`${scope.filter('act')} and ${sql.ref(`act.${person}`)} = member.person_id and ${more}`;
  const during = (at: Sql) => sql`${within(at, window)} and ${at} >= member."from" and ${at} < member."to"`;
  const moments = sql`timeline_moments act where ${acts('person_id', during(sql`act.at`))}`;
  const inline = sql`comments act where ${acts('author_id', sql`act.review_id is not null and ${during(sql`act.created_at`)}`)}`;
  // What is kept goes on to now.
  const readsAll = window.until !== null;
  const isRead = readsAll ? sql`true` : sql`not (${isKept}) and member."to" > ${window.after}`;
  const latest = (at: string, from: Sql) =>
    sql`(select act.repository_id, act.number, ${sql.ref(`act.${at}`)} as at from ${from} order by 3 desc, 1, 2 limit 1)`;
  const [kept, read] =
    use === 'items'
      ? [
          sql`select last.person_id, last.repository_id, ${numberOfLast}, last.at from (
              select distinct on (member.person_id) member.person_id, t.repository_id, t.last_activity_at as at
              from ${people} member join contributor_totals t on ${wasActive} where ${isKept}
              order by member.person_id, t.last_activity_at desc, t.repository_id
            ) last`,
          sql`select member.person_id, last.* from ${people} member
            cross join lateral (${latest('at', moments)} union all ${latest('created_at', inline)}) last where ${isRead}`,
        ]
      : [
          sql`select member.person_id from ${people} member
            where ${isKept} and exists (select from contributor_totals t where ${wasActive})`,
          sql`select distinct member.person_id from ${people} member
            where ${isRead} and (exists (select from ${moments}) or exists (select from ${inline}))`,
        ];
  const keepsAll = !readsAll && members?.every(({ to }) => to === 'infinity') === true;
  const rows = readsAll ? [read] : keepsAll ? [kept] : [kept, read];
  return {
    from: sql`(${sql.join(rows, use === 'items' ? sql` union all ` : sql` union `)}) it`,
    where: isWanted(it('person_id'), asked),
  };
}

/** The pull request of a row `last` of `repository_id person_id at`, a last activity. */
const numberOfLast = sql`(select min(one.number) from participations one where one.repository_id = last.repository_id
  and one.person_id = last.person_id and one.last_activity_at = last.at) as number`;

/** What people did in timelines, and their inline comments: once for each person of a window, from what is kept of their last activity. */
export const activity: Source = {
  moment: it('at'),
  person: it('person_id'),
  belongs: byActivity,
  rows: (asked, use) => {
    const { scope, window } = asked;
    const { team } = scope;
    if (team !== null && use !== 'each') return activityOf(team, asked, use);
    const humans = sql`join people human on human.id = it.person_id and human.kind = 'human'`;
    if (use === 'each' || (use === 'items' && window.until !== null))
      return {
        from: sql`(
            select repository_id, number, person_id, at from timeline_moments where ${scope.filter()} and ${within(sql`at`, window)}
            union all
            select repository_id, number, author_id, created_at from comments
              where ${scope.filter()} and review_id is not null and ${within(sql`created_at`, window)}
          ) it ${humans}`,
        where: allOf([isWanted(it('person_id'), asked), ...(team === null ? [] : [isOfTeam(byActivity, team, asked)])]),
      };
    const wasActive = sql`${scope.filter('t')} and t.last_activity_at > ${window.after}`;
    if (use === 'items')
      return {
        from: sql`(
            select last.*, ${numberOfLast} from (
              select distinct on (t.person_id) t.repository_id, t.person_id, t.last_activity_at as at from contributor_totals t
              where ${wasActive} order by t.person_id, t.last_activity_at desc, t.repository_id
            ) last
          ) it ${humans}`,
        where: isWanted(it('person_id'), asked),
      };
    // Of each person once, whatever the database expects, and at what is kept first. What else happened then is read once for all of them.
    const wasActiveIn =
      window.until === null
        ? sql`true`
        : sql`(it.earliest <= ${window.until}
          or exists (select from participations kept
            where ${scope.filter('kept')} and kept.person_id = it.person_id and ${within(sql`kept.last_activity_at`, window)})
          or it.person_id in (select distinct m.person_id from timeline_moments m
            where ${scope.filter('m')} and m.person_id is not null and ${within(sql`m.at`, window)})
          or it.person_id in (select distinct c.author_id from comments c
            where ${scope.filter('c')} and c.author_id is not null and c.review_id is not null and ${within(sql`c.created_at`, window)}))`;
    return {
      from: sql`(
          select t.person_id, min(t.last_activity_at) as earliest
          from contributor_totals t join people human on human.id = t.person_id and human.kind = 'human'
          where ${wasActive} group by t.person_id
        ) it`,
      where: sql`${isWanted(it('person_id'), asked)} and ${wasActiveIn}`,
    };
  },
};

/** Everything by which a person is active on a day (contributions.ts), with the `sha` of commits. */
export const contributed = narrowed({
  isAuthored: true,
  moment: it('at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('at') },
  rows: (asked) => ({
    from: sql`(${contributions(
      ({ person, at }) => sql`${asked.scope.filter()} and ${isWanted(person, asked)} and ${within(at, asked.window)}`,
      { withSha: true, ...authoredIn(asked) },
    )}) it`,
    where: sql`true`,
  }),
});

/**
 * The same in several spans, each of which is read by itself, whatever window is asked about, with the row of the pull request, which is
 * looked up once: these are few among all of history. Of a team its members' alone are read.
 */
export function contributedIn(spans: readonly Span[]): Source {
  const [after, until] = [spans.map(({ after }) => after), spans.map(({ until }) => until)];
  return {
    ...contributed,
    pull: 'it',
    rows: (asked) => ({
      from: sql`(
          with acts as materialized (
            select act.* from unnest(${after}::timestamptz[], ${until}::timestamptz[]) span (after, until)
            cross join lateral (${contributions(
              ({ person, at }) => sql`${asked.scope.filter()} and ${isWanted(person, asked)}
                and ${belongs({ belongs: { person, at } }, asked)}
                and ${at} > span.after and ${at} <= coalesce(span.until, 'infinity')`,
            )}) act
          )
          select acts.person_id, acts.at, pull.* from acts join (
            select looked_up.* from (select distinct repository_id, number from acts) each_one cross join lateral (
              select * from pull_requests p where p.repository_id = each_one.repository_id and p.number = each_one.number offset 0
            ) looked_up
          ) pull on pull.repository_id = acts.repository_id and pull.number = acts.number
        ) it`,
      where: sql`true`,
    }),
  };
}

/** A pull request in a bucket of a line. */
export interface PullInLine {
  readonly line: string;
  readonly key: number;
  readonly repository_id: number;
  readonly number: number;
}

/** The same to these pull requests, with their `line` and `key`. */
export function contributedTo(pulls: readonly PullInLine[]): Source {
  const columns = sql`${pulls.map(({ line }) => line)}::text[], ${pulls.map(({ key }) => key)}::int[],
    ${pulls.map(({ repository_id }) => repository_id)}::int[], ${pulls.map(({ number }) => number)}::int[]`;
  return narrowed({
    ...contributed,
    rows: (asked) => ({
      from: sql`(
          select pull.line, pull.key, act.* from (
            select distinct line, key, repository_id, number from unnest(${columns}) each_one (line, key, repository_id, number)
          ) pull cross join lateral (${contributions(
            ({
              person,
              at,
            }) => sql`${asked.scope.filter()} and repository_id = pull.repository_id and number = pull.number
              and ${isWanted(person, asked)} and ${within(at, asked.window)}`,
          )}) act
        ) it`,
      where: sql`true`,
    }),
  });
}

/** Commits in pull requests when they were authored; what a bot made in a person's name is not that person's. */
export const commits = table(sql`commits it`, {
  moment: it('authored_at'),
  person: it('author_id'),
  belongs: { person: it('author_id'), at: it('authored_at') },
  where: () => [
    sql`not (it.author_is_bot and exists (select from people h where h.id = it.author_id and h.kind = 'human'))`,
  ],
});

/** What people ever had to do with a pull request, month by month. */
export const participations: Source = {
  isAuthored: true,
  isState: true,
  moment: it('last_activity_at'),
  person: it('person_id'),
  belongs: { person: it('person_id'), at: it('last_activity_at') },
  rows: (asked) => {
    const { scope } = asked;
    const { team } = scope;
    const where = allOf([
      scope.filter('it'),
      ...wanted(it('person_id'), asked),
      contributes('it'),
      ...(team === null ? [] : [contributedAsMember(countedMembers(team, asked))]),
    ]);
    if (authoredIn(asked).authors === 'openers') return { from: sql`participations it`, where };
    const asMember =
      team === null ? [] : [isMemberAt(countedMembers(team, asked), sql`f.credited_id`, sql`f.created_at`)];
    return {
      from: sql`(
          select it.repository_id, it.number, it.person_id, it.last_activity_at from participations it where ${where}
          union all
          select f.repository_id, f.number, f.credited_id, f.created_at from pull_request_facts f
          where ${allOf([scope.filter('f'), isStarted('f'), ...wanted(sql`f.credited_id`, asked), ...asMember])}
        ) it`,
      where: sql`true`,
    };
  },
};

/** Whether a participation holds a pull request that a person opened, or a review that they gave, while they were a member. */
function contributedAsMember({ people }: ScopeTeam): Sql {
  const isTheirs = (act: string, at: string) => {
    const [moment, column] = [sql.ref(`${act}.${at}`), (name: string) => sql.ref(`${act}.${name}`)];
    return sql`${column('repository_id')} = it.repository_id and ${column('number')} = it.number
      and ${column('author_id')} = it.person_id and date_trunc('month', ${moment})::date = it.month
      and ${moment} >= member."from" and ${moment} < member."to"`;
  };
  return sql`exists (select from ${people} member where member.person_id = it.person_id and (
    (member."from" = '-infinity' and member."to" = 'infinity')
    or exists (select from pull_requests own where ${isTheirs('own', 'created_at')})
    or exists (select from reviews given where ${isTheirs('given', 'submitted_at')} and (given.counts or given.automated))))`;
}
