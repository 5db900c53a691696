import { counted } from '#domain/counted.ts';
import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { shareWords } from '#domain/percent.ts';
import type { SizeBucket } from '#domain/size-buckets.ts';
import { formatCount } from '../time/moment.ts';

/** A value in the unit that the explanation names; null is 'N/A'. */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'hours') return formatDuration(value);
  if (unit === 'share') return shareWords(value);
  if (unit === 'percent') return shareWords(value / 100);
  if (unit === 'lines') return counted(Math.round(value), 'line');
  return formatCount(Math.round(value * 10) / 10);
}

/** The same of a difference, with its sign: "−3.5 h", "+14 points" of shares. */
export function formatDifference(value: number | null, unit: string): string {
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'share') return pointsWords(value);
  const amount = formatValue(Math.abs(value), unit);
  return value === 0 ? amount : `${value > 0 ? '+' : '−'}${amount}`;
}

/** A difference of shares in points: "−14 points". */
export function pointsWords(difference: number): string {
  const points = Math.round(100 * difference);
  const sign = points > 0 ? '+' : points < 0 ? '−' : '';
  return `${sign}${counted(Math.abs(points), 'point')}`;
}

/** "51 to 200 lines", "over 1,000 lines". */
export function sizeWords(size: SizeBucket): string {
  const words =
    size === '1000+' ? `over ${formatCount(1000)}` : size.replace('1000', formatCount(1000)).replace('-', ' to ');
  return `${words} lines`;
}
