import { type TrendFigure, type TrendFigureDescription, trendSplits } from '#contract/trends.ts';

type Words = Pick<TrendFigureDescription, 'name' | 'unit' | 'moment'>;

/** The figures of trends in words; each is the metric of the same key. */
const figures: Readonly<Record<TrendFigure, Words>> = {
  opened: { name: 'Pull requests opened', unit: 'count', moment: 'opened' },
  merged: { name: 'Pull requests merged', unit: 'count', moment: 'merged' },
  closed: { name: 'Closed without merging', unit: 'count', moment: 'closed' },
  merge_rate: { name: 'Merge rate', unit: 'share', moment: 'merged or closed' },
  time_to_merge: { name: 'Time to merge', unit: 'hours', moment: 'merged' },
  time_to_first_review: { name: 'Time to first review', unit: 'hours', moment: 'first reviewed' },
  reviews: { name: 'Reviews', unit: 'count', moment: 'submitted' },
  response_time: { name: 'Response time of reviews', unit: 'hours', moment: 'submitted' },
  size: { name: 'Pull request size', unit: 'lines', moment: 'opened' },
  rounds: { name: 'Review cycles', unit: 'count', moment: 'merged' },
  open: { name: 'Open pull requests', unit: 'count', moment: 'end of each bucket' },
  stuck: { name: 'Stuck pull requests', unit: 'count', moment: 'end of each bucket' },
};

/** Those that have a mean and percentiles. */
const measured: ReadonlySet<TrendFigure> = new Set([
  'time_to_merge',
  'time_to_first_review',
  'response_time',
  'size',
  'rounds',
]);

/** What `GET /api/figures` answers (docs/metrics.md#trends). */
export const describedFigures: TrendFigureDescription[] = (Object.entries(figures) as [TrendFigure, Words][]).map(
  ([key, words]) => ({
    key,
    ...words,
    additive: isCount(key),
    splits: [...trendSplits],
    aggregates: measured.has(key) ? ['value', 'mean', 'p50', 'p75', 'p90'] : ['value'],
  }),
);

/** True of what is 0 over nothing. */
export function isCount(key: TrendFigure): boolean {
  return figures[key].unit === 'count' && !measured.has(key);
}

/** The description of one. */
export function figureOf(key: TrendFigure): TrendFigureDescription {
  return describedFigures.find((figure) => figure.key === key)!;
}
