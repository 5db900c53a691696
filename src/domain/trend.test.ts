import { describe, expect, it } from 'vitest';
import { countTrend, meanTrend, mergeTimeTrend, velocityTrend } from './trend.ts';

describe('a trend', () => {
  it.each([
    [0, 0, 0],
    [3, 0, 100],
    [0, 4, -100],
    [4, 4, 0],
    [5, 4, 25],
    [12, 4, 200],
  ])('from %d now against %d before is %d percent', (now, before, percent) => {
    expect(countTrend(now, before)).toBe(percent);
  });

  it.each([
    [30, 24, 25],
    [18, 24, -25],
    [24, null, null],
    [null, 24, null],
    [null, null, null],
  ])('of a mean, from %d now against %d before, is %d percent', (now, before, percent) => {
    expect(meanTrend(now, before)).toBe(percent);
  });

  it.each([
    [11, 10, 'stable'],
    [12, 10, 'up'],
    [9, 10, 'stable'],
    [8, 10, 'down'],
    [1, 0, 'up'],
    [0, 0, 'stable'],
    [0, 5, 'down'],
  ])('of velocity, %d merged after %d, is %s', (now, before, trend) => {
    expect(velocityTrend(now, before)).toBe(trend);
  });

  it.each([
    [9, 10, 'stable'],
    [8.9, 10, 'improved'],
    [11, 10, 'stable'],
    [11.1, 10, 'slower'],
    [null, 10, 'stable'],
    [10, null, 'stable'],
    [1, 0, 'slower'],
  ])('of merge time, %s h after %s h, is %s', (now, before, trend) => {
    expect(mergeTimeTrend(now, before)).toBe(trend);
  });
});
