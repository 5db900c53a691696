import type { History } from './history.ts';

/**
 * The ids of the counting reviews that open a round: the first one, and each with at least one push between it and the one before
 * (docs/metrics.md#one-pull-request). A push at the instant of a review lies before it.
 * `pull_request.review_cycles` is how many there are.
 */
export function roundOpeners(history: History): string[] {
  const openers: string[] = [];
  let previous: number | null = null;
  let latestPush = 0;
  for (const review of history.countingReviews) {
    const at = review.submittedAt;
    while ((history.pushes[latestPush]?.at ?? Number.POSITIVE_INFINITY) <= at) latestPush += 1;
    const pushedAt = history.pushes[latestPush - 1]?.at ?? Number.NEGATIVE_INFINITY;
    if (previous === null || pushedAt > previous) openers.push(review.id);
    previous = at;
  }
  return openers;
}
