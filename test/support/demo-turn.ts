import type { PullRequestHistory } from '../../src/simulator/history.ts';
import type { StuckScenario } from '../../src/simulator/worlds/demo/plan.ts';
import { isMachine, stateAt } from './demo-figures.ts';

export const turnReasons: readonly StuckScenario['reason'][] = [
  'never_reviewed',
  'changes_requested',
  'commented',
  'updated_after_review',
  'approved',
  'draft',
  'review_dismissed',
];

/**
 * Why an open pull request waits at a moment (docs/metrics.md#whose-turn-the-phases-of-a-pull-request), read off its entries
 * apart from the product, for the tests of the demo. Null for one that has ended.
 */
export function waitingReason(pullRequest: PullRequestHistory, at: number): StuckScenario['reason'] | null {
  if (stateAt(pullRequest, at) !== 'open') return null;
  let draft = pullRequest.openedAsDraft;
  let reason: StuckScenario['reason'] = draft ? 'draft' : 'never_reviewed';
  let reviewed = false;
  const waiting = (): StuckScenario['reason'] => (reviewed ? 'updated_after_review' : 'never_reviewed');
  for (const entry of pullRequest.entries) {
    if (entry.at > at) break;
    if (entry.kind === 'ready_for_review' || entry.kind === 'convert_to_draft') {
      draft = entry.kind === 'convert_to_draft';
      reason = draft ? 'draft' : waiting();
    } else if (draft) {
    } else if (entry.kind === 'review' && entry.by !== pullRequest.author && !isMachine(entry.by)) {
      if (
        entry.bodyLength === 0 &&
        entry.comments.length > 0 &&
        entry.comments.every((each) => each.inReplyTo !== null)
      ) {
        continue;
      }
      reviewed = true;
      if (entry.state === 'APPROVED') reason = 'approved';
      else if (entry.state === 'CHANGES_REQUESTED') reason = 'changes_requested';
      else if (reason !== 'approved' && reason !== 'changes_requested') reason = 'commented';
    } else if (entry.kind === 'review_dismissed') {
      if (reason === 'approved') reason = 'review_dismissed';
    } else if (reason === 'changes_requested' || reason === 'commented') {
      const push = entry.kind === 'commits' || entry.kind === 'force_push';
      const word = entry.kind === 'comment' || entry.kind === 'review' || entry.kind === 'review_requested';
      if (push || (word && entry.by === pullRequest.author)) reason = waiting();
    }
  }
  return reason;
}
