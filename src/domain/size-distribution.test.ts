import { describe, expect, it } from 'vitest';
import { LARGE_ABOVE_LINES } from './metrics/thresholds.ts';
import { mostLines } from './size-buckets.ts';
import { analyseSizes, smallShare } from './size-distribution.ts';

describe('a size distribution', () => {
  const of = (xs: number, s: number, m: number, l: number, xl: number) => ({
    '0-50': xs,
    '51-200': s,
    '201-500': m,
    '501-1000': l,
    '1000+': xl,
  });

  it.each([
    [of(10, 0, 0, 0, 0), true, false],
    [of(24, 24, 23, 15, 14), true, false],
    [of(24, 23, 23, 15, 15), true, true],
    [of(23, 23, 23, 16, 15), false, true],
    [of(1, 1, 0, 1, 0), false, true],
  ])('%j is excellent: %s, and warned of: %s', (distribution, excellent, warning) => {
    expect(analyseSizes(distribution)).toMatchObject({ excellent, warning });
  });

  it('says nothing about nothing', () => {
    expect(analyseSizes(of(0, 0, 0, 0, 0))).toBeNull();
  });

  it.each([
    [of(0, 0, 0, 0, 0), null],
    [of(35, 35, 30, 0, 0), { share: 0.7, onTarget: true }],
    [of(35, 34, 31, 0, 0), { share: 0.69, onTarget: false }],
    [of(0, 1, 0, 0, 0), { share: 1, onTarget: true }],
  ])('%j is on target with 70 percent of up to 200 lines', (distribution, small) => {
    expect(smallShare(distribution)).toEqual(small);
  });

  it('has a bound where large ones begin', () => {
    expect(Object.values(mostLines)).toContain(LARGE_ABOVE_LINES);
  });
});
