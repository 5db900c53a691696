import { useNavigate } from '@tanstack/react-router';
import { useSearchToday } from '../../filters/choice-of-figures.ts';
import { onPage, type RawSearch } from '../../url/url-state.ts';
import { type AiSearch, readAiSearch } from './search.ts';

export function useAiSearch(): AiSearch {
  return readAiSearch(useSearchToday());
}

/** Changes some of what the address says; undefined leaves no trace there. */
export function useChangeSearch(): (change: RawSearch) => void {
  const navigate = useNavigate();
  return (change) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => ({ ...before, ...change }),
      ...onPage,
    });
}
