import { describe, expect, it } from 'vitest';
import { binsOf } from './explain-bins.ts';

const countsOf = (...given: Parameters<typeof binsOf>) => binsOf(...given)?.map(({ count }) => count);

describe('the distribution behind a mean', () => {
  it('puts a value on a bound into the next bin', () => {
    expect(countsOf([0.99, 1, 4, 8, 24, 48], 'hours', 2, 2)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('tells long times in days', () => {
    expect(binsOf([30, 200], 'hours', 115, 115)?.map(({ label }) => label)).toContain('>7 d');
    expect(binsOf([30, 200], 'hours', 24, 24)?.map(({ label }) => label)).toContain('>2 d');
  });

  it('keeps to the sizes of the letters', () => {
    expect(countsOf([50, 51, 200, 201, 500, 501, 1000, 1001], 'lines', null, null)).toEqual([1, 2, 2, 2, 1, 0]);
  });

  it('marks where mean and median lie, also in one bin', () => {
    const bins = binsOf([1, 9], 'hours', 5, 2);

    expect(bins?.map(({ mark }) => mark)).toEqual([undefined, 'median', 'mean', undefined, undefined, undefined]);
    expect(binsOf([2, 2], 'hours', 2, 2)?.[1]).toMatchObject({ mark: 'mean, median', strong: true });
  });

  it('is not drawn over fewer than two values, nor over counts and shares', () => {
    expect(binsOf([1], 'hours', 1, 1)).toBeNull();
    expect(binsOf([1, 0], 'share', 0.5, 0.5)).toBeNull();
  });
});
