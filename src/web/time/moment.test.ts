import { describe, expect, it } from 'vitest';
import {
  formatAsOf,
  formatCount,
  formatDay,
  formatDayInFull,
  formatMoment,
  formatMomentInZone,
  instantOf,
} from './moment.ts';

const now = Date.parse('2026-11-21T14:32:00Z');
const zone = 'Europe/Oslo';

describe('dates', () => {
  it('reads like "Tue 3 Nov, 15:40" in the person’s zone', () => {
    expect(formatMoment(Date.parse('2026-11-03T14:40:00Z'), now, zone)).toBe('Tue 3 Nov, 15:40');
  });

  it('names the year only when it is not this one', () => {
    expect(formatDay(Date.parse('2025-11-03T14:40:00Z'), now, zone)).toBe('Mon 3 Nov 2025');
  });

  it('heads a day in full', () => {
    expect(formatDayInFull(Date.parse('2026-11-02T23:30:00Z'), now, zone)).toBe('Tuesday 3 November');
    expect(formatDayInFull(Date.parse('2025-11-03T14:40:00Z'), now, zone)).toBe('Monday 3 November 2025');
  });

  it('counts the day in the zone, not in UTC', () => {
    expect(formatDay(Date.parse('2026-11-02T23:30:00Z'), now, zone)).toBe('Tue 3 Nov');
  });

  it('writes midnight as 00:00', () => {
    expect(formatMoment(Date.parse('2026-11-02T23:00:00Z'), now, zone)).toBe('Tue 3 Nov, 00:00');
  });

  it('is Unknown when missing', () => {
    expect(formatMoment(null, now, zone)).toBe('Unknown');
    expect(formatMomentInZone(null, now, zone)).toBe('Unknown');
  });

  it('says in tooltips whose clock it is', () => {
    const at = Date.parse('2026-11-03T14:40:00Z');
    expect(formatMomentInZone(at, now, 'America/New_York')).toBe('Tue 3 Nov, 09:40, America/New York');
  });
});

describe('“Data as of”', () => {
  it('is the time alone for today', () => {
    expect(formatAsOf(Date.parse('2026-11-21T13:02:00Z'), now, zone)).toBe('14:02');
  });

  it('says yesterday for the calendar day before, also a few hours ago', () => {
    expect(formatAsOf(Date.parse('2026-11-20T22:59:00Z'), now, zone)).toBe('yesterday 23:59');
  });

  it.each([
    ['after a day of 23 hours', '2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z', 'yesterday 00:30'],
    ['on the day after it', '2026-03-29T20:30:00Z', '2026-03-29T22:30:00Z', 'yesterday 22:30'],
    ['two days after the one before it', '2026-03-28T22:30:00Z', '2026-03-29T22:30:00Z', 'Sat 28 Mar, 23:30'],
    ['after a day of 25 hours', '2026-10-24T22:30:00Z', '2026-10-25T23:30:00Z', 'yesterday 00:30'],
    ['late on a day of 25 hours', '2026-10-24T21:30:00Z', '2026-10-25T22:30:00Z', 'yesterday 23:30'],
  ])('follows the calendar %s', (_, at, then, words) => {
    expect(formatAsOf(Date.parse(at), Date.parse(then), zone)).toBe(words);
  });

  it('names the day before that', () => {
    expect(formatAsOf(Date.parse('2026-11-19T10:00:00Z'), now, zone)).toBe('Thu 19 Nov, 11:00');
  });
});

describe('reading an instant', () => {
  it.each([null, undefined, '', 'soon'])('is null for %s', (text) => {
    expect(instantOf(text)).toBeNull();
  });
});

it('groups thousands', () => {
  expect(formatCount(4772)).toBe('4,772');
});
