import { type Kysely, sql, type Transaction } from 'kysely';
import { FACTS_VERSION } from '#domain/facts.ts';
import { keepAccountKinds } from '../db/account-kinds-lock.ts';
import type { Database } from '../db/database.ts';
import { noteChanges } from '../db/pull-request-changes.ts';
import { storedRecords } from '../db/stored-records.ts';
import { partsAndNamesIn } from '../metrics/lens-rows.ts';
import { recountParticipations } from '../metrics/participations.ts';
import { noteStarters, noteThreads } from './clues.ts';
import { eachAlone } from './each-alone.ts';
import { type FactRows, factRowsOf, reviewColumns } from './fact-rows.ts';
import { noteRelations } from './relations.ts';
import { retriesBy } from './retries.ts';
import { assignments, insertAll, recordset } from './rows.ts';

const BATCH = 100;
/** In which a statement looks for a person: of large ones a second each. */
const REPOSITORIES_AT_ONCE = 20;

/**
 * Recomputes, from what is stored, the facts of another version, those that a date in the future made provisional, and those that
 * were marked by `markFactsOf`. Nothing is fetched. Returns how many were computed.
 * A repository in which that fails is handed to `failed` and waits as `retries` says.
 */
export async function rebuildFacts(
  db: Kysely<Database>,
  now: () => Date,
  signal: AbortSignal,
  failed: (error: unknown, repository_id: number, again: boolean) => void,
  retries = retriesBy(now),
): Promise<number> {
  for (let rebuilt = 0; ; ) {
    if (signal.aborted) return rebuilt;
    const { rows } = await sql<{ repository_id: number; numbers: number[] }>`
      select repository_id, array_agg(number) as numbers from (
        select repository_id, number from pull_request_facts
        where (version < ${FACTS_VERSION} or version > ${FACTS_VERSION} or provisional_until <= ${now()})
          and not exists (select from recounts c where c.repository_id = pull_request_facts.repository_id)
          and not (repository_id = any(${retries.paused()}::int[]))
        order by repository_id, number limit ${BATCH}) stale
      group by repository_id`.execute(db);
    if (rows.length === 0) return rebuilt;
    await eachAlone(
      rows,
      signal,
      async ({ repository_id, numbers }) => {
        await rebuild(db, repository_id, numbers, now());
        rebuilt += numbers.length;
        retries.succeeded(repository_id);
      },
      (error, { repository_id }) => failed(error, repository_id, !retries.failed(repository_id)),
    );
  }
}

/**
 * Marks the facts of every pull request in which this person (the row's id) takes part, is asked to review or is named, for `rebuildFacts`: who they are has changed.
 */
export async function markFactsOf(db: Kysely<Database>, person_id: number): Promise<void> {
  const { rows: repositories } = await sql<{ id: number }>`
    select r.id from repositories r join people p on p.host = r.host where p.id = ${person_id} order by r.id`.execute(
    db,
  );
  // All are found before the first is marked: whoever stores one meanwhile waits for the marking alone.
  const found: { repository_id: number; numbers: number[] }[] = [];
  for (let from = 0; from < repositories.length; from += REPOSITORIES_AT_ONCE) {
    const ids = repositories.slice(from, from + REPOSITORIES_AT_ONCE).map(({ id }) => id);
    const { rows } = await sql<{ repository_id: number; numbers: number[] }>`
      select r.id as repository_id, array_agg(distinct number) as numbers
      from repositories r cross join lateral (${partsAndNamesIn(sql`repository_id = r.id`, sql`${person_id}::int`)}) part
      where r.id = any(${ids}::int[]) group by r.id order by r.id`.execute(db);
    found.push(...rows);
  }
  for (const { repository_id, numbers } of found)
    await sql`
      update pull_request_facts set version = 0
      where repository_id = ${repository_id} and number = any(${numbers}::int[])`.execute(db);
}

/** Computes the facts of these pull requests from what is stored, and the sums that are made of them. */
export async function rebuild(
  db: Kysely<Database>,
  repository_id: number,
  numbers: readonly number[],
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await computeFacts(transaction, repository_id, numbers, now);
    await recountParticipations(transaction, repository_id, numbers);
    await sql`update repositories set changed_at = ${now} where id = ${repository_id}`.execute(transaction);
  });
}

/** Computes the facts of these pull requests from what is stored. The sums, which are made of them, don't follow. */
export async function computeFacts(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
  now: Date,
): Promise<void> {
  await keepAccountKinds(transaction);
  const theirs = sql`repository_id = ${repository_id} and number = any(${numbers}::int[])`;
  await sql`select from pull_requests where ${theirs} order by number for no key update`.execute(transaction);
  const stored = await storedRecords(transaction, repository_id, numbers);
  const rows = [...stored.records.values()].map((record) => factRowsOf(record, stored.rowIdOf, now, stored.health));
  await sql`with acts as (delete from reviewer_acts where ${theirs}) delete from pull_request_facts where ${theirs}`.execute(
    transaction,
  );
  await saveFacts(transaction, repository_id, rows);
  await noteRelations(transaction, repository_id, numbers);
  await noteThreads(transaction, repository_id, [...stored.records.values()], now);
  await noteStarters(transaction, repository_id, stored, rows, now);
  await noteChanges(transaction, repository_id, numbers);
}

/** Stores the facts of pull requests that have none, and what is computed of their reviews, which are stored. */
export async function saveFacts(
  transaction: Transaction<Database>,
  repository_id: number,
  rows: readonly FactRows[],
): Promise<void> {
  await insertAll(transaction, repository_id, [
    { table: 'pull_request_facts', rows: rows.map(({ facts }) => facts) },
    { table: 'reviewer_acts', rows: rows.flatMap(({ acts }) => acts) },
  ]);
  const reviews = rows.flatMap((row) => row.reviews);
  await sql`
    update reviews v set ${assignments(reviewColumns, 'r')}
    from ${recordset('reviews', ['host_id', ...reviewColumns], reviews)}
    where v.repository_id = ${repository_id} and v.host_id = r.host_id`.execute(transaction);
}
