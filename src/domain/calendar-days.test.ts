import { describe, expect, it } from 'vitest';
import { dateIn, daysEarlier, lastCalendarDays } from './calendar-days.ts';

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

describe('calendar days', () => {
  it('are those of the zone, today last, without a gap', () => {
    const days = lastCalendarDays(at('2026-03-02T23:30:00Z'), 3, 'Europe/Oslo');

    expect(days.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(days[2]).toEqual({ date: '2026-03-03', from: at('2026-03-02T23:00:00Z'), to: at('2026-03-03T23:00:00Z') });
    expect(days[0]?.to).toBe(days[1]?.from);
  });

  it('have 23 and 25 hours where clocks change', () => {
    const [spring] = lastCalendarDays(at('2026-03-29T12:00:00Z'), 1, 'Europe/Oslo');
    const [autumn] = lastCalendarDays(at('2026-10-25T12:00:00Z'), 1, 'Europe/Oslo');

    expect(spring!.to - spring!.from).toBe(23 * HOUR);
    expect(autumn!.to - autumn!.from).toBe(25 * HOUR);
  });

  it('begin when the day begins where midnight does not exist', () => {
    const [day] = lastCalendarDays(at('2026-04-24T12:00:00Z'), 1, 'Africa/Cairo');

    expect(day).toEqual({ date: '2026-04-24', from: at('2026-04-23T22:00:00Z'), to: at('2026-04-24T21:00:00Z') });
  });

  it('lie between a midnight and an earlier one, whatever the clocks did; other instants are hours apart', () => {
    const earlier = (text: string, days: number, zone: string) =>
      new Date(daysEarlier(at(text), days, zone)).toISOString();

    expect(earlier('2026-03-29T22:00:00Z', 7, 'Europe/Oslo')).toBe('2026-03-22T23:00:00.000Z');
    expect(earlier('2026-10-25T23:00:00Z', 30, 'Europe/Oslo')).toBe('2026-09-25T22:00:00.000Z');
    expect(earlier('2026-03-29T22:00:01Z', 7, 'Europe/Oslo')).toBe('2026-03-22T22:00:01.000Z');
    // Where the day begins at one o'clock.
    expect(earlier('2026-04-23T22:00:00Z', 7, 'Africa/Cairo')).toBe('2026-04-16T22:00:00.000Z');
  });

  it('place an instant on its date', () => {
    expect(dateIn('Asia/Kolkata', at('2026-03-01T20:00:00Z'))).toBe('2026-03-02');
  });
});
