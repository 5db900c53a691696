import { onTheClockOf, wallClock } from '../calendar-days.ts';
import type { Instant } from '../pull-request.ts';
import { allowsDigest } from './quiet-hours.ts';
import type { OptionsOf, QuietHours, StuckOptions } from './subscriptions.ts';

/** Needs `Temporal`. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A digest whose minute passed while nothing ran is sent up to so much later. */
export const DIGEST_LATE = 2 * HOUR;
/** What came to pass longer ago is told by digests alone; shorter than the log is kept, by which it is known what was told. */
export const NEWS_FOR = 28 * DAY;

/** A moment of a digest, and the period that it stands for. */
export interface DigestMoment {
  readonly at: Instant;
  /** `2026-11-22` of a daily one, `2026-W47` of a weekly one: the last whole week before it. */
  readonly period: string;
}

export type DigestSchedule = { [K in 'daily' | 'weekly']: { readonly kind: K; readonly options: OptionsOf[K] } }[
  | 'daily'
  | 'weekly'];

/** The latest moment, at or before `now`, of a digest in a zone; null where it has no weekdays. */
export function latestMoment(schedule: DigestSchedule, timeZone: string, now: Instant): DigestMoment | null {
  const weekdays: readonly number[] =
    schedule.kind === 'daily' ? schedule.options.weekdays : [schedule.options.weekday];
  const today = onTheClockOf(timeZone, now).toPlainDate();
  for (let ago = 0; ago <= 8; ago += 1) {
    const day = today.subtract({ days: ago });
    if (!weekdays.includes(day.dayOfWeek)) continue;
    const at = wallClock(day, Temporal.PlainTime.from(schedule.options.time), timeZone);
    if (at > now) continue;
    return { at, period: schedule.kind === 'daily' ? day.toString() : lastWeek(at, timeZone).period };
  }
  return null;
}

/**
 * The digest that is to be sent now: its latest moment, at most two hours late, after the subscription was made, and on a day that the
 * quiet hours have; null when none is.
 */
export function dueDigest(
  schedule: DigestSchedule,
  { hours, timeZone, since }: { readonly hours: QuietHours; readonly timeZone: string; readonly since: Instant },
  now: Instant,
): DigestMoment | null {
  const moment = latestMoment(schedule, timeZone, now);
  if (moment === null || moment.at < since || now - moment.at > DIGEST_LATE) return null;
  return allowsDigest(hours, timeZone, moment.at) ? moment : null;
}

export interface Week {
  /** `2026-W47` */
  readonly period: string;
  /** Half-open, from its first instant to that of the next week. */
  readonly from: Instant;
  readonly to: Instant;
  /** The first instant of the week before. */
  readonly before: Instant;
}

/** The last whole week, Monday to Sunday in a zone, before an instant, and the week before it; 167 or 169 hours where clocks change. */
export function lastWeek(at: Instant, timeZone: string): Week {
  const today = onTheClockOf(timeZone, at).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 + 7 });
  const begin = (weeks: number) => monday.add({ weeks }).toZonedDateTime({ timeZone }).epochMilliseconds;
  const week = String(monday.weekOfYear).padStart(2, '0');
  return {
    period: `${monday.yearOfWeek}-W${week}`,
    from: begin(0),
    to: begin(1),
    before: begin(-1),
  };
}

export interface Passing {
  readonly at: Instant;
  /** 0 for the first time. */
  readonly repetition: number;
  /** Since the wait began: what names it, also where the options change by which it is numbered. */
  readonly hours: number;
}

/** The last time, at or before `by`, that a wait since `since` passed its limit; null before that. */
export function latestPassing(
  since: Instant,
  { after, repeat }: Pick<StuckOptions, 'after' | 'repeat'>,
  by: Instant,
): Passing | null {
  const first = since + after * HOUR;
  if (by < first) return null;
  const repetition = repeat === null ? 0 : Math.floor((by - first) / (repeat * HOUR));
  const hours = after + repetition * (repeat ?? 0);
  return { at: since + hours * HOUR, repetition, hours };
}
