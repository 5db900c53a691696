import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type Period, periodDays, periodLabel, periods } from '#domain/period.ts';
import { askRepositories } from '../api/questions.ts';
import { formatDay } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../url/url-state.ts';

const DAY = 24 * 3_600_000;

/** What a page's figures are narrowed to, as the calls take it; empty where nothing is chosen. */
export interface Choice {
  readonly period?: Period;
  /** A date, with `to`; never beside a period. */
  readonly from?: string;
  /** The day after the last one. */
  readonly to?: string;
  readonly repository?: number;
}

/** What the address chooses; what makes no sense counts as absent. */
export function readChoice(search: RawSearch): Choice {
  const repository = readPositive(search.repository);
  return { ...readWindow(search), ...(repository !== undefined && { repository }) };
}

function readWindow(search: RawSearch): Pick<Choice, 'period' | 'from' | 'to'> {
  const [from, to] = [readDate(search.from), readDate(search.to)];
  if (from !== undefined && to !== undefined && whyNoWindow(from, to) === null) return { from, to };
  const period = readOneOf(search.period, periods);
  return period === undefined ? {} : { period };
}

/** Why two dates, the second not counted, are no window; null where they are one. */
export function whyNoWindow(from: string, to: string): string | null {
  if (from >= to) return 'The first day must not be later than the last.';
  return twoYearsAfter(from) < to ? 'At most two years.' : null;
}

const twoYearsAfter = (date: string) => `${String(Number(date.slice(0, 4)) + 2).padStart(4, '0')}${date.slice(4)}`;

function readDate(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && daysLater(text, 0) === text ? text : undefined;
}

/** A date so many days later; of what is no date, another text. */
export function daysLater(date: string, days: number): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? '' : new Date(at + days * DAY).toISOString().slice(0, 10);
}

/** What the address narrows figures to. */
export function useChoice(): Choice {
  return readChoice(useSearch({ strict: false }) as RawSearch);
}

/** The chosen repository as `owner/name`; null while it is not known, and where all are shown. */
export function useChosenRepository(): string | null {
  const { repository } = useChoice();
  const { data } = useQuery({ ...askRepositories(), enabled: repository !== undefined });
  return data?.find(({ id }) => id === repository)?.full_name ?? null;
}

/** A window in words. */
export interface WindowWords {
  /** Another one than the figures' own. */
  readonly isChosen: boolean;
  /** "Last 30 days", "Sun 1 Nov to Sat 7 Nov". */
  readonly alone: string;
  /** The same after other words: "last 30 days". */
  readonly caption: string;
  /** "of the last 30 days", "of Sun 1 Nov to Sat 7 Nov". */
  readonly of: string;
  /** "in the last 30 days", "from Sun 1 Nov to Sat 7 Nov". */
  readonly during: string;
  /** The equally long window before: "the 30 days before". */
  readonly before: string;
}

/** The window that figures are over, in words: what the address says, else their own. */
export function useWindowWords(own: Period): WindowWords {
  const { period, from, to } = useChoice();
  const now = useNow();
  if (from === undefined || to === undefined) return periodWords(period ?? own, period !== undefined && period !== own);
  const day = (date: string) => formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC');
  const [first, last] = [day(from), day(daysLater(to, -1))];
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY);
  const alone = first === last ? first : `${first} to ${last}`;
  return {
    isChosen: true,
    alone,
    caption: alone,
    of: `of ${alone}`,
    during: first === last ? `on ${first}` : `from ${alone}`,
    before: days === 1 ? 'the day before' : `the ${days} days before`,
  };
}

function periodWords(period: Period, isChosen: boolean): WindowWords {
  const alone = periodLabel(period);
  const caption = `l${alone.slice(1)}`;
  const before = { '6mo': 'the 6 months before', '1y': 'the year before' } as const;
  return {
    isChosen,
    alone,
    caption,
    of: `of the ${caption}`,
    during: `in the ${caption}`,
    before: period === '6mo' || period === '1y' ? before[period] : `the ${periodDays(period)} days before`,
  };
}
