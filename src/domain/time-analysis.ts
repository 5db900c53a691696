import type { Phase } from './phases.ts';
import type { Hours } from './pull-request.ts';

export interface TimeMetrics {
  readonly time_to_merge: Hours | null;
  readonly active_development_time: Hours;
  readonly waiting_for_review_time: Hours;
  readonly post_approval_time: Hours | null;
}

/** The whole that the bars of a tab are parts of: `time_to_merge`, else the phases together (docs/product.md#time-analysis). */
export function totalTime(times: TimeMetrics): Hours {
  return (
    times.time_to_merge ??
    times.active_development_time + times.waiting_for_review_time + (times.post_approval_time ?? 0)
  );
}

/**
 * Shares of a whole as whole percents that add up to 100: rounded down, and the points that are left given to the largest remainders.
 * Of nothing, all are 0.
 */
export function wholePercents(parts: readonly number[]): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => 0);
  const exact = parts.map((part) => (100 * part) / total);
  const percents = exact.map(Math.floor);
  const missing = 100 - percents.reduce((sum, percent) => sum + percent, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, missing)) percents[index] = (percents[index] ?? 0) + 1;
  return percents;
}

const phaseWords: Readonly<Record<Phase, { readonly full: string; readonly short: string }>> = {
  development: { full: 'Development', short: 'Development' },
  waiting: { full: 'Waiting for review', short: 'Waiting' },
  approved: { full: 'Approved', short: 'Approved' },
};

/** The name of a phase in words; `short` where there is little room. */
export function phaseLabel(phase: Phase, length: 'full' | 'short' = 'full'): string {
  return phaseWords[phase][length];
}
