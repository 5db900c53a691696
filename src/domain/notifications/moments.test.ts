import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DigestSchedule, dueDigest, lastWeek, latestMoment, latestPassing } from './moments.ts';
import { defaultQuietHours } from './subscriptions.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);
const daily = (time: string, weekdays = [1, 2, 3, 4, 5]) =>
  ({ kind: 'daily', options: { time, weekdays } }) as DigestSchedule;
const weekly = (time: string, weekday = 1) => ({ kind: 'weekly', options: { time, weekday } }) as DigestSchedule;
const moment = (schedule: DigestSchedule, zone: string, now: string) => {
  const found = latestMoment(schedule, zone, at(now));
  return found && `${new Date(found.at).toISOString().replace('.000Z', 'Z')} ${found.period}`;
};

describe('the moments of digests', () => {
  it.each([
    ['of today, from its minute on', daily('09:00'), 'UTC', '2026-11-25T09:00:00Z', '2026-11-25T09:00:00Z 2026-11-25'],
    ['of yesterday, before', daily('09:00'), 'UTC', '2026-11-25T08:59:59Z', '2026-11-24T09:00:00Z 2026-11-24'],
    ['of Friday, at the weekend', daily('09:00'), 'UTC', '2026-11-22T12:00:00Z', '2026-11-20T09:00:00Z 2026-11-20'],
    [
      'by the clock of a zone of half hours',
      daily('09:00'),
      'Asia/Kolkata',
      '2026-11-25T04:00:00Z',
      '2026-11-25T03:30:00Z 2026-11-25',
    ],
    [
      'after clocks went forward',
      daily('09:00'),
      'Europe/Berlin',
      '2026-03-30T08:00:00Z',
      '2026-03-30T07:00:00Z 2026-03-30',
    ],
    [
      'after clocks went back',
      daily('09:00'),
      'Europe/Berlin',
      '2026-10-26T09:00:00Z',
      '2026-10-26T08:00:00Z 2026-10-26',
    ],
    [
      'in the hour that is skipped: as much later',
      daily('02:30', [7]),
      'Europe/Berlin',
      '2026-03-29T02:00:00Z',
      '2026-03-29T01:30:00Z 2026-03-29',
    ],
    [
      'in the hour that comes twice: the first',
      daily('02:30', [7]),
      'Europe/Berlin',
      '2026-10-25T01:45:00Z',
      '2026-10-25T00:30:00Z 2026-10-25',
    ],
    ['of a week: the last whole one', weekly('09:00'), 'UTC', '2026-11-25T08:00:00Z', '2026-11-23T09:00:00Z 2026-W47'],
    [
      'of a week, on a Sunday: the week before that',
      weekly('09:00', 7),
      'UTC',
      '2026-11-22T09:00:00Z',
      '2026-11-22T09:00:00Z 2026-W46',
    ],
    ['of a week, over a new year', weekly('09:00'), 'UTC', '2027-01-04T09:00:00Z', '2027-01-04T09:00:00Z 2026-W53'],
  ])('%s', (_what, schedule, zone, now, expected) => {
    expect(moment(schedule, zone, now)).toBe(expected);
  });

  it('without weekdays there is none', () => {
    expect(latestMoment(daily('09:00', []), 'UTC', 0)).toBeNull();
  });

  it.each([
    ['due in its minute', '2026-11-25T09:00:00Z', '2026-11-01T00:00:00Z', true],
    ['due up to two hours late', '2026-11-25T11:00:00Z', '2026-11-01T00:00:00Z', true],
    ['skipped later', '2026-11-25T11:00:01Z', '2026-11-01T00:00:00Z', false],
    ['not due before the subscription was made', '2026-11-25T10:00:00Z', '2026-11-25T09:30:00Z', false],
  ])('a digest is %s', (_what, now, since, expected) => {
    const recipient = { hours: defaultQuietHours, timeZone: 'UTC', since: at(since) };

    expect(dueDigest(daily('09:00'), recipient, at(now)) !== null).toBe(expected);
  });

  it('a digest on a day without hours is skipped, not moved; with hours off none is', () => {
    const everyDay = daily('09:00', [1, 2, 3, 4, 5, 6, 7]);
    const saturday = at('2026-11-21T09:00:00Z');
    const recipient = { hours: defaultQuietHours, timeZone: 'UTC', since: 0 };

    expect(dueDigest(everyDay, recipient, saturday)).toBeNull();
    expect(
      dueDigest(everyDay, { ...recipient, hours: { ...defaultQuietHours, mode: 'off' } }, saturday),
    ).not.toBeNull();
  });

  it('comes once for each day of a year, whatever clocks do', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 1439 }), (zone, minutes) => {
        const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
        const periods: string[] = [];
        for (let now = at('2026-01-01T12:00:00Z'); now < at('2027-01-01T12:00:00Z'); now += HOUR) {
          const { period } = latestMoment(daily(time, [1, 2, 3, 4, 5, 6, 7]), zone, now)!;
          if (periods.at(-1) !== period) periods.push(period);
        }
        expect(new Set(periods).size).toBe(periods.length);
        expect(periods.length).toBeGreaterThanOrEqual(365);
        expect([...periods].sort()).toEqual(periods);
      }),
      { numRuns: 6 },
    );
  });
});

describe('the last whole week', () => {
  it.each([
    ['UTC', 168],
    ['Europe/Berlin', 167],
  ])('goes from Monday to Sunday in %s, with the hours that its clocks leave it', (zone, hours) => {
    const week = lastWeek(at('2026-04-01T12:00:00Z'), zone);

    expect(week.period).toBe('2026-W13');
    expect((week.to - week.from) / HOUR).toBe(hours);
    expect((week.from - week.before) / HOUR).toBe(168);
  });

  it('has an hour more where clocks went back', () => {
    const { from, to } = lastWeek(at('2026-10-26T12:00:00Z'), 'Europe/Berlin');

    expect((to - from) / HOUR).toBe(169);
  });
});

describe('a limit that a wait passes', () => {
  const since = at('2026-11-02T10:00:00Z');
  it.each([
    ['before', 24, null, 23.9, null],
    ['at its hour', 24, null, 24, 0],
    ['long after, told once', 24, null, 500, 0],
    ['before its first repetition', 24, 24, 47.9, 0],
    ['at its first repetition', 24, 24, 48, 1],
    ['later: the last of them alone', 24, 72, 24 + 3 * 72 + 5, 3],
  ] as const)('%s', (_what, after, repeat, hours, repetition) => {
    const passed = latestPassing(since, { after, repeat }, since + hours * HOUR);

    expect(passed?.repetition ?? null).toBe(repetition);
    if (passed !== null) expect(passed.at).toBe(since + (after + passed.repetition * (repeat ?? 0)) * HOUR);
  });
});
