import { useSearchToday } from '../../filters/choice-of-figures.ts';
import { readTrendsSearch, type TrendsSearch } from './search.ts';

/** What the address asks for. */
export function useTrendsSearch(): TrendsSearch {
  return readTrendsSearch(useSearchToday());
}
