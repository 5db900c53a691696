import { type RawBuilder, sql } from 'kysely';
import { columnsExcept } from '../db/columns.ts';
import type { Scope } from './scope.ts';

/*
 * Agents' pull requests as authored ones of who started them (docs/metrics.md#who-started-an-agent). Where a question doesn't ask for that,
 * each relation here is the table itself.
 */

/** Of the facts with this alias: an agent's pull request that is credited to another account than the one that opened it. */
export function isStarted(facts: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${facts}.${name}`);
  // What the index of the credited ones holds is said as that index says it.
  return sql<boolean>`(${column('credit_by')} <> 'author' and ${column('authorship')} = 'agent'
    and ${column('credited_id')} is not null and ${column('credited_id')} is distinct from ${column('author_id')})`;
}

/** Pull requests, or their facts, with whose each is as `author_id`: of both the account that opened it and who started it, once each. */
export function authored(
  table: 'pull_requests' | 'pull_request_facts',
  { authors }: Pick<Scope, 'authors'>,
): RawBuilder<unknown> {
  if (authors === 'openers') return sql.table(table);
  const columns = (alias: string) =>
    sql.join(columnsExcept(table, 'author_id').map((column) => sql.ref(`${alias}.${column}`)));
  const started =
    table === 'pull_request_facts'
      ? sql`select f.credited_id as author_id, ${columns('f')} from pull_request_facts f where ${isStarted('f')}`
      : sql`select f.credited_id as author_id, ${columns('p')} from pull_request_facts f
          join pull_requests p on p.repository_id = f.repository_id and p.number = f.number where ${isStarted('f')}`;
  if (authors === 'starters') return sql`(${started})`;
  return sql`(select t.author_id, ${columns('t')} from ${sql.table(table)} t union all ${started})`;
}

/**
 * What each person did of all time: rows of `repository_id person_id opened open merged counting_reviews automated_reviews
 * submitted_reviews last_activity_at` to be added up. Starting an agent is no activity: `last_activity_at` is null there.
 */
export function totalsByPerson({ authors, filter }: Pick<Scope, 'authors' | 'filter'>): RawBuilder<unknown> {
  if (authors === 'openers') return sql`contributor_totals`;
  return sql`(
    select repository_id, person_id, opened, open, merged, counting_reviews, automated_reviews, submitted_reviews, last_activity_at
    from contributor_totals
    union all
    select f.repository_id, f.credited_id, 1, (f.ended_at is null)::int, (f.time_to_merge is not null)::int, 0, 0, 0, null::timestamptz
    from pull_request_facts f where ${filter('f')} and ${isStarted('f')})`;
}
