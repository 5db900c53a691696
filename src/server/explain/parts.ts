import { CALENDAR_DAYS } from '#domain/activity-calendar.ts';
import { dateIn, lastCalendarDays } from '#domain/calendar-days.ts';
import type { Definition } from '#domain/metrics/metric.ts';
import { lastSixWeeks } from '#domain/period.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { fromTo, over, since } from '../metrics/asked.ts';
import type { Only } from '../metrics/dimensions.ts';
import type { Span } from '../metrics/sources/source.ts';

/** One part of a figure that has many: a size, a day, an hour, a person, a folder, a week. */
export interface Bucket {
  /** As the caller names it. */
  readonly name: string;
  /** The part's own time: what is said of it, its first instant and that of the next, `to` null where it goes on until now. */
  readonly from?: number;
  readonly to?: number | null;
  readonly window?: Span;
  /** The values of dimensions that it is. */
  readonly only?: Only;
}

/** How the parts of a figure are told apart. */
interface BucketLookup {
  /** What names one, to follow "must be": "a size: 0-50 or 51-200". */
  readonly named: string;
  /** The part of that name, or null when there is none. */
  readonly find: (name: string) => Bucket | null;
}

/** How the parts of that kind are called at a moment in a zone. Who reviewed is looked for by whoever asks. */
export function bucketLookup(kind: NonNullable<Definition['part']>, now: Date, timeZone: string): BucketLookup {
  switch (kind) {
    case 'size':
      return {
        named: `a size: ${sizeBuckets.join(', ')}`,
        find: (name) => (sizeBuckets.some((bucket) => bucket === name) ? { name, only: { size: name } } : null),
      };
    case 'hour':
      return {
        named: 'a weekday and an hour: 1-0, Monday at midnight, to 7-23',
        find: (name) => (/^[1-7]-(\d|1\d|2[0-3])$/.test(name) ? { name, only: { hour_of_week: name } } : null),
      };
    case 'area':
      return {
        named: 'a folder, at most two levels deep, or . for the root',
        find: (name) => (/^[^/]+(\/[^/]+)?$/.test(name) ? { name, only: { area: name } } : null),
      };
    case 'reviewer':
      return { named: 'the login of a reviewer', find: (name) => ({ name }) };
    case 'day': {
      const days = daysOf(now, timeZone);
      return {
        named: `one of the last ${CALENDAR_DAYS} days: ${days[0]!.name} to ${days.at(-1)!.name}`,
        find: calledIn(days),
      };
    }
    case 'week': {
      const weeks = weeksOf(now, timeZone);
      return {
        named: `the first day of one of the last six weeks: ${weeks.map(({ name }) => name).join(', ')}`,
        // A page that was drawn before midnight names a week as it was called then.
        find: (name) => calledIn(weeks)(name) ?? calledIn(weeks.map(asYesterday))(name),
      };
    }
  }
}

const calledIn = (parts: readonly Bucket[]) => (name: string) => parts.find((part) => part.name === name) ?? null;

/** A part that begins a day later each day, by the name that it had the day before. */
function asYesterday(part: Bucket): Bucket {
  return { ...part, name: Temporal.PlainDate.from(part.name).subtract({ days: 1 }).toString() };
}

/** The days of the calendar; the last goes on for as long as now lasts, for a date later than now counts as now. */
function daysOf(now: Date, timeZone: string): Bucket[] {
  return lastCalendarDays(now.getTime(), CALENDAR_DAYS, timeZone).map((day, index) => {
    const to = index === CALENDAR_DAYS - 1 ? null : day.to;
    return { name: day.date, from: day.from, to, window: fromTo(day.from, to) };
  });
}

/** Half-open the other way round, as all windows are: after `from`, up to and including `to`. */
function weeksOf(now: Date, timeZone: string): Bucket[] {
  return lastSixWeeks(now.getTime()).map((week) => {
    const isLast = week.until === now.getTime();
    return {
      name: dateIn(timeZone, week.after),
      from: week.after,
      to: isLast ? null : week.until,
      window: isLast ? since(week.after) : over(week),
    };
  });
}
