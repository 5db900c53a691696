import { type RawBuilder, sql, type Transaction } from 'kysely';
import { columnTypes, type Database } from '../db/database.ts';

/** The tables below a pull request, of which whole rows are inserted. */
type NestedTable =
  | 'commits'
  | 'reviews'
  | 'comments'
  | 'events'
  | 'checks'
  | 'review_requests'
  | 'changed_files'
  | 'pull_request_facts';

export interface Rows {
  readonly table: NestedTable;
  readonly rows: readonly object[];
}

/** Inserts the rows of several tables in one statement: on the embedded database each statement costs about a millisecond. */
export async function insertAll(
  transaction: Transaction<Database>,
  repository_id: number,
  tables: readonly Rows[],
): Promise<void> {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return;
  const inserts = filled.map(({ table, rows }) => {
    const names = columnsOf(table).join(', ');
    return sql`insert into ${sql.table(table)} (repository_id, ${sql.raw(names)}) select ${repository_id}::int, ${sql.raw(names)}
      from ${recordset(table, rows)}`;
  });
  const parts = inserts.map((insert, index) => sql`${sql.ref(`part_${index}`)} as (${insert})`);
  await sql`with ${sql.join(parts)} select`.execute(transaction);
}

/** JSON rows of one of these tables as a from-item called `r`. */
export function recordset(table: Rows['table'], rows: readonly object[]): RawBuilder<unknown> {
  return definedBy(table, columnsOf(table), rows);
}

/** JSON rows as a from-item called `r`, of some of a table's columns. */
export function definedBy(
  table: keyof typeof columnTypes,
  columns: readonly string[],
  rows: readonly object[],
): RawBuilder<unknown> {
  const types: Readonly<Record<string, string>> = columnTypes[table];
  const definitions = columns.map((column) => `${column} ${types[column]}`).join(', ');
  return sql`json_to_recordset(${json(rows)}::json) as r(${sql.raw(definitions)})`;
}

function columnsOf(table: NestedTable): string[] {
  return Object.keys(columnTypes[table]).filter((column) => column !== 'repository_id');
}

/** JSON that the database can store as text: without the null character and half surrogate pairs, which it refuses. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  );
}
