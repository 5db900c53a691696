import { useNavigate } from '@tanstack/react-router';
import { useSearchToday } from '../../filters/choice-of-figures.ts';
import { onPage, type RawSearch } from '../../url/url-state.ts';
import { readTrendsSearch, type TrendsSearch } from './search.ts';

/** What the address asks for. */
export function useTrendsSearch(): TrendsSearch {
  return readTrendsSearch(useSearchToday());
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
