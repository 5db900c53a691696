import { useSearchToday } from '../../filters/choice-of-figures.ts';
import { type AiSearch, readAiSearch } from './search.ts';

export function useAiSearch(): AiSearch {
  return readAiSearch(useSearchToday());
}
