import type { Bin } from '../charts/histogram.tsx';

interface Scale {
  /** The upper bounds of all bins but the last; a value on a bound belongs to the next bin. */
  readonly bounds: readonly number[];
  readonly labels: readonly string[];
}

const shortTimes: Scale = { bounds: [1, 4, 8, 24, 48], labels: ['<1 h', '1-4', '4-8', '8-24', '1-2 d', '>2 d'] };
const longTimes: Scale = { bounds: [4, 24, 48, 96, 168], labels: ['<4 h', '4-24', '1-2 d', '2-4', '4-7', '>7 d'] };
const lines: Scale = {
  bounds: [51, 201, 501, 1001, 2001],
  labels: ['0-50', '51-200', '-500', '-1000', '-2000', '2000+'],
};

/** Above this median (hours) a distribution of times is told in days. */
const LONG = 24;

/**
 * Six bins of single values, with the bins of mean and median marked (docs/product.md#words-and-errors). Null for units that are
 * not spread out (counts and shares), and with fewer than two values.
 */
export function binsOf(
  values: readonly number[],
  unit: string,
  mean: number | null,
  median: number | null,
): readonly Bin[] | null {
  const scale = unit === 'lines' ? lines : unit !== 'hours' ? null : (median ?? 0) > LONG ? longTimes : shortTimes;
  if (scale === null || values.length < 2) return null;
  const binOf = (value: number) => {
    const at = scale.bounds.findIndex((bound) => value < bound);
    return at === -1 ? scale.bounds.length : at;
  };
  const counts = scale.labels.map(() => 0);
  for (const value of values) counts[binOf(value)]! += 1;
  const meanAt = mean === null ? -1 : binOf(mean);
  const medianAt = median === null ? -1 : binOf(median);
  return scale.labels.map((label, at) => {
    const marks = [...(at === meanAt ? ['mean'] : []), ...(at === medianAt ? ['median'] : [])];
    return {
      label,
      count: counts[at]!,
      mark: marks.length === 0 ? undefined : marks.join(', '),
      strong: at === meanAt,
    };
  });
}
