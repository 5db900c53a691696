import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { paceBetween } from '../db/pace.ts';
import { withoutStatementLimit } from '../db/statement-limits.ts';
import type { Queue } from '../jobs/jobs.ts';
import { sleep } from '../sleep.ts';

/**
 * Deletes the repositories that nobody has connected any more with all that is stored of them, in short transactions, and then the names and
 * pictures of people of whom nothing is stored any more. One that fails is handed to `failed`, and the others go on. What a process that died
 * left over is found the next time: a repository's own row goes last. The queue lets one process at a time do it.
 */
export async function forgetUnconnected(
  db: Kysely<Database>,
  signal: AbortSignal,
  failed: (error: unknown, repository_id: number) => void = (error) => {
    throw error;
  },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from repositories r where not exists (select from connections c where c.repository_id = r.id)
    order by id`.execute(db);
  const emptied: number[] = [];
  for (const { id } of rows) {
    try {
      if (await emptyRepository(db, id, signal)) emptied.push(id);
    } catch (error) {
      failed(error, id);
    }
  }
  if (emptied.length === 0 || signal.aborted) return;
  await forgetPeople(db);
  for (const id of emptied)
    await db
      .deleteFrom('repositories')
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => failed(error, id));
}

/**
 * Gives a repository up, in the transaction that took its last connection, which has locked its row: whoever connects it from now on
 * gets a new one. Its data is left to `forgetUnconnected`.
 */
export async function giveUp(within: Transaction<Database>, repository_id: number): Promise<void> {
  await within
    .updateTable('repositories')
    .set({ host_id: `removed ${repository_id}` })
    .where('id', '=', repository_id)
    .execute();
  for (const table of ['sync_sessions', 'hints', 'recounts'] as const)
    await within.deleteFrom(table).where('repository_id', '=', repository_id).execute();
}

/** Deletes all of a repository that may be large or names somebody. Returns false where somebody has it connected, or the signal came first. */
async function emptyRepository(db: Kysely<Database>, repository_id: number, signal: AbortSignal): Promise<boolean> {
  const isGivenUp = await db.transaction().execute(async (within) => {
    await within.selectFrom('repositories').select('id').where('id', '=', repository_id).forUpdate().execute();
    const connection = await within
      .selectFrom('connections')
      .select('user_id')
      .where('repository_id', '=', repository_id)
      .limit(1)
      .executeTakeFirst();
    if (connection === undefined) await giveUp(within, repository_id);
    return connection === undefined;
  });
  if (!isGivenUp) return false;
  for (const { least, most, deleteSome } of parts) {
    const pace = paceBetween(least, most);
    for (let left = true; left; ) {
      if (signal.aborted) return false;
      const began = performance.now();
      const deleted = await db
        .transaction()
        .execute(async (within) => await deleteSome(within, repository_id, pace.batch));
      pace.took(deleted, performance.now() - began);
      left = deleted > 0;
    }
  }
  return true;
}

/** What a repository has most of, in the order in which it goes: `deleteSome` deletes so many at most and returns how many. */
const parts: readonly {
  readonly least: number;
  readonly most: number;
  readonly deleteSome: (within: Transaction<Database>, repository_id: number, atMost: number) => Promise<number>;
}[] = [
  {
    least: 10,
    most: 500,
    async deleteSome(within, repository_id, atMost) {
      const { rows } = await sql<{ number: number }>`
        select number from pull_requests where repository_id = ${repository_id} order by number limit ${atMost}`.execute(
        within,
      );
      const numbers = rows.map(({ number }) => number);
      for (const table of ['participations', 'pull_requests'] as const)
        await sql`
          delete from ${sql.table(table)} where repository_id = ${repository_id} and number = any(${numbers}::int[])`.execute(
          within,
        );
      return numbers.length;
    },
  },
  ...(
    [
      // Of pull requests that are gone.
      'participations',
      'lens_facts',
      'workflow_jobs',
      'workflow_runs',
      'lens_months',
      'lens_totals',
      'contributor_months',
      'contributor_totals',
      'first_acts',
      'number_states',
      'person_numbers',
    ] as const
  ).map((table) => ({
    least: 100,
    most: 5000,
    // Rows of other partitions have the same `ctid`: those of one repository lie in one.
    async deleteSome(within: Transaction<Database>, repository_id: number, atMost: number) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where repository_id = ${repository_id} and ctid = any(array(
          select ctid from ${sql.table(table)} where repository_id = ${repository_id} limit ${atMost}))`.execute(
        within,
      );
      return Number(numAffectedRows ?? 0n);
    },
  })),
];

/**
 * Forgets whom nothing names since a group, a membership or an account was deleted. Once a day: every table is read for it, and anybody may
 * change a group as often as they like.
 */
export const forgetPeopleQueue: Queue = {
  ...{ name: 'forget-people', cron: '29 * * * *', time_limit: 6 * 3600, daily: true },
};

/** Where a person can be named. Who has a total is found there first: of the others there are few. */
const mentions = sql.raw(`
  select author_id as id from pull_requests union all select merged_by_id from pull_requests
  union all select author_id from commits union all select author_id from reviews
  union all select author_id from comments union all select actor_id from events
  union all select reviewer_id from events union all select person_id from review_requests
  union all select person_id from participations union all select resolved_by_id from review_threads
  union all select person_id from corrections union all select unnest(person_ids) from clues
  union all select person_id from team_members
  union all select credited_id from pull_request_facts union all select credited_id from lens_facts
  union all select (one->>'person_id')::int from pull_requests, jsonb_array_elements(assignees) one`);

/**
 * Takes the names and pictures off people whom nothing that is stored names. The row stays, under the host's number: to delete it the
 * database would read every table once for each of them. Whoever is seen again gets their name back. All tables are read, however long that
 * takes, while nobody is locked: only who is found then is, and looked for once more, for a page may have named them meanwhile; pages that name
 * one of these wait. One looks at a time, the others after it.
 */
export async function forgetPeople(db: Kysely<Database>): Promise<void> {
  while (!(await forgetInTurn(db))) await sleep(BETWEEN_TURNS);
}

/** Whoever waits for their turn asks for it so often, in milliseconds: to wait in the database would hold a connection. */
const BETWEEN_TURNS = 1000;

/** Returns false where it is somebody else's turn: some names may be left then. */
async function forgetInTurn(db: Kysely<Database>): Promise<boolean> {
  return await withoutStatementLimit(async () => {
    const unnamed = await db.transaction().execute(async (within) => {
      if (!(await isAlone(within))) return null;
      await sql`set local statement_timeout = 0`.execute(within);
      const { rows } = await sql<{ id: number }>`
        select id from people p where p.login <> ''
          and not exists (select from contributor_totals t where t.person_id = p.id)`.execute(within);
      return await unnamedOf(within, idsOf(rows));
    });
    if (unnamed === null || unnamed.length === 0) return unnamed !== null;
    return await db.transaction().execute(async (within) => {
      if (!(await isAlone(within))) return false;
      await sql`set local statement_timeout = 0`.execute(within);
      // In the order of `savePeople`, so that nobody can be named by a page that is being stored until this commits.
      const { rows } = await sql<{ id: number }>`
        select id from people where id = any(${unnamed}::int[]) order by host, host_id for update`.execute(within);
      const ids = await unnamedOf(within, idsOf(rows));
      await sql`
        update people set login = '', name = null, name_lower = null, avatar_url = null
        where id = any(${ids}::int[])`.execute(within);
      return true;
    });
  });
}

/** Advisory lock of whoever looks for people whom nothing names: reading every table several times at once helps nobody. */
const FORGETTING_LOCK = 7_230_415;

async function isAlone(within: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${FORGETTING_LOCK}) as taken`.execute(
    within,
  );
  return rows[0]!.taken;
}

/** Of these people those whom nothing that is stored names. */
async function unnamedOf(within: Transaction<Database>, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${ids}::int[]) id
    except select id from (${mentions}) named where id = any(${ids}::int[])`.execute(within);
  return idsOf(rows);
}

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);
