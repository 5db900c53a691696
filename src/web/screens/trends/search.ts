import { type TrendFigure, trendAggregates, trendFigures, trendSplits } from '#contract/trends.ts';
import { type RawSearch, readOneOf, readPositive } from '../../url/url-state.ts';

export const spans = ['12', '26', '52', '104'] as const;
export const buckets = ['day', 'week', 'month'] as const;
export const authorships = ['human', 'assisted', 'agent', 'bot', 'ghost'] as const;

/** Figures that have percentiles: their median is shown unless something else is chosen. */
const measured: readonly TrendFigure[] = ['time_to_merge', 'time_to_first_review', 'response_time', 'size', 'rounds'];

/** What the address asks a trend for; what it does not say is as by default. */
export function readTrendsSearch(search: RawSearch) {
  const figure = readOneOf(search.figure, trendFigures) ?? 'time_to_first_review';
  const isMeasured = measured.includes(figure);
  const aggregate = readOneOf(search.aggregate, trendAggregates);
  const bucket = readOneOf(search.bucket, buckets) ?? 'week';
  const weeks = Number(readOneOf(search.weeks, spans) ?? '26');
  return {
    figure,
    isMeasured,
    aggregate: isMeasured ? (aggregate ?? 'p50') : ('value' as const),
    split: readOneOf(search.split, trendSplits) ?? 'none',
    // Days of two years would be more points than a line may have.
    bucket: bucket === 'day' && weeks > 52 ? ('week' as const) : bucket,
    weeks,
    repository: readPositive(search.repository),
    authorship: readOneOf(search.authorship, authorships),
  };
}

export type TrendsSearch = ReturnType<typeof readTrendsSearch>;
