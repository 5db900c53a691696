import type { Explanation } from '#contract/explain.ts';
import { counted } from '#domain/counted.ts';
import { daysBetween, formatDay } from '../time/moment.ts';

const DAY = 24 * 3_600_000;

/**
 * What a figure covers: "Sun 1 Nov to Mon 30 Nov, 30 days", of one day that day. A window of full 24 hours counts these, any other the days of
 * the calendar: one from midnight until now has as many at any hour.
 */
export function windowWords(window: Explanation['window'], isOfAllTime: boolean, now: number, zone: string): string {
  const to = Date.parse(window.to);
  if (window.from === null) return `${isOfAllTime ? 'All time, as' : 'As'} of ${formatDay(to, now, zone)}`;
  const from = Date.parse(window.from);
  // Up to the first instant of the next day is up to its eve.
  const until = Math.max(from, to - 1);
  const between = daysBetween(from, until, zone);
  if (between === 0) return formatDay(from, now, zone);
  const days = (to - from) / DAY;
  const count = counted(Number.isInteger(days) ? days : between + 1, 'day');
  return `${formatDay(from, now, zone)} to ${formatDay(until, now, zone)}, ${count}`;
}
