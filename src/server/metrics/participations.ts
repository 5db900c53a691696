import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { counted, months, ofAllTime } from './kept-columns.ts';
import { awaitRecount, forgetLenses, lensesOn, withdrawOverrides } from './lens-rows.ts';
import { noteStates } from './number-states.ts';
import { notePersonNumbers } from './person-numbers.ts';
import { changed, participationsOf, spansOf, sumsOf } from './sums.ts';

type Sql = RawBuilder<unknown>;

/**
 * Brings `participations`, `contributor_totals`, `contributor_months`, `number_states` and `person_numbers` in line with what is stored of these pull requests, so that
 * no list of people reads all history and no long period reads every pull request in it (docs/server.md#lists-and-searches
 * and `team_averages` in docs/metrics.md#one-person). To be called once, last, in every transaction that stores pull requests, computes
 * their facts again or deletes them: the numbers of the deleted ones too. Whoever has marks of their own sees everybody's figures of
 * these until a worker has computed theirs again. Locks the repository's row until the transaction ends, so that two of them never add
 * to the same totals at once.
 */
export async function recountParticipations(
  transaction: Transaction<Database>,
  repositoryId: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  const these = sql`repository_id = ${repositoryId} and number = any(${numbers}::int[])`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(transaction);
  const lenses = await lensesOn(transaction, repositoryId);
  await withdrawOverrides(transaction, repositoryId, lenses, numbers);

  const { rows: gone } = await sql<{ people: (number | null)[]; months: string[] }>`
    with gone as (delete from participations where ${these} returning *),
    gone_spans as (${spansOf('gone')}),
    gone_months as (
      update contributor_months m set participations = m.participations - s.participations, ${changed('m', '-', 's', months)}
      from gone_spans s
      where m.repository_id = ${repositoryId} and m.span = s.span and m.month = s.month and m.person_id = s.person_id
    ),
    gone_totals as (
      update contributor_totals t set ${changed('t', '-', 's', ofAllTime)}
      from (select person_id, ${sumsOf(ofAllTime)} from gone group by person_id) s
      where t.repository_id = ${repositoryId} and t.person_id is not distinct from s.person_id
    )
    select array(select distinct person_id from gone) as people,
      array(select distinct month::text from gone_spans) as months`.execute(transaction);

  const { rows: fresh } = await sql<{ person_id: number | null }>`
    with fresh as (
      insert into participations (repository_id, number, person_id, month, last_activity_at, ${list(counted)})
      ${participationsOf(sql`${repositoryId}::int`, these)}
      returning *
    ),
    fresh_months as (
      insert into contributor_months as m (repository_id, person_id, span, month, participations, ${list(months)})
      select ${repositoryId}::int, spans.* from (${spansOf('fresh')}) spans
      on conflict (repository_id, person_id, span, month) do update set
        participations = m.participations + excluded.participations, ${changed('m', '+', 'excluded', months)}
    )
    insert into contributor_totals as t (repository_id, person_id, last_activity_at, ${list(ofAllTime)})
    select ${repositoryId}::int, person_id, max(last_activity_at), ${sumsOf(ofAllTime)} from fresh group by person_id
    on conflict (repository_id, person_id) do update set ${changed('t', '+', 'excluded', ofAllTime)}
    returning t.person_id`.execute(transaction);

  const { people, months: emptied } = gone[0]!;
  const touched = [...new Set([...people, ...fresh.map(({ person_id }) => person_id)])];
  const theirs = sql`t.repository_id = ${repositoryId}
    and (t.person_id = any(${touched}::int[]) or (t.person_id is null and ${touched.includes(null)}))`;
  await sql`
    with empty_months as (
      delete from contributor_months m where m.repository_id = ${repositoryId} and m.month = any(${emptied}::date[])
        and m.person_id = any(${touched}::int[]) and m.participations = 0
    )
    delete from contributor_totals t where ${theirs} and case when t.person_id is null
      then not exists (select from participations p where p.repository_id = t.repository_id and p.person_id is null)
      else not exists (select from participations p where p.repository_id = t.repository_id and p.person_id = t.person_id)
    end`.execute(transaction);
  await sql`
    update contributor_totals t set last_activity_at = (select max(p.last_activity_at) from participations p
      where p.repository_id = t.repository_id and p.person_id = t.person_id)
    where ${theirs} and t.person_id is not null`.execute(transaction);
  await noteStates(transaction, repositoryId, numbers);
  await notePersonNumbers(transaction, repositoryId, numbers);
  await awaitRecount(transaction, repositoryId, lenses, numbers);
}

/** Computes every participation of a repository from what is stored, after a change of the schema, a bulk load or a repair. */
export async function recountAllParticipations(db: Kysely<Database>, repositoryId: number): Promise<void> {
  if (!db.isTransaction) {
    await db.transaction().execute(async (within) => await recountAllParticipations(within, repositoryId));
    return;
  }
  await countParticipations(db, repositoryId, null);
  await sumParticipations(db, repositoryId);
}

/**
 * Computes the participations in these pull requests, null for all of the repository, from what is stored. The sums don't follow:
 * `sumParticipations` is to be called once all were computed, and nobody may read them before.
 */
export async function countParticipations(
  db: Kysely<Database>,
  repositoryId: number,
  numbers: readonly number[] | null,
): Promise<void> {
  const these = numbers === null ? sql`true` : sql`number = any(${numbers}::int[])`;
  const chosen = sql`repository_id = ${repositoryId} and ${these}`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(db);
  await sql`delete from participations where ${chosen}`.execute(db);
  await sql`
      insert into participations (repository_id, number, person_id, month, last_activity_at, ${list(counted)})
      ${participationsOf(sql`${repositoryId}::int`, chosen)}`.execute(db);
  await noteStates(db, repositoryId, numbers);
  await notePersonNumbers(db, repositoryId, numbers);
}

/**
 * Sums the participations of a repository again, for its totals, months and years; within a transaction. With `people`, of those alone
 * whose id is above the first number and up to the second; where that is null, of all above and of deleted accounts. Nobody may read
 * them before all were summed; what is stored of the others meanwhile changes their sums as ever.
 */
export async function sumParticipations(
  db: Kysely<Database>,
  repositoryId: number,
  [above, upTo]: readonly [number, number | null] = [0, null],
): Promise<void> {
  const all = sql`repository_id = ${repositoryId}`;
  const chosen = sql`${all} and person_id > ${above}::int and (${upTo}::int is null or person_id <= ${upTo}::int)`;
  await sql`select from repositories where id = ${repositoryId} for no key update`.execute(db);
  const sum = async (of: Sql) =>
    await sql`
      insert into contributor_totals (repository_id, person_id, last_activity_at, ${list(ofAllTime)})
      select repository_id, person_id, max(last_activity_at), ${sumsOf(ofAllTime)}
      from participations where ${of} group by repository_id, person_id`.execute(db);
  await sql`delete from contributor_totals where ${chosen}`.execute(db);
  await sql`delete from contributor_months where ${chosen}`.execute(db);
  await sql`
      insert into contributor_months (repository_id, person_id, span, month, participations, ${list(months)})
      select ${repositoryId}::int, spans.* from (${spansOf('participations', { chosen })}) spans order by span, month`.execute(
    db,
  );
  await sum(chosen);
  if (upTo !== null) return;
  const deleted = sql`${all} and person_id is null`;
  await forgetLenses(db, repositoryId);
  await sql`delete from contributor_totals where ${deleted}`.execute(db);
  await sum(deleted);
}

/** Up to which person, above this one, so many participations lie, which can be summed at once; null where fewer do. */
export async function lastOfSum(
  db: Kysely<Database>,
  repositoryId: number,
  above: number,
  participations: number,
): Promise<number | null> {
  const { rows } = await sql<{ person_id: number }>`
    select person_id from participations where repository_id = ${repositoryId} and person_id > ${above}
    order by person_id offset ${participations} limit 1`.execute(db);
  return rows[0]?.person_id ?? null;
}
