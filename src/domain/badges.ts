import { formatDuration } from './duration.ts';
import { ENOUGH_FOR_A_BADGE, SMALL_BELOW_LINES } from './metrics/thresholds.ts';
import { shareWords } from './percent.ts';
import type { Hours } from './pull-request.ts';

/** What a contributor's badges are based on, over the chosen period and scope unless said otherwise. */
export interface BadgeFigures {
  readonly countingReviews: number;
  /** The highest number of counting reviews that anyone has in the scope and period. */
  readonly mostCountingReviews: number;
  readonly medianResponse: Hours | null;
  readonly responses: number;
  readonly opened: number;
  /** How many of the opened ones have fewer than `SMALL_BELOW_LINES` changed lines. */
  readonly openedSmall: number;
  /** Of the last 30 days. */
  readonly activeDays: number;
  /** 0–1 */
  readonly mergeRate: number | null;
  /** Merged or closed without merging. */
  readonly ended: number;
}

export interface Badge {
  readonly label: 'Top Reviewer' | 'Fast Responder' | 'Small PRs' | 'Consistent' | 'Closer';
  readonly reason: string;
}

/** The badges that a contributor has earned, each with its reason (`contributor.badges` in docs/metrics.md#one-person; docs/product.md#thresholds-and-ratings). */
export function badgesOf(figures: BadgeFigures): Badge[] {
  const badges: Badge[] = [];
  const { countingReviews, medianResponse, opened, openedSmall, activeDays, mergeRate, ended } = figures;
  if (countingReviews > 0 && countingReviews === figures.mostCountingReviews) {
    badges.push({ label: 'Top Reviewer', reason: `${countingReviews} reviews, the most in the team` });
  }
  if (medianResponse !== null && medianResponse <= 4 && figures.responses >= ENOUGH_FOR_A_BADGE) {
    badges.push({
      label: 'Fast Responder',
      reason: `Half of ${figures.responses} reviews within ${formatDuration(medianResponse)}`,
    });
  }
  if (opened >= ENOUGH_FOR_A_BADGE && openedSmall / opened >= 0.7) {
    badges.push({
      label: 'Small PRs',
      reason: `${openedSmall} of ${opened} opened PRs under ${SMALL_BELOW_LINES} lines`,
    });
  }
  if (activeDays >= 20) badges.push({ label: 'Consistent', reason: `Active on ${activeDays} of the last 30 days` });
  if (mergeRate !== null && mergeRate >= 0.9 && ended >= ENOUGH_FOR_A_BADGE) {
    badges.push({ label: 'Closer', reason: `${shareWords(mergeRate)} of ${ended} ended PRs merged` });
  }
  return badges;
}
