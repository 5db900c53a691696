import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/server/db/database.ts';

/** In the order in which rows refer to each other. */
const once = [
  ...['users', 'credentials', 'people', 'repositories', 'connections'],
  ...['teams', 'team_members', 'team_people', 'team_readers'],
];
const byNumber = [
  'pull_requests',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'changed_files',
  'review_requests',
  'pull_request_facts',
  'reviewer_acts',
  'revert_claims',
  'reverts',
  'follow_ups',
  'signal_dismissals',
  'pull_request_changes',
];
const derived = [
  ...['participations', 'contributor_totals', 'contributor_months', 'first_acts'],
  ...['number_states', 'person_numbers'],
];

/** Which rows of a filled PostgreSQL lie in a folder: of each table its columns and its file. */
export interface Carried {
  readonly table: string;
  readonly columns: string;
  readonly file: string;
}

/**
 * Writes the pull requests with these numbers, all that lies below them and all that is derived to files, one for each table, and
 * with `people` everything else, too. The server must be one that may write to the folder.
 */
export async function carryOut(
  db: Kysely<Database>,
  folder: string,
  { first, last, people }: { readonly first: number; readonly last: number; readonly people: boolean },
): Promise<Carried[]> {
  const carried: Carried[] = [];
  for (const table of [...(people ? once : []), ...byNumber, ...derived]) {
    const { rows } = await sql<{ columns: string }>`
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db);
    const columns = rows[0]!.columns;
    const file = join(folder, `${table}-${first}.copy`);
    const wanted = byNumber.includes(table) ? `where number between ${first} and ${last}` : '';
    await sql`copy (select ${sql.raw(columns)} from ${sql.table(table)} ${sql.raw(wanted)}) to ${sql.lit(file)}`.execute(
      db,
    );
    carried.push({ table, columns, file });
  }
  return carried;
}

/** Loads such files into an embedded database that nothing else has open; what is derived replaces what was there. */
export async function carryIn(folder: string, carried: readonly Carried[]): Promise<void> {
  const pglite = await PGlite.create(folder, { extensions: { pg_trgm } });
  // Every row comes from a database that has looked after its references.
  await pglite.exec(`set session_replication_role = replica; truncate ${derived.join(', ')}`);
  for (const { table, columns, file } of carried) {
    await pglite.query(`copy ${table} (${columns}) from '/dev/blob'`, [], { blob: await openAsBlob(file) });
  }
  await pglite.exec('vacuum analyze');
  await pglite.close();
}
