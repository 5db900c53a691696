import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/**
 * Brings `participations` and `contributor_totals` in line with what is stored of these pull requests, so that no list of
 * people reads all history (metric definitions, section 4, "List" and "Who exists"). To be called once, last, in every
 * transaction that stores pull requests, computes their facts anew or deletes them: the numbers of the deleted ones too.
 * Locks the repository's row until the transaction ends, so that two of them never add to the same totals at once.
 */
export async function recountParticipations(
  transaction: Transaction<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const these = sql`repository_id = ${repositoryId} and number = any(${numbers}::int[])`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(transaction);

  const { rows: before } = await sql<{ person_id: number | null }>`
    with gone as (delete from participations where ${these} returning *),
    sums as (select person_id, ${sumsOf('gone')} from gone group by person_id)
    update contributor_totals t set
      opened = t.opened - s.opened,
      open = t.open - s.open,
      merged = t.merged - s.merged,
      counting_reviews = t.counting_reviews - s.counting_reviews,
      automated_reviews = t.automated_reviews - s.automated_reviews,
      submitted_reviews = t.submitted_reviews - s.submitted_reviews
    from sums s
    where t.repository_id = ${repositoryId} and t.person_id is not distinct from s.person_id
    returning t.person_id`.execute(transaction);

  const { rows: after } = await sql<{ person_id: number | null }>`
    with fresh as (
      insert into participations (repository_id, number, person_id, opened, open, merged,
        counting_reviews, automated_reviews, submitted_reviews, last_activity_at)
      select ${repositoryId}::int, number, person_id, ${sumsOf('p')}, max(at)
      from (${participationsOf(these)}) p
      group by number, person_id
      returning *
    )
    insert into contributor_totals as t (repository_id, person_id, opened, open, merged,
      counting_reviews, automated_reviews, submitted_reviews, last_activity_at)
    select ${repositoryId}::int, person_id, ${sumsOf('fresh')}, max(last_activity_at) from fresh group by person_id
    on conflict (repository_id, person_id) do update set
      opened = t.opened + excluded.opened,
      open = t.open + excluded.open,
      merged = t.merged + excluded.merged,
      counting_reviews = t.counting_reviews + excluded.counting_reviews,
      automated_reviews = t.automated_reviews + excluded.automated_reviews,
      submitted_reviews = t.submitted_reviews + excluded.submitted_reviews
    returning t.person_id`.execute(transaction);

  const touched = [...new Set([...before, ...after].map(({ person_id }) => person_id))];
  const theirs = sql`t.repository_id = ${repositoryId}
    and (t.person_id = any(${touched}::int[]) or (t.person_id is null and ${touched.includes(null)}))`;
  await sql`
    delete from contributor_totals t where ${theirs} and not exists (select from participations p
      where p.repository_id = t.repository_id and p.person_id is not distinct from t.person_id)`.execute(transaction);
  await sql`
    update contributor_totals t set last_activity_at = (select max(p.last_activity_at) from participations p
      where p.repository_id = t.repository_id and p.person_id = t.person_id)
    where ${theirs} and t.person_id is not null`.execute(transaction);
}

/** Computes every participation of a repository from what is stored, for a bulk load or after a repair. */
export async function recountAllParticipations(db: Kysely<Database>, repositoryId: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const all = sql`repository_id = ${repositoryId}`;
    await sql`select from repositories where id = ${repositoryId} for no key update`.execute(transaction);
    await sql`delete from participations where ${all}`.execute(transaction);
    await sql`delete from contributor_totals where ${all}`.execute(transaction);
    await sql`
      insert into participations (repository_id, number, person_id, opened, open, merged,
        counting_reviews, automated_reviews, submitted_reviews, last_activity_at)
      select ${repositoryId}::int, number, person_id, ${sumsOf('p')}, max(at)
      from (${participationsOf(all)}) p group by number, person_id`.execute(transaction);
    await sql`
      insert into contributor_totals (repository_id, person_id, opened, open, merged,
        counting_reviews, automated_reviews, submitted_reviews, last_activity_at)
      select repository_id, person_id, ${sumsOf('participations')}, max(last_activity_at)
      from participations where ${all} group by repository_id, person_id`.execute(transaction);
  });
}

function sumsOf(alias: string) {
  const names = ['opened', 'open', 'merged', 'counting_reviews', 'automated_reviews', 'submitted_reviews'];
  return sql.join(names.map((name) => sql`sum(${sql.ref(`${alias}.${name}`)})::int as ${sql.ref(name)}`));
}

/** One row for everything that a person did on the pull requests chosen, to be summed by number and person. */
function participationsOf(chosen: ReturnType<typeof sql>) {
  return sql`
    select number, author_id as person_id, 1 as opened, (state = 'open')::int as open, (state = 'merged')::int as merged,
      0 as counting_reviews, 0 as automated_reviews, 0 as submitted_reviews, created_at as at
      from pull_requests where ${chosen}
    union all
    select number, author_id, 0, 0, 0, counts::int, automated::int, 1, submitted_at from reviews where ${chosen}
    union all
    select number, author_id, 0, 0, 0, 0, 0, 0, created_at from comments where kind = 'inline' and ${chosen}
    union all
    select number, person_id, 0, 0, 0, 0, 0, 0, at from timeline_moments where person_id is not null and ${chosen}`;
}
