import fc from 'fast-check';
import { expect, it } from 'vitest';
import { phaseLabel, totalTime, wholePercents } from './time-analysis.ts';

const phases = { active_development_time: 3, waiting_for_review_time: 4, post_approval_time: 5 };

it('the total time is the time to merge, else the phases together', () => {
  expect(totalTime({ ...phases, time_to_merge: 20 })).toBe(20);
  expect(totalTime({ ...phases, time_to_merge: null })).toBe(12);
  expect(totalTime({ ...phases, time_to_merge: null, post_approval_time: null })).toBe(7);
});

it.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [54.6, 12.2, 3.2],
    [78, 17, 5],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [[5], [100]],
])('the shares of %j are %j percent', (parts, percents) => {
  expect(wholePercents(parts)).toEqual(percents);
});

it('shares of something always add up to 100 percent', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 6 }), (parts) => {
      fc.pre(parts.some((part) => part > 0));

      expect(wholePercents(parts).reduce((sum, percent) => sum + percent, 0)).toBe(100);
    }),
  );
});

it('names the phases, shorter where there is little room', () => {
  expect((['development', 'waiting', 'approved'] as const).map((phase) => phaseLabel(phase))).toEqual([
    'Development',
    'Waiting for review',
    'Approved',
  ]);
  expect(phaseLabel('waiting', 'short')).toBe('Waiting');
});
