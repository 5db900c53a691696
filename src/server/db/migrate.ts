import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { up as firstSchema } from './migrations/0001-first-schema.ts';
import { up as figuresByMonth } from './migrations/0002-figures-by-month.ts';
import { up as narrowReads } from './migrations/0003-narrow-reads.ts';
import { up as quarters } from './migrations/0004-quarters.ts';
import { recountAllParticipations } from './participations.ts';

/** In the order of their names; one that has shipped is never edited, and none can be undone. */
const migrations = {
  '0001-first-schema': { up: firstSchema },
  '0002-figures-by-month': { up: figuresByMonth },
  '0003-narrow-reads': { up: narrowReads },
  '0004-quarters': { up: quarters },
};

/** The last one after which what is counted from the stored rows is counted anew; those behind it bring the counts along. */
const LAST_RECOUNTED = '0003-narrow-reads';

/**
 * Brings the schema up to this code's, all in one transaction and one process at a time, and then counts anew what is counted from
 * the stored rows, where a migration asks for that.
 * @throws StartError when the database was made by a newer version
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0)
    throw new StartError(
      `The database was written by a newer Mergelight (it has ${unknown.join(', ')}): start that version, or restore an older backup.`,
    );
  // The usual start: Kysely would first look at every table, for a second on the embedded database.
  if (applied.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  if (applied.includes(LAST_RECOUNTED)) return;
  const repositories = await db.selectFrom('repositories').select('id').execute();
  for (const { id } of repositories) await recountAllParticipations(db, id);
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (table.rows[0]?.exists !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}
