import { describe, expect, it } from 'vitest';
import { concentrationOf } from './concentration.ts';

describe('who carries the reviews', () => {
  it.each([
    [[10, 10, 10], { reviewers: 3, half: 2, top_share: 1 / 3, gini: 0 }],
    [[12, 11], { reviewers: 2, half: 1, top_share: 12 / 23, gini: 2 / (2 * 4 * 11.5) }],
    [[1, 1, 1, 1], { reviewers: 4, half: 2, top_share: 0.25, gini: 0 }],
    [[8, 1, 1], { reviewers: 3, half: 1, top_share: 0.8, gini: 28 / (2 * 9 * (10 / 3)) }],
    [[5], { reviewers: 1, half: 1, top_share: 1, gini: 0 }],
  ])('of %j', (counts, expected) => {
    const { gini, top_share, ...rest } = concentrationOf(counts, 3);
    expect(rest).toEqual({ reviewers: expected.reviewers, half: expected.half });
    expect(top_share).toBeCloseTo(expected.top_share, 12);
    expect(gini).toBeCloseTo(expected.gini, 12);
  });

  it('is not told of fewer than three active people, or of nothing', () => {
    expect(concentrationOf([4, 3], 2)).toEqual({ reviewers: 2, half: null, top_share: null, gini: null });
    expect(concentrationOf([], 9)).toEqual({ reviewers: 0, half: null, top_share: null, gini: null });
  });
});
