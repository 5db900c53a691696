import { describe, expect, it } from 'vitest';
import {
  activityLevel,
  barPercent,
  contributorOpenPrsBadge,
  developerFlags,
  efficiencyLabel,
  efficiencyPercent,
  mergeRateGrade,
  mergeTimeRating,
  openPrsBadge,
  reviewCyclesGrade,
  reviewResponseRating,
} from './ratings.ts';

function boundaries<V, R>(title: string, rate: (value: V) => R, rows: [V, R][]) {
  it.each(rows)(`${title}: %s is %s`, (value, expected) => {
    expect(rate(value)).toBe(expected);
  });
}

boundaries<number | null, unknown>('merge time in hours', mergeTimeRating, [
  [24, 'Excellent'],
  [24.1, 'Good'],
  [72, 'Good'],
  [72.1, 'Average'],
  [168, 'Average'],
  [168.1, 'Needs Improvement'],
  [null, null],
]);

boundaries<number | null, unknown>('review response in hours', reviewResponseRating, [
  [4, 'Excellent'],
  [4.1, 'Good'],
  [12, 'Good'],
  [12.1, 'Average'],
  [24, 'Average'],
  [24.1, 'Needs Improvement'],
  [null, null],
]);

boundaries<number | null, unknown>('merge rate', mergeRateGrade, [
  [0.9, 'good'],
  [0.899, 'fair'],
  [0.7, 'fair'],
  [0.699, 'watch'],
  [0.5, 'watch'],
  [0.499, 'bad'],
  [null, null],
]);

boundaries<number | null, unknown>('review cycles', reviewCyclesGrade, [
  [1.5, 'good'],
  [1.51, 'fair'],
  [2.5, 'fair'],
  [2.51, 'watch'],
  [3.5, 'watch'],
  [3.51, 'bad'],
  [null, null],
]);

boundaries('active days', activityLevel, [
  [25, 'Very High'],
  [24, 'High'],
  [20, 'High'],
  [19, 'Moderate'],
  [15, 'Moderate'],
  [14, 'Low'],
  [10, 'Low'],
  [9, 'Very Low'],
]);

boundaries('open pull requests of a developer', openPrsBadge, [
  [6, 'destructive'],
  [5, 'secondary'],
  [3, 'secondary'],
  [2, 'none'],
]);

boundaries('open pull requests on the contributor page', contributorOpenPrsBadge, [
  [8, 'destructive'],
  [7, 'secondary'],
  [5, 'secondary'],
  [4, 'none'],
]);

boundaries<number | null, unknown>('efficiency in percent', efficiencyLabel, [
  [70.1, 'High'],
  [70, 'Medium'],
  [40.1, 'Medium'],
  [40, 'Low'],
  [null, null],
]);

describe('a developer', () => {
  const atTheBounds = {
    open_prs: 5,
    avg_merge_time_hours: 72,
    avg_review_response_hours: 24,
    review_approval_rate: 80,
    first_time_approval_rate: 70,
    review_to_pr_ratio: 2,
  };

  it('has nothing flagged at the bounds', () => {
    expect(Object.values(developerFlags(atTheBounds))).toEqual(Array(6).fill(false));
  });

  it('has everything flagged just above them', () => {
    const above = Object.fromEntries(Object.entries(atTheBounds).map(([key, value]) => [key, value + 0.1]));

    expect(Object.values(developerFlags(above as unknown as typeof atTheBounds))).toEqual(Array(6).fill(true));
  });

  it('has no missing figure flagged', () => {
    const missing = {
      open_prs: 0,
      avg_merge_time_hours: null,
      avg_review_response_hours: null,
      review_approval_rate: null,
      first_time_approval_rate: null,
      review_to_pr_ratio: null,
    };

    expect(Object.values(developerFlags(missing))).toEqual(Array(6).fill(false));
  });
});

describe('parts of a whole', () => {
  it('give the efficiency as the share of business hours', () => {
    expect(efficiencyPercent(3, 1)).toBe(75);
    expect(efficiencyPercent(0, 0)).toBeNull();
  });

  it('give bars of at most 100 percent', () => {
    expect(barPercent(1, 4)).toBe(25);
    expect(barPercent(5, 4)).toBe(100);
    expect(barPercent(0.125, 0.5)).toBe(25);
    expect(barPercent(null, 4)).toBe(0);
    expect(barPercent(1, 0)).toBe(0);
    expect(barPercent(1, null)).toBe(0);
  });
});
