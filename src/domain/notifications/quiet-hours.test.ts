import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onTheClockOf } from '../calendar-days.ts';
import { allowsDigest, nextOpening } from './quiet-hours.ts';
import { defaultQuietHours, type QuietHours, type Weekday } from './subscriptions.ts';

const at = (text: string) => Date.parse(text);
const opening = (hours: QuietHours, zone: string, text: string) => {
  const found = nextOpening(hours, zone, at(text));
  return found === null ? null : new Date(found).toISOString().replace('.000Z', 'Z');
};

describe('when messages may come', () => {
  it.each([
    ['in the hours: now', 'Europe/Berlin', '2026-03-25T10:00:00Z', '2026-03-25T10:00:00Z'],
    ['their first instant belongs to them', 'Europe/Berlin', '2026-03-25T07:00:00Z', '2026-03-25T07:00:00Z'],
    ['their last does not', 'Europe/Berlin', '2026-03-25T18:00:00Z', '2026-03-26T07:00:00Z'],
    ['before them: when they begin', 'Europe/Berlin', '2026-03-25T03:00:00Z', '2026-03-25T07:00:00Z'],
    ['over a weekend in which clocks go forward', 'Europe/Berlin', '2026-03-27T18:30:00Z', '2026-03-30T06:00:00Z'],
    ['over a weekend in which clocks go back', 'Europe/Berlin', '2026-10-23T17:30:00Z', '2026-10-26T07:00:00Z'],
    ['in a zone of half hours', 'Asia/Kolkata', '2026-03-25T02:00:00Z', '2026-03-25T02:30:00Z'],
    ['in a zone of half hours, at night', 'Asia/Kolkata', '2026-03-25T13:30:00Z', '2026-03-26T02:30:00Z'],
    ['where clocks change by half an hour', 'Australia/Lord_Howe', '2026-04-05T12:00:00Z', '2026-04-05T21:30:00Z'],
  ])('%s', (_what, zone, now, expected) => {
    expect(opening(defaultQuietHours, zone, now)).toBe(expected);
  });

  it('hours through midnight belong to the day on which they begin', () => {
    const night: QuietHours = { mode: 'hours', from: '22:00', to: '06:00', weekdays: [5] };

    expect(opening(night, 'UTC', '2026-03-27T21:00:00Z')).toBe('2026-03-27T22:00:00Z');
    expect(opening(night, 'UTC', '2026-03-28T05:59:00Z')).toBe('2026-03-28T05:59:00Z');
    expect(opening(night, 'UTC', '2026-03-28T06:00:00Z')).toBe('2026-04-03T22:00:00Z');
  });

  it('hours that begin in the hour that clocks skip begin as much later', () => {
    const early: QuietHours = { mode: 'hours', from: '02:30', to: '05:00', weekdays: [7] };

    expect(opening(early, 'Europe/Berlin', '2026-03-29T00:00:00Z')).toBe('2026-03-29T01:30:00Z');
  });

  it('off is always, and without any weekday never', () => {
    expect(opening({ ...defaultQuietHours, mode: 'off' }, 'UTC', '2026-03-29T00:00:00Z')).toBe('2026-03-29T00:00:00Z');
    expect(opening({ ...defaultQuietHours, weekdays: [] }, 'UTC', '2026-03-29T00:00:00Z')).toBeNull();
  });

  it('an opening is never outside the hours as the clock on the wall has them, nor later than it has to be', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'America/St_Johns',
    ];
    const isOpen = (zone: string, instant: number) => {
      const clock = onTheClockOf(zone, instant);
      return clock.dayOfWeek <= 5 && clock.hour >= 8 && clock.hour < 19;
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at('2026-01-01T00:00:00Z') / 60_000, max: at('2027-01-01T00:00:00Z') / 60_000 }),
        (zone, minute) => {
          const now = minute * 60_000;
          const found = nextOpening(defaultQuietHours, zone, now)!;
          expect(isOpen(zone, found)).toBe(true);
          expect(found === now || !isOpen(zone, found - 60_000)).toBe(true);
          for (let before = now; before < found; before += 30 * 60_000) expect(isOpen(zone, before)).toBe(false);
        },
      ),
    );
  });

  it('digests come on weekdays of the hours at any time of them, and on all days with hours off', () => {
    const saturday = at('2026-03-28T03:00:00Z');

    expect(allowsDigest(defaultQuietHours, 'UTC', saturday)).toBe(false);
    expect(allowsDigest(defaultQuietHours, 'America/New_York', saturday)).toBe(true);
    expect(allowsDigest({ ...defaultQuietHours, mode: 'off' }, 'UTC', saturday)).toBe(true);
    expect(allowsDigest({ ...defaultQuietHours, weekdays: [6 as Weekday] }, 'UTC', saturday)).toBe(true);
  });
});
