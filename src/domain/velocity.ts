import { type ComparedWith, isWhole } from './change.ts';
import { countTrend } from './trend.ts';

export interface VelocityWeek {
  readonly prs_opened: number;
  readonly prs_merged: number;
}

/** Over how many weeks velocity is shown and team totals are divided. */
export const VELOCITY_WEEKS = 6;

/** A week of a contributor, by the date (yyyy-MM-dd) that it begins with. */
export interface DatedWeek extends VelocityWeek {
  readonly week: string;
}

/** What is said of someone's weeks (`contributor.velocity_trend` in docs/metrics.md#one-person): how they changed and how much was merged; null where the weeks in question are not all stored. */
export function velocityWords(weeks: readonly DatedWeek[], compared: ComparedWith) {
  const before = weeks.at(-2);
  const isComparable = before !== undefined && isWhole({ ...compared, from: before.week });
  const rate = compared.import_complete ? velocityMergeRate(weeks) : null;
  return {
    message: isComparable ? velocityMessage(weekOverWeek(weeks)) : null,
    mergeRate: rate,
    warning: mergeRateWarning(rate),
  };
}

/** The change of pull requests opened from the week before last to last week, in percent; null with fewer than two weeks. */
export function weekOverWeek(weeks: readonly VelocityWeek[]): number | null {
  const [before, last] = weeks.slice(-2);
  return before === undefined || last === undefined ? null : countTrend(last.prs_opened, before.prs_opened);
}

/** What the change says: over +20 % momentum, above 0 progress, under −20 % decline, otherwise stable; null without a change. */
export function velocityMessage(
  change: number | null,
): 'Excellent momentum' | 'Good progress' | 'Relatively stable' | 'Velocity declining' | null {
  if (change === null) return null;
  if (change > 20) return 'Excellent momentum';
  if (change > 0) return 'Good progress';
  return change < -20 ? 'Velocity declining' : 'Relatively stable';
}

/** Average merged over average opened, 0–1 and above; null when nothing was opened. */
export function velocityMergeRate(weeks: readonly VelocityWeek[]): number | null {
  const opened = weeks.reduce((sum, week) => sum + week.prs_opened, 0);
  const merged = weeks.reduce((sum, week) => sum + week.prs_merged, 0);
  return opened === 0 ? null : merged / opened;
}

/** The share of merged pull requests, 0–1, below which is warned. */
export const LOW_MERGE_RATE = 0.7;

/** Below 70 % the merge rate is warned of. */
export function isMergeRateLow(rate: number | null): boolean {
  return rate !== null && rate < LOW_MERGE_RATE;
}

/** The warning about a merge rate below 70 %, else null. */
export function mergeRateWarning(rate: number | null): string | null {
  return isMergeRateLow(rate) ? `Merge rate below ${100 * LOW_MERGE_RATE}%` : null;
}
