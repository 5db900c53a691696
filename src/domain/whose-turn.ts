import type { History } from './history.ts';
import type { Phase, Phases } from './phases.ts';
import type { Instant } from './pull-request.ts';

export type WaitingOn = 'author' | 'reviewers' | 'merge';

export type WaitingReason =
  | 'draft'
  | 'changes_requested'
  | 'commented'
  | 'review_dismissed'
  | 'never_reviewed'
  | 'updated_after_review'
  | 'approved';

export interface WhoseTurn {
  readonly waiting_on: WaitingOn;
  readonly waiting_since: Instant;
  readonly waiting_reason: WaitingReason;
}

const waitingOn: Readonly<Record<Phase, WaitingOn>> = {
  development: 'author',
  waiting: 'reviewers',
  approved: 'merge',
};

/**
 * Who has to act on an open pull request, since when and why (`pull_request.waiting_on` in
 * docs/metrics.md#whose-turn-the-phases-of-a-pull-request); null when it has ended.
 */
export function whoseTurn(history: History, phases: Phases, firstReviewAt: Instant | null): WhoseTurn | null {
  if (history.endedAt !== null) return null;
  return {
    waiting_on: waitingOn[phases.last],
    waiting_since: phases.lastSince,
    waiting_reason: reasonOf(history, phases, firstReviewAt),
  };
}

function reasonOf(history: History, phases: Phases, firstReviewAt: Instant | null): WaitingReason {
  if (phases.last === 'approved') return 'approved';
  if (phases.last === 'waiting') {
    if (phases.lastByDismissal) return 'review_dismissed';
    return firstReviewAt === null ? 'never_reviewed' : 'updated_after_review';
  }
  if (history.drafts.changes.at(-1)?.draft ?? history.drafts.openedAsDraft) return 'draft';
  const requested = history.countingReviews.some(
    (review) => review.submittedAt >= phases.lastSince && review.submittedState === 'changes_requested',
  );
  return requested ? 'changes_requested' : 'commented';
}

const waitingOnWords: Readonly<Record<WaitingOn, string>> = {
  author: 'Author',
  reviewers: 'Reviewers',
  merge: 'Ready to merge',
};

const reasonWords: Readonly<Record<WaitingReason, string>> = {
  draft: 'draft',
  changes_requested: 'changes requested',
  commented: 'commented',
  review_dismissed: 'review dismissed',
  never_reviewed: 'never reviewed',
  updated_after_review: 'updated after review',
  approved: 'approved',
};

/** Whose turn it is in words for a table: "Reviewers", "Author" or "Ready to merge". */
export function waitingOnLabel(on: WaitingOn): string {
  return waitingOnWords[on];
}

/** Why it waits, in words: "never reviewed", "changes requested" … */
export function waitingReasonLabel(reason: WaitingReason): string {
  return reasonWords[reason];
}
