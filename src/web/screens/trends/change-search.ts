import { useNavigate, useSearch } from '@tanstack/react-router';
import { onPage, type RawSearch } from '../../url/url-state.ts';
import { readTrendsSearch, type TrendsSearch } from './search.ts';

/** What the address asks for. */
export function useTrendsSearch(): TrendsSearch {
  return readTrendsSearch(useSearch({ strict: false }));
}

/** Changes parts of the address; undefined takes one out of it. */
export function useChangeSearch() {
  const navigate = useNavigate();
  return (changes: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => ({ ...before, ...changes }),
      ...onPage,
    });
}
