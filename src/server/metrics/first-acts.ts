import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Brings `first_acts` in line with what is stored of these pull requests: when each person, of whatever kind, first submitted a review or
 * an inline comment on somebody else's pull request while it was open. To be called with the repository's row locked, after these were
 * stored or deleted.
 */
export async function noteFirstActs(
  transaction: Transaction<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<void> {
  const here = sql`a.repository_id = ${repositoryId}::int`;
  const { rows } = await sql<{ person_id: number }>`
    delete from first_acts a where ${here} and number = any(${numbers}::int[]) returning person_id`.execute(
    transaction,
  );
  const people = rows.map(({ person_id }) => person_id);
  // Of those whose first one was on one of these, any other may be the first now.
  const others =
    people.length === 0
      ? sql``
      : sql`
        union all
        select act.number, person.id, act.at from unnest(${people}::int[]) person (id) cross join lateral (
          ${firstIn('reviews', sql`${here} and a.author_id = person.id`)}
          union all
          ${firstIn('comments', sql`${here} and a.author_id = person.id`)}
        ) act`;
  const these = sql`${here} and a.number = any(${numbers}::int[])`;
  await sql`
    insert into first_acts as f (repository_id, person_id, number, at)
    select distinct on (person_id) ${repositoryId}::int, person_id, number, at from (
      ${actsIn('reviews', these)} union all ${actsIn('comments', these)} ${others}
    ) act order by person_id, at, number
    on conflict (repository_id, person_id) do update set number = excluded.number, at = excluded.at
    where (excluded.at, excluded.number) < (f.at, f.number)`.execute(transaction);
}

function actsIn(table: 'reviews' | 'comments', where: RawBuilder<unknown>): RawBuilder<unknown> {
  const at = sql.ref(table === 'reviews' ? 'a.submitted_at' : 'a.created_at');
  return sql`
    select a.number, a.author_id as person_id, ${at} as at from ${sql.table(table)} a
    join pull_requests p on p.repository_id = a.repository_id and p.number = a.number
    where ${where} and a.author_id is not null and p.author_id is distinct from a.author_id
      and ${at} >= p.created_at and (p.ended_at is null or ${at} <= p.ended_at)
      ${table === 'comments' ? sql`and a.kind = 'inline'` : sql``}`;
}

function firstIn(table: 'reviews' | 'comments', where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${actsIn(table, where)} order by at, a.number limit 1)`;
}
