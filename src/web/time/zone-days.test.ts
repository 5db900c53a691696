import fc from 'fast-check';
import { expect, it } from 'vitest';
import { businessHours } from '#domain/business-hours.ts';
import { dateIn, onTheClockOf } from '#domain/calendar-days.ts';
import { overlapHours, zoneDays } from './zone-days.ts';

const at = (text: string) => Date.parse(text);

it('gives the days that a span touches, with their working hours', () => {
  const days = zoneDays({ from: at('2026-11-06T12:00:00Z'), to: at('2026-11-07T12:00:00Z') }, 'UTC');

  expect(days).toEqual([
    {
      from: at('2026-11-06T00:00:00Z'),
      to: at('2026-11-07T00:00:00Z'),
      year: 2026,
      month: 11,
      day: 6,
      weekday: 5,
      work: { from: at('2026-11-06T09:00:00Z'), to: at('2026-11-06T17:00:00Z') },
    },
    {
      from: at('2026-11-07T00:00:00Z'),
      to: at('2026-11-08T00:00:00Z'),
      year: 2026,
      month: 11,
      day: 7,
      weekday: 6,
      work: null,
    },
  ]);
});

it('knows the day without its first hour, and the one with an hour twice', () => {
  const noMidnight = zoneDays(
    { from: at('2018-11-04T12:00:00Z'), to: at('2018-11-04T12:00:00Z') },
    'America/Sao_Paulo',
  );
  const twice = zoneDays({ from: at('2026-10-25T12:00:00Z'), to: at('2026-10-25T12:00:00Z') }, 'Europe/Oslo');

  expect(noMidnight[0]).toMatchObject({ from: at('2018-11-04T03:00:00Z'), to: at('2018-11-05T02:00:00Z') });
  expect((twice[0]!.to - twice[0]!.from) / 3_600_000).toBe(25);
});

it('leaves out a day that a zone skipped', () => {
  const days = zoneDays({ from: at('2011-12-29T12:00:00Z'), to: at('2011-12-31T12:00:00Z') }, 'Pacific/Apia');

  expect(days.map(({ month, day }) => `${month}-${day}`)).toEqual(['12-29', '12-31', '1-1']);
});

const zones = [
  'UTC',
  'Europe/Oslo',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
];

it('agrees with the domain’s calendar on days and working hours in every zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: at('2010-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') }),
      fc.integer({ min: 0, max: 40 * 24 * 3_600_000 }),
      (zone, from, length) => {
        const span = { from, to: from + length };
        const days = zoneDays(span, zone);
        const worked = days.reduce((sum, { work }) => sum + (work === null ? 0 : overlapHours(span, work)), 0);

        expect(worked).toBeCloseTo(businessHours(span.from, span.to, zone).business_hours_spent, 6);
        expect(days[0]!.from).toBeLessThanOrEqual(span.from);
        expect(days.at(-1)!.to).toBeGreaterThan(span.to);
        for (const { from: start, year, month, day, weekday } of days) {
          const clock = onTheClockOf(zone, start);
          expect([clock.year, clock.month, clock.day, clock.dayOfWeek]).toEqual([year, month, day, weekday]);
          expect(dateIn(zone, start - 1)).not.toBe(dateIn(zone, start));
        }
      },
    ),
  );
});
