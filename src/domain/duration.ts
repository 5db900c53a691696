import type { Hours, Instant } from './pull-request.ts';

/** What is shown where there is no value (docs/metrics.md#what-holds-everywhere). */
export const NOT_AVAILABLE = 'N/A';

/** What is shown for a date that is missing or can't be read (docs/product.md#words-and-errors). */
export const UNKNOWN = 'Unknown';

export interface DurationParts {
  readonly figure: string;
  readonly unit: 'min' | 'h' | 'd';
}

/**
 * A duration as figure and unit: below 1 hour minutes, below 48 hours hours to 1 decimal, otherwise days to 1 decimal
 * (docs/product.md#words-and-errors); null for null. Minutes never round up to a full hour, and some time is never "0 min".
 */
export function durationParts(hours: Hours | null): DurationParts | null {
  return parts(hours, 48);
}

/** The same as one text: "43 min", "9.5 h", "2.9 d"; null is "N/A". */
export function formatDuration(hours: Hours | null): string {
  const shown = durationParts(hours);
  return shown === null ? NOT_AVAILABLE : `${shown.figure} ${shown.unit}`;
}

/**
 * The gap before a timeline event: under 1 hour in minutes, under 24 hours in hours to 1 decimal, else in days to 1 decimal
 * (docs/product.md#timeline): "+17.4 h since last event". Null for a gap of less than a minute.
 */
export function formatGap(hours: Hours): string | null {
  if (hours * 60 < 1) return null;
  const { figure, unit } = parts(hours, 24)!;
  return `+${figure} ${unit} since last event`;
}

/** To 1 decimal, thousands grouped as everywhere. */
const days = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function parts(hours: Hours | null, daysFrom: number): DurationParts | null {
  if (hours === null) return null;
  if (hours > 0 && hours * 60 < 0.5) return { figure: '<1', unit: 'min' };
  if (hours < 1) return { figure: String(Math.min(59, Math.round(hours * 60))), unit: 'min' };
  if (hours < daysFrom) return { figure: hours.toFixed(1), unit: 'h' };
  return { figure: days.format(hours / 24), unit: 'd' };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps: readonly (readonly [number, string])[] = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
];

/**
 * How long ago an instant was, without a suffix: "3 days", "1 hour"; under a minute and in the future "less than a minute";
 * null or not a number is "Unknown" (docs/product.md#words-and-errors).
 */
export function formatAge(at: Instant | null, now: Instant): string {
  if (at === null || Number.isNaN(at)) return UNKNOWN;
  const passed = now - at;
  for (const [length, name] of steps) {
    const count = Math.floor(passed / length);
    if (count >= 1) return count === 1 ? `1 ${name}` : `${count} ${name}s`;
  }
  return 'less than a minute';
}

/** The same with its suffix: "3 days ago". `missing` is shown for null or not a number. */
export function formatAgo(at: Instant | null, now: Instant, missing: string = UNKNOWN): string {
  return at === null || Number.isNaN(at) ? missing : `${formatAge(at, now)} ago`;
}

/** How many calendar days ago a day was: "today", "yesterday", "5 days ago", "2 months ago". */
export function formatDaysAgo(days: number): string {
  if (days < 1) return 'today';
  return days === 1 ? 'yesterday' : `${formatAge(0, days * DAY)} ago`;
}
