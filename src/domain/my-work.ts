import type { Instant } from './pull-request.ts';

const DAY = 24 * 3_600_000;
/** A standing request for changes calls its reviewer back for so long after the author's answer. */
const REQUEST_CALLS_FOR = 365 * DAY;
/** Any other review calls its author back where it was given at most so long before what was done since … */
const REVIEW_CALLS_WITHIN = 30 * DAY;
/** … and for so long after that. */
const REVIEW_CALLS_FOR = 90 * DAY;

/** Since when a pull request waits for reviewers. */
interface Waiting {
  readonly waiting_since: Instant;
}

/** What somebody who reviewed it thinks of it. */
interface Reviewed {
  /** Their latest counting review; null without one. */
  readonly reviewedAt: Instant | null;
  /** Their opinion that stands: neither dismissed nor replaced. */
  readonly opinion: 'approved' | 'changes_requested' | null;
}

/**
 * Whether what was done since their review makes it their turn again, though nobody asked. Of what waits for reviewers alone; whoever is
 * asked by name is not called back, but asked.
 */
export function isCalledBack(
  { waiting_since: since }: Waiting,
  { reviewedAt, opinion }: Reviewed,
  now: Instant,
): boolean {
  if (reviewedAt === null || opinion === 'approved') return false;
  if (opinion === 'changes_requested' && now - since <= REQUEST_CALLS_FOR) return true;
  return since - reviewedAt <= REVIEW_CALLS_WITHIN && now - since <= REVIEW_CALLS_FOR;
}
