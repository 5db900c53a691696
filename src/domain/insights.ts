import { differenceText, percentDifference, wholePercentile } from './comparison.ts';
import { counted } from './counted.ts';
import { formatDuration } from './duration.ts';
import type { Hours, PullRequestState } from './pull-request.ts';

/** What the Comparative tab knows; a null leaves out what is based on it. */
export interface ComparedPullRequest {
  readonly state: PullRequestState;
  /** `time_to_merge`, else the time from the opening to the end. */
  readonly cycleTime: Hours | null;
  readonly linesChanged: number;
  readonly reviewCycles: number;
  /** Null without a counting review. */
  readonly timeToFirstReview: Hours | null;
  /** 0–100 */
  readonly cycleTimePercentile: number | null;
  /** 0–100 */
  readonly sizePercentile: number | null;
  readonly authorAverageCycleTime: Hours | null;
  readonly authorAverageSize: number | null;
  readonly teamMedianCycleTime: Hours | null;
}

export interface Insight {
  readonly level: 'warning' | 'info' | 'success';
  readonly title: string;
  readonly text: string;
}

/**
 * Insights and recommendations (docs/product.md#thresholds-and-ratings). Only what was merged has been faster than others: what
 * is open grows on, and what was closed took no time to merge.
 */
export function insightsOf(compared: ComparedPullRequest): Insight[] {
  const insights: Insight[] = [];
  const { state, cycleTimePercentile, sizePercentile, reviewCycles } = compared;
  if (cycleTimePercentile !== null && cycleTimePercentile > 75) {
    insights.push({
      level: 'warning',
      title: 'Long Cycle Time',
      text: `Took longer than ${wholePercentile(cycleTimePercentile)}% of PRs${state === 'open' ? ' so far' : ''}. Consider smaller, focused changes.`,
    });
  }
  if (sizePercentile !== null && sizePercentile > 80) {
    insights.push({
      level: 'warning',
      title: 'Large PR Size',
      text: `Larger than ${wholePercentile(sizePercentile)}% of PRs. Smaller ones are reviewed sooner.`,
    });
  }
  if (reviewCycles > 3) {
    insights.push({
      level: 'info',
      title: 'Multiple Review Rounds',
      text: `${reviewCycles} rounds of review. Agreeing on the approach before coding saves some of them.`,
    });
  }
  const faster = percentDifference(compared.authorAverageCycleTime, compared.cycleTime);
  if (state === 'merged' && faster !== null && faster > 20) {
    insights.push({
      level: 'success',
      title: 'Excellent Performance',
      text: `${differenceText(faster)} faster than the author’s average.`,
    });
  }
  return insights;
}

/** Something that went well, with the figures that say so. */
export interface SuccessPattern {
  readonly title: string;
  readonly text: string;
}

/** What went well: the success patterns of a pull request. Nobody is praised for few rounds before the first review. */
export function successPatternsOf(compared: ComparedPullRequest): SuccessPattern[] {
  const { state, cycleTime, teamMedianCycleTime, reviewCycles, timeToFirstReview, authorAverageSize, linesChanged } =
    compared;
  const patterns: SuccessPattern[] = [];
  if (state === 'merged' && cycleTime !== null && teamMedianCycleTime !== null && cycleTime < teamMedianCycleTime) {
    const text = `Cycle time ${formatDuration(cycleTime)}, the team’s median is ${formatDuration(teamMedianCycleTime)}.`;
    patterns.push({ title: 'Smaller than average PR size', text }, { title: 'Quick first review response', text });
  }
  // One that was reviewed as a draft alone lacks a time to the first review.
  if ((timeToFirstReview !== null || reviewCycles > 0) && reviewCycles <= 2) {
    const text = `${counted(reviewCycles, 'round')} of review.`;
    patterns.push({ title: 'Minimal review cycles needed', text });
  }
  if (authorAverageSize !== null && linesChanged < authorAverageSize) {
    const average = Math.round(authorAverageSize).toLocaleString('en-US');
    const text = `${linesChanged.toLocaleString('en-US')} lines changed, the author’s average is ${average}.`;
    patterns.push({ title: 'Focused scope of changes', text });
  }
  return patterns;
}
