import { percentDifference } from './comparison.ts';
import type { Hours } from './pull-request.ts';

/** What the Comparative tab knows; a null leaves out what rests on it. */
export interface ComparedPullRequest {
  /** `time_to_merge`, else the time from the opening to the end. */
  readonly cycleTime: Hours | null;
  readonly linesChanged: number;
  readonly reviewCycles: number;
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

/** Insights and recommendations (product specification, section 9, "PR deep dive"). */
export function insightsOf(compared: ComparedPullRequest): Insight[] {
  const insights: Insight[] = [];
  const { cycleTimePercentile, sizePercentile, reviewCycles } = compared;
  if (cycleTimePercentile !== null && cycleTimePercentile > 75) {
    insights.push({
      level: 'warning',
      title: 'Long Cycle Time',
      text: `Took longer than ${Math.round(cycleTimePercentile)}% of PRs. Consider smaller, focused changes.`,
    });
  }
  if (sizePercentile !== null && sizePercentile > 80) {
    insights.push({
      level: 'warning',
      title: 'Large PR Size',
      text: `Larger than ${Math.round(sizePercentile)}% of PRs. Smaller ones are reviewed sooner.`,
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
  if (faster !== null && faster > 20) {
    insights.push({
      level: 'success',
      title: 'Excellent Performance',
      text: `${Math.round(faster)}% faster than the author’s average.`,
    });
  }
  return insights;
}

/** What went well (product specification, section 9, "Success patterns"). */
export function successPatternsOf(compared: ComparedPullRequest): string[] {
  const { cycleTime, teamMedianCycleTime, reviewCycles, authorAverageSize, linesChanged } = compared;
  const patterns: string[] = [];
  if (cycleTime !== null && teamMedianCycleTime !== null && cycleTime < teamMedianCycleTime) {
    patterns.push('Smaller than average PR size', 'Quick first review response');
  }
  if (reviewCycles <= 2) patterns.push('Minimal review cycles needed');
  if (authorAverageSize !== null && linesChanged < authorAverageSize) patterns.push('Focused scope of changes');
  return patterns;
}
