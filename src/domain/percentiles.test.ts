import { expect, it } from 'vitest';
import { mean, percentile } from './percentiles.ts';

it('a mean leaves nulls out and is null over nothing', () => {
  expect(mean([1, null, 3])).toBe(2);
  expect(mean([null])).toBeNull();
  expect(mean([])).toBeNull();
});

it.each([
  [[], 0.5, null],
  [[4], 0.9, 4],
  [[10, 1], 0.5, 5.5],
  [[1, 2, 3, 4], 0.25, 1.75],
  [[1, 2, 4, 8], 0.5, 3],
  [[1, 2, 4, 8, 16], 0.9, 12.8],
  [[1, 2, 3, 4, 5], 0.75, 4],
  [[30, 10, 20], 1, 30],
])('of %j the percentile %d is %s', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});
