import { useNavigate, useSearch } from '@tanstack/react-router';

/** What stands behind the `?` of an address, before a screen's own reader has looked at it. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** The named parts of an address's path. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/** Reads an address's query as plain texts: `?q=12` stays "12". A name given twice keeps its last value. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a query; undefined, null and empty texts are left out, so that an untouched screen has a clean address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** One of a few words, else undefined. */
export function readOneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((word) => word === value);
}

/** A whole number of at least 1, else undefined. */
export function readPositive(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

/** A text that is not empty, else undefined. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** How parts of an address are changed on its page: where it names no team, it goes on meaning everybody. */
export const onPage = { state: { addsNoTeam: true }, replace: true, resetScroll: false } as const;

/** Changes parts of the address; undefined takes one out of it. */
export function useChangeSearch(): (changes: RawSearch) => void {
  const navigate = useNavigate();
  return (changes) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => ({ ...before, ...changes }),
      ...onPage,
    });
}

export interface Sort<Column extends string = string> {
  readonly column: Column;
  readonly descending: boolean;
}

/** `-merged_prs` sorts by that column, descending; without the dash ascending. A column that is none of `columns` is the fallback. */
export function readSort<Column extends string>(
  value: unknown,
  fallback: Sort<Column>,
  columns: readonly Column[],
): Sort<Column> {
  const text = readText(value) ?? '';
  const descending = text.startsWith('-');
  const column = readOneOf(descending ? text.slice(1) : text, columns);
  return column === undefined ? fallback : { column, descending };
}

/** What a table can be sorted by: its columns that have a value. */
type Sortable = readonly { readonly id: string; readonly value?: unknown }[];

/**
 * The sorted column of a table, kept in the address under `name`. An untouched table leaves no trace there, and a column that it does not
 * have, or does not sort by, is as if untouched.
 */
export function useUrlSort(name: string, fallback: Sort, columns: Sortable): readonly [Sort, (sort: Sort) => void] {
  const search: RawSearch = useSearch({ strict: false });
  const change = useChangeSearch();
  const setSort = ({ column, descending }: Sort) => {
    const untouched = column === fallback.column && descending === fallback.descending;
    const text = untouched ? undefined : `${descending ? '-' : ''}${column}`;
    change({ [name]: text });
  };
  const sortable = columns.flatMap(({ id, value }) => (value === undefined ? [] : id));
  return [readSort(search[name], fallback, sortable), setSort];
}
