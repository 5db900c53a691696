import type { PullRequestDetail, RequestedReviewer } from '#contract/pull-requests.ts';
import { counted } from '#domain/counted.ts';
import { formatDuration } from '#domain/duration.ts';
import { hoursBetween } from '#domain/pull-request.ts';
import { formatCount } from '../../time/moment.ts';
import { lifeOf } from './life.ts';

/** Who is asked for a review and has given none: people, then teams. */
export function unanswered({ requested_reviewers, reviewers }: PullRequestDetail): RequestedReviewer[] {
  const gave = new Set(reviewers.map(({ username }) => username));
  return requested_reviewers.filter(({ reviewer }) => !gave.has(reviewer));
}

/** "2 reviewers, 1 asked": how many reviewed, and how many more are asked; the same of any noun. */
export function countedAndAsked(count: number, noun: string, detail: PullRequestDetail): string {
  const asked = unanswered(detail).length;
  return asked === 0 ? counted(count, noun) : `${counted(count, noun)}, ${formatCount(asked)} asked`;
}

/** "asked 4.0 d ago, no answer"; of one that has ended, that there was none. */
export function askedWords({ asked_at }: RequestedReviewer, detail: PullRequestDetail, again = false): string {
  const asked = again ? 'asked again' : 'asked';
  if (detail.state !== 'open') return `${asked}, no answer`;
  return `${asked} ${formatDuration(Math.max(0, hoursBetween(Date.parse(asked_at), lifeOf(detail).to)))} ago, no answer`;
}
