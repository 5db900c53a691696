import { describe, expect, it } from 'vitest';
import { fieldValueOf, LONGEST_SNOOZE, snoozeTimes, whyNotUntil } from './snooze-times.ts';

const untils = (now: string, zone: string) =>
  snoozeTimes(Date.parse(now), zone).map(({ until }) => new Date(until).toISOString());

describe('when a snoozed item comes back', () => {
  it.each([
    [
      'on a Thursday',
      '2026-11-19T13:03:00Z',
      'Europe/Oslo',
      ['2026-11-20T08:00', '2026-11-23T08:00', '2026-11-26T13:03'],
    ],
    [
      'on a Sunday',
      '2026-11-22T13:03:00Z',
      'Europe/Oslo',
      ['2026-11-23T08:00', '2026-11-23T08:00', '2026-11-29T13:03'],
    ],
    [
      'on a Monday before nine: the Monday after',
      '2026-11-23T06:00:00Z',
      'Europe/Oslo',
      ['2026-11-24T08:00', '2026-11-30T08:00', '2026-11-30T06:00'],
    ],
    [
      'where it is tomorrow already',
      '2026-11-19T13:03:00Z',
      'Pacific/Auckland',
      ['2026-11-20T20:00', '2026-11-22T20:00', '2026-11-26T13:03'],
    ],
    [
      'in a zone of half hours',
      '2026-11-19T19:00:00Z',
      'Asia/Kolkata',
      ['2026-11-21T03:30', '2026-11-23T03:30', '2026-11-26T19:00'],
    ],
    [
      'over the night in which clocks go back: a week is seven days',
      '2026-10-24T12:00:00Z',
      'Europe/Oslo',
      ['2026-10-25T08:00', '2026-10-26T08:00', '2026-10-31T12:00'],
    ],
    [
      'in the first hour of the Monday before that night: the Monday after',
      '2026-10-18T22:30:00Z',
      'Europe/Oslo',
      ['2026-10-20T07:00', '2026-10-26T08:00', '2026-10-25T22:30'],
    ],
    [
      'over the night in which clocks go forward',
      '2026-03-28T12:00:00Z',
      'Europe/Oslo',
      ['2026-03-29T07:00', '2026-03-30T07:00', '2026-04-04T12:00'],
    ],
  ])('%s', (_, now, zone, expected) => {
    expect(untils(now, zone)).toEqual(expected.map((minute) => `${minute}:00.000Z`));
  });

  it('is picked by the clocks of the same zone', () => {
    expect(fieldValueOf(Date.parse('2026-11-19T23:30:00Z'), 'Europe/Oslo')).toBe('2026-11-20T00:30');
  });

  it.each([
    [Number.NaN, 'Pick a day and a time.'],
    [0, 'That is over already.'],
    [1, null],
    [LONGEST_SNOOZE, null],
    [LONGEST_SNOOZE + 1, 'At most 90 days ahead.'],
  ])('is not further than 90 days: %d', (until, sentence) => {
    expect(whyNotUntil(until, 0)).toBe(sentence);
  });
});
