import { type RawBuilder, sql } from 'kysely';
import { isMember } from './belongs.ts';
import type { Scope } from './scope.ts';
import { isStarted } from './starters.ts';

/**
 * Everything by which a person is active on a day: opening a pull request, authoring a commit (by its authored date), giving a
 * counting review, a comment of any kind (`active_days` in docs/metrics.md#the-team-and-its-people). A bot's or agent's reviews stand for
 * counting ones; a commit whose git author is a bot is no human's. Columns: `repository_id number person_id at`, and where `withSha`
 * says so the `sha` of commits. `authors` say whose opening a pull request is; the rest is what accounts did, which are not asked about
 * where those alone are who started agents.
 * `condition` is put into each part, with the columns' names there.
 */
export function contributions(
  condition: (columns: { person: RawBuilder<unknown>; at: RawBuilder<unknown> }) => RawBuilder<unknown>,
  { withSha = false, authors = 'openers' }: { readonly withSha?: boolean } & Partial<Pick<Scope, 'authors'>> = {},
): RawBuilder<unknown> {
  const sha = (column: RawBuilder<unknown>) => (withSha ? sql`, ${column} as sha` : sql``);
  const where = (person: string, at: string) => condition({ person: sql.ref(person), at: sql.ref(at) });
  const started = sql`
    select repository_id, number, credited_id as person_id, created_at as at${sha(sql`null::text`)}
      from pull_request_facts started where ${isStarted('started')} and ${where('credited_id', 'created_at')}`;
  if (authors === 'starters') return started;
  const ofStarters = authors === 'both' ? sql` union all ${started}` : sql``;
  return sql`
    select repository_id, number, author_id as person_id, created_at as at${sha(sql`null::text`)}
      from pull_requests where ${where('author_id', 'created_at')}
    union all
    select repository_id, number, author_id, authored_at${sha(sql`sha`)}
      from commits where ${where('author_id', 'authored_at')}
        and not (author_is_bot and exists (select from people h where h.id = commits.author_id and h.kind = 'human'))
    union all
    select repository_id, number, author_id, submitted_at${sha(sql`null::text`)}
      from reviews where (counts or automated) and ${where('author_id', 'submitted_at')}
    union all
    select repository_id, number, author_id, created_at${sha(sql`null::text`)}
      from comments where ${where('author_id', 'created_at')}${ofStarters}`;
}

/**
 * Whether a person, the column of that name in the question around it, was active since `after`, of a team as a member: a condition that
 * reads no more than one contribution.
 */
export function wasActiveSince(scope: Scope, after: Date, column: string): RawBuilder<boolean> {
  const { team } = scope;
  return sql`exists (
    select from (${contributions(
      ({ person, at }) => sql`${scope.filter()} and ${person} = ${sql.ref(column)} and ${at} > ${after}
        ${team === null ? sql`` : sql`and ${isMember(team, person, at)}`}`,
      scope,
    )}) contribution)`;
}
