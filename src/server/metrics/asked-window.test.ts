import { describe, expect, it } from 'vitest';
import { windows } from '#domain/metrics/metric.ts';
import { windowAsked, windowOf } from './asked-window.ts';

/** A Sunday evening, and already Monday in Kolkata. */
const NOW = new Date('2026-05-10T20:00:00Z');
const ZONE = 'Asia/Kolkata';
const at = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

describe('a window that would end later than now', () => {
  const told = (query: Parameters<typeof windowAsked>[0]) => {
    const { from, to, window, span } = windowAsked(query, 30, NOW, 'UTC');
    expect(window.after).toBe(from - 1);
    expect(span).toEqual({ after: new Date(from - 1), until: null });
    return [at(from), at(to)];
  };

  it('ends now, and is as long as one that is asked for without an end', () => {
    const asked = [told({ to: '2026-06-01' }), told({ to: '2026-05-10T20:00:01Z' })];

    expect(asked).toEqual(asked.map(() => ['2026-04-10T20:00:00.000Z', NOW.toISOString()]));
  });

  it('is as long as until now at most', () => {
    expect(told({ from: '2024-06-01', to: '2026-07-01' })).toEqual(['2024-06-01T00:00:00.000Z', NOW.toISOString()]);
    expect(() => told({ from: '2024-05-01', to: '2026-07-01' })).toThrow('At most two years');
  });

  it('begins before now, and before its own end', () => {
    expect(() => told({ from: '2026-05-11', to: '2026-06-01' })).toThrow('must be before now');
    expect(() => told({ from: '2026-06-01', to: '2026-06-01' })).toThrow('must be before to');
  });
});

it('a window that ends now is over: what happens in that very moment is not in it', () => {
  const { span, to } = windowAsked({ to: NOW.toISOString() }, 30, NOW, 'UTC');

  expect([span.until, at(to)]).toEqual([new Date(NOW.getTime() - 1), NOW.toISOString()]);
});

describe('a figure of calendar days', () => {
  const from = (...[figure, query = {}]: [Parameters<typeof windowOf>[0], Parameters<typeof windowOf>[1]?]) => {
    const found = windowOf(figure, query, NOW, ZONE);
    expect(found.span.after.getTime()).toBe(found.from! - 1);
    return at(found.from);
  };

  it('begins with the first of them', () => {
    expect(from(windows.today)).toBe('2026-05-10T18:30:00.000Z');
    expect(from(windows.calendarMonth)).toBe('2026-04-11T18:30:00.000Z');
    expect(from(windows.calendarMonthAlways, { period: '7d' })).toBe('2026-04-11T18:30:00.000Z');
  });

  it('also of the time that is asked for', () => {
    expect(from(windows.calendarMonth, { period: '7d' })).toBe('2026-05-04T18:30:00.000Z');
    expect(from(windows.calendarMonth, { from: '2026-03-02T12:00:00Z', to: '2026-03-09' })).toBe(
      '2026-03-02T18:30:00.000Z',
    );
  });

  it.each([
    ['in the morning', '2026-05-10T04:00:00Z', '2026-05-01', '2026-04-30T18:30:00.000Z'],
    ['in the evening', '2026-05-10T18:00:00Z', '2026-05-01', '2026-04-30T18:30:00.000Z'],
    ['a minute after midnight', '2026-05-09T18:31:00Z', '2026-05-01', '2026-04-30T18:30:00.000Z'],
    ['on its only day', '2026-05-10T04:00:00Z', '2026-05-10', '2026-05-09T18:30:00.000Z'],
    [
      'an hour after its only moment of that day',
      '2026-05-10T04:00:00Z',
      '2026-05-10T03:00:00Z',
      '2026-05-09T18:30:00.000Z',
    ],
  ])('begins with the first day of a window from then until today, %s', (_, now, day, begins) => {
    const { from: first } = windowOf(windows.calendarMonth, { from: day, to: '2026-05-11' }, new Date(now), ZONE);
    expect(at(first)).toBe(begins);
  });

  it.each([
    ['longer', '2026-10-25', '2026-10-28'],
    ['shorter', '2026-03-29', '2026-04-01'],
  ])('has as many days where one of them is %s', (_, day, to) => {
    const { from: first } = windowOf(
      windows.calendarMonth,
      { from: day, to },
      new Date('2026-11-20T12:00:00Z'),
      'Europe/Oslo',
    );
    expect(new Date(first!).toLocaleDateString('sv', { timeZone: 'Europe/Oslo' })).toBe(day);
  });

  it('has none where it is of all time', () => {
    expect(windowOf(windows.allTime, {}, NOW, ZONE)).toMatchObject({ from: null, to: NOW.getTime() });
  });
});
