import { formatDay } from '../../time/moment.ts';
import type { ZoneDay } from '../../time/zone-days.ts';
import type { TickUnit } from './band-layout.ts';

/** The date at a line of a time axis: "Wed 4 Nov" for days, "4 Nov" for weeks, "Nov 2025" for months, "2025" for years. */
export function axisLabel({ from, year }: ZoneDay, unit: TickUnit, zone: string): string {
  if (unit === 'year') return String(year);
  if (unit === 'month')
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone, month: 'short', year: 'numeric' }).format(from);
  // The start of the axis says the year.
  const day = formatDay(from, from, zone);
  return unit === 'day' ? day : day.replace(/^\w+ /, '');
}
