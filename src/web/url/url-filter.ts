import { useSearch } from '@tanstack/react-router';
import { type RawSearch, readText, useChangeSearch } from './url-state.ts';

/**
 * One text of the address, by its name, and how to change it, from the first page on; undefined is "not filtered" and leaves no trace there.
 */
export function useUrlFilter(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const search: RawSearch = useSearch({ strict: false });
  const change = useChangeSearch();
  const set = (value: string | undefined) => change({ page: undefined, [name]: value });
  const value = search[name];
  // Where the screen's own reader has made it a number.
  return [readText(typeof value === 'number' ? String(value) : value), set];
}
