import { type Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

/*
 * The index of the trigrams of all titles, which searches take (docs/decisions/0017-titles-by-trigrams.md). It is not made by a migration: PostgreSQL's extension pg_trgm
 * may come and go with the server, and all works without it, more slowly.
 */

const INDEX = 'pull_requests_title_trigrams';

/** Of a text that is searched for, in lower case: whether it has a trigram in every database, whatever its locale takes for letters. */
export const hasTrigram = (text: string): boolean => /[a-z0-9]{3}/.test(text);

/** Of a line of the contents of a dump (`pg_restore --list`): whether the index is made there, also that of a partition. */
export const isOfTitleIndex = (line: string): boolean =>
  /^\d+; \d+ \d+ INDEX( ATTACH)? \S+ pull_requests_(title_trigrams|p\d+_title_lower_idx) /.test(line);

/** Whether searches have none, and nobody makes one now (`create index concurrently`). An index whose making failed is there, and serves none. */
export async function lacksTitleIndex(db: Kysely<Database>): Promise<boolean> {
  // Of an index that another role makes we see that there is one, not which.
  const { rows } = await sql<{ lacks: boolean }>`
    select to_regclass('pull_requests') is not null and not exists (select from pg_index i
      where i.indexrelid = to_regclass(${INDEX}) and (i.indisvalid or exists (select from pg_stat_progress_create_index p
        where p.datname = current_database() and coalesce(p.index_relid, i.indexrelid) = i.indexrelid))) as lacks`.execute(
    db,
  );
  return rows[0]!.lacks;
}

/**
 * Drops the index that somebody left unfinished; returns whether there was one. In a transaction of its own: until that ends nobody can read
 * pull requests.
 */
export async function dropUnfinishedTitleIndex(transaction: Transaction<Database>): Promise<boolean> {
  if (!(await lacksTitleIndex(transaction))) return false;
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${INDEX}) is not null as exists`.execute(
    transaction,
  );
  if (rows[0]?.exists !== true) return false;
  await sql`drop index ${sql.id(INDEX)}`.execute(transaction);
  return true;
}

/**
 * Makes the extension and the index where they are missing. Syncs wait meanwhile, some 10 seconds for a million pull requests; questions do
 * not. Returns why there can be none, null where there is one.
 */
export async function makeTitleIndex(transaction: Transaction<Database>): Promise<string | null> {
  if (!(await lacksTitleIndex(transaction))) return null;
  await sql`savepoint before_extension`.execute(transaction);
  try {
    await sql`create extension if not exists pg_trgm`.execute(transaction);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await sql`rollback to savepoint before_extension`.execute(transaction);
    return error.message;
  }
  // Whoever made the extension may have put it beside our schema.
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'`.execute(
    transaction,
  );
  await sql`create index ${sql.id(INDEX)} on pull_requests using gin (title_lower ${sql.id(rows[0]!.schema, 'gin_trgm_ops')})`.execute(
    transaction,
  );
  return null;
}
