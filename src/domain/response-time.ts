import type { HistoricReview, History } from './history.ts';
import { type Hours, hoursBetween, type Instant } from './pull-request.ts';

/**
 * How long a reviewer took to answer: from the latest thing that asked for the review (a request naming them or a team,
 * ready_for_review, a push, the opening) to its submission, in hours (`pull_request.response_time` in docs/metrics.md#one-pull-request).
 * Null during a draft, for a follow-up, and for a review that is neither counting nor automated.
 */
export function responseTime(history: History, review: HistoricReview): Hours | null {
  if (review.role !== 'counting' && review.role !== 'automated') return null;
  if (review.duringDraft) return null;
  const asked = askedAt(history, review);
  const earlier = history.reviews.slice(0, history.reviews.indexOf(review));
  const isFollowUp = earlier.some(
    (other) => other.role === review.role && other.author?.id === review.author?.id && other.submittedAt >= asked,
  );
  return isFollowUp ? null : hoursBetween(asked, review.submittedAt);
}

/** When a review was asked for last before it was submitted: from then its response time counts. */
export function askedAt(history: History, review: HistoricReview): Instant {
  const isAsking = (event: History['events'][number]) =>
    event.type === 'ready_for_review' ||
    (event.type === 'review_requested' && (event.team !== null || event.reviewer?.id === review.author?.id));
  const until = review.submittedAt;
  const event = history.events.findLast((event) => event.at <= until && isAsking(event));
  const push = history.pushes.findLast(({ at }) => at <= until);
  return Math.max(history.createdAt, event?.at ?? history.createdAt, push?.at ?? history.createdAt);
}
