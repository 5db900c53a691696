/** Bounds that more than one figure, question or text uses; each stands here once (docs/metrics.md). */

/** An open pull request is stuck when it has been open for more than so many hours; exactly so many is not. */
export const STUCK_AFTER_HOURS = 48;

/** A developer's open pull request is awaiting review when it has waited for reviewers for more than so many hours. */
export const AWAITING_AFTER_HOURS = 48;

/** A pull request is compared with the team's others where there are at least so many of them. */
export const ENOUGH_TO_COMPARE = 5;

/** An open pull request is stale when no person did anything in it for so many days, or longer. */
export const STALE_AFTER_DAYS = 7;

/** A pull request is reverted when what reverts it was merged within so many days after it. */
export const REVERTED_WITHIN_DAYS = 30;

/** It is not when the revert was itself reverted within so many days. */
export const REAPPLIED_WITHIN_DAYS = 7;

/** A pull request is followed up when a small fix to it was merged within so many days after it. */
export const FOLLOWED_WITHIN_DAYS = 7;

/** A small fix changes fewer lines than these. */
export const SMALL_FIX_BELOW_LINES = 50;

/** A pull request is small when it changes fewer lines than these. */
export const SMALL_BELOW_LINES = 200;

/** A pull request is large when it changes more lines than these. */
export const LARGE_ABOVE_LINES = 500;

/** So many open pull requests of a developer are not many yet; one more is flagged. */
export const MANY_OPEN_ABOVE = 5;

/** The same on a contributor's own page. */
export const MANY_OWN_OPEN_ABOVE = 7;

/** A developer's pull requests merge slowly when that takes longer than so many hours on average. */
export const SLOW_MERGE_ABOVE_HOURS = 72;

/** Reviews come slowly when that takes longer than so many hours on average. */
export const SLOW_REVIEW_ABOVE_HOURS = 24;

/** An approval rate is good above this, in percent. */
export const GOOD_APPROVAL_ABOVE_PERCENT = 80;

/** A first-time approval rate is good above this, in percent. */
export const GOOD_FIRST_TIME_ABOVE_PERCENT = 70;

/** More reviews given for each pull request opened than so many are good. */
export const GOOD_REVIEW_RATIO_ABOVE = 2;

/** A developer's figure has moved when it changed by more than so many percent. */
export const MOVED_BEYOND_PERCENT = 10;

/** A badge that rests on a rate or a median needs at least so many things. */
export const ENOUGH_FOR_A_BADGE = 5;

/** A review is complex when it has so many comments, or more; or when it asks for changes. */
export const COMPLEX_FROM_COMMENTS = 5;

/** The longest window over which figures of AI in review are asked, in days. */
export const LONGEST_AI_WINDOW_DAYS = 400;
