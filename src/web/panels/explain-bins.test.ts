import { describe, expect, it } from 'vitest';
import { definitions } from '#domain/definitions.ts';
import { binsOf, restsOn } from './explain-bins.ts';

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

describe('what a figure rests on', () => {
  it.each([
    ['team.avg_review_time_hours', '2 pull requests'],
    ['team.total_reviews', '2 reviews'],
    ['reviewer.avg_review_time_hours', '2 reviews'],
    ['load.outstanding_reviews', '2 pull requests'],
    ['team.outstanding_reviews', '2 requests'],
    ['team.total_contributors', '2 people'],
    ['team.active_reviewers', '2 people'],
    ['developer.active_days', '2 days'],
    ['contributor.activity_calendar', '2 contributions'],
    ['contributor.review_heatmap', '2 reviews'],
    ['contributor.top_reviewed_by', '2 reviews'],
    ['contributor.code_ownership_areas', '2 pull requests'],
    ['pull_request.team_p90_cycle_time', '2 pull requests'],
    ['developer.review_approval_rate', '2 pull requests'],
  ] as const)('%s: %s', (metric, words) => {
    expect(Object.hasOwn(definitions, metric)).toBe(true);
    expect(restsOn(metric, 2, '2')).toBe(words);
  });

  it('counts one as one', () => {
    expect(restsOn('team.merged_prs', 1, '1')).toBe('1 pull request');
  });
});
