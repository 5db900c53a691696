import { lastCalendarDays } from '#domain/calendar-days.ts';
import type { FigureWindow } from '#domain/metrics/metric.ts';
import { lastDays, type Period, periodDays, type Window } from '#domain/period.ts';
import type { Scope } from './scope.ts';
import type { Asked, Span, Viewpoint } from './sources.ts';

/** All time, up to now and later. */
const always: Span = { after: new Date(0), until: null };

/** No person's row id: nothing is theirs. */
export const NOBODY = 0;

/** The team's view of all time. */
export const ofTeam: Viewpoint = {
  now: new Date(0),
  time_zone: 'UTC',
  window: always,
  person: null,
  people: 'everybody',
  byPerson: false,
  compared: null,
};

/** A question about the team over all time, unless `more` says otherwise. */
export function asking(scope: Scope, now: Date, time_zone: string, more: Partial<Asked> = {}): Asked {
  return { ...ofTeam, scope, now, time_zone, ...more };
}

/** The time since a moment, that itself not counted; what is dated later than now counts as now. */
export function since(after: number): Span {
  return { after: new Date(after), until: null };
}

/** The time of a window that is over. */
export function over({ after, until }: Window): Span {
  return { after: new Date(after), until: new Date(until) };
}

/** From an instant, it too, up to another, that one not; `to` null: until now. Stored moments are whole milliseconds. */
export function fromTo(from: number, to: number | null): Span {
  return { after: new Date(from - 1), until: to === null ? null : new Date(to - 1) };
}

/** The last calendar days, today last, of a zone. */
export function sinceDays(days: number, now: Date, timeZone: string): Span {
  return fromTo(lastCalendarDays(now.getTime(), days, timeZone)[0]!.from, null);
}

/** How many days back from its end a figure's window begins; null of one that is now or all time. */
export function daysOf({ days }: FigureWindow, period: Period): number | null {
  return days === 'period' ? periodDays(period) : days;
}

/** A figure's window that ends now, or at the end of what is compared. */
export function spanOf(window: FigureWindow, period: Period, now: Date, timeZone: string): Span {
  if (window.calendarDays !== undefined) return sinceDays(window.calendarDays, now, timeZone);
  const days = daysOf(window, period);
  return days === null ? always : since(lastDays(now.getTime(), days).after);
}
