import { type Kysely, sql } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { up as firstSchema } from './migrations/0001-first-schema.ts';
import { up as figuresByMonth } from './migrations/0002-figures-by-month.ts';
import { up as narrowReads } from './migrations/0003-narrow-reads.ts';
import { up as quarters } from './migrations/0004-quarters.ts';
import { up as years } from './migrations/0005-years.ts';
import { recountAllParticipations } from './participations.ts';
import { SET_UP_LOCK } from './set-up-lock.ts';

/** In the order of their names; one that has shipped is never edited, and none can be undone. */
const migrations = {
  '0001-first-schema': { up: firstSchema },
  '0002-figures-by-month': { up: figuresByMonth },
  '0003-narrow-reads': { up: narrowReads },
  '0004-quarters': { up: quarters },
  '0005-years': { up: years },
};

/** The last one after which what is counted from the stored rows is counted anew; those behind it bring the counts along. */
const LAST_RECOUNTED = '0003-narrow-reads';

/** What is being done, for whoever waits: with a long history it takes minutes. */
export type MigrationStep =
  | { readonly kind: 'schema'; readonly migrations: readonly string[] }
  /** Sums of a repository's pull requests, the `at`th of `of`. */
  | { readonly kind: 'sums'; readonly repository: string; readonly at: number; readonly of: number };

/**
 * Brings the schema up to this code's and counts anew what is counted from the stored rows, where a migration asks for that: all in
 * one transaction, so that a process which dies on the way leaves the database as it was, and one process at a time. `onStep` hears
 * what begins; of a new database, nothing.
 * @throws StartError when the database was made by a newer version
 */
export async function migrate(db: Kysely<Database>, onStep: (step: MigrationStep) => void = () => {}): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0)
    throw new StartError(
      `The database was written by a newer Mergelight (it has ${unknown.join(', ')}): start that version, or restore an older backup.`,
    );
  if (applied.length === Object.keys(migrations).length) return;
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(transaction);
    // Another process may have done it while this one waited; making sure of the table first tells for certain (see the lock).
    await sql`
      create table if not exists kysely_migration (name varchar(255) primary key, "timestamp" varchar(255) not null)`.execute(
      transaction,
    );
    const already = await namesOfApplied(transaction);
    const missing = Object.entries(migrations).filter(([name]) => !already.includes(name));
    if (missing.length === 0) return;
    if (already.length > 0) onStep({ kind: 'schema', migrations: missing.map(([name]) => name) });
    for (const [name, { up }] of missing) {
      // A migration knows the tables of its own day, not those of today.
      await up(transaction as unknown as Kysely<unknown>);
      await sql`insert into kysely_migration (name, "timestamp") values (${name}, now()::text)`.execute(transaction);
    }
    if (already.includes(LAST_RECOUNTED)) return;
    const repositories = await transaction.selectFrom('repositories').select(['id', 'owner', 'name']).execute();
    for (const [before, { id, owner, name }] of repositories.entries()) {
      onStep({ kind: 'sums', repository: `${owner}/${name}`, at: before + 1, of: repositories.length });
      await recountAllParticipations(transaction, id);
    }
  });
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  return table.rows[0]?.exists === true ? await namesOfApplied(db) : [];
}

async function namesOfApplied(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
