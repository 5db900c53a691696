import { onTheClockOf } from '#domain/calendar-days.ts';
import { type Bucket, type BucketSize, bucketsOf } from '#domain/trends.ts';
import { invalidValue } from '../http/errors.ts';
import { demandTwoYearsAtMost, momentOf } from '../metrics/asked-window.ts';

const DEFAULT_WEEKS = 12;
const MOST_BUCKETS = 400;

export interface TrendWindow {
  /** Epoch milliseconds, half-open. */
  readonly from: number;
  readonly to: number;
  readonly size: BucketSize;
  readonly buckets: readonly Bucket[];
}

interface WindowQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly bucket: BucketSize;
}

/**
 * The time that a trend is asked for: instants, or dates, midnight in the viewer's zone; up to now, also where a later end is asked for, and from
 * 12 weeks before, unless said.
 * @throws HttpError 400 where it is empty, longer than two years, or would be cut into more than 400 buckets
 */
export function windowOf(query: WindowQuery, timeZone: string, now: Date): TrendWindow {
  const to = Math.min(now.getTime(), query.to === undefined ? now.getTime() : momentOf(query.to, timeZone));
  const from =
    query.from === undefined
      ? onTheClockOf(timeZone, to).subtract({ weeks: DEFAULT_WEEKS }).epochMilliseconds
      : momentOf(query.from, timeZone);
  if (from >= to) throw invalidValue('from', 'must lie before “to”');
  demandTwoYearsAtMost(from, to, timeZone);
  // Before they are made: a day has 23 hours or more.
  if (query.bucket === 'day' && (to - from) / (23 * 3_600_000) > 2 * MOST_BUCKETS)
    throw invalidValue('bucket', `At most ${MOST_BUCKETS} points`);
  const buckets = bucketsOf({ from, to }, query.bucket, timeZone, now.getTime());
  if (buckets.length > MOST_BUCKETS) throw invalidValue('bucket', `At most ${MOST_BUCKETS} points`);
  return { from, to, size: query.bucket, buckets };
}
