import { type RawBuilder, sql, type Transaction } from 'kysely';
import { keepOwnAccountKinds } from '../db/account-kinds-lock.ts';
import { columnsExcept, list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';
import { throughLens } from '../db/lens.ts';
import { noteChanges, noteChangesOf } from '../db/pull-request-changes.ts';
import { refreshStatistics } from '../db/statistics.ts';
import { storedRecords } from '../db/stored-records.ts';
import { counted } from '../metrics/kept-columns.ts';
import { addDifferences, partsAndNamesIn, withdrawOverrides } from '../metrics/lens-rows.ts';
import { participationsOf } from '../metrics/sums.ts';
import { noteThreads } from './clues.ts';
import type { SyncDeps } from './context.ts';
import { factRowsOf } from './fact-rows.ts';
import { insertAll } from './rows.ts';

type Computing = Pick<SyncDeps, 'db' | 'log' | 'now'>;

/** Pull requests of one user's lens that are counted in one transaction. */
const BATCH = 100;
/** After so many of them what the database knows of its tables is out of date. */
const MANY_BATCHES = 10;

/**
 * Brings the figures of users with marks of their own in line with these marks and with what is stored: only of pull requests in which
 * somebody takes part, is asked to review or is named whom they mark, a batch of each user and repository in turn, so that nobody waits for
 * somebody who marked many.
 * Resumable: what is left to do is stored. A user's or repository's failure is logged and stops no other's.
 */
export async function computeOwnFigures(context: Computing, signal: AbortSignal): Promise<void> {
  await followMarks(context, signal);
  const failed = new Set<string>();
  for (let batches = 0; ; ) {
    const { rows } = await sql<Lens>`
      select repository_id, user_id from lenses l
      where exists (select from lens_pending p where p.repository_id = l.repository_id and p.user_id = l.user_id)
        and ${isSettled('l.repository_id')}
      order by user_id, repository_id`.execute(context.db);
    const left = rows.filter((lens) => !failed.has(keyOf(lens)));
    if (left.length === 0) {
      if (batches >= MANY_BATCHES) await refreshStatistics(context.db);
      return;
    }
    batches += left.length;
    for (const lens of left) {
      if (signal.aborted) return;
      await caught(context, lens, failed, async (transaction) => await computeBatch(transaction, lens, context.now()));
    }
  }
}

interface Lens {
  readonly repository_id: number;
  readonly user_id: number;
}

const keyOf = ({ repository_id, user_id }: Lens) => `${repository_id} ${user_id}`;

/**
 * Finds the lenses that are missing, out of date or not needed any more: of repositories that were connected since, of users whose
 * marks have changed, and of users who have no marks or no connection left. However often a mark was changed, only what it is now counts.
 */
async function followMarks(context: Computing, signal: AbortSignal): Promise<void> {
  const { db } = context;
  const { rows: changed } = await sql<{ user_id: number; change_id: string }>`
    select m.user_id, m.change_id from own_mark_changes m where not exists (select from connections c
      where c.user_id = m.user_id and not ${isSettled('c.repository_id')})`.execute(db);
  const { rows } = await sql<Lens>`
    select c.repository_id, c.user_id from connections c
    where c.user_id = any(${changed.map(({ user_id }) => user_id)}::int[])
      or (exists (select from own_account_kinds m where m.user_id = c.user_id)
        and not exists (select from lenses l where l.repository_id = c.repository_id and l.user_id = c.user_id)
        and ${isSettled('c.repository_id')})
    union
    select l.repository_id, l.user_id from lenses l
    where not exists (select from own_account_kinds m where m.user_id = l.user_id)
      or not exists (select from connections c where c.repository_id = l.repository_id and c.user_id = l.user_id)
    order by user_id, repository_id`.execute(db);
  const failed = new Set<string>();
  for (const lens of rows) {
    if (signal.aborted) return;
    await caught(context, lens, failed, async (transaction) => await followMarksIn(transaction, lens, context.now()));
  }
  const unfinished = new Set([...failed].map((key) => Number(key.split(' ')[1])));
  for (const { user_id, change_id } of changed) {
    if (unfinished.has(user_id)) continue;
    await db.deleteFrom('own_mark_changes').where('user_id', '=', user_id).where('change_id', '=', change_id).execute();
  }
}

/** In one repository: notes which of its pull requests have to be counted for the user, or removes the lens. */
async function followMarksIn(
  transaction: Transaction<Database>,
  { repository_id, user_id }: Lens,
  now: Date,
): Promise<void> {
  await lock(transaction, repository_id);
  const here = sql`repository_id = ${repository_id} and user_id = ${user_id}`;
  const { rows } = await sql<{ needed: boolean }>`
    select exists (select from connections where ${here})
      and exists (select from own_account_kinds where user_id = ${user_id}) as needed`.execute(transaction);
  if (rows[0]?.needed !== true) {
    // A request for somebody's review changes no figure, but who is listed.
    const asked = sql`select number from review_requests where repository_id = ${repository_id}
      and person_id in (select person_id from lens_marks where ${here})`;
    await noteChangesOf(
      transaction,
      repository_id,
      sql`select number from lens_facts where ${here} union all ${asked}`,
    );
    await sql`delete from lenses where ${here}`.execute(transaction);
    return;
  }
  await sql`
    insert into lenses (repository_id, user_id, changed_at) values (${repository_id}, ${user_id}, ${now})
    on conflict (repository_id, user_id) do update set changed_at = excluded.changed_at`.execute(transaction);
  const { rows: marks } = await sql<{ person_id: number; kind: string | null; matters: boolean }>`
    select person.id as person_id, own.kind,
      coalesce(own.kind, person.kind) <> coalesce(seen.kind, person.kind) as matters
    from (select person_id, kind from lens_marks where ${here}) seen
    full join (
      select person.id as person_id, m.kind from own_account_kinds m
      join repositories r on r.id = ${repository_id} and r.host = m.host
      join people person on person.host = m.host and person.host_id = m.host_id
      where m.user_id = ${user_id}
    ) own using (person_id)
    join people person on person.id = person_id
    where own.kind is distinct from seen.kind`.execute(transaction);
  for (const { person_id, kind, matters } of marks) {
    if (matters)
      await sql`
        insert into lens_pending (repository_id, user_id, number, person_id)
        select ${repository_id}::int, ${user_id}::int, number, ${person_id}::int
        from (${partsAndNamesIn(sql`repository_id = ${repository_id}`, sql`${person_id}::int`)}) part
        on conflict do nothing`.execute(transaction);
    if (kind === null)
      await sql`delete from lens_marks where ${here} and person_id = ${person_id}`.execute(transaction);
    else
      await sql`
        insert into lens_marks (repository_id, user_id, person_id, kind)
        values (${repository_id}, ${user_id}, ${person_id}, ${kind})
        on conflict (repository_id, user_id, person_id) do update set kind = excluded.kind`.execute(transaction);
  }
}

/**
 * Counts the next pull requests of a lens that wait for it, by the marks of now, which are followed first: one that comes and goes between
 * two batches leaves nothing behind. What looks as it does to everybody is not kept. Threads that are to be read
 * because somebody is an agent for this user alone are noted: once they are read, these wait again.
 */
async function computeBatch(transaction: Transaction<Database>, lens: Lens, now: Date): Promise<void> {
  const { repository_id, user_id } = lens;
  const here = sql`repository_id = ${repository_id} and user_id = ${user_id}`;
  const pending = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ number: number }>`
      select distinct number from lens_pending where ${here} and ${condition} order by number limit ${BATCH}`.execute(
      transaction,
    );
    return rows.map(({ number }) => number);
  };
  await keepOwnAccountKinds(transaction, user_id);
  const next = await pending(sql`true`);
  // Pull requests first, then the repository, as whoever stores them does: none waits for another in a circle.
  await sql`
    select from pull_requests where repository_id = ${repository_id} and number = any(${next}::int[])
    order by number for no key update`.execute(transaction);
  await lock(transaction, repository_id);
  await followMarksIn(transaction, lens, now);
  const numbers = await pending(sql`number = any(${next}::int[])`);
  if (numbers.length === 0) return;
  const these = sql`repository_id = ${repository_id} and user_id = ${user_id} and number = any(${numbers}::int[])`;

  await withdrawOverrides(transaction, repository_id, [user_id], numbers);
  const seen = await throughLens(transaction, user_id, async () => {
    const { records, rowIdOf, health } = await storedRecords(transaction, repository_id, numbers);
    const rows = [...records.values()].map((record) => factRowsOf(record, rowIdOf, now, health));
    await insertAll(transaction, repository_id, [
      { table: 'lens_facts', rows: rows.map(({ facts }) => ({ user_id, ...facts })) },
      {
        table: 'lens_reviews',
        rows: rows.flatMap(({ facts, reviews }) =>
          reviews.map((review) => ({ user_id, number: facts.number, ...review })),
        ),
      },
      { table: 'lens_reviewer_acts', rows: rows.flatMap(({ acts }) => acts.map((row) => ({ user_id, ...row }))) },
    ]);
    await sql`
      insert into lens_participations (repository_id, number, person_id, month, last_activity_at, ${list(counted)}, user_id)
      select own.*, ${user_id}::int from (
        ${participationsOf(sql`${repository_id}::int`, sql`repository_id = ${repository_id} and number = any(${numbers}::int[])`)}
      ) own`.execute(transaction);
    return [...records.values()];
  });
  await noteThreads(transaction, repository_id, seen, now);
  await forgetWhatIsTheSame(transaction, lens, numbers);
  await addDifferences(transaction, repository_id, [user_id], numbers, 1);
  await sql`delete from lens_pending where ${these}`.execute(transaction);
  await noteChanges(transaction, repository_id, numbers);
  await sql`update lenses set changed_at = ${now} where ${here}`.execute(transaction);
}

/** The columns that depend on what accounts are. */
const factColumns = columnsExcept('lens_facts', 'repository_id', 'user_id', 'number');
const reviewColumns = columnsExcept('lens_reviews', 'repository_id', 'user_id', 'number', 'host_id');
const actColumns = columnsExcept('lens_reviewer_acts', 'repository_id', 'user_id', 'number');

async function forgetWhatIsTheSame(
  transaction: Transaction<Database>,
  { repository_id, user_id }: Lens,
  numbers: readonly number[],
): Promise<void> {
  const inO = sql`o.repository_id = ${repository_id} and o.user_id = ${user_id} and o.number = any(${numbers}::int[])`;
  const row = (table: string, columns: readonly string[]) =>
    sql`(${sql.join(columns.map((column) => sql.ref(`${table}.${column}`)))})`;
  await sql`
    delete from lens_reviews o using reviews r
    where ${inO} and r.repository_id = o.repository_id and r.host_id = o.host_id
      and ${row('o', reviewColumns)} is not distinct from ${row('r', reviewColumns)}`.execute(transaction);
  const differs = (table: string, lens: string, columns: RawBuilder<unknown>) => {
    const own = sql`select ${columns} from ${sql.table(lens)} p
      where p.repository_id = o.repository_id and p.user_id = o.user_id and p.number = o.number`;
    const everybody = sql`select ${columns} from ${sql.table(table)} p
      where p.repository_id = o.repository_id and p.number = o.number`;
    return sql`(exists (${own} except ${everybody}) or exists (${everybody} except ${own}))`;
  };
  await sql`
    delete from lens_facts o using pull_request_facts f
    where ${inO} and f.repository_id = o.repository_id and f.number = o.number
      and ${row('o', factColumns)} is not distinct from ${row('f', factColumns)}
      and not exists (select from lens_reviews r
        where r.repository_id = o.repository_id and r.user_id = o.user_id and r.number = o.number)
      and not ${differs('participations', 'lens_participations', sql`number, person_id, month, last_activity_at, ${list(counted)}`)}
      and not ${differs('reviewer_acts', 'lens_reviewer_acts', list(actColumns))}`.execute(transaction);
  for (const table of ['lens_participations', 'lens_reviewer_acts'])
    await sql`
      delete from ${sql.table(table)} o where ${inO} and not (o.number = any(array(select f.number from lens_facts f
        where f.repository_id = ${repository_id} and f.user_id = ${user_id} and f.number = any(${numbers}::int[]))))`.execute(
      transaction,
    );
}

/** Whether nothing of a repository (of the outer query's column) is recounted for everybody: until then its lenses rest. */
function isSettled(repository: string): RawBuilder<boolean> {
  return sql`not exists (select from recounts where recounts.repository_id = ${sql.ref(repository)})`;
}

/** Everybody's rows of the repository and its lenses wait for each other (see lens-rows.ts). */
async function lock(transaction: Transaction<Database>, repository_id: number): Promise<void> {
  await sql`select from repositories where id = ${repository_id} for no key update`.execute(transaction);
}

async function caught(
  { db, log }: Computing,
  lens: Lens,
  failed: Set<string>,
  act: (transaction: Transaction<Database>) => Promise<void>,
): Promise<void> {
  try {
    await db.transaction().execute(act);
  } catch (err) {
    failed.add(keyOf(lens));
    log.error({ ...lens, err }, 'failed to compute the figures of a user with marks of their own');
  }
}
