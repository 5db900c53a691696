import { describe, expect, it } from 'vitest';
import { healthStatus, largeFrequencyColour, recommendedActions } from './health.ts';

const of = (stalePrs: number, largePrFrequency: number | null, openPrs: number) => ({
  stalePrs,
  largePrFrequency,
  openPrs,
});

describe('health', () => {
  it.each([
    [of(0, 0.099, 3), 'Excellent'],
    [of(0, null, 0), 'Excellent'],
    [of(0, 0.1, 3), 'Good'],
    [of(0, 0, 4), 'Good'],
    [of(1, 0, 0), 'Good'],
    [of(1, 0.199, 5), 'Good'],
    [of(1, 0.2, 5), 'Needs Attention'],
    [of(1, 0, 6), 'Needs Attention'],
    [of(2, 0.1, 4), 'Needs Attention'],
    [of(2, 0.299, 7), 'Needs Attention'],
    [of(2, 0.3, 7), 'Critical'],
    [of(3, 0, 0), 'Critical'],
    [of(0, 0, 8), 'Critical'],
  ])('of %j is %s', (figures, status) => {
    expect(healthStatus(figures)).toBe(status);
  });

  it.each([
    [0.15, null],
    [0.151, 'yellow'],
    [0.3, 'yellow'],
    [0.301, 'red'],
    [null, null],
  ])('colours a large-PR frequency of %s %s', (frequency, colour) => {
    expect(largeFrequencyColour(frequency)).toBe(colour);
  });

  it('recommends nothing at the bounds, and one action for each one crossed', () => {
    expect(recommendedActions(of(0, 0.2, 5))).toEqual([]);
    expect(recommendedActions(of(0, null, 5))).toEqual([]);
    expect(recommendedActions(of(1, 0.2, 5))).toHaveLength(1);
    expect(recommendedActions(of(0, 0.21, 5))).toHaveLength(1);
    expect(recommendedActions(of(2, 0.21, 6))).toHaveLength(3);
    expect(recommendedActions(of(1, null, 0))).toEqual(['Take up or close the stale pull request']);
    expect(recommendedActions(of(2, null, 0))).toEqual(['Take up or close 2 stale pull requests']);
  });
});
