import { useSearch } from '@tanstack/react-router';
import type { RawSearch } from '../url/url-state.ts';

/** Whose agents' pull requests are, as the calls about people take it; empty where they are those of the accounts that opened them. */
export interface Credited {
  /** They count to who started them, too (docs/metrics.md#who-started-an-agent). */
  readonly credit?: 'started';
}

/** What the address chooses. */
export function readCredit(search: RawSearch): Credited {
  return search.credit === 'started' ? { credit: 'started' } : {};
}

export function useCredit(): Credited {
  return readCredit(useSearch({ strict: false }) as RawSearch);
}

/** The choice goes along from a list of people to a person: some are there by it alone. */
export const keepCredit = (search: RawSearch): RawSearch => ({ ...readCredit(search) });

/** What a page counts by that choice, in words; null without it. */
export const creditWords = ({ credit }: Credited): string | null =>
  credit === undefined ? null : 'agents’ pull requests counted to who started them, too';
