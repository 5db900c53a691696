import type { ReviewState } from './pull-request.ts';

/** A review's state as shown: a dismissed review, like any other, reads Commented (docs/product.md#reviews). */
export function reviewStateLabel(state: ReviewState): 'Approved' | 'Changes Requested' | 'Commented' {
  if (state === 'approved') return 'Approved';
  return state === 'changes_requested' ? 'Changes Requested' : 'Commented';
}

/** A state as the timeline's badge shows it: underscores as spaces. */
export function stateBadge(state: string): string {
  return state.replaceAll('_', ' ');
}
