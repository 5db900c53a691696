import { onTheClockOf } from './calendar-days.ts';
import type { Instant } from './pull-request.ts';

/** How a trend is cut into points (docs/metrics.md#trends); `whole` is one. */
export const bucketSizes = ['day', 'week', 'month', 'whole'] as const;

export type BucketSize = (typeof bucketSizes)[number];

/** A point's time, half-open: what is cut by the window or runs still is not complete. */
export interface Bucket {
  /** yyyy-MM-dd: the bucket's own first day, also where the window cuts it. */
  readonly date: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly complete: boolean;
}

/** The days, weeks (Monday first) or months of a zone that a window holds something of; the first and the last only as far as it reaches. */
export function bucketsOf(
  window: { readonly from: Instant; readonly to: Instant },
  size: BucketSize,
  timeZone: string,
  now: Instant,
): Bucket[] {
  const { from, to } = window;
  if (size === 'whole')
    return [{ date: onTheClockOf(timeZone, from).toPlainDate().toString(), from, to, complete: to <= now }];
  const buckets: Bucket[] = [];
  for (let day = firstDayOf(size, from, timeZone); ; ) {
    const next = after(day, size);
    const [begins, ends] = [startOf(day, timeZone), startOf(next, timeZone)];
    if (begins >= to) return buckets;
    buckets.push({
      date: day.toString(),
      from: Math.max(begins, from),
      to: Math.min(ends, to),
      complete: begins >= from && ends <= Math.min(to, now),
    });
    day = next;
  }
}

/** So many full ones before the last full bucket are what it is compared with. */
const BEFORE = 4;
/** How many full buckets before the last its usual range is of, and how many of them need a value at least. */
export const USUAL = { buckets: 26, atLeast: 12 } as const;

/** The full buckets up to the end of a window or now by which its last full one is judged, that one last; none of a `whole`. */
export function judgedBuckets(to: Instant, size: BucketSize, timeZone: string, now: Instant): Bucket[] {
  if (size === 'whole') return [];
  const end = firstDayOf(size, Math.min(to, now), timeZone);
  const days = [end];
  for (let back = 0; back <= USUAL.buckets; back += 1) days.unshift(after(days[0]!, size, -1));
  const starts = days.map((day) => startOf(day, timeZone));
  return days
    .slice(0, -1)
    .map((day, at) => ({ date: day.toString(), from: starts[at]!, to: starts[at + 1]!, complete: true }));
}

export interface Judgement {
  /** Of the last full bucket against the mean of the four before: in percent, of shares in their own unit; null where that is not known. */
  readonly change: number | null;
  /** The lowest and the highest value of the 26 full buckets before; null with fewer than 12 values. */
  readonly usual: { readonly from: number; readonly to: number } | null;
}

/** Judges the last of the values of full buckets, oldest first; null is a gap (docs/metrics.md#trends). */
export function judge(values: readonly (number | null)[], isShare: boolean): Judgement {
  const last = values.at(-1) ?? null;
  const before = values.slice(0, -1).filter((value, at, all) => value !== null && at >= all.length - USUAL.buckets);
  const known = before as number[];
  const recent = values.slice(-1 - BEFORE, -1).filter((value) => value !== null);
  const mean = recent.length < 2 ? null : recent.reduce((sum, value) => sum + value, 0) / recent.length;
  const usual = known.length < USUAL.atLeast ? null : { from: Math.min(...known), to: Math.max(...known) };
  if (last === null || mean === null || mean === 0) return { change: null, usual };
  return { change: isShare ? last - mean : (100 * (last - mean)) / mean, usual };
}

function firstDayOf(size: Exclude<BucketSize, 'whole'>, at: Instant, timeZone: string): Temporal.PlainDate {
  const day = onTheClockOf(timeZone, at).toPlainDate();
  if (size === 'day') return day;
  return size === 'month' ? day.with({ day: 1 }) : day.subtract({ days: day.dayOfWeek - 1 });
}

function after(day: Temporal.PlainDate, size: Exclude<BucketSize, 'whole'>, count = 1): Temporal.PlainDate {
  return day.add(size === 'day' ? { days: count } : size === 'week' ? { weeks: count } : { months: count });
}

function startOf(day: Temporal.PlainDate, timeZone: string): Instant {
  return day.toZonedDateTime({ timeZone }).epochMilliseconds;
}

/** With fewer things than these the value of a bucket is not read. */
export const ENOUGH_FOR_A_POINT = 5;

/** What the last full bucket's value, over n things, is beside its usual range, in words; null without such a bucket. */
export function readingOf(
  point: { readonly value: number | null; readonly n: number } | null,
  usual: Judgement['usual'],
): string {
  if (point === null || point.value === null) return 'Nothing to read';
  const { value, n } = point;
  if (n < ENOUGH_FOR_A_POINT) return `Fewer than ${ENOUGH_FOR_A_POINT}: too few to say`;
  if (usual === null) return 'Too early for a usual range';
  if (value > usual.to) return 'Higher than usual';
  return value < usual.from ? 'Lower than usual' : 'Within its usual range';
}
