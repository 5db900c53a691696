import { sql } from 'kysely';
import { humansOf, splitByTenure } from '../metrics/belongs.ts';
import { contributes } from '../metrics/conditions.ts';
import type { Scope } from '../metrics/scope.ts';
import type { Sql } from '../metrics/sources/source.ts';
import { isStarted, totalsByPerson } from '../metrics/starters.ts';
import { isEverMember, isThenMember, type ScopeTeam } from '../metrics/team-people.ts';

/**
 * What people did of all time, with `open` of now, by repository: a relation of `repository_id person_id opened open merged contributes
 * last_activity_at`, from the totals that are kept with every save. Of a team what its members did while they were (their pull requests by
 * when they opened them), a row for each of their times; kept totals serve those alone who always belonged to it. `last_activity_at` is null
 * where they did nothing then. Where the scope says so, who started an agent has its pull requests, too.
 */
export function totalsOf(scope: Scope): Sql {
  const kept = sql`
    select t.repository_id, t.person_id, t.opened, t.open, t.merged, ${contributes('t')} as contributes, t.last_activity_at
    from ${totalsByPerson(scope)} t where ${scope.filter('t')}`;
  if (scope.team === null) return sql`(${kept})`;
  const { always, sometimes } = splitByTenure(humansOf(scope.team));
  return sql`(
    ${kept} and ${isEverMember(always, sql`t.person_id`)}
    union all
    ${inTimesOf(sometimes, scope)}${scope.authors === 'openers' ? sql`` : sql` union all ${startedInTimesOf(sometimes, scope)}`})`;
}

/** The same read from what is stored, of each time `m` of these members. `offset 0`: the latest is read once, however often it is named. */
function inTimesOf(team: ScopeTeam, scope: Scope): Sql {
  const isThen = (moment: Sql) => sql`${moment} >= m."from" and ${moment} < m."to"`;
  const isTheirs = (person: Sql) => sql`repository_id = t.repository_id and ${person} = t.person_id`;
  return sql`
    select t.repository_id, t.person_id, authored.opened, authored.open, authored.merged,
      authored.opened > 0 or exists (select from reviews
        where ${isTheirs(sql`author_id`)} and ${isThen(sql`submitted_at`)} and (counts or automated)),
      case when last.at >= m."from" then last.at end
    from ${team.people} m
    join contributor_totals t on t.person_id = m.person_id and ${scope.filter('t')}
    cross join lateral (
      select count(*)::int as opened, (count(*) filter (where state = 'open'))::int as open,
        (count(*) filter (where state = 'merged'))::int as merged
      from pull_requests where ${isTheirs(sql`author_id`)} and ${isThen(sql`created_at`)}
    ) authored
    cross join lateral (select ${lastActivity(isTheirs)} as at offset 0) last`;
}

/** Agents' pull requests that these members started while they were. */
const startedInTimesOf = (team: ScopeTeam, scope: Scope) => sql`
    select f.repository_id, f.credited_id, 1, (f.ended_at is null)::int, (f.time_to_merge is not null)::int, true, null::timestamptz
    from ${team.people} m
    join pull_request_facts f on f.credited_id = m.person_id and ${scope.filter('f')} and ${isStarted('f')}
    where f.created_at >= m."from" and f.created_at < m."to"`;

/**
 * The last activity before the end of the time `m` of the person and repository of `t`. Participations are kept by month: one that goes on
 * behind the end has its own before it within the month of the end, which is read itself.
 */
function lastActivity(isTheirs: (person: Sql) => Sql): Sql {
  const inLastMonth = (moment: Sql) => sql`${moment} >= date_trunc('month', m."to") and ${moment} < m."to"`;
  return sql`case when m."to" = 'infinity' then t.last_activity_at else greatest(
    (select max(last_activity_at) from participations where ${isTheirs(sql`person_id`)} and last_activity_at < m."to"),
    (select max(at) from timeline_moments where ${isTheirs(sql`person_id`)} and ${inLastMonth(sql`at`)}),
    (select max(created_at) from comments
      where ${isTheirs(sql`author_id`)} and review_id is not null and ${inLastMonth(sql`created_at`)})) end`;
}

/** True of a pull request of a person that they opened while they belonged to the team of the scope, where it has one. */
export function isOpenedAsMember({ team }: Scope, person: number, pull: string): Sql {
  return team === null ? sql`true` : isThenMember(team, person, sql.ref(`${pull}.created_at`));
}
