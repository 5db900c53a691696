import { expect, it } from 'vitest';
import { nextAttempt } from './delivery.ts';

const MINUTE = 60_000;

it('what did not arrive is tried after 1, 5, 15, 60 minutes and 4 hours, then it has failed', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempts) => nextAttempt(attempts, null, 0));

  expect(waits).toEqual([1, 5, 15, 60, 240, null].map((minutes) => minutes && minutes * MINUTE));
});

it('a later moment that the host names is followed up to four hours, an earlier one is not', () => {
  expect(nextAttempt(1, 600, 0)).toBe(10 * MINUTE);
  expect(nextAttempt(1, 86_400, 0)).toBe(240 * MINUTE);
  expect(nextAttempt(2, 1, 0)).toBe(5 * MINUTE);
});
