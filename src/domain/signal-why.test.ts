import { describe, expect, it } from 'vitest';
import { labelOf, type SignalNumbers, whyOf } from './signal-why.ts';
import { defaultHealthSettings, ownSignalKeys } from './signals.ts';

const numbers: SignalNumbers = {
  lines_counted: 1234,
  review_cycles: 5,
  standing_requests: 1,
  approval_lag_minutes: 3.4,
  commits_after_approval: 1,
  forced_after_approval: false,
  turns_in_a_day: 3,
  open_days: 20,
  approved_days: 1,
  reverted_by: 12,
  followed_up_by: 13,
};

describe('a signal of a pull request', () => {
  it('is told in a few words, with the number that matters', () => {
    expect(Object.fromEntries(ownSignalKeys.map((key) => [key, labelOf(key, numbers)]))).toEqual({
      merged_unreviewed: 'merged without review',
      merged_unapproved: 'merged without approval',
      merged_over_objection: 'merged over an objection',
      self_merged: 'merged by the author, unapproved',
      stamped: 'likely stamped',
      approved_then_pushed: 'pushed after approval (1 commit)',
      ping_pong: 'back and forth (5 review rounds)',
      big: 'big (1,234 lines)',
      long_open: 'open for 20 days',
      stale_approval: 'approved for 1 day',
      reverted: 'reverted by #12',
      followed_up: 'likely followed up by #13',
    });
  });

  it.each([
    ['merged_over_objection', 'Merged while 1 request for changes stood.'],
    ['stamped', 'Likely a stamp: approved in 3 minutes for 1,234 lines, with at most 2 words said.'],
    ['approved_then_pushed', 'Pushed after the last approval: 1 commit that nobody reviewed.'],
    ['ping_pong', '5 review rounds, and up to 3 turns of the author within 24 hours.'],
    ['big', '1,234 lines, more than 400; generated files aside.'],
    ['long_open', 'Open for 20 days, more than 14.'],
    ['reverted', 'Reverted by #12 within 30 days.'],
    ['followed_up', 'Likely set right by #13 within 7 days.'],
  ] as const)('has its rule with its numbers: %s', (key, why) => {
    expect(whyOf(key, numbers, defaultHealthSettings)).toBe(why);
  });

  it.each([
    ['long_open', { open_days: 14 }, 'Open for more than 14 days.'],
    ['stale_approval', { approved_days: 3 }, 'Approved and not merged for more than 3 days.'],
    ['stale_approval', { approved_days: 4 }, 'Approved and not merged for 4 days, more than 3.'],
  ] as const)('of a part of a day over its limit says no more than that: %s, %o', (key, days, why) => {
    expect(whyOf(key, { ...numbers, ...days }, defaultHealthSettings)).toBe(why);
  });
});
