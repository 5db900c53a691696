import type { TickUnit } from './band-layout.ts';
import { formatDay } from './moment.ts';
import type { ZoneDay } from './zone-days.ts';

/** The date at a line of a time axis: "Wed 4 Nov" for days and weeks, "Nov 2025" for months, "2025" for years. */
export function axisLabel({ from, year }: ZoneDay, unit: TickUnit, now: number, zone: string): string {
  if (unit === 'year') return String(year);
  if (unit === 'month')
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, month: 'short', year: 'numeric' }).format(from);
  const day = formatDay(from, now, zone);
  return unit === 'day' ? day : day.replace(/^\w+ /, '');
}
