import { NOT_AVAILABLE, UNKNOWN } from '#domain/duration.ts';

const HOUR = 3_600_000;

/** Epoch milliseconds of an ISO text; null when it is missing or can't be read. */
export function instantOf(text: string | null | undefined): number | null {
  const instant = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

/** Building one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options });
  formats.set(key, known);
  return known;
}

function parts(at: number, zone: string, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const found = formatOf(zone, options).formatToParts(at);
  return Object.fromEntries(found.map(({ type, value }) => [type, value]));
}

/** The time of day in a zone: "15:40". */
export function formatTime(at: number, zone: string): string {
  const { hour, minute } = parts(at, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return `${hour}:${minute}`;
}

/** A day in a zone: "Tue 3 Nov", with the year when it is not this one. */
export function formatDay(at: number, now: number, zone: string): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  const { weekday, day, month, year } = parts(at, zone, options);
  const thisYear = parts(now, zone, { year: 'numeric' }).year;
  return `${weekday} ${day} ${month}${year === thisYear ? '' : ` ${year}`}`;
}

/** The same in full, as a heading: "Tuesday 3 November". */
export function formatDayInFull(at: number, now: number, zone: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const { weekday, day, month, year } = parts(at, zone, options);
  const thisYear = parts(now, zone, { year: 'numeric' }).year;
  return `${weekday} ${day} ${month}${year === thisYear ? '' : ` ${year}`}`;
}

/** "Tue 3 Nov, 15:40"; the year appears only when it is not this one. Null is 'Unknown'. */
export function formatMoment(at: number | null, now: number, zone: string): string {
  return at === null ? UNKNOWN : `${formatDay(at, now, zone)}, ${formatTime(at, zone)}`;
}

/** For tooltips, which say whose clock it is by: "Tue 3 Nov, 15:40, Europe/Oslo". */
export function formatMomentInZone(at: number | null, now: number, zone: string): string {
  return at === null ? UNKNOWN : `${formatMoment(at, now, zone)}, ${zoneWords(zone)}`;
}

/** A zone's name for people: "America/New York". */
export function zoneWords(zone: string): string {
  return zone.replaceAll('_', ' ');
}

/** For "Data as of …": "14:32" today, "yesterday 18:02", else day and time. */
export function formatAsOf(at: number, now: number, zone: string): string {
  const time = formatTime(at, zone);
  const days = daysBetween(at, now, zone);
  if (days === 0) return time;
  return days === 1 ? `yesterday ${time}` : formatMoment(at, now, zone);
}

/** A day in a zone as yyyy-MM-dd, for file names. */
export function dayOf(at: number, zone: string): string {
  const { year, month, day } = parts(at, zone, { year: 'numeric', month: '2-digit', day: '2-digit' });
  return `${year}-${month}-${day}`;
}

/** From the day of one instant to that of a later one in a zone, in calendar days. */
export function daysBetween(from: number, to: number, zone: string): number {
  return Math.round((Date.parse(dayOf(to, zone)) - Date.parse(dayOf(from, zone))) / (24 * HOUR));
}

const grouped = new Intl.NumberFormat('en-US');

const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A mean of counts, always with one decimal, so that it reads as a mean: "8.0"; null is 'N/A'. */
export function formatMean(mean: number | null): string {
  return mean === null ? NOT_AVAILABLE : oneDecimal.format(mean);
}

/** A count with its thousands grouped: "4,772". */
export function formatCount(count: number): string {
  return grouped.format(count);
}
