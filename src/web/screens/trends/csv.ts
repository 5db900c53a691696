import type { Trend } from '#contract/trends.ts';
import type { CsvColumn } from '../../table/csv.ts';
import type { NamedTrend } from './multiples.tsx';

/** A point of all lines. */
export interface TrendRow {
  readonly bucket: string;
  readonly complete: boolean;
  /** By figure, then by line. */
  readonly points: readonly Trend['lines'][number]['points'][];
}

/** A row for each point, the oldest first. */
export function csvRows(trends: readonly NamedTrend[]): TrendRow[] {
  const { buckets, complete } = trends[0]!.trend;
  return buckets.map((bucket, at) => ({
    bucket,
    complete: complete[at]!,
    points: trends.map(({ trend }) => trend.lines.map(({ points }) => points[at]!)),
  }));
}

/** Value and count of each line, with the figure's name where there are several. */
export function csvColumns(trends: readonly NamedTrend[]): CsvColumn<TrendRow>[] {
  return [
    { name: 'from', value: ({ bucket }) => bucket },
    { name: 'complete', value: ({ complete }) => complete },
    ...trends.flatMap(({ trend, name: figure }, of) =>
      trend.lines.flatMap(({ key, name }, line): CsvColumn<TrendRow>[] => {
        const words = trends.length === 1 ? name : key === 'all' ? figure : `${figure}: ${name}`;
        return [
          { name: words, value: ({ points }) => points[of]![line]!.value },
          { name: `${words}, n`, value: ({ points }) => points[of]![line]!.n },
        ];
      }),
    ),
  ];
}
