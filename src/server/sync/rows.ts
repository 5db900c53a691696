import { type RawBuilder, type SelectType, sql, type Transaction } from 'kysely';
import { columnTypes } from '../db/column-types.ts';
import { columnsExcept, list } from '../db/columns.ts';
import type { Database } from '../db/database.ts';

/** A row of a table as it goes into JSON: instants as Dates or as ISO text. */
export type JsonRow<Table extends keyof Database> = {
  readonly [Column in keyof Database[Table]]: InJson<SelectType<Database[Table][Column]>>;
};
type InJson<Value> = Date extends Value ? Value | string : Value;

/** The tables below a pull request that are written a whole row at a time. */
type NestedTable =
  | 'commits'
  | 'reviews'
  | 'comments'
  | 'events'
  | 'checks'
  | 'review_requests'
  | 'changed_files'
  | 'pull_request_facts'
  | 'lens_facts'
  | 'lens_reviews'
  | 'reviewer_acts'
  | 'lens_reviewer_acts';

/** Rows with every column except `repository_id`. */
export type Rows = {
  [Table in NestedTable]: { readonly table: Table; readonly rows: readonly Omit<JsonRow<Table>, 'repository_id'>[] };
}[NestedTable];

/** Inserts the rows of several tables in one statement: on the embedded database each statement costs about a millisecond. */
export async function insertAll(
  transaction: Transaction<Database>,
  repository_id: number,
  tables: readonly Rows[],
): Promise<void> {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return;
  const parts = filled.map(({ table, rows }, index) => {
    const columns = columnsExcept(table, 'repository_id');
    return sql`${sql.ref(`part_${index}`)} as (
      insert into ${sql.table(table)} (repository_id, ${list(columns)}) select ${repository_id}::int, ${list(columns)}
      from ${recordset(table, columns, rows)})`;
  });
  await sql`with ${sql.join(parts)} select`.execute(transaction);
}

/** JSON rows as a from-item called `r` with these columns, of the types that they have in the table. */
export function recordset<Table extends keyof Database, Column extends keyof Database[Table] & string>(
  table: Table,
  columns: readonly Column[],
  rows: readonly Pick<JsonRow<Table>, Column>[],
): RawBuilder<unknown> {
  const types: Readonly<Record<string, string>> = columnTypes[table];
  const definitions = columns.map((column) => sql`${sql.ref(column)} ${sql.raw(types[column]!)}`);
  return sql`json_to_recordset(${json(rows)}::json) as r(${sql.join(definitions)})`;
}

/** Assignments of columns from a row of the same columns. */
export function assignments(columns: readonly string[], row: 'excluded' | 'r'): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${row}.${column}`)}`));
}

/** JSON that the database can store as text: without the null character and half surrogate pairs, which it refuses. */
export function json(value: unknown): string {
  const text = JSON.stringify(value);
  if (!/\\u(0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  );
}
