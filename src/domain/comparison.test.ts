import { describe, expect, it } from 'vitest';
import { benchmarkSentence, percentDifference, percentileText, sizeDifferenceLabel, speedLabel } from './comparison.ts';

describe('a percent difference', () => {
  it('is positive when this one is faster or smaller', () => {
    expect(percentDifference(40, 30)).toBe(25);
    expect(percentDifference(40, 50)).toBe(-25);
    expect(percentDifference(0, 5)).toBeNull();
    expect(percentDifference(null, 5)).toBeNull();
    expect(percentDifference(5, null)).toBeNull();
  });

  it.each([
    [20.1, 'Much Faster', 'Much Smaller'],
    [20, 'Faster', 'Smaller'],
    [0.1, 'Faster', 'Smaller'],
    [0, 'Slower', 'Larger'],
    [-19.9, 'Slower', 'Larger'],
    [-20, 'Much Slower', 'Much Larger'],
    [null, null, null],
  ])('of %s reads %s or %s', (difference, speed, size) => {
    expect(speedLabel(difference)).toBe(speed);
    expect(sizeDifferenceLabel(difference)).toBe(size);
  });
});

describe('benchmarks', () => {
  const team = { p50: 10, p75: 20, p90: 30 };

  it.each([
    [10, 'Up to p50'],
    [10.1, 'Between p50 and p75'],
    [20, 'Between p50 and p75'],
    [20.1, 'Between p75 and p90'],
    [30, 'Between p75 and p90'],
    [30.1, 'Above p90'],
  ])('place %d hours: %s', (hours, start) => {
    expect(benchmarkSentence(hours, team, 'merged')).toMatch(new RegExp(`^${start}:`));
  });

  it.each([
    [10, 'open', 'Up to p50 so far.'],
    [20, 'open', 'Between p50 and p75 so far: already longer than half of the team’s merges.'],
    [30, 'open', 'Between p75 and p90 so far: already longer than three quarters of the team’s merges.'],
    [31, 'open', 'Above p90: already longer than nine tenths of the team’s merges.'],
    [10, 'closed', 'Up to p50.'],
    [20, 'closed', 'Between p50 and p75: longer than half of the team’s merges.'],
  ] as const)('call nothing but a merge fast or slow: %d hours, %s', (hours, state, words) => {
    expect(benchmarkSentence(hours, team, state)).toBe(words);
  });

  it('say nothing when there are too few pull requests', () => {
    expect(benchmarkSentence(10, { p50: null, p75: null, p90: null }, 'merged')).toBeNull();
  });

  it('show percentiles in whole numbers', () => {
    expect(percentileText(77.6)).toBe('p78');
    expect(percentileText(null)).toBe('N/A');
  });
});
