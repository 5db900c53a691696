import { expect, it } from 'vitest';
import { type BadgeFigures, badgesOf } from './badges.ts';

const nothing: BadgeFigures = {
  countingReviews: 0,
  mostCountingReviews: 0,
  medianResponse: null,
  responses: 0,
  opened: 0,
  openedSmall: 0,
  activeDays: 0,
  mergeRate: null,
  ended: 0,
};

it.each<[string, Partial<BadgeFigures>, string[]]>([
  ['nobody reviewed', {}, []],
  ['the most reviews', { countingReviews: 3, mostCountingReviews: 3 }, ['Top Reviewer']],
  ['a single review, the most', { countingReviews: 1, mostCountingReviews: 1 }, ['Top Reviewer']],
  ['fewer reviews', { countingReviews: 2, mostCountingReviews: 3 }, []],
  ['five responses at 4 hours', { medianResponse: 4, responses: 5 }, ['Fast Responder']],
  ['slower', { medianResponse: 4.1, responses: 5 }, []],
  ['too few responses', { medianResponse: 1, responses: 4 }, []],
  ['70 % small', { opened: 10, openedSmall: 7 }, ['Small PRs']],
  ['most of five small', { opened: 5, openedSmall: 4 }, ['Small PRs']],
  ['less than 70 % small', { opened: 13, openedSmall: 9 }, []],
  ['too few opened', { opened: 4, openedSmall: 4 }, []],
  ['20 active days', { activeDays: 20 }, ['Consistent']],
  ['19 active days', { activeDays: 19 }, []],
  ['90 % merged', { mergeRate: 0.9, ended: 5 }, ['Closer']],
  ['less merged', { mergeRate: 0.89, ended: 5 }, []],
  ['too few ended', { mergeRate: 1, ended: 4 }, []],
])('with %s', (_what, figures, labels) => {
  const badges = badgesOf({ ...nothing, ...figures });

  expect(badges.map(({ label }) => label)).toEqual(labels);
});

it('each badge says why, with the numbers that earned it', () => {
  const badges = badgesOf({
    countingReviews: 12,
    mostCountingReviews: 12,
    medianResponse: 3.5,
    responses: 9,
    opened: 10,
    openedSmall: 8,
    activeDays: 21,
    mergeRate: 35 / 37,
    ended: 37,
  });

  expect(badges.map(({ reason }) => reason)).toEqual([
    '12 reviews, the most in the team',
    'Half of 9 reviews within 3.5 h',
    '8 of 10 opened PRs under 200 lines',
    'Active on 21 of the last 30 days',
    '95 % of 37 ended PRs merged',
  ]);
});

it('a single one that was not merged is not rounded away', () => {
  const [badge] = badgesOf({ ...nothing, mergeRate: 249 / 250, ended: 250 });

  expect(badge?.reason).toBe('99.6 % of 250 ended PRs merged');
});
