import { expect, it } from 'vitest';
import { wholePercent } from './whole-percent.ts';

it.each([
  [0, 0],
  [0.29, 29],
  [0.697, 69],
  [0.699999, 69],
  [0.7, 70],
  [1, 100],
  [1.2, 120],
])('a share of %d beside its target reads %d percent', (share, percent) => {
  expect(wholePercent(share)).toBe(percent);
});
