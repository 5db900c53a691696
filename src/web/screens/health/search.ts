import { type SignalKey, signalKeys } from '#domain/signals.ts';
import { type Choice, daysLater, readChoice } from '../../filters/choice-of-figures.ts';
import { weeksBegin } from '../../time/weeks.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../../url/url-state.ts';

/** Whose pull requests can be asked for; without a choice the first two. */
export const authorships = ['human', 'assisted', 'agent'] as const;

export interface HealthSearch extends Choice {
  readonly authorship: (typeof authorships)[number] | undefined;
  readonly allBases: boolean;
  /** Signals whose rows are open. */
  readonly open: readonly SignalKey[];
  /** The signal whose pull requests are listed instead of all signals. */
  readonly list: SignalKey | undefined;
  /** Of that list, from 1. */
  readonly page: number;
}

/** What the address says of the review practice; what makes no sense counts as absent. */
export function readHealthSearch(search: RawSearch): HealthSearch {
  const open = readText(search.open)?.split(',') ?? [];
  return {
    ...readChoice(search),
    authorship: readOneOf(search.authorship, authorships),
    allBases: search.all_bases === 'true',
    open: signalKeys.filter((key) => open.includes(key)),
    list: readOneOf(search.list, signalKeys),
    page: readPositive(search.page) ?? 1,
  };
}

/** Weeks that Trends is to show at least: the drawn ones are among them, also of signals that are told of an earlier time. */
const WEEKS = 26;

/** The days by which Trends shows the weeks that are drawn of chosen ones; empty where none are chosen: it shows the latest by itself. */
export function trendDays({ from, to }: HealthSearch, today: string): { from?: string; to?: string } {
  if (from === undefined || to === undefined) return {};
  const tomorrow = daysLater(today, 1);
  const end = to < tomorrow ? to : tomorrow;
  const first = weeksBegin(WEEKS, daysLater(end, -1));
  return { from: from < first ? from : first, to: end };
}
