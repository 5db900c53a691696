import { createContext, useContext } from 'react';
import { readTrendsSearch, type TrendsSearch } from './search.ts';

/** What the trends on screen answer: while another question is under way, still the one before. */
export interface ShownQuestion {
  readonly search: TrendsSearch;
  readonly isOutdated: boolean;
}

export const ShownContext = createContext<ShownQuestion>({ search: readTrendsSearch({}), isOutdated: false });

export const useShown = () => useContext(ShownContext);
