import {
  GOOD_APPROVAL_ABOVE_PERCENT,
  GOOD_FIRST_TIME_ABOVE_PERCENT,
  GOOD_REVIEW_RATIO_ABOVE,
  MANY_OPEN_ABOVE,
  MANY_OWN_OPEN_ABOVE,
  SLOW_MERGE_ABOVE_HOURS,
  SLOW_REVIEW_ABOVE_HOURS,
} from './metrics/thresholds.ts';
import type { Hours } from './pull-request.ts';

/**
 * The thresholds of docs/product.md#thresholds-and-ratings: each rule says its bound once.
 * A null figure has no rating.
 */

export type Rating = 'Excellent' | 'Good' | 'Average' | 'Needs Improvement';

/** From best to worst; `bad` is beyond the last bound. */
export type Grade = 'good' | 'fair' | 'watch' | 'bad';

/** How fast pull requests merge: up to 24 h Excellent, 72 Good, 168 Average, else Needs Improvement. */
export function mergeTimeRating(hours: Hours | null): Rating | null {
  return upTo(hours, [24, 72, 168]);
}

/** How fast reviews are answered: up to 4 h Excellent, 12 Good, 24 Average, else Needs Improvement. */
export function reviewResponseRating(hours: Hours | null): Rating | null {
  return upTo(hours, [4, 12, 24]);
}

function upTo(hours: Hours | null, [excellent, good, average]: readonly [number, number, number]): Rating | null {
  if (hours === null) return null;
  if (hours <= excellent) return 'Excellent';
  if (hours <= good) return 'Good';
  return hours <= average ? 'Average' : 'Needs Improvement';
}

/** The colour of a merge rate (0–1): from 0.9, from 0.7, from 0.5, below. */
export function mergeRateGrade(rate: number | null): Grade | null {
  if (rate === null) return null;
  if (rate >= 0.9) return 'good';
  if (rate >= 0.7) return 'fair';
  return rate >= 0.5 ? 'watch' : 'bad';
}

/** The colour of an average number of review cycles: up to 1.5, up to 2.5, up to 3.5, above. */
export function reviewCyclesGrade(cycles: number | null): Grade | null {
  if (cycles === null) return null;
  if (cycles <= 1.5) return 'good';
  if (cycles <= 2.5) return 'fair';
  return cycles <= 3.5 ? 'watch' : 'bad';
}

/** The level of active days out of 30. */
export function activityLevel(activeDays: number): 'Very High' | 'High' | 'Moderate' | 'Low' | 'Very Low' {
  if (activeDays >= 25) return 'Very High';
  if (activeDays >= 20) return 'High';
  if (activeDays >= 15) return 'Moderate';
  return activeDays >= 10 ? 'Low' : 'Very Low';
}

export type OpenPrsBadge = 'destructive' | 'secondary' | 'none';

/** The badge of a developer's open pull requests: many are destructive, above 2 secondary. */
export function openPrsBadge(openPrs: number): OpenPrsBadge {
  if (openPrs > MANY_OPEN_ABOVE) return 'destructive';
  return openPrs > 2 ? 'secondary' : 'none';
}

/** The badge of open pull requests on the contributor page: many are red, above 4 secondary. */
export function contributorOpenPrsBadge(openPrs: number): OpenPrsBadge {
  if (openPrs > MANY_OWN_OPEN_ABOVE) return 'destructive';
  return openPrs > 4 ? 'secondary' : 'none';
}

export interface DeveloperFigures {
  readonly open_prs: number;
  readonly avg_merge_time_hours: Hours | null;
  readonly avg_review_response_hours: Hours | null;
  /** 0–100 */
  readonly review_approval_rate: number | null;
  /** 0–100 */
  readonly first_time_approval_rate: number | null;
  readonly review_to_pr_ratio: number | null;
}

/** Which figures of a developer stand out: the first three are over a bound (orange), the others good (green). */
export interface DeveloperFlags {
  readonly manyOpen: boolean;
  readonly slowMerge: boolean;
  readonly slowReview: boolean;
  readonly goodApprovalRate: boolean;
  readonly goodFirstTimeApproval: boolean;
  readonly goodReviewRatio: boolean;
}

/** Whether a mean response time of reviews is slow; null is not. */
export function isSlowReview(hours: Hours | null): boolean {
  return hours !== null && hours > SLOW_REVIEW_ABOVE_HOURS;
}

/**
 * Many open pull requests, slow merges and slow reviews are flagged; a good approval rate, a good first-time approval rate and a good
 * review ratio are green. A null figure is never flagged.
 */
export function developerFlags(figures: DeveloperFigures): DeveloperFlags {
  const above = (value: number | null, bound: number) => value !== null && value > bound;
  return {
    manyOpen: above(figures.open_prs, MANY_OPEN_ABOVE),
    slowMerge: above(figures.avg_merge_time_hours, SLOW_MERGE_ABOVE_HOURS),
    slowReview: isSlowReview(figures.avg_review_response_hours),
    goodApprovalRate: above(figures.review_approval_rate, GOOD_APPROVAL_ABOVE_PERCENT),
    goodFirstTimeApproval: above(figures.first_time_approval_rate, GOOD_FIRST_TIME_ABOVE_PERCENT),
    goodReviewRatio: above(figures.review_to_pr_ratio, GOOD_REVIEW_RATIO_ABOVE),
  };
}

/** Whether the part of the time in working hours is high; percent: above 70 High, above 40 Medium, else Low. */
export function efficiencyLabel(percent: number | null): 'High' | 'Medium' | 'Low' | null {
  if (percent === null) return null;
  if (percent > 70) return 'High';
  return percent > 40 ? 'Medium' : 'Low';
}

/** 100 · business / (business + after hours); null when no time has passed (`pull_request.efficiency` in docs/metrics.md#one-pull-request). */
export function efficiencyPercent(businessHours: Hours, afterHours: Hours): number | null {
  const total = businessHours + afterHours;
  return total === 0 ? null : (100 * businessHours) / total;
}

/** The width of a bar: a part of a whole in percent, capped at 100; 0 where the whole is nothing or a value is null. */
export function barPercent(part: number | null, whole: number | null): number {
  if (part === null || whole === null || whole <= 0) return 0;
  return Math.min(100, (100 * part) / whole);
}
