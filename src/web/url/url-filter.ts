import { useNavigate, useSearch } from '@tanstack/react-router';
import { onPage, type RawSearch, readText } from './url-state.ts';

/**
 * One text of the address, by its name, and how to change it, from the first page on; undefined is "not filtered" and leaves no trace there.
 */
export function useUrlFilter(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const search: RawSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (value: string | undefined) =>
    void navigate({
      to: '.',
      search: (before: RawSearch) => ({ ...before, page: undefined, [name]: value }),
      ...onPage,
    });
  const value = search[name];
  // Where the screen's own reader has made it a number.
  return [readText(typeof value === 'number' ? String(value) : value), set];
}
