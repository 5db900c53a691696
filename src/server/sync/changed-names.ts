import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { paceBetween } from '../db/pace.ts';
import { noteChangesBefore } from '../db/pull-request-changes.ts';
import { partsIn } from '../metrics/lens-rows.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';
import { retriesBy } from './retries.ts';

/** Advisory lock of the process that does the next batch. */
const NAMES_LOCK = 7_230_414;

/**
 * Notes as changed the pull requests of people who have another login, name or picture, and of repositories that are called otherwise. In batches that commit by themselves, so that nobody waits for it long, by one process at a time; one that dies is followed by
 * another, which goes on with a person, and begins again with a repository. One person or repository that fails is left alone for a while.
 */
export function changedNames({
  db,
  now,
  stepFailed,
}: Pick<SyncDeps, 'db' | 'now' | 'stepFailed'>): (signal: AbortSignal) => Promise<void> {
  const pace = paceBetween(50, 1000);
  const people = retriesBy(now);
  const repositories = retriesBy(now);
  /** Of a repository's latest new name, the instant by the database's clock at which this process found it. */
  const found = new Map<number, { readonly renamed_at: string; readonly at: string }>();

  return async (signal) => {
    let isElsewhere = false;

    /**
     * Notes those that were noted last before an instant: of the others an export has the new name. `numbers` as in
     * `noteChangesBefore`. False where this process is to stop, or another one is at it.
     */
    async function noteAll(repository_id: number, before: string, numbers?: RawBuilder<unknown>): Promise<boolean> {
      while (!signal.aborted && !isElsewhere) {
        const { batch } = pace;
        const began = performance.now();
        const noted = await db.transaction().execute(async (transaction) => {
          const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${NAMES_LOCK}) as taken`.execute(
            transaction,
          );
          if (lock.rows[0]?.taken !== true) return null;
          return await noteChangesBefore(transaction, repository_id, before, batch, numbers);
        });
        if (noted === null) isElsewhere = true;
        else {
          pace.took(noted, performance.now() - began);
          if (noted < batch) return true;
        }
      }
      return false;
    }

    await eachAlone(
      await changedPeople(db, people.paused()),
      signal,
      async ({ person_id, noted_at }) => {
        for (const id of isElsewhere ? [] : await repositoriesOf(db, person_id)) {
          const parts = partsIn(sql`repository_id = ${id}`, sql`${person_id}::int`);
          const numbers = sql`select number from (${parts}) part
            union all select number from review_requests where repository_id = ${id} and person_id = ${person_id}`;
          if (!(await noteAll(id, noted_at, numbers))) return;
        }
        if (isElsewhere) return;
        await sql`
          delete from changed_people where person_id = ${person_id} and noted_at = ${noted_at}::timestamptz`.execute(
          db,
        );
        people.succeeded(person_id);
      },
      (error, { person_id }) => stepFailed('note_names', error, { person_id }, !people.failed(person_id)),
    );

    await eachAlone(
      await renamedRepositories(db, repositories.paused()),
      signal,
      async ({ id, renamed_at, at }) => {
        const known = found.get(id);
        const before = known?.renamed_at === renamed_at ? known.at : at;
        found.set(id, { renamed_at, at: before });
        if (!(await noteAll(id, before))) return;
        await sql`update repositories set rename_told_at = ${renamed_at}::timestamptz where id = ${id}`.execute(db);
        found.delete(id);
        repositories.succeeded(id);
      },
      (error, { id }) => stepFailed('note_names', error, { repository_id: id }, !repositories.failed(id)),
    );
  };
}

async function changedPeople(db: Kysely<Database>, paused: readonly number[]) {
  const { rows } = await sql<{ person_id: number; noted_at: string }>`
    select person_id, noted_at::text from changed_people where not (person_id = any(${paused}::int[]))
    order by person_id`.execute(db);
  return rows;
}

async function repositoriesOf(db: Kysely<Database>, person_id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from repositories r
    where exists (select from contributor_totals t where t.repository_id = r.id and t.person_id = ${person_id})
      or exists (select from review_requests q where q.repository_id = r.id and q.person_id = ${person_id})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

async function renamedRepositories(db: Kysely<Database>, paused: readonly number[]) {
  const { rows } = await sql<{ id: number; renamed_at: string; at: string }>`
    select id, renamed_at::text, clock_timestamp()::text as at from repositories
    where renamed_at is distinct from rename_told_at and not (id = any(${paused}::int[]))
    order by id`.execute(db);
  return rows;
}
