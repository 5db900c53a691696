import { describe, expect, it } from 'vitest';
import { lastDays, lastSixWeeks, periodDays, periodOf, windowBefore, windowSentence } from './period.ts';

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

  it('is as long as its days of 24 hours, and the one before ends where it begins', () => {
    const now = 1_000 * DAY;

    expect(lastDays(now, 7)).toEqual({ after: 993 * DAY, until: now });
    expect(windowBefore(lastDays(now, 7))).toEqual({ after: 986 * DAY, until: 993 * DAY });
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
