import { onTheClockOf, wallClock } from './calendar-days.ts';
import { type Hours, type Instant, toHours } from './pull-request.ts';
import { LAST_WORKDAY, WORK_BEGINS, WORK_ENDS } from './working-hours.ts';

/** Needs `Temporal`; the browser gets these figures from the server. */

export interface BusinessHours {
  readonly business_hours_spent: Hours;
  readonly after_hours_time: Hours;
}

const workBegins = new Temporal.PlainTime(WORK_BEGINS);
const workEnds = new Temporal.PlainTime(WORK_ENDS);

/**
 * How much of the time between two instants lies within Monday to Friday, 09:00–17:00 in a time zone (IANA name), and the rest,
 * in hours; exact to the millisecond, also where clocks change (docs/metrics.md#one-pull-request).
 * They are `pull_request.business_hours_spent` and `pull_request.after_hours_time`. An unknown zone throws a RangeError that names it.
 */
export function businessHours(from: Instant, to: Instant, timeZone: string): BusinessHours {
  let business = 0;
  let day = onTheClockOf(timeZone, from).toPlainDate();
  const lastDay = onTheClockOf(timeZone, to).toPlainDate();
  while (Temporal.PlainDate.compare(day, lastDay) <= 0) {
    if (day.dayOfWeek <= LAST_WORKDAY) {
      const begin = wallClock(day, workBegins, timeZone);
      const end = wallClock(day, workEnds, timeZone);
      business += Math.max(0, Math.min(end, to) - Math.max(begin, from));
    }
    day = day.add({ days: 1 });
  }
  return { business_hours_spent: toHours(business), after_hours_time: toHours(to - from - business) };
}
