import type { Instant } from '../pull-request.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What falls due waits so long for what falls due with it. */
export const GATHER_FOR = 10 * SECOND;
/** Between two messages that are no digests, for one recipient through one channel. */
export const BETWEEN_MESSAGES = 30 * MINUTE;
/** A message that was found being sent for so long may have arrived or not: nobody knows. */
export const UNKNOWN_AFTER = 5 * MINUTE;
/** One message in so long for each host that takes them. */
export const BETWEEN_SENDINGS = SECOND;
/** Messages that are sent at the same time, at most. */
export const SENDINGS_AT_ONCE = 10;
/** Messages in a row that failed for good, after which a channel is paused. */
export const FAILURES_TO_PAUSE = 5;

const retryAfter = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE);
/** A host that names a later moment is followed up to so long. */
const LONGEST_RETRY = 240 * MINUTE;

/**
 * What is new joins a message that is tried again, if it was made less long ago than this: one that is joined for ever would never fail, and
 * its channel never be paused.
 */
export const JOINED_FOR = 4 * 60 * MINUTE;
/** The same of one that is held until messages may come again, which is within a week: all that falls due meanwhile is one message. */
export const HELD_JOINED_FOR = 7 * 24 * 60 * MINUTE;
/** With what is new a message counts as tried so often at most: what follows then is a try in some minutes, and those after an hour and four. */
export const ATTEMPTS_OF_JOINED = 3;

/**
 * When a message that surely didn't arrive is sent again, after this many attempts (1 and up); null where it has failed. `named` is what the
 * host asked for, in seconds, null where it named nothing.
 */
export function nextAttempt(attempts: number, named: number | null, now: Instant): Instant | null {
  const wait = retryAfter[attempts - 1];
  return wait === undefined ? null : now + Math.max(wait, Math.min((named ?? 0) * SECOND, LONGEST_RETRY));
}
