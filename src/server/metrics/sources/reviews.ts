import { sql } from 'kysely';
import { ownerOf } from '../../db/attribution-columns.ts';
import { humansOf } from '../belongs.ts';
import { allOf } from '../conditions.ts';
import { authored } from '../starters.ts';
import { isMemberAt } from '../team-people.ts';
import {
  authoredIn,
  type Belonging,
  isWanted,
  it,
  narrowed,
  type Source,
  type Sql,
  table,
  wanted,
  within,
} from './source.ts';

const byReview: Belonging = { person: it('author_id'), at: it('submitted_at'), ofAnyKind: true };

/** Submitted reviews. */
export const reviews = table(sql`reviews it`, {
  moment: it('submitted_at'),
  person: it('author_id'),
  belongs: byReview,
  factsOfCounted: (facts, { window }) => sql`${sql.ref(`${facts}.last_review_at`)} > ${window.after}`,
});

/** Submitted reviews of pull requests by people. */
export const reviewsOfPeople = table(
  sql`reviews it join pull_requests pull on pull.repository_id = it.repository_id and pull.number = it.number
    join people helped on helped.id = pull.author_id and helped.kind = 'human'`,
  { moment: it('submitted_at'), person: it('author_id'), belongs: byReview, pull: 'pull' },
);

/** Submitted reviews by the author whom they are given to; none lies after the end of its pull request but by a mistake of clocks. */
export const reviewsReceived = narrowed({
  isAuthored: true,
  moment: it('submitted_at'),
  person: sql`pull.author_id`,
  belongs: { person: sql`pull.author_id`, at: sql`pull.created_at` },
  rows: (asked, use) => {
    const scope = authoredIn(asked);
    // Whoever reviews what their agent opened gives that to nobody else.
    const isOfOther = scope.authors === 'openers' ? [] : [sql`it.author_id is distinct from pull.author_id`];
    if (use === 'items')
      return {
        from: sql`reviews it join ${authored('pull_requests', scope)} pull on pull.repository_id = it.repository_id and pull.number = it.number`,
        where: allOf([
          asked.scope.filter('it'),
          asked.scope.filter('pull'),
          within(it('submitted_at'), asked.window),
          ...wanted(sql`pull.author_id`, asked),
          ...isOfOther,
        ]),
      };
    const part = (facts: Sql) => sql`
      select repository_id, number, author_id, created_at from ${facts} and ${asked.scope.filter()} and ${isWanted(sql`author_id`, asked)}`;
    return {
      from: sql`(
          ${part(sql`${authored('pull_requests', scope)} p where state = 'open'`)} union all
          ${part(sql`${authored('pull_request_facts', scope)} f where ended_at > ${asked.window.after}`)}
        ) pull join reviews it on it.repository_id = pull.repository_id and it.number = pull.number`,
      where: allOf([within(it('submitted_at'), asked.window), ...isOfOther]),
    };
  },
});

/**
 * Counting reviews on the pull requests of the team that is asked about, or by its members on people's, with `crosses`: whether they were given
 * by somebody who was no member then, or to another's pull request. A pull request is the team's by whom it is credited to, whichever way
 * the scope's are. Without a team everybody is in it.
 */
function acrossTeams(side: 'received' | 'given'): Source {
  return {
    moment: it('submitted_at'),
    person: it('author_id'),
    belongs: byReview,
    rows: (asked) => {
      const { scope, window } = asked;
      const team = scope.team === null ? null : humansOf(scope.team);
      const isOurs = (person: Sql, at: Sql) =>
        team === null ? sql`${person} in (select id from people where kind = 'human')` : isMemberAt(team, person, at);
      const isByMember = isOurs(sql`given.author_id`, sql`given.submitted_at`);
      const isOfTeam = isOurs(ownerOf('f'), sql`f.created_at`);
      const [counted, crosses] =
        side === 'received'
          ? [isOfTeam, isByMember]
          : [sql`${isByMember} and f.author_id in (select id from people where kind = 'human')`, isOfTeam];
      return {
        from: sql`(
            select given.*, (${crosses}) is not true as crosses from reviews given
            join pull_request_facts f on f.repository_id = given.repository_id and f.number = given.number
            where ${scope.filter('given')} and ${scope.filter('f')} and given.counts
              and ${within(sql`given.submitted_at`, window)} and f.last_review_at > ${window.after} and ${counted}
          ) it`,
        where: isWanted(it('author_id'), asked),
      };
    },
  };
}

export const reviewsOnTeams = acrossTeams('received');
export const reviewsByTeams = acrossTeams('given');

/** Reviews that are asked for on open pull requests; `person_id` is null where a team is asked. */
export const reviewRequests = table(
  sql`pull_requests pull join review_requests it on it.repository_id = pull.repository_id and it.number = pull.number`,
  {
    isState: true,
    scope: 'pull',
    moment: sql`pull.created_at`,
    person: it('person_id'),
    belongs: { person: it('person_id'), at: 'now' },
    pull: 'pull',
    where: () => [sql`pull.state = 'open'`],
  },
);
