import type { Instant } from './pull-request.ts';

/** Needs `Temporal`; days, weekdays and hours are those of the viewer's time zone (docs/metrics.md#what-holds-everywhere). */

/** A calendar day in a zone: from its first instant to that of the next day, half-open. */
export interface CalendarDay {
  /** yyyy-MM-dd */
  readonly date: string;
  readonly from: Instant;
  readonly to: Instant;
}

/** An instant on the clocks of a zone; a zone that doesn't exist throws a RangeError that names it. */
export function onTheClockOf(timeZone: string, at: Instant): Temporal.ZonedDateTime {
  const instant = Temporal.Instant.fromEpochMilliseconds(at);
  try {
    return instant.toZonedDateTimeISO(timeZone);
  } catch (cause) {
    throw new RangeError(`"${timeZone}" is no time zone; use an IANA name such as "Europe/Oslo" or "UTC".`, { cause });
  }
}

/** The date (yyyy-MM-dd) that an instant falls on. */
export function dateIn(timeZone: string, at: Instant): string {
  return onTheClockOf(timeZone, at).toPlainDate().toString();
}

/**
 * When the clock reads a time on a day: the first time where clocks are set back, and as much later as they skip where they are set
 * forward. For a day that a zone skipped altogether, its end, so that it has no hours.
 */
export function wallClock(day: Temporal.PlainDate, time: Temporal.PlainTime, timeZone: string): Instant {
  const moment = day.toZonedDateTime({ timeZone, plainTime: time });
  if (moment.toPlainDate().equals(day)) return moment.epochMilliseconds;
  return day.add({ days: 1 }).toZonedDateTime({ timeZone }).epochMilliseconds;
}

const DAY = 24 * 3_600_000;

/** `days` earlier: of a midnight the midnight, also where clocks change in between; any other instant goes back by 24 hours for each. */
export function daysEarlier(at: Instant, days: number, timeZone: string): Instant {
  const clock = onTheClockOf(timeZone, at);
  if (clock.startOfDay().epochMilliseconds !== at) return at - days * DAY;
  return clock.subtract({ days }).startOfDay().epochMilliseconds;
}

/** The last `count` calendar days, today last; days have 23 or 25 hours where clocks change. */
export function lastCalendarDays(now: Instant, count: number, timeZone: string): CalendarDay[] {
  const first = onTheClockOf(timeZone, now)
    .toPlainDate()
    .subtract({ days: count - 1 });
  const days = Array.from({ length: count + 1 }, (_, index) => first.add({ days: index }));
  const starts = days.map((day) => day.toZonedDateTime({ timeZone }).epochMilliseconds);
  return days
    .slice(0, -1)
    .map((day, index) => ({ date: day.toString(), from: starts[index]!, to: starts[index + 1]! }));
}
