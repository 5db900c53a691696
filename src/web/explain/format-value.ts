import { formatDuration, NOT_AVAILABLE } from '#domain/duration.ts';
import { formatCount } from '../time/moment.ts';

/** A value in the unit that the explanation names; null is 'N/A'. */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return NOT_AVAILABLE;
  if (unit === 'hours') return formatDuration(value);
  if (unit === 'share') return `${Math.round(value * 100)}%`;
  if (unit === 'percent') return `${Math.round(value)}%`;
  if (unit === 'lines') return `${formatCount(Math.round(value))} lines`;
  return formatCount(Math.round(value * 10) / 10);
}
