import type { WindowQuery } from '#contract/values.ts';
import { onTheClockOf } from '#domain/calendar-days.ts';
import { LONGEST_AI_WINDOW_DAYS } from '#domain/metrics/thresholds.ts';
import { invalidValue } from '../http/errors.ts';
import { type AskedWindow, windowAsked } from '../metrics/asked-window.ts';

const DEFAULT_DAYS = 30;

/**
 * The time over which figures of AI in review are asked: the last 30 days unless said.
 * @throws HttpError 400 for a window that makes no sense or is longer than 400 days
 */
export function aiWindowAsked(query: WindowQuery, now: Date, timeZone: string): AskedWindow {
  const window = windowAsked(query, DEFAULT_DAYS, now, timeZone);
  if (onTheClockOf(timeZone, window.from).add({ days: LONGEST_AI_WINDOW_DAYS }).epochMilliseconds < window.to)
    throw invalidValue('from', `At most ${LONGEST_AI_WINDOW_DAYS} days`);
  return window;
}
