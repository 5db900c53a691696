import { expect, it } from 'vitest';
import { phaseTimes } from './facts.ts';

const HOUR = 3_600_000;
const stored = { phase_since: 10 * HOUR, earlier_development_time: 4, earlier_waiting_time: 6 };

it('the phase of an open pull request runs on up to now', () => {
  expect(phaseTimes({ ...stored, ended_at: null, phase: 'waiting' }, 13 * HOUR)).toEqual({
    active_development_time: 4,
    waiting_for_review_time: 9,
    post_approval_time: null,
  });
  expect(phaseTimes({ ...stored, ended_at: null, phase: 'approved' }, 13 * HOUR)).toEqual({
    active_development_time: 4,
    waiting_for_review_time: 6,
    post_approval_time: 3,
  });
});

it('the phase of an ended one stops at its end, and none runs backwards', () => {
  expect(phaseTimes({ ...stored, ended_at: 11 * HOUR, phase: 'development' }, 13 * HOUR).active_development_time).toBe(
    5,
  );
  expect(phaseTimes({ ...stored, ended_at: null, phase: 'development' }, 9 * HOUR).active_development_time).toBe(4);
});
