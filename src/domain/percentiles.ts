/** Those that figures are told by: the median, and what three in four and nine in ten lie at or below. */
export const percentiles = ['p50', 'p75', 'p90'] as const;
export type Percentile = (typeof percentiles)[number];

/** The arithmetic mean of what is there; null over nothing (docs/metrics.md#what-holds-everywhere). */
export function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

/**
 * The percentile `share` (0–1) of some numbers, linearly interpolated between closest ranks, as SQL's `percentile_cont`
 * does; null over nothing.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)];
  const above = sorted[Math.ceil(rank)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (rank - Math.floor(rank));
}
