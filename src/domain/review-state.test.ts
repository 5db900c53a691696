import { expect, it } from 'vitest';
import { reviewStateLabel, stateBadge } from './review-state.ts';

it.each([
  ['approved', 'Approved'],
  ['changes_requested', 'Changes Requested'],
  ['commented', 'Commented'],
  ['dismissed', 'Commented'],
] as const)('a review that is %s reads %s', (state, label) => {
  expect(reviewStateLabel(state)).toBe(label);
});

it('a badge shows underscores as spaces', () => {
  expect(stateBadge('timed_out_or_not')).toBe('timed out or not');
});
