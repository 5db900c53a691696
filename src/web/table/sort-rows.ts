import type { Sort } from '../url/url-state.ts';

/** What a column can sort by: numbers by size, texts as people read them, null always last. */
export type SortValue = string | number | null;

const texts = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b));
}

/** The rows in the order of a value; rows that are equal keep their order in both directions, rows without a value come last. */
export function sortRows<Row>(rows: readonly Row[], value: (row: Row) => SortValue, descending: boolean): Row[] {
  return rows
    .map((row) => ({ row, by: value(row) }))
    .sort((a, b) => {
      if (a.by === null || b.by === null) return Number(a.by === null) - Number(b.by === null);
      return descending ? compare(b.by, a.by) : compare(a.by, b.by);
    })
    .map(({ row }) => row);
}

/** The rows as a table with these columns shows them: unsorted where there is no sort, or none of its columns sorts so. */
export function inOrder<Row>(
  rows: readonly Row[],
  columns: readonly { readonly id: string; readonly value?: (row: Row) => SortValue }[],
  sort: Sort | null,
): readonly Row[] {
  const value = columns.find(({ id }) => id === sort?.column)?.value;
  return sort === null || value === undefined ? rows : sortRows(rows, value, sort.descending);
}
