/** The arithmetic mean of what is there; null over nothing (metric definitions, section 0, "Missing is null"). */
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

/** Fewer others than this say nothing about where one stands. */
const ENOUGH_TO_RANK = 5;

/**
 * 100 · the share of the others that are strictly smaller, 0–100; null with fewer than five others
 * (metric definitions, section 1, "Comparison set").
 */
export function percentileRank(value: number, others: readonly number[]): number | null {
  if (others.length < ENOUGH_TO_RANK) return null;
  return (100 * others.filter((other) => other < value).length) / others.length;
}
