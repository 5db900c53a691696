/** The value below which `share` of all values lie, nearest rank; NaN without any. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Median, least and most as three cells of a table. */
export function spread(values: readonly number[], digits = 1): string {
  return [quantile(values, 0.5), Math.min(...values), Math.max(...values)]
    .map((one) => one.toFixed(digits))
    .join(' | ');
}
