import { expect, it } from 'vitest';
import { windowOf } from './window.ts';

/** A Thursday. */
const NOW = new Date('2026-06-18T13:00:00Z');
const asked = (to?: string, zone = 'Europe/Oslo') => windowOf({ to, bucket: 'week' }, zone, NOW);

it('without a beginning it is the twelve weeks before its end, whole ones where that is a Monday, also where clocks change', () => {
  const { from, buckets } = asked('2026-04-06');

  // Clocks were set forward on the 29th of March.
  expect(new Date(from).toISOString()).toBe('2026-01-11T23:00:00.000Z');
  expect(buckets.map(({ complete }) => complete)).toEqual(Array(12).fill(true));
  expect([buckets[0]!.date, buckets.at(-1)!.date]).toEqual(['2026-01-12', '2026-03-30']);
});

it('without an end, or with one that is yet to come, it goes on until now', () => {
  for (const to of [undefined, '2026-07-01'])
    expect(asked(to)).toMatchObject({ from: Date.parse('2026-03-26T14:00:00Z'), to: NOW.getTime() });
});
