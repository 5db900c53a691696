import { type RawBuilder, sql } from 'kysely';
import { creditedTo, humansOf, isDuring, partsOf, pullRequestsOf } from '../metrics/belongs.ts';
import type { Scope } from '../metrics/scope.ts';
import { isEverMember, type ScopeTeam } from '../metrics/team-people.ts';
import { isBot } from './filters.ts';

/*
 * What belongs to a team by its authors (docs/metrics.md#teams), for lists, which look at all of history: what members wrote themselves is
 * read where it is kept by author, and what is credited to another person than its author by indexes of that.
 */

/** Those of `pull_requests` that stand in the index by author. */
const columns = sql`p.repository_id, p.number, p.author_id, p.state, p.draft, p.created_at, p.updated_at, p.lines_changed`;

/**
 * Rows of `pull_requests` that belong to a team, with `repository_id number author_id state draft created_at updated_at lines_changed`; also
 * those by its reviews.
 */
export function rowsOfTeam(team: ScopeTeam, { filter }: Scope): RawBuilder<unknown> {
  if (team.as === 'reviewer')
    return sql`(
      select ${columns} from ${pullRequestsOf(team, filter)} own
      join pull_requests p on p.repository_id = own.repository_id and p.number = own.number and ${filter('p')})`;
  const humans = humansOf(team);
  return sql`(
    select ${columns} from ${humans.people} member
    join pull_requests p on p.author_id = member.person_id and ${filter('p')} and ${isDuring('p.created_at')}
    where not exists (
      select from pull_request_facts its
      where its.repository_id = p.repository_id and its.number = p.number and ${isOfAnother(humans, filter)})
    union all
    select ${columns} from ${humans.people} member
    join pull_request_facts its on its.credited_id = member.person_id and ${isCreditedBesides(filter)}
    join pull_requests p on p.repository_id = its.repository_id and p.number = its.number
    where ${isDuring('its.created_at')})`;
}

/**
 * How many there are, as rows of `repository_id by_bot by_agent opened open merged` to be added up, of which some take away what others
 * count: of those who always belong to a team all that they ever wrote is kept.
 */
export function countsWrittenBy(team: ScopeTeam, { filter }: Scope): RawBuilder<unknown> {
  const { always, sometimes } = partsOf(humansOf(team));
  const one = (
    sign: 1 | -1,
  ) => sql`its.repository_id, ${isBot('its.author_id')} as by_bot, its.by_agent, ${sql.lit(sign)} as opened,
      case when its.ended_at is null then ${sql.lit(sign)} else 0 end as open,
      case when its.time_to_merge is not null then ${sql.lit(sign)} else 0 end as merged`;
  return sql`(
    select t.repository_id, false as by_bot, kept.* from contributor_totals t cross join lateral (values
      (true, t.by_agent, t.open_by_agent, t.merged_by_agent),
      (false, t.opened - t.by_agent, t.open - t.open_by_agent, t.merged - t.merged_by_agent)
    ) kept (by_agent, opened, open, merged)
    where ${filter('t')} and ${isEverMember(always, sql`t.person_id`)}
    union all
    select ${one(-1)} from pull_request_facts its where ${isOfAnother(always, filter)}
    union all
    select ${one(1)} from pull_request_facts its
    where ${isCreditedBesides(filter)} and ${isEverMember(always, sql`its.credited_id`)}
    union all
    select ${one(1)} from ${sometimes.people} member
    join pull_request_facts its on ${creditedTo('its')} = member.person_id and ${filter('its')}
    where ${isDuring('its.created_at')})`;
}

type Filtered = Scope['filter'];

/** Whether facts `its` are of a pull request that somebody of a team wrote, but that is credited to another person. */
const isOfAnother = (team: ScopeTeam, filter: Filtered) =>
  sql<boolean>`(${filter('its')} and ${isEverMember(team, sql`its.author_id`)} and its.credited_id <> its.author_id)`;

/** Whether facts `its` are of a pull request that is credited to somebody who did not write it. */
const isCreditedBesides = (filter: Filtered) =>
  sql<boolean>`(${filter('its')} and its.credit_by <> 'author' and its.credited_id is distinct from its.author_id)`;
