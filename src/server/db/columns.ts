import { type RawBuilder, sql } from 'kysely';
import { columnTypes } from './column-types.ts';
import type { Database } from './database.ts';

/** The columns of a table or view, in their order, except these. */
export function columnsExcept<Table extends keyof Database, Except extends keyof Database[Table] & string>(
  table: Table,
  ...except: readonly Except[]
): Exclude<keyof Database[Table] & string, Except>[] {
  const isLeft = (column: string): column is Exclude<keyof Database[Table] & string, Except> =>
    !except.some((other) => other === column);
  return Object.keys(columnTypes[table]).filter(isLeft);
}

/** Columns as SQL lists them. */
export function list(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
