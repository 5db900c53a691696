import { counted } from './counted.ts';
import { percentile } from './percentiles.ts';

export type ActivityLevel = 0 | 1 | 2 | 3 | 4;

export interface ActivityDay {
  /** yyyy-MM-dd */
  readonly date: string;
  readonly count: number;
  readonly level: ActivityLevel;
}

/** How many calendar days the calendar shows, today included: 12 weeks. */
export const CALENDAR_DAYS = 84;

/**
 * The level of each day: 0 for 0, else 1 + the number of quartiles of the person's own non-zero counts that the count exceeds
 * (docs/metrics.md#one-person). The days come oldest first.
 */
export function withLevels(days: readonly { readonly date: string; readonly count: number }[]): ActivityDay[] {
  const busy = days.map(({ count }) => count).filter((count) => count > 0);
  const quartiles = [0.25, 0.5, 0.75].map((share) => percentile(busy, share) ?? 0);
  return days.map(({ date, count }) => ({ date, count, level: levelOf(count, quartiles) }));
}

function levelOf(count: number, quartiles: readonly number[]): ActivityLevel {
  if (count === 0) return 0;
  return (1 + quartiles.filter((quartile) => count > quartile).length) as ActivityLevel;
}

export interface Streaks {
  /** The days in a row with activity up to today; a quiet today doesn't end it before the day is over. */
  readonly current: number;
  readonly max: number;
}

/** The streaks of active days in a calendar, whose days come oldest first with today last. */
export function streaksOf(days: readonly Pick<ActivityDay, 'count'>[]): Streaks {
  let running = 0;
  let max = 0;
  let upToYesterday = 0;
  for (const [index, { count }] of days.entries()) {
    if (index === days.length - 1) upToYesterday = running;
    running = count > 0 ? running + 1 : 0;
    max = Math.max(max, running);
  }
  return { current: running > 0 ? running : upToYesterday, max };
}

/** "8 days in a row". */
export function streakWords(days: number): string {
  return `${counted(days, 'day')} in a row`;
}

/** Active days are counted out of the last 30. */
export const ACTIVE_DAYS_OUT_OF = 30;

export interface ActivityInsight {
  readonly rhythm: 'weekdays' | 'varied days';
  /** 0–1, active days out of 30. */
  readonly rate: number;
  /** One to three sentences for a person. */
  readonly sentences: readonly string[];
}

/**
 * What the calendar says: on weekdays from 20 active days, else on varied days; a streak over 7 days is praised, under 10 active days
 * more activity is suggested (docs/product.md#a-contributor).
 */
export function activityInsight(activeDays: number, streaks: Streaks): ActivityInsight {
  const rhythm = activeDays >= 20 ? 'weekdays' : 'varied days';
  const rate = activeDays / ACTIVE_DAYS_OUT_OF;
  const sentences = [
    `Active on ${rhythm}: ${activeDays} of the last ${ACTIVE_DAYS_OUT_OF} days (${Math.round(rate * 100)}%).`,
  ];
  if (streaks.max > 7) sentences.push(`A streak of ${streaks.max} days in a row: a steady rhythm.`);
  if (activeDays < 10) sentences.push('Smaller and more frequent contributions would keep work moving.');
  return { rhythm, rate, sentences };
}
