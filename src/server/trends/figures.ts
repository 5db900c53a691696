import type { TrendFigure, TrendFigureDescription } from '#contract/trends.ts';
import { type AuthorshipMetric, authorshipMetrics, authorshipWords } from '#domain/ai-authorship.ts';
import { type ReviewerTrend, reviewerTrends, reviewerTrendWords } from '#domain/ai-reviewers.ts';
import type { Statistic } from '#domain/metrics/metric.ts';
import { signalTrendWords, trendWords } from '#domain/metrics/trends.ts';
import { signalRuleOf } from '#domain/signal-words.ts';
import { type HealthSettings, type SignalKey, signalKeys } from '#domain/signals.ts';
import { splitsOf } from '#domain/trend-splits.ts';
import { countedOf, isCount, ownStatistic } from '../metrics/catalogue.ts';

type Words = Pick<TrendFigureDescription, 'name' | 'unit' | 'moment'>;

/** The words of these figures, without their definitions. */
function wordsOf<Key extends string>(keys: readonly Key[], words: (key: Key) => Words): Record<Key, Words> {
  const each = keys.map((key) => {
    const { name, unit, moment } = words(key);
    return [key, { name, unit, moment }];
  });
  return Object.fromEntries(each) as Record<Key, Words>;
}

/** The figures of trends in words, in the order in which they are listed; each is the metric of the same key. */
const figures: Readonly<Record<TrendFigure, Words>> = {
  ...wordsOf(Object.keys(trendWords) as (keyof typeof trendWords)[], (key) => trendWords[key]),
  ...wordsOf(signalKeys, (key) => signalTrendWords[key]),
  ...wordsOf(authorshipMetrics, (key) => authorshipWords[key]),
  ...wordsOf(reviewerTrends, reviewerTrendWords),
};

/** A figure in a sentence; of a signal its rule with the thresholds that hold. */
export function definitionOf(key: TrendFigure, settings: HealthSettings): string {
  if (isOfReviewers(key)) return reviewerTrendWords(key).definition;
  if (isSignal(key)) return signalRuleOf(key, settings).rule;
  return isOfAuthorship(key) ? authorshipWords[key].definition : trendWords[key].definition;
}

/** Whether it is one of AI reviewers. */
export function isOfReviewers(key: TrendFigure): key is ReviewerTrend {
  return reviewerTrends.some((trend) => trend === key);
}

const isSignal = (key: TrendFigure): key is SignalKey => (signalKeys as readonly string[]).includes(key);

const isOfAuthorship = (key: TrendFigure): key is AuthorshipMetric =>
  (authorshipMetrics as readonly string[]).includes(key);

/** What is told of a figure for an aggregate. */
export function statisticOf(key: TrendFigure, aggregate: TrendFigureDescription['aggregates'][number]): Statistic {
  return aggregate === 'value' ? ownStatistic(key) : aggregate;
}

/** What `GET /api/figures` answers (docs/metrics.md#trends). */
export const describedFigures: TrendFigureDescription[] = (Object.entries(figures) as [TrendFigure, Words][]).map(
  ([key, words]) => ({
    key,
    ...words,
    additive: isCount(key),
    splits: splitsOf(key),
    aggregates: countedOf(key).made === 'mean' ? ['value', 'mean', 'p50', 'p75', 'p90'] : ['value'],
  }),
);

/** Whether its values are parts of 1, or differences of such: what they change by is told in points. */
export function isOfShares(key: TrendFigure): boolean {
  return ['share', 'points'].includes(figures[key].unit);
}

/** The description of one. */
export function figureOf(key: TrendFigure): TrendFigureDescription {
  return describedFigures.find((figure) => figure.key === key)!;
}
