/**
 * The percent difference of the Comparative tab: 100 · (reference − this) / reference; positive is faster or smaller
 * (docs/product.md#comparative). Null where either is missing or the reference is 0.
 */
export function percentDifference(reference: number | null, value: number | null): number | null {
  if (reference === null || value === null || reference === 0) return null;
  return (100 * (reference - value)) / reference;
}

/** How a percent difference of a duration reads: above 20 Much Faster, above 0 Faster, above −20 Slower, else Much Slower. */
export function speedLabel(difference: number | null): 'Much Faster' | 'Faster' | 'Slower' | 'Much Slower' | null {
  return graded(difference, ['Much Faster', 'Faster', 'Slower', 'Much Slower']);
}

/** The same bounds in words of size. */
export function sizeDifferenceLabel(
  difference: number | null,
): 'Much Smaller' | 'Smaller' | 'Larger' | 'Much Larger' | null {
  return graded(difference, ['Much Smaller', 'Smaller', 'Larger', 'Much Larger']);
}

function graded<T>(difference: number | null, [best, better, worse, worst]: readonly [T, T, T, T]): T | null {
  if (difference === null) return null;
  if (difference > 20) return best;
  if (difference > 0) return better;
  return difference > -20 ? worse : worst;
}

export interface Benchmarks {
  readonly p50: number | null;
  readonly p75: number | null;
  readonly p90: number | null;
}

/**
 * Where a cycle time stands among the team's benchmarks, in a sentence; null without them. Only a merge was fast or slow: one that is open
 * may take long still.
 */
export function benchmarkSentence(
  value: number,
  { p50, p75, p90 }: Benchmarks,
  state: 'open' | 'merged' | 'closed',
): string | null {
  if (p50 === null || p75 === null || p90 === null) return null;
  if (state !== 'merged') {
    const [already, so] = state === 'open' ? ['already ', ' so far'] : ['', ''];
    if (value <= p50) return `Up to p50${so}.`;
    if (value <= p75) return `Between p50 and p75${so}: ${already}longer than half of the team’s merges.`;
    if (value <= p90) return `Between p75 and p90${so}: ${already}longer than three quarters of the team’s merges.`;
    return `Above p90: ${already}longer than nine tenths of the team’s merges.`;
  }
  if (value <= p50) return 'Up to p50: as fast as the faster half of the team’s merges.';
  if (value <= p75) return 'Between p50 and p75: slower than half of the team’s merges.';
  if (value <= p90) return 'Between p75 and p90: slower than three quarters of the team’s merges.';
  return 'Above p90: among the slowest tenth of the team’s merges.';
}

/** A percentile (0–100) in whole numbers: 100 and 0 only where it is all or nothing, so that "798 of 799" is not "100%". */
export function wholePercentile(percentile: number): number {
  if (percentile >= 100) return 100;
  return percentile <= 0 ? 0 : Math.min(99, Math.max(1, Math.round(percentile)));
}

/** A percentile as shown, in whole numbers: "p78"; null is "N/A". */
export function percentileText(percentile: number | null): string {
  return percentile === null ? 'N/A' : `p${wholePercentile(percentile)}`;
}

/**
 * How far a percent difference is from its reference, as shown: "35%"; a value over ten times its reference as a factor, "898×",
 * since nobody can picture 89,660%. A difference that is not the whole is never "100%".
 */
export function differenceText(difference: number): string {
  const factor = 1 - difference / 100;
  if (factor > 10) return `${grouped.format(Math.round(factor))}×`;
  const percent = Math.round(Math.abs(difference));
  return `${grouped.format(difference > 0 && difference < 100 ? Math.min(99, percent) : percent)}%`;
}

const grouped = new Intl.NumberFormat('en-US');
