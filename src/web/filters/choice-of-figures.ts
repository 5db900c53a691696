import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { type Period, periodDays, periodLabel, periods } from '#domain/period.ts';
import { askRepositories, askTeams } from '../api/questions.ts';
import { useUser } from '../session/session.tsx';
import { dayOf, formatDay } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import { type RawSearch, readOneOf, readPositive, readText } from '../url/url-state.ts';

const DAY = 24 * 3_600_000;

/** Whose figures a page shows, as the calls take it; empty where nothing is chosen. */
export interface Narrowing {
  readonly repository?: number;
  readonly team?: number;
  /** What members reviewed; without it what they wrote. Never without a team. */
  readonly team_as?: 'reviewer';
}

/** The team of a page that is that team's own; null on all others, where the address may name one. */
export const TeamOfPage = createContext<number | null>(null);

/** What a page's figures are narrowed to, as the calls take it; empty where nothing is chosen. */
export interface Choice extends Narrowing {
  readonly period?: Period;
  /** A date, with `to`; never beside a period. */
  readonly from?: string;
  /** The day after the last one. */
  readonly to?: string;
}

/** What the address chooses; what makes no sense counts as absent. Whether its days have begun, screens know (`useSearchToday`). */
export function readChoice(search: RawSearch): Choice {
  return { ...readWindow(search), ...readNarrowing(search) };
}

/** The same without a window. */
export function readNarrowing(search: RawSearch): Narrowing {
  const [repository, team] = [readPositive(search.repository), readPositive(search.team)];
  return {
    ...(repository !== undefined && { repository }),
    ...(team !== undefined && { team, ...(search.team_as === 'reviewer' && { team_as: 'reviewer' }) }),
  };
}

function readWindow(search: RawSearch): Pick<Choice, 'period' | 'from' | 'to'> {
  const [from, to] = [readDate(search.from), readDate(search.to)];
  if (from !== undefined && to !== undefined && whyNoWindow(from, to) === null) return { from, to };
  const period = readOneOf(search.period, periods);
  return period === undefined ? {} : { period };
}

/** Why two dates, the second not counted, do not make a window of at most `longest` days, two years without it; null where they do. */
export function whyNoWindow(from: string, to: string, longest?: number): string | null {
  if (from >= to) return 'The first day must not be later than the last.';
  if (longest !== undefined) return daysLater(from, longest) < to ? `At most ${longest} days.` : null;
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

/** The address without a window of days that are all after today, as one may be in a link from further east. */
export function withoutDaysAhead(search: RawSearch, today: string): RawSearch {
  const from = readDate(search.from);
  return from === undefined || from <= today ? search : { ...search, from: undefined, to: undefined };
}

/** The address as it is to be read where the viewer is: days that have not begun there count as absent. */
export function useSearchToday(): RawSearch {
  const search = useSearch({ strict: false }) as RawSearch;
  const now = useNow();
  const { time_zone } = useUser();
  return withoutDaysAhead(search, dayOf(now, time_zone));
}

/** What the address narrows figures to. */
export function useChoice(): Choice {
  return readChoice(useNarrowedSearch());
}

/** The address, with the team of a page of its own. */
function useNarrowedSearch(): RawSearch {
  const search = useSearchToday();
  const team = useContext(TeamOfPage);
  return team === null ? search : { ...search, team };
}

/** Of which people the address asks for a list: nobody's pull requests are chosen there. */
export function readMembers(search: RawSearch): Omit<Narrowing, 'team_as'> {
  const { team_as: _, ...of } = readNarrowing(search);
  return of;
}

export function useMembers(): Omit<Narrowing, 'team_as'> {
  return readMembers(useNarrowedSearch());
}

/** Whose figures the address asks for. */
export function useNarrowing(): Narrowing {
  return readNarrowing(useNarrowedSearch());
}

/** The chosen repository as `owner/name` and the chosen team, as far as they are known; empty where nothing is chosen. */
export function useChosenNames(): readonly string[] {
  const { repository } = useNarrowing();
  const { data } = useQuery({ ...askRepositories(), enabled: repository !== undefined });
  const name = data?.find(({ id }) => id === repository)?.full_name;
  const team = useChosenTeam();
  return [...(name === undefined ? [] : [name]), ...(team === null ? [] : [team])];
}

/** What the chosen team is called; null while it is not known, and where none is chosen. */
export function useChosenTeam(): string | null {
  return useTeamName(useNarrowing().team);
}

/** What a team is called; null likewise. */
export function useTeamName(team: number | undefined): string | null {
  const { data } = useQuery({ ...askTeams(), enabled: team !== undefined });
  return data?.find(({ id }) => id === team)?.name ?? null;
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
  const { time_zone } = useUser();
  if (from === undefined || to === undefined) return periodWords(period ?? own, period !== undefined && period !== own);
  return daysWords(from, to, now, time_zone);
}

/** Days in words, the second not counted; none of them comes after today, where every window ends. */
export function daysWords(from: string, to: string, now: number, timeZone: string): WindowWords {
  const tomorrow = daysLater(dayOf(now, timeZone), 1);
  const end = from < tomorrow && tomorrow < to ? tomorrow : to;
  const day = (date: string) => formatDay(Date.parse(`${date}T12:00:00Z`), now, 'UTC');
  const [first, last] = [day(from), day(daysLater(end, -1))];
  const days = Math.round((Date.parse(end) - Date.parse(from)) / DAY);
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

/** A period in words. */
export function periodWords(period: Period, isChosen: boolean): WindowWords {
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
