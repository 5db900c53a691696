import { type AuthorshipFigure, type AuthorshipWords, authorshipWords } from './ai-authorship.ts';
import { ENOUGH_OF_A_SIZE, type OfSize, weightOf, withinSizes } from './ai-reviewers.ts';
import type { Percentile } from './percentiles.ts';
import type { SizeBucket } from './size-buckets.ts';

/** Durations and sizes: they have percentiles beside their mean. */
const spreadFigures = [
  'lines_changed',
  'changed_files',
  'time_to_first_review',
  'time_to_merge',
  'waiting_for_review_time',
] as const satisfies readonly AuthorshipFigure[];

export function hasPercentiles(figure: string): boolean {
  return spreadFigures.some((spread) => spread === figure);
}

/** The figures that are compared within sizes; the others are the size itself, a part of all, or told of agents alone. */
export const figuresWithinSizes = [
  'time_to_first_review',
  'time_to_merge',
  'merged_unreviewed',
  'reverted',
  'followed_up',
  'merge_rate',
  'waiting_for_review_time',
  'review_cycles',
  'human_findings',
  'failing_at_last_push',
] as const satisfies readonly AuthorshipFigure[];
export type FigureWithinSizes = (typeof figuresWithinSizes)[number];

/** The group that others are compared with. */
export const NO_TRACE = 'human';

/** Whether a figure of a group is compared with those without a trace within the same sizes. */
export function isComparedWithinSizes(figure: string, group: string): boolean {
  return group !== NO_TRACE && figuresWithinSizes.some((compared) => compared === figure);
}

/** A figure of a group as it is answered: of durations and sizes the value is the mean. */
export type GroupFigure = OfSize | (OfSize & Readonly<Record<Percentile, number | null>>);

/** The percentile of durations and sizes, of other figures the value. */
export function numberAt(figure: GroupFigure, percentile: Percentile): OfSize {
  return { value: 'p50' in figure ? figure[percentile] : figure.value, n: figure.n };
}

/** A figure of a group and of those without a trace; undefined where there are none. */
interface Pair {
  readonly size: SizeBucket;
  readonly group: GroupFigure | undefined;
  readonly no_trace: GroupFigure | undefined;
}

/** A group within the sizes in which it is compared, beside those without a trace, and what both are made of. */
export interface WithinSizes {
  readonly group: OfSize;
  readonly no_trace: OfSize;
  /** `weight`: by how many a size counts on both sides; 0 where it has too few on one. */
  readonly sizes: readonly {
    readonly size: SizeBucket;
    readonly weight: number;
    readonly group: OfSize;
    readonly no_trace: OfSize;
  }[];
}

/** A figure of a group beside that of pull requests without a trace, as if both had the same sizes. */
export function compareWithinSizes(pairs: readonly Pair[], percentile: Percentile): WithinSizes {
  const numberIn = (figure: GroupFigure | undefined): OfSize =>
    figure === undefined ? { value: null, n: 0 } : numberAt(figure, percentile);
  const sizes = pairs.map(({ size, ...pair }) => {
    const [group, no_trace] = [numberIn(pair.group), numberIn(pair.no_trace)];
    return { size, weight: weightOf([group, no_trace]), group, no_trace };
  });
  const [group, no_trace] = withinSizes(sizes.map((each) => [each.group, each.no_trace]));
  return { group, no_trace, sizes };
}

/** The words of a figure of which a percentile was chosen. */
export function wordsAt(figure: AuthorshipFigure, percentile: Percentile | undefined): AuthorshipWords {
  const words = authorshipWords[figure];
  return percentile === undefined || !hasPercentiles(figure)
    ? words
    : { ...words, name: `${words.name}, ${percentile}` };
}

const percentileWords: Readonly<Record<Percentile, string>> = {
  p50: 'median',
  p75: '75th percentile',
  p90: '90th percentile',
};

/** The words of a figure within the same sizes. */
export function wordsWithinSizes(figure: FigureWithinSizes, percentile: Percentile): AuthorshipWords {
  const { name, definition, ...words } = authorshipWords[figure];
  const what = hasPercentiles(figure) ? percentileWords[percentile] : words.unit === 'share' ? 'share' : 'mean';
  const chosen = percentile === 'p50' || !hasPercentiles(figure) ? '' : `, ${percentile}`;
  return {
    name: `${name}${chosen}, within the same sizes`,
    definition: `${definition} Of each size with ${ENOUGH_OF_A_SIZE} or more on both sides the ${what}, weighted by the smaller count.`,
    ...words,
  };
}
