import type { ReviewOfPullRequest } from '#contract/pull-requests.ts';

/** What a reviewer thinks now: their opinion that stands until they give another one or it is dismissed, else that they commented. */
export function opinionOf(
  reviews: readonly Pick<ReviewOfPullRequest, 'reviewer' | 'state'>[],
  username: string,
): 'approved' | 'changes_requested' | 'commented' {
  const latest = reviews.findLast(({ reviewer, state }) => reviewer === username && state !== 'commented');
  return latest?.state === 'approved' || latest?.state === 'changes_requested' ? latest.state : 'commented';
}
