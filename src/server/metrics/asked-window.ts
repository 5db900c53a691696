import type { WindowQuery } from '#contract/values.ts';
import { type CalendarDay, daysEarlier, lastCalendarDays, onTheClockOf } from '#domain/calendar-days.ts';
import type { FigureWindow } from '#domain/metrics/metric.ts';
import { lastDays, periodDays, periodOf, type Window } from '#domain/period.ts';
import type { Instant } from '#domain/pull-request.ts';
import { invalidValue } from '../http/errors.ts';
import { always, fromTo, over, since } from './asked.ts';
import type { Span } from './sources/source.ts';

const DAY = 24 * 3_600_000;

/** The time that figures are asked over. */
export interface AskedWindow {
  /** After, up to and including. */
  readonly window: Window;
  /** The same for questions: it goes on where it ends now, for what is dated later counts as now. */
  readonly span: Span;
  /** As it is told: of a window that was asked for by its ends from the first instant to that of what follows. */
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The window that is asked for, or else the last `days`: a period ends now, `from` counts and `to` does not; a date is its midnight in the
 * zone. What would end later than now ends now.
 * @throws HttpError 400 for a period beside `from` or `to`, for a window that is empty, begins later than now or is longer than two years
 */
export function windowAsked(asked: WindowQuery, days: number, now: Date, timeZone: string): AskedWindow {
  if (asked.from === undefined && asked.to === undefined) {
    const window = lastDays(now.getTime(), asked.period === undefined ? days : periodDays(periodOf(asked.period)));
    return { window, span: since(window.after), from: window.after, to: window.until };
  }
  if (asked.period !== undefined) throw invalidValue('period', 'is either that, or from and to');
  const end = asked.to === undefined ? Number.POSITIVE_INFINITY : momentOf(asked.to, timeZone);
  const to = Math.min(end, now.getTime());
  const from =
    asked.from === undefined
      ? onTheClockOf(timeZone, to).subtract({ days }).epochMilliseconds
      : momentOf(asked.from, timeZone);
  if (from >= end) throw invalidValue('from', 'must be before to');
  if (from >= to) throw invalidValue('from', 'must be before now');
  demandTwoYearsAtMost(from, to, timeZone);
  if (end <= to) {
    const window = { after: from - 1, until: to - 1 };
    return { window, span: over(window), from, to };
  }
  const window = { after: from - 1, until: to };
  return { window, span: since(window.after), from, to };
}

/** The same window `days` earlier, from midnight to midnight where it was that; itself for 0. */
export function movedBack(asked: AskedWindow, days: number, timeZone: string): AskedWindow {
  if (days === 0) return asked;
  const from = daysEarlier(asked.from, days, timeZone);
  const to = daysEarlier(asked.to, days, timeZone);
  const window = { after: asked.window.after - asked.from + from, until: asked.window.until - asked.to + to };
  return { window, span: over(window), from, to };
}

/**
 * As many calendar days as a window has, `most` at most, the one in which it ends last: of a window that isn't whole days of 24 hours those
 * that begin in it, so that one from midnight until now has its first day at any hour.
 */
export function calendarDaysOf(
  { window }: AskedWindow,
  timeZone: string,
  most = Number.POSITIVE_INFINITY,
): CalendarDay[] {
  const length = (window.until - window.after) / DAY;
  const days = Number.isInteger(length) ? length : daysBegun(window, timeZone);
  return lastCalendarDays(window.until, Math.min(Math.max(1, days), most), timeZone);
}

function daysBegun({ after, until }: Window, timeZone: string): number {
  const dayOf = (at: Instant) => onTheClockOf(timeZone, at).toPlainDate();
  return dayOf(after).until(dayOf(until)).days;
}

/** From the first of these calendar days until the window ends. */
export function throughDays([first]: readonly CalendarDay[], { span }: AskedWindow): Span {
  return { ...fromTo(first!.from, null), until: span.until };
}

/** What a figure covers. */
export interface CoveredWindow {
  readonly span: Span;
  /** Null where it has no window. */
  readonly from: Instant | null;
  readonly to: Instant;
}

/** A figure's window: the one that is asked for, where it is a choice, else its own, which ends now or at the end of what is compared. */
export function windowOf(figure: FigureWindow, asked: WindowQuery, now: Date, timeZone: string): CoveredWindow {
  const { days, calendarDays } = figure;
  if (days === null) {
    if (calendarDays === undefined) return { span: always, from: null, to: now.getTime() };
    const [first] = lastCalendarDays(now.getTime(), calendarDays, timeZone);
    return { span: fromTo(first!.from, null), from: first!.from, to: now.getTime() };
  }
  const window = windowAsked(figure.isChoice ? asked : {}, days, now, timeZone);
  if (calendarDays === undefined) return window;
  const all = calendarDaysOf(window, timeZone);
  return { span: throughDays(all, window), from: all[0]!.from, to: window.to };
}

/** @throws HttpError 400 for a window that is longer than two years */
export function demandTwoYearsAtMost(from: Instant, to: Instant, timeZone: string): void {
  if (onTheClockOf(timeZone, from).add({ years: 2 }).epochMilliseconds < to)
    throw invalidValue('from', 'At most two years');
}

/** The instant that a question names, or a date: its midnight in the zone. */
export function momentOf(text: string, timeZone: string): Instant {
  return text.includes('T')
    ? Date.parse(text)
    : Temporal.PlainDate.from(text).toZonedDateTime({ timeZone }).epochMilliseconds;
}
