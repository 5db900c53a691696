import { sql } from 'kysely';
import { allOf } from '../conditions.ts';
import { authored } from '../starters.ts';
import {
  type Asked,
  authoredIn,
  byFacts,
  byPull,
  isWanted,
  it,
  narrowed,
  type Source,
  type Sql,
  table,
  wanted,
  within,
} from './source.ts';

const factsBy = (asked: Asked) => sql`${authored('pull_request_facts', authoredIn(asked))} it`;
const pullRequestsBy = (asked: Asked) => sql`${authored('pull_requests', authoredIn(asked))} it`;

/** Facts of pull requests when they were opened. */
export const openedFacts = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
});

/** Pull requests when they were opened. Author and lines changed are read from an index alone: another column reads the table. */
export const opened = table(pullRequestsBy, {
  isAuthored: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byPull('it'),
  pull: 'it',
  factsOfCounted: (facts, { window }) => sql`${sql.ref(`${facts}.created_at`)} > ${window.after}`,
  asFacts: openedFacts,
});

/** Facts of pull requests when they were merged or closed; `time_to_merge` is null of what was closed. Read from an index alone. */
export const ended = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  where: ({ compared }) =>
    compared === null
      ? []
      : [sql`(it.repository_id, it.number) <> (${compared.repository_id}::int, ${compared.number}::int)`],
});

/** Facts of those that are open. */
export const openFacts = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  isState: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  where: () => [sql`it.ended_at is null`],
});

/** Pull requests that are open, by an index of these alone. */
export const open = table(pullRequestsBy, {
  isAuthored: true,
  isState: true,
  moment: it('created_at'),
  person: it('author_id'),
  belongs: byPull('it'),
  pull: 'it',
  factsOfCounted: (facts) => sql`${sql.ref(`${facts}.ended_at`)} is null`,
  asFacts: openFacts,
  lasts: { from: it('created_at'), ends: it('ended_at') },
  where: () => [sql`it.state = 'open'`],
});

/** Pull requests when they were opened, of those that were open at a moment or later: not of all of history, by two indexes. */
export function heldSince(first: Date): Source {
  return narrowed({
    ...opened,
    rows: (asked) => {
      const part = (condition: Sql) => sql`select * from pull_requests where ${asked.scope.filter()} and ${condition}`;
      return {
        from: sql`(${part(sql`state = 'open' and ended_at is null`)} union all ${part(sql`ended_at >= ${first}`)}) it`,
        where: allOf([within(it('created_at'), asked.window), ...wanted(it('author_id'), asked)]),
      };
    },
  });
}

/** Facts of pull requests at their first review. */
export const firstReviews = table(factsBy, {
  isAuthored: true,
  isFacts: true,
  moment: it('first_review_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
});

/**
 * Facts of pull requests at their opening and at their end, so that an end later on takes nothing from a window that is over. As items each
 * once, at its end where the window holds that.
 */
export const openedAndEnded = narrowed({
  isAuthored: true,
  moment: it('at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  rows: (asked, use) => {
    const part = (moment: Sql, ...conditions: Sql[]) => sql`
      select f.repository_id, f.number, f.author_id, f.credited_id, f.created_at, ${moment} as at, f.latest_opinion
      from ${authored('pull_request_facts', authoredIn(asked))} f
      where ${asked.scope.filter('f')} and ${isWanted(sql`f.author_id`, asked)} and ${within(moment, asked.window)} and ${allOf(conditions)}`;
    const [opened, ended] = [sql`f.created_at`, sql`f.ended_at`];
    // Facts are found by their end alone, and none ended before it was opened.
    const later = sql`${ended} > ${asked.window.after}`;
    const isOnce = use === 'items' ? [sql`not (${within(ended, asked.window)})`] : [];
    return {
      from: sql`(
        ${part(ended)}
        union all ${part(opened, later, ...isOnce)}
        union all ${part(opened, sql`${ended} is null`)}) it`,
      where: sql`true`,
    };
  },
});

/** The area of the code that a path lies in: its first two folders, `.` the root. */
export const areaOf = (
  path: Sql,
) => sql`(case when ${path} like '%/%/%' then split_part(${path}, '/', 1) || '/' || split_part(${path}, '/', 2)
  when ${path} like '%/%' then split_part(${path}, '/', 1) else '.' end)`;

/** The lines that merged pull requests changed in a file, with the `area` of the code: the first two folders of a path, `.` the root. */
export const areas = narrowed({
  isAuthored: true,
  moment: it('ended_at'),
  person: it('author_id'),
  belongs: byFacts('it'),
  rows: (asked) => ({
    from: sql`(
        select f.repository_id, f.number, f.author_id, f.credited_id, f.created_at, f.ended_at,
          ${areaOf(sql`file.path`)} as area, (file.additions + file.deletions)::float8 as lines
        from ${authored('pull_request_facts', authoredIn(asked))} f
        join changed_files file on file.repository_id = f.repository_id and file.number = f.number
        where ${asked.scope.filter('f')} and ${isWanted(sql`f.author_id`, asked)} and ${within(sql`f.ended_at`, asked.window)}
          and f.time_to_merge is not null and file.additions + file.deletions > 0
      ) it`,
    where: sql`true`,
  }),
});
