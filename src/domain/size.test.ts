import { describe, expect, it } from 'vitest';
import { churnRate, commitsHint, detailSize, filesHint, sizePercentileLabel } from './size.ts';
import { sizeLetter } from './size-letter.ts';

describe('the size of a pull request', () => {
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
