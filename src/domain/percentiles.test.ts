import { expect, it } from 'vitest';
import { mean, percentile, percentileRank } from './percentiles.ts';

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
  [[1, 2, 3, 4, 5], 0.75, 4],
  [[30, 10, 20], 1, 30],
])('of %j the percentile %d is %s', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

it('a rank counts the strictly smaller ones and needs five others', () => {
  expect(percentileRank(3, [1, 2, 3, 4, 5])).toBe(40);
  expect(percentileRank(0, [1, 2, 3, 4, 5])).toBe(0);
  expect(percentileRank(9, [1, 2, 3, 4, 5])).toBe(100);
  expect(percentileRank(3, [1, 2, 3, 4])).toBeNull();
});
