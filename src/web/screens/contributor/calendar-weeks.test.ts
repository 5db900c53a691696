import { describe, expect, it } from 'vitest';
import { type CalendarDay, weeksOf } from './calendar-weeks.ts';

/** So many days up to a date. */
function daysUpTo(last: string, count: number): CalendarDay[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => ({
    date: new Date(end - (count - 1 - at) * 86_400_000).toISOString().slice(0, 10),
    count: at,
    level: 0,
  }));
}

describe('the weeks of an activity calendar', () => {
  it('are 12 full ones when the last of 84 days is a Sunday', () => {
    const weeks = weeksOf(daysUpTo('2026-11-22', 84));

    expect(weeks).toHaveLength(12);
    expect(weeks.every(({ days }) => days.every((day) => day !== null))).toBe(true);
    expect(weeks[0]?.monday).toBe('2026-08-31');
  });

  it('are 13 with gaps at both ends otherwise, each day under its weekday', () => {
    const weeks = weeksOf(daysUpTo('2026-11-21', 84));

    expect(weeks).toHaveLength(13);
    expect(weeks[0]?.days.map((day) => day?.date ?? null)).toEqual([null, null, null, null, null, null, '2026-08-30']);
    expect(weeks.at(-1)?.days.map((day) => day?.date ?? null)).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      null,
    ]);
  });

  it('name a month where it begins, and the first one only with room for its word', () => {
    const months = weeksOf(daysUpTo('2026-11-21', 84)).map(({ month }) => month);

    expect(months).toEqual(['', 'Sep', '', '', '', 'Oct', '', '', '', 'Nov', '', '', '']);
    expect(weeksOf(daysUpTo('2026-11-08', 84))[0]?.month).toBe('Aug');
  });

  it('are one without a neighbour', () => {
    expect(weeksOf(daysUpTo('2026-11-04', 2)).map(({ month }) => month)).toEqual(['Nov']);
  });

  it('are none without days', () => {
    expect(weeksOf([])).toEqual([]);
  });
});
