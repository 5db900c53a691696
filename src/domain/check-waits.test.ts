import { describe, expect, it } from 'vitest';
import {
  aPullRequest,
  approves,
  checked,
  draft,
  forcePushed,
  type Happening,
  hour,
  merged,
  pushed,
  ready,
  requestsChanges,
} from '../../test/support/builders.ts';
import { historyOf } from './history.ts';
import { phasesOf } from './phases.ts';
import { signalFactsOf } from './review-signals.ts';

function factsOf(...happenings: Happening[]) {
  const history = historyOf(aPullRequest({}, ...happenings), hour(1000));
  const { ci_wait_hours, ci_overlap_hours } = signalFactsOf(history, phasesOf(history), null, []);
  return [ci_wait_hours, ci_overlap_hours];
}
/** A check of the head that goes on since then. */
const running =
  (from: number): Happening =>
  ({ checks }) =>
    checks.push({ id: 'running', name: 'e2e', outcome: null, completedAt: null, startedAt: hour(from) });

describe('checks were waited for', () => {
  it.each([
    ['from the opening, where nothing was pushed since', [checked(2)], 2],
    ['from the last push', [pushed(5), checked(7)], 2],
    ['from the last of several', [pushed(1), pushed(5), checked(7)], 2],
    ['from a force push', [pushed(1), forcePushed(6), checked(7)], 1],
    ['until the last of them was done', [pushed(5), checked(7), checked(9), checked(6)], 4],
    ['until a status was reported, too', [pushed(5), checked(7, 'success', 5), checked(8)], 3],
    ['whatever their result', [pushed(5), checked(7, 'failure'), checked(9, 'skipped')], 4],
    ['also after the merge', [pushed(5), merged(6), checked(8)], 3],
    ['not at all, where they were done before the push was listed', [pushed(5), checked(4)], 0],
    ['to no known end while one runs', [pushed(5), checked(7), running(5)], null],
    ['never, where there are none', [pushed(5)], null],
    [
      'from the last push before the end, not from one after it',
      [pushed(5), merged(6), forcePushed(20), checked(8)],
      3,
    ],
  ] as const)('%s', (_, happenings, hours) => {
    expect(factsOf(...happenings)[0]).toBe(hours);
  });
});

describe('checks of the last push ran while it waited or was approved', () => {
  it.each([
    ['so long', [checked(3, 'success', 1), merged(10)], 2],
    ['each moment once, however many ran', [checked(3, 'success', 1), checked(4, 'success', 2), merged(10)], 3],
    ['with a pause between', [checked(2, 'success', 1), checked(6, 'success', 5), merged(10)], 2],
    ['not before that push', [pushed(2), checked(4, 'success', 1), merged(10)], 2],
    ['not after its end', [checked(12, 'success', 8), merged(10)], 2],
    ['not while it was a draft', [draft(0, 'ada'), checked(4, 'success', 1), ready(3), merged(10)], 1],
    ['not while the author had to change it', [requestsChanges(2, 'bob'), checked(4, 'success', 1), merged(10)], 1],
    ['also when it was approved', [approves(2, 'bob'), checked(4, 'success', 1), merged(10)], 3],
    ['as far as is known when they began', [checked(4), checked(3, 'success', 2), merged(10)], 1],
    ['unknown while one runs', [running(1), checked(3, 'success', 1), merged(10)], null],
    ['unknown where none says when it began', [checked(4), checked(5), merged(10)], null],
    ['unknown without checks', [merged(10)], null],
  ] as const)('%s', (_, happenings, hours) => {
    expect(factsOf(...happenings)[1]).toBe(hours);
  });
});
