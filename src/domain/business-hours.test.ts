import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { businessHours } from './business-hours.ts';

const MINUTE = 60_000;
const at = (text: string) => Date.parse(text);

describe('business hours', () => {
  it.each([
    ['a Monday from 08:00 to 18:00', '2026-03-02T08:00:00Z', '2026-03-02T18:00:00Z', 'UTC', 8],
    ['a weekend', '2026-03-07T00:00:00Z', '2026-03-09T00:00:00Z', 'UTC', 0],
    ['Friday 16:00 to Monday 10:00', '2026-03-06T16:00:00Z', '2026-03-09T10:00:00Z', 'UTC', 2],
    ['no time at all', '2026-03-02T10:00:00Z', '2026-03-02T10:00:00Z', 'UTC', 0],
    ['one millisecond before 17:00', '2026-03-02T16:59:59.999Z', '2026-03-02T20:00:00Z', 'UTC', 1 / 3_600_000],
    ['a Monday elsewhere', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z', 'America/New_York', 8],
    [
      'Friday evening in UTC is Saturday in Auckland',
      '2026-03-06T12:00:00Z',
      '2026-03-06T20:00:00Z',
      'Pacific/Auckland',
      0,
    ],
    ['the week in which Oslo’s clocks go forward', '2026-03-23T00:00:00Z', '2026-04-01T00:00:00Z', 'Europe/Oslo', 56],
    [
      'a Thursday before the Friday that Apia skipped, and the weekend',
      '2011-12-29T10:00:00Z',
      '2012-01-01T10:00:00Z',
      'Pacific/Apia',
      8,
    ],
  ])('%s', (_what, from, to, zone, expected) => {
    const { business_hours_spent } = businessHours(at(from), at(to), zone);

    expect(business_hours_spent).toBeCloseTo(expected, 9);
  });

  it('an unknown zone is an error that names it', () => {
    expect(() => businessHours(0, 1, 'Mars/Olympus')).toThrow(/Mars\/Olympus/);
  });
});

const zones = [
  'UTC',
  'Europe/Oslo',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Auckland',
];

/** Minute by minute, what the clock on the wall reads. */
function steppedMinutes(from: number, to: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
  let minutes = 0;
  for (let minute = from; minute < to; minute += MINUTE) {
    const parts = clock.formatToParts(minute);
    const weekday = parts.find(({ type }) => type === 'weekday')?.value ?? '';
    const hour = Number(parts.find(({ type }) => type === 'hour')?.value);
    if (!['Sat', 'Sun'].includes(weekday) && hour >= 9 && hour < 17) minutes += 1;
  }
  return minutes;
}

describe('business and after hours', () => {
  const start = fc.integer({ min: at('2011-01-01T00:00:00Z') / MINUTE, max: at('2026-12-01T00:00:00Z') / MINUTE });

  it('add up to the whole, to the millisecond, in any zone', () => {
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 0, max: 200 * 24 * 60 * MINUTE }),
        fc.constantFrom(...zones),
        (from, length, zone) => {
          const { business_hours_spent, after_hours_time } = businessHours(from * MINUTE, from * MINUTE + length, zone);

          expect(business_hours_spent).toBeGreaterThanOrEqual(0);
          expect(after_hours_time).toBeGreaterThanOrEqual(0);
          expect(Math.round((business_hours_spent + after_hours_time) * 3_600_000)).toBe(length);
        },
      ),
    );
  });

  it('are what one counts minute by minute on the wall clock, over changes of the clocks', () => {
    const changes = [
      '2026-03-29T00:00:00Z',
      '2026-10-25T00:00:00Z',
      '2026-03-08T06:00:00Z',
      '2026-11-01T05:00:00Z',
      '2026-04-04T14:00:00Z',
      '2011-12-30T09:00:00Z',
      '2026-02-15T02:00:00Z',
      '2026-03-22T02:00:00Z',
    ];
    const aroundChange = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * 24 * 60, max: 0 }))
      .map(([change, minutes]) => at(change) + minutes * MINUTE);

    fc.assert(
      fc.property(
        aroundChange,
        fc.integer({ min: 0, max: 6 * 24 * 60 }),
        fc.constantFrom(...zones),
        (from, minutes, zone) => {
          const to = from + minutes * MINUTE;

          const { business_hours_spent } = businessHours(from, to, zone);

          expect(Math.round(business_hours_spent * 60)).toBe(steppedMinutes(from, to, zone));
        },
      ),
      { numRuns: 60 },
    );
  });
});
