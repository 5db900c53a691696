import { type Trend, type TrendFigure, trendAggregates, trendFigures } from '#contract/trends.ts';
import { authorshipMetrics } from '#domain/ai-authorship.ts';
import { reviewerTrends } from '#domain/ai-reviewers.ts';
import { type SignalKey, signalKeys } from '#domain/signals.ts';
import { type SizeBucket, sizeBuckets } from '#domain/size-buckets.ts';
import { splitsOf, trendSplits } from '#domain/trend-splits.ts';
import { readChoice, readNarrowing } from '../../filters/choice-of-figures.ts';
import { type RawSearch, readOneOf, readText } from '../../url/url-state.ts';

export const spans = ['12', '26', '52', '104'] as const;
export type TrendSpan = (typeof spans)[number];
export const buckets = ['day', 'week', 'month'] as const;
export type TrendBucket = (typeof buckets)[number];
export const authorships = ['human', 'assisted', 'agent', 'bot', 'ghost'] as const;
export type Authorship = (typeof authorships)[number];

/** So many figures are beside each other at most. */
export const MOST_FIGURES = 6;
/** So many points a line has at most. */
const MOST_POINTS = 400;
const DAY = 24 * 3_600_000;

/** Figures that have percentiles, and those of them whose median says more than their mean. */
const withPercentiles: readonly TrendFigure[] = [
  'time_to_merge',
  'time_to_first_review',
  'response_time',
  'size',
  'rounds',
  'review_depth',
  'ci_wait',
  'changed_files',
  'independent_reviews',
  'waiting_for_review_time',
  'review_cycles',
  'human_findings',
  'ai_time_to_agent_review',
  'ai_findings_per_pr',
];
const withMedian: readonly TrendFigure[] = [
  'time_to_merge',
  'time_to_first_review',
  'response_time',
  'size',
  'ci_wait',
  'changed_files',
  'waiting_for_review_time',
  'ai_time_to_agent_review',
];

export const hasPercentiles = (figure: TrendFigure) => withPercentiles.includes(figure);
export const isOfAuthorship = (figure: TrendFigure) => authorshipMetrics.some((key) => key === figure);
export const isOfReviewers = (figure: TrendFigure) => reviewerTrends.some((key) => key === figure);
/** By what all of these can be told apart. */
export const splitsOfAll = (figures: readonly TrendFigure[]) =>
  trendSplits.filter((split) => figures.every((figure) => splitsOf(figure).includes(split)));
export const isSignal = (figure: TrendFigure): figure is SignalKey => signalKeys.some((key) => key === figure);
/** Those over pull requests by people into the default branch unless said otherwise; who carries the reviews is over all of them. */
export const leavesOutBranches = (figure: TrendFigure) => isSignal(figure) && figure !== 'concentration';

/** What the address asks a trend for; what it does not say is as by default. */
export function readTrendsSearch(search: RawSearch) {
  const named = (readText(search.figure) ?? '').split(',').flatMap((key) => readOneOf(key, trendFigures) ?? []);
  const figures = [...new Set(named)].slice(0, MOST_FIGURES);
  if (figures.length === 0) figures.push('time_to_first_review');
  const { from, to } = readChoice(search);
  const weeks = Number(readOneOf(search.weeks, spans) ?? '26');
  const bucket = readOneOf(search.bucket, buckets) ?? 'week';
  const days = from === undefined || to === undefined ? 7 * weeks : (Date.parse(to) - Date.parse(from)) / DAY;
  return {
    figures,
    /** Undefined: each figure's own. */
    aggregate: readOneOf(
      search.aggregate,
      trendAggregates.filter((key) => key !== 'value'),
    ),
    split: readOneOf(search.split, splitsOfAll(figures)) ?? 'none',
    /** Days of so long a time would be more points than a line may have. */
    isTooLongForDays: days > MOST_POINTS,
    bucket: bucket === 'day' && days > MOST_POINTS ? ('week' as const) : bucket,
    weeks,
    /** Chosen dates, the second not counted, instead of weeks up to now. */
    dates: from === undefined || to === undefined ? null : { from, to },
    ...readNarrowing(search),
    authorship: readOneOf(search.authorship, authorships),
    size: readOneOf(search.size, sizeBuckets) satisfies SizeBucket | undefined,
    labels: (readText(search.labels) ?? '')
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
    allBases: search.all_bases === 'true' && figures.some(leavesOutBranches),
    /** Keys of lines. */
    pinned: readPinned(search.pinned),
  };
}

export type TrendsSearch = ReturnType<typeof readTrendsSearch>;

/** Keys of lines as the address has them: a branch may have a comma in its name. */
export function pinnedText(keys: readonly string[]): string | undefined {
  return keys.length === 0 ? undefined : keys.map(encodeURIComponent).join(',');
}

function readPinned(value: unknown): string[] {
  return (readText(value) ?? '').split(',').flatMap((key) => {
    try {
      return key === '' ? [] : [decodeURIComponent(key)];
    } catch {
      // A percent sign that encodes nothing, as earlier versions wrote it.
      return [key];
    }
  });
}

/** What of a figure's values is asked for: the chosen one where it has it, else the median of durations and sizes, and the figure's own number. */
export function aggregateOf(figure: TrendFigure, { aggregate }: Pick<TrendsSearch, 'aggregate'>): Trend['aggregate'] {
  if (!hasPercentiles(figure)) return 'value';
  return aggregate ?? (withMedian.includes(figure) ? 'p50' : 'value');
}
