import { onTheClockOf, wallClock } from '../calendar-days.ts';
import type { Instant } from '../pull-request.ts';
import type { QuietHours, Weekday } from './subscriptions.ts';

/** Needs `Temporal`. */

/**
 * The first instant, at or after `at`, at which what falls due at any time may be told (docs/server.md#notifications); null where no
 * weekday is left for it.
 */
export function nextOpening(hours: QuietHours, timeZone: string, at: Instant): Instant | null {
  if (hours.mode === 'off') return at;
  const today = onTheClockOf(timeZone, at).toPlainDate();
  // Yesterday's hours may reach into today, and a whole week may lie ahead.
  for (let ahead = -1; ahead <= 8; ahead += 1) {
    const day = today.add({ days: ahead });
    const [from, to] = hoursOf(hours, day, timeZone);
    if (hours.weekdays.includes(day.dayOfWeek as Weekday) && to > at && to > from) return Math.max(from, at);
  }
  return null;
}

/** Whether digests come on the day of an instant: their own time holds, the hours don't. */
export function allowsDigest(hours: QuietHours, timeZone: string, at: Instant): boolean {
  return hours.mode === 'off' || hours.weekdays.includes(onTheClockOf(timeZone, at).dayOfWeek as Weekday);
}

function hoursOf({ from, to }: QuietHours, day: Temporal.PlainDate, timeZone: string): [Instant, Instant] {
  const end = to > from ? day : day.add({ days: 1 });
  return [
    wallClock(day, Temporal.PlainTime.from(from), timeZone),
    wallClock(end, Temporal.PlainTime.from(to), timeZone),
  ];
}
