import { describe, expect, it } from 'vitest';
import { bucketsOf, judge, judgedBuckets, readingOf } from './trends.ts';

const at = (text: string) => Date.parse(text);
const NOW = at('2026-11-19T13:03:00Z');
const OSLO = 'Europe/Oslo';

describe('the buckets of a trend', () => {
  it('begin on Mondays of the zone, are named by them, and hold only what lies in the window', () => {
    const window = { from: at('2026-10-21T10:00:00Z'), to: at('2026-11-04T00:00:00Z') };

    const buckets = bucketsOf(window, 'week', OSLO, NOW);

    // Clocks go back on 25 October.
    expect(buckets).toEqual([
      { date: '2026-10-19', from: window.from, to: at('2026-10-25T23:00:00Z'), complete: false },
      { date: '2026-10-26', from: at('2026-10-25T23:00:00Z'), to: at('2026-11-01T23:00:00Z'), complete: true },
      { date: '2026-11-02', from: at('2026-11-01T23:00:00Z'), to: window.to, complete: false },
    ]);
  });

  it('are none that begin where the window ends', () => {
    const days = bucketsOf({ from: at('2026-11-01T00:00:00Z'), to: at('2026-11-03T00:00:00Z') }, 'day', 'UTC', NOW);

    expect(days.map(({ date, complete }) => [date, complete])).toEqual([
      ['2026-11-01', true],
      ['2026-11-02', true],
    ]);
  });

  it('are not complete while they run', () => {
    const months = bucketsOf({ from: at('2026-10-01T00:00:00Z'), to: at('2027-01-01T00:00:00Z') }, 'month', 'UTC', NOW);

    expect(months.map(({ date, complete }) => [date, complete])).toEqual([
      ['2026-10-01', true],
      ['2026-11-01', false],
      ['2026-12-01', false],
    ]);
  });

  it('are one of the whole, named by the day on which the window begins', () => {
    const window = { from: at('2026-10-21T23:30:00Z'), to: NOW };

    expect(bucketsOf(window, 'whole', OSLO, NOW)).toEqual([{ date: '2026-10-22', ...window, complete: true }]);
  });

  it('by which the last full one is judged reach back before the window', () => {
    const judged = judgedBuckets(at('2026-11-30T00:00:00Z'), 'week', OSLO, NOW);

    expect(judged).toHaveLength(27);
    expect(judged.at(-1)).toMatchObject({ date: '2026-11-09', to: at('2026-11-15T23:00:00Z') });
    expect(judged[0]!.date).toBe('2026-05-11');
    expect(judgedBuckets(NOW, 'whole', OSLO, NOW)).toEqual([]);
  });
});

describe('the last full bucket', () => {
  const usualWeeks = Array<number>(22).fill(10);

  it('is compared with the mean of the four before, in percent', () => {
    expect(judge([...usualWeeks, 8, 12, 8, 12, 15], false).change).toBe(50);
  });

  it('of a share is compared in its own unit', () => {
    expect(judge([0.5, 0.5, 0.5, 0.5, 0.75], true).change).toBe(0.25);
  });

  it('leaves gaps out, and is compared with nothing where fewer than two are left or they come to 0', () => {
    expect(judge([null, 8, null, 12, 15], false).change).toBe(50);
    expect(judge([10, null, null, null, 12, 15], false).change).toBeNull();
    expect(judge([0, 0, 0, 0, 15], false).change).toBeNull();
    expect(judge([0, 0, 0, 0, 0.25], true).change).toBeNull();
    expect(judge([8, 8, 8, 8, null], false).change).toBeNull();
    expect(judge([], false)).toEqual({ change: null, usual: null });
  });

  it('has a usual range of the 26 before it, if twelve of them have a value', () => {
    const weeks = Array.from({ length: 27 }, (_, week) => week);

    expect(judge(weeks, false).usual).toEqual({ from: 0, to: 25 });
    expect(judge([999, ...weeks], false).usual).toEqual({ from: 0, to: 25 });
    expect(judge([...Array<number>(12).fill(3), 9], false).usual).toEqual({ from: 3, to: 3 });
    expect(judge([...Array<number>(11).fill(3), null, 9], false).usual).toBeNull();
  });

  it('is read beside its usual range, whose ends are usual', () => {
    const usual = { from: 3, to: 5 };

    expect([2, 3, 5, 6].map((value) => readingOf({ value, n: 5 }, usual))).toEqual([
      'Lower than usual',
      'Within its usual range',
      'Within its usual range',
      'Higher than usual',
    ]);
    expect(readingOf({ value: 4, n: 5 }, null)).toBe('Too early for a usual range');
    expect(readingOf({ value: null, n: 0 }, usual)).toBe('Nothing to read');
    expect(readingOf(null, usual)).toBe('Nothing to read');
  });

  it('over fewer than five is not read', () => {
    expect(readingOf({ value: 9, n: 4 }, { from: 3, to: 5 })).toBe('Fewer than 5: too few to say');
  });
});
