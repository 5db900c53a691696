import { LARGE_ABOVE_LINES } from './metrics/thresholds.ts';
import { percentWords } from './percent.ts';
import { mostLines, type SizeDistribution, sizeBuckets } from './size-buckets.ts';

export interface SizeAnalysis {
  /** 0–1: pull requests of up to 500 lines. */
  readonly smallToMedium: number;
  /** 0–1: those above 500 lines. */
  readonly large: number;
  /** 70 % or more are small to medium. */
  readonly excellent: boolean;
  /** 30 % or more are large. */
  readonly warning: boolean;
}

/** The share of small to medium ones from which a distribution is excellent, 0–1. */
const EXCELLENT_FROM = 0.7;

/**
 * What a distribution says: 70 % or more small to medium (up to 500 lines) is excellent, 30 % or more large is a warning; exactly
 * 70 to 30 is both (docs/product.md#thresholds-and-ratings). Null over nothing.
 */
export function analyseSizes(distribution: SizeDistribution): SizeAnalysis | null {
  const total = sizeBuckets.reduce((sum, bucket) => sum + distribution[bucket], 0);
  if (total === 0) return null;
  const largeCount = sizeBuckets
    .filter((size) => mostLines[size] > LARGE_ABOVE_LINES)
    .reduce((sum, size) => sum + distribution[size], 0);
  const large = largeCount / total;
  const smallToMedium = (total - largeCount) / total;
  return { smallToMedium, large, excellent: smallToMedium >= EXCELLENT_FROM, warning: large >= 0.3 };
}

/** The share of pull requests that should be small, 0–1 (docs/product.md#thresholds-and-ratings). */
const SMALL_SHARE_TARGET = 0.7;

/**
 * The share (0–1) of the two smallest buckets, up to 200 lines, and whether it reaches the target of 70 %. Null over nothing.
 */
export function smallShare(
  distribution: SizeDistribution,
): { readonly share: number; readonly onTarget: boolean } | null {
  const total = sizeBuckets.reduce((sum, bucket) => sum + distribution[bucket], 0);
  if (total === 0) return null;
  const share = (distribution['0-50'] + distribution['51-200']) / total;
  return { share, onTarget: share >= SMALL_SHARE_TARGET };
}

/**
 * What a distribution says in a sentence. Where it is excellent although few are small, it names the measure by which it is, not the
 * target that it misses.
 */
export function sizeSentence(distribution: SizeDistribution): string {
  const small = smallShare(distribution);
  const analysis = analyseSizes(distribution);
  if (small === null || analysis === null) return 'Nothing opened.';
  const words = percentWords(small.share, SMALL_SHARE_TARGET);
  const target = `${100 * SMALL_SHARE_TARGET}%`;
  if (small.onTarget) return `${words}% have up to ${mostLines['51-200']} lines, on the target of ${target}.`;
  if (!analysis.excellent) return `${words}% have up to ${mostLines['51-200']} lines, the target is ${target}.`;
  const { smallToMedium } = analysis;
  return `${percentWords(smallToMedium)}% have up to ${LARGE_ABOVE_LINES} lines, excellent from ${100 * EXCELLENT_FROM}%. Up to ${mostLines['51-200']} lines: ${words}%.`;
}
