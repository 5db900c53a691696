import { describe, expect, it } from 'vitest';
import { LARGE_ABOVE_LINES } from './metrics/thresholds.ts';
import {
  analyseSizes,
  churnRate,
  commitsHint,
  detailSize,
  filesHint,
  mostLines,
  sizeLetter,
  sizePercentileLabel,
  smallShare,
} from './size.ts';

describe('the size of a pull request', () => {
  it('has a bound where large ones begin', () => {
    expect(Object.values(mostLines)).toContain(LARGE_ABOVE_LINES);
  });

  it.each([
    [0, 'XS'],
    [50, 'XS'],
    [51, 'S'],
    [200, 'S'],
    [201, 'M'],
    [500, 'M'],
    [501, 'L'],
    [1000, 'L'],
    [1001, 'XL'],
  ])('in lists, %d lines are %s', (lines, letter) => {
    expect(sizeLetter(lines)).toBe(letter);
  });

  it.each([
    [49, 'Extra Small', 'Perfect size for quick reviews'],
    [50, 'Small', 'Good size, easy to review thoroughly'],
    [199, 'Small', 'Good size, easy to review thoroughly'],
    [200, 'Medium', 'Consider splitting if possible'],
    [399, 'Medium', 'Consider splitting if possible'],
    [400, 'Large', 'Should be split into smaller PRs'],
    [999, 'Large', 'Should be split into smaller PRs'],
    [1000, 'Extra Large', 'Too large - split into multiple PRs'],
  ])('in the deep dive, %d lines are %s', (lines, label, recommendation) => {
    expect(detailSize(lines)).toEqual({ label, recommendation });
  });

  it.each([
    [0, 'Optimal'],
    [25, 'Optimal'],
    [25.1, 'Good'],
    [50, 'Good'],
    [50.1, 'Above Average'],
    [75, 'Above Average'],
    [75.1, 'Too Large'],
    [null, null],
  ])('at percentile %s it is %s', (percentile, label) => {
    expect(sizePercentileLabel(percentile)).toBe(label);
  });
});

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
});

describe('code metrics', () => {
  it('give the churn as the smaller over the larger of additions and deletions', () => {
    expect(churnRate(200, 50)).toBe(25);
    expect(churnRate(50, 200)).toBe(25);
    expect(churnRate(0, 7)).toBe(0);
    expect(churnRate(0, 0)).toBeNull();
  });

  it('hint at splitting above 20 files and at squashing above 10 commits', () => {
    expect(filesHint(20)).toBe('Manageable scope');
    expect(filesHint(21)).toBe('Consider splitting by feature area');
    expect(commitsHint(10)).toBe('Good commit hygiene');
    expect(commitsHint(11)).toBe('Consider squashing related commits');
  });
});
