import { expect, it } from 'vitest';
import { businessHours } from '#domain/business-hours.ts';
import { dayLanes } from './day-lanes.ts';

const at = (text: string) => Date.parse(text);

function lanes(from: string, to: string, zone = 'UTC') {
  const span = { from: at(from), to: at(to) };
  return dayLanes([{ phase: 'waiting', ...span, lost: false }], span, zone);
}

it('paints each day with what of the phases lay in it, and lights the working hours', () => {
  const { first } = lanes('2026-11-06T12:00:00Z', '2026-11-07T06:00:00Z');

  expect(first.map(({ pieces, work, workedHours }) => ({ pieces, work, workedHours }))).toEqual([
    {
      pieces: [{ phase: 'waiting', from: 0.5, to: 1, hours: 12 }],
      work: { from: 9 / 24, to: 17 / 24 },
      workedHours: 5,
    },
    { pieces: [{ phase: 'waiting', from: 0, to: 0.25, hours: 6 }], work: null, workedHours: 0 },
  ]);
});

it('shows ten days, and folds the middle of eleven', () => {
  const ten = lanes('2026-11-01T10:00:00Z', '2026-11-10T10:00:00Z');
  const eleven = lanes('2026-11-01T10:00:00Z', '2026-11-11T10:00:00Z');

  expect([ten.first.length, ten.folded, ten.last.length]).toEqual([10, 0, 0]);
  expect([eleven.first.length, eleven.folded, eleven.last.length]).toEqual([5, 1, 5]);
});

it('has no row for a day that begins when it ends', () => {
  expect(lanes('2026-11-03T10:00:00Z', '2026-11-05T00:00:00Z').first).toHaveLength(2);
  expect(lanes('2026-11-03T10:00:00Z', '2026-11-03T10:00:00Z').first).toHaveLength(1);
});

it('adds up to the business hours that the server tells', () => {
  const { first } = lanes('2026-10-22T10:00:00Z', '2026-10-28T16:30:00Z', 'Europe/Oslo');
  const told = businessHours(at('2026-10-22T10:00:00Z'), at('2026-10-28T16:30:00Z'), 'Europe/Oslo');

  expect(first.reduce((sum, { workedHours }) => sum + workedHours, 0)).toBeCloseTo(told.business_hours_spent, 6);
});
