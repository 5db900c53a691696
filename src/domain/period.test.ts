import { describe, expect, it } from 'vitest';
import { isWithin, lastDays, lastSixWeeks, periodDays, periodOf, windowBefore, windowSentence } from './period.ts';

const DAY = 24 * 3_600_000;

describe('a period', () => {
  it.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
    ['6mo', 182],
    ['1y', 365],
    ['2y', 30],
    ['', 30],
    ['7D', 30],
    [null, 30],
    [undefined, 30],
  ])('%s has %d days', (text, days) => {
    expect(periodDays(periodOf(text))).toBe(days);
  });

  it('is half-open: its end belongs to it, its start to the one before', () => {
    const now = 1_000 * DAY;
    const window = lastDays(now, 7);

    expect(isWithin(window, now)).toBe(true);
    expect(isWithin(window, now + 1)).toBe(false);
    expect(isWithin(window, now - 7 * DAY)).toBe(false);
    expect(isWithin(window, now - 7 * DAY + 1)).toBe(true);
    expect(isWithin(windowBefore(window), now - 7 * DAY)).toBe(true);
    expect(isWithin(windowBefore(window), now - 14 * DAY)).toBe(false);
  });

  it('is said as what is really shown', () => {
    expect(windowSentence('30d', null)).toBe('Metrics are a 30-day rolling window across all repositories.');
    expect(windowSentence('6mo', 'org/app')).toBe('Metrics are a 182-day rolling window in org/app.');
  });
});

describe('the last six weeks', () => {
  it('follow each other without a gap, oldest first, and end now', () => {
    const weeks = lastSixWeeks(100 * DAY);

    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual({ after: 58 * DAY, until: 65 * DAY });
    expect(weeks[5]).toEqual({ after: 93 * DAY, until: 100 * DAY });
    for (const [index, week] of weeks.slice(1).entries()) expect(week.after).toBe(weeks[index]?.until);
  });
});
