import { describe, expect, it } from 'vitest';
import { activityInsight, streaksOf, withLevels } from './activity-calendar.ts';

const days = (...counts: number[]) =>
  counts.map((count, index) => ({ date: `2026-03-${String(index + 1).padStart(2, '0')}`, count }));

describe('the level of a day', () => {
  it('is 0 for nothing, else 1 plus the quartiles of the busy days that it exceeds', () => {
    // Busy days 1 2 3 4 5: quartiles 2, 3, 4.
    expect(withLevels(days(0, 1, 2, 3, 4, 5)).map(({ level }) => level)).toEqual([0, 1, 1, 2, 3, 4]);
  });

  it('interpolates the quartiles', () => {
    // Busy days 1 and 3: quartiles 1.5, 2, 2.5.
    expect(withLevels(days(1, 3)).map(({ level }) => level)).toEqual([1, 4]);
  });

  it('of 101 busy days, no two alike, changes above the 26th, the 51st and the 76th', () => {
    const levels = withLevels(days(...Array.from({ length: 101 }, (_, index) => index + 1))).map(({ level }) => level);

    expect([25, 26, 50, 51, 75, 76].map((index) => levels[index])).toEqual([1, 2, 2, 3, 3, 4]);
  });

  it('is 1 on every busy day where all are alike', () => {
    expect(withLevels(days(7, 0, 7)).map(({ level }) => level)).toEqual([1, 0, 1]);
  });

  it('is 0 everywhere without activity', () => {
    expect(withLevels(days(0, 0)).map(({ level }) => level)).toEqual([0, 0]);
  });
});

describe('a streak', () => {
  it.each([
    [[], 0, 0],
    [[0], 0, 0],
    [[1], 1, 1],
    [[1, 1, 0], 2, 2],
    [[1, 1, 0, 0], 0, 2],
    [[1, 1, 1, 0, 1], 1, 3],
    [[0, 2, 5], 2, 2],
  ])('over %j is %d now and %d at most', (counts, current, max) => {
    expect(streaksOf(days(...counts))).toEqual({ current, max });
  });
});

describe('the insight of the calendar', () => {
  const none = { current: 0, max: 0 };

  it('speaks of weekdays from 20 active days on', () => {
    expect(activityInsight(19, none).rhythm).toBe('varied days');
    expect(activityInsight(20, none).rhythm).toBe('weekdays');
    expect(activityInsight(15, none).rate).toBe(0.5);
    expect(activityInsight(26, none).sentences).toEqual(['Active on weekdays: 26 of the last 30 days (87%).']);
  });

  it('praises a streak over 7 days and suggests more activity under 10 active days', () => {
    expect(activityInsight(10, { current: 7, max: 7 }).sentences).toHaveLength(1);
    expect(activityInsight(10, { current: 0, max: 8 }).sentences[1]).toContain('8 days in a row');
    expect(activityInsight(9, none).sentences[1]).toContain('more frequent');
  });
});
