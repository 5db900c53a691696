import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { paceBetween } from '../db/pace.ts';
import { endRecount } from '../db/recounts.ts';
import { noteSeenUpToNow } from '../db/replica.ts';
import { withoutStatementLimit } from '../db/statement-limits.ts';
import { refreshStatistics } from '../db/statistics.ts';
import { forgetLenses } from '../metrics/lens-rows.ts';
import { countParticipations, lastOfSum, sumParticipations } from '../metrics/participations.ts';
import { computeFacts } from './rebuild-facts.ts';
import { retriesBy } from './retries.ts';

/** Participations that are summed in one transaction. */
const SUMMED_AT_ONCE = 15_000;

/** Advisory lock of the process that does the next batch. */
const RECOUNT_LOCK = 7_230_412;

/**
 * Recounts what a migration, or a new version of the facts, asks for, behind the running server: repository by repository in batches
 * that commit by themselves, so that a process that dies is followed by one that goes on. A repository is withheld from questions
 * while its own is under way (`isWithheld`). Returns the number of pull requests counted.
 * One in which that fails is handed to `failed` and waits as `retries` says, while the others are counted.
 */
export async function recount(
  db: Kysely<Database>,
  now: () => Date,
  signal: AbortSignal,
  failed: (error: unknown, repository_id: number, again: boolean) => void = (error) => {
    throw error;
  },
  retries = retriesBy(now),
): Promise<number> {
  const pace = paceBetween(10, 100);
  for (let counted = 0; ; ) {
    if (signal.aborted) return counted;
    let repository_id: number | null = null;
    const step = await withoutStatementLimit(() =>
      db.transaction().execute((transaction) =>
        nextStep(transaction, pace.batch, now(), retries.paused(), (begun) => {
          repository_id = begun;
        }),
      ),
    ).catch(async (error: unknown) => {
      if (repository_id === null) throw error;
      // Where the database is away, it is not the repository's failure.
      await sql`select 1`.execute(db).catch(() => Promise.reject(error));
      failed(error, repository_id, !retries.failed(repository_id));
      return 'failed' as const;
    });
    if (step === 'failed') continue;
    if (step === null) return counted;
    counted += step.counted;
    retries.succeeded(step.repository_id);
    pace.took(step.counted, step.milliseconds);
    if (step.isOver) await noteShownAgain(db, step.repository_id);
    if (step.changed.length > 0) await refreshStatistics(db, step.changed);
  }
}

/** A replica may still have the midst of it: until it has the end, whoever sees the repository again is answered by the primary. */
async function noteShownAgain(db: Kysely<Database>, repository_id: number): Promise<void> {
  const rows = await db
    .selectFrom('connections')
    .select('user_id')
    .where('repository_id', '=', repository_id)
    .execute();
  await noteSeenUpToNow(
    db,
    rows.map(({ user_id }) => user_id),
  );
}

interface Step {
  readonly repository_id: number;
  /** The repository has been recounted, and is withheld from nobody. */
  readonly isOver: boolean;
  readonly counted: number;
  readonly milliseconds: number;
  /** The tables that a whole pass over the repository has changed, once it has ended. */
  readonly changed: NonNullable<Parameters<typeof refreshStatistics>[1]>;
}

const sums = ['participations', 'contributor_totals', 'contributor_months'] as const;
const facts = ['pull_request_facts', 'reviews'] as const;

/**
 * Null when there is nothing to do, or another process is at it. The task's row is written last: whoever removes the repository
 * locks that one's row first, too. `begun` hears which repository it is about.
 */
async function nextStep(
  transaction: Transaction<Database>,
  batch: number,
  now: Date,
  paused: readonly number[],
  begun: (repository_id: number) => void,
): Promise<Step | null> {
  const began = performance.now();
  await sql`set local statement_timeout = 0`.execute(transaction);
  const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${RECOUNT_LOCK}) as taken`.execute(
    transaction,
  );
  if (lock.rows[0]?.taken !== true) return null;
  const task = await transaction
    .selectFrom('recounts')
    .selectAll()
    .where(sql<boolean>`not (repository_id = any(${paused}::int[]))`)
    .orderBy(sql`counted_to is null`)
    .orderBy('repository_id')
    .limit(1)
    .executeTakeFirst();
  if (task === undefined) return null;
  const { repository_id, counted_to, summed_to } = task;
  begun(repository_id);
  const done = async (
    change: Partial<Omit<typeof task, 'repository_id'>>,
    counted = 0,
    changed: Step['changed'] = [],
  ): Promise<Step> => {
    const milliseconds = performance.now() - began;
    await transaction
      .updateTable('recounts')
      .set({ counted: task.counted + counted, seconds: task.seconds + milliseconds / 1000, ...change })
      .where('repository_id', '=', repository_id)
      .execute();
    return { repository_id, isOver: false, counted, milliseconds, changed };
  };

  if (counted_to === null) {
    // Withheld from here on, by a transaction of its own: nobody reads half of it.
    await sql`select from repositories where id = ${repository_id} for no key update`.execute(transaction);
    await forgetLenses(transaction, repository_id);
    return await done({ counted_to: 0 });
  }
  // Facts first: the sums are made of them, and following each of them costs many times what one recount of all does. Who takes part
  // is read from the sums, so those that this version cannot use come before the facts, and once more after them.
  const atFacts = task.facts && !task.unusable;
  const { rows } = await sql<{ number: number }>`
    select number from pull_requests where repository_id = ${repository_id} and number > ${counted_to} order by number
    limit ${batch}`.execute(transaction);
  const numbers = rows.map((row) => row.number);
  const last = numbers.at(-1);
  if (last !== undefined) {
    if (atFacts) await computeFacts(transaction, repository_id, numbers, now);
    else await countParticipations(transaction, repository_id, numbers);
    return await done({ counted_to: last }, numbers.length);
  }
  if (atFacts) return await done({ facts: false, sums: true, counted_to: 0, summed_to: null }, 0, facts);
  const above = summed_to ?? 0;
  const upTo = await lastOfSum(transaction, repository_id, above, SUMMED_AT_ONCE);
  await sumParticipations(transaction, repository_id, [above, upTo]);
  if (upTo !== null) return await done({ summed_to: upTo });
  if (task.facts) return await done({ unusable: false, counted_to: 0, summed_to: null });
  await sql`update repositories set changed_at = ${now} where id = ${repository_id}`.execute(transaction);
  await endRecount(transaction, repository_id);
  const milliseconds = performance.now() - began;
  return { repository_id, isOver: true, counted: 0, milliseconds, changed: sums };
}
