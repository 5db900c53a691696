import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/** Of our advisory locks those of transactions that change pull requests. The second key is when each began. */
const CHANGING = 1_835_492_200;
/** Seconds of the epoch from which the second key is counted, so that it fits. */
const SINCE = 1_600_000_000;

/**
 * Notes that what is told of pull requests changes with this transaction (docs/server.md#loading-bit-by-bit). Until it ends, nobody is told of
 * changes that were made after it began.
 */
export async function noteChanges(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await holdBack(transaction);
  await sql`
    insert into pull_request_changes (repository_id, number, changed_at)
    select repository_id, number, clock_timestamp() from pull_requests
    where repository_id = ${repository_id} and number = any(${numbers}::int[]) order by number
    on conflict (repository_id, number) do update set changed_at = excluded.changed_at`.execute(transaction);
}

/** The same of some that are stored: `numbers` is a question with a column of this name. */
export async function noteChangesOf(
  transaction: Transaction<Database>,
  repository_id: number,
  numbers: RawBuilder<unknown>,
): Promise<void> {
  await holdBack(transaction);
  // In one order everywhere, so that nobody waits in a circle.
  await sql`
    with those as (
      select number from pull_request_changes where repository_id = ${repository_id} and number in (${numbers})
      order by number for no key update
    )
    update pull_request_changes c set changed_at = statement_timestamp() from those
    where c.repository_id = ${repository_id} and c.number = those.number`.execute(transaction);
}

/**
 * The same of some of those of which that was noted last before an instant, as the database writes it: at most `limit` of them, so that a
 * transaction ends soon. `numbers` as above; without it, of all. Returns how many it found: fewer than `limit` where none is left. Each is found
 * once, also by a clock that was set back behind that instant.
 */
export async function noteChangesBefore(
  transaction: Transaction<Database>,
  repository_id: number,
  before: string,
  limit: number,
  numbers?: RawBuilder<unknown>,
): Promise<number> {
  await holdBack(transaction);
  const { rows } = await sql<{ found: number }>`
    with found as (
      select number from pull_request_changes
      where repository_id = ${repository_id} and changed_at < ${before}::timestamptz
        ${numbers === undefined ? sql`` : sql`and number in (${numbers})`}
      order by changed_at limit ${limit}
    ), those as (
      select number from pull_request_changes where repository_id = ${repository_id} and number in (select number from found)
      order by number for no key update
    ), noted as (
      update pull_request_changes c set changed_at = greatest(statement_timestamp(), ${before}::timestamptz) from those
      where c.repository_id = ${repository_id} and c.number = those.number
    )
    select count(*)::int as found from found`.execute(transaction);
  return rows[0]!.found;
}

/**
 * For a transaction that changes what an export says of pull requests: until it ends, an export ends before the moment in which it began.
 * By the second in which it began, cut off: what it changes is of no earlier one.
 */
export async function holdBack(transaction: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${CHANGING}::int, (floor(extract(epoch from now()))::bigint - ${SINCE})::int)`.execute(
    transaction,
  );
}

/**
 * Before this instant, as the database writes it, no further change will appear: it lies this number of milliseconds back, and before any transaction that
 * changes pull requests and is still open began. Has to be asked in a question of its own, before what it is compared with.
 */
export async function changesAreSettledBefore(db: Kysely<Database>, milliseconds: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select least(clock_timestamp() - ${milliseconds} * interval '1 millisecond', (
      select to_timestamp(min(objid::bigint) + ${SINCE}) from pg_locks
      where locktype = 'advisory' and classid::bigint = ${CHANGING} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
    ))::text as at`.execute(db);
  return rows[0]!.at;
}
