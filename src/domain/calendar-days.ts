import type { Instant } from './pull-request.ts';

/** Needs `Temporal`; days, weekdays and hours are those of the viewer's time zone (metric definitions, section 0, "Time"). */

/** A calendar day in a zone: from its first instant to that of the next day, half-open. */
export interface CalendarDay {
  /** yyyy-MM-dd */
  readonly date: string;
  readonly from: Instant;
  readonly to: Instant;
}

function zoned(at: Instant, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

/** Whether a text is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    zoned(0, name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The date (yyyy-MM-dd) that an instant falls on. */
export function dateIn(timeZone: string, at: Instant): string {
  return zoned(at, timeZone).toPlainDate().toString();
}

/** The last `count` calendar days, today last; days have 23 or 25 hours where clocks change. */
export function lastCalendarDays(now: Instant, count: number, timeZone: string): CalendarDay[] {
  const today = zoned(now, timeZone).toPlainDate();
  return Array.from({ length: count }, (_, index) => {
    const day = today.subtract({ days: count - 1 - index });
    return {
      date: day.toString(),
      from: startOf(day, timeZone),
      to: startOf(day.add({ days: 1 }), timeZone),
    };
  });
}

function startOf(day: Temporal.PlainDate, timeZone: string): Instant {
  return day.toZonedDateTime({ timeZone }).epochMilliseconds;
}

/** The weekday (1 = Monday … 7) and the hour of day (0–23) of an instant, for the review heatmap. */
export function weekdayAndHour(at: Instant, timeZone: string): { readonly weekday: number; readonly hour: number } {
  const { dayOfWeek, hour } = zoned(at, timeZone);
  return { weekday: dayOfWeek, hour };
}
