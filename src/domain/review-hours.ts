import { counted } from './counted.ts';
/** Reviews given in one hour of one weekday (docs/metrics.md#one-person). */
export interface ReviewHour {
  /** 1 is Monday, 7 Sunday. */
  readonly weekday: number;
  /** 0–23 */
  readonly hour: number;
  readonly count: number;
}

/** The days of the week, Monday first, as headings of a heat map. */
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** How strongly an hour is painted: 0 for none, else 1 to 4 by quarters of the busiest hour's count. */
export function hourLevel(count: number, most: number): 0 | 1 | 2 | 3 | 4 {
  if (count <= 0 || most <= 0) return 0;
  return Math.min(4, Math.ceil((4 * count) / most)) as 1 | 2 | 3 | 4;
}

/** The hour with most reviews, of several the earliest in the week; null without any. */
export function busiestHour(hours: readonly ReviewHour[]): ReviewHour | null {
  return hours.reduce<ReviewHour | null>((most, hour) => (hour.count > (most?.count ?? 0) ? hour : most), null);
}

/** What a heat map says: how many reviews, and when most; null without any. */
export function reviewHoursSentence(hours: readonly ReviewHour[]): string | null {
  const busiest = busiestHour(hours);
  if (busiest === null) return null;
  const total = hours.reduce((sum, { count }) => sum + count, 0);
  return `${counted(total, 'review')}. Busiest hour: ${weekdays[busiest.weekday - 1]} ${busiest.hour}:00, ${counted(busiest.count, 'review')}.`;
}
