import type { TrendFigure, TrendFigureDescription } from '#contract/trends.ts';
import { type AuthorshipMetric, authorshipMetrics, authorshipWords } from '#domain/ai-authorship.ts';
import { type ReviewerTrend, reviewerTrends, reviewerTrendWords } from '#domain/ai-reviewers.ts';
import type { Statistic } from '#domain/metrics/metric.ts';
import { signalNames, signalRuleOf } from '#domain/signal-words.ts';
import { type HealthSettings, type SignalKey, signalKeys } from '#domain/signals.ts';
import { splitsOf } from '#domain/trend-splits.ts';

type Words = Pick<TrendFigureDescription, 'name' | 'unit' | 'moment'>;

const ofReviewers = Object.fromEntries(
  reviewerTrends.map((key): [ReviewerTrend, Words] => {
    const { name, unit, moment } = reviewerTrendWords(key);
    return [key, { name, unit, moment }];
  }),
) as Record<ReviewerTrend, Words>;

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
  from_outside: { name: 'Reviews from outside the team', unit: 'share', moment: 'submitted' },
  to_outside: { name: 'Reviews outside the team', unit: 'share', moment: 'submitted' },
  open: { name: 'Open pull requests', unit: 'count', moment: 'end of each bucket' },
  stuck: { name: 'Stuck pull requests', unit: 'count', moment: 'end of each bucket' },
  merged_unreviewed: { name: signalNames.merged_unreviewed, unit: 'share', moment: 'merged' },
  merged_unapproved: { name: signalNames.merged_unapproved, unit: 'share', moment: 'merged' },
  merged_over_objection: { name: signalNames.merged_over_objection, unit: 'share', moment: 'merged' },
  self_merged: { name: signalNames.self_merged, unit: 'share', moment: 'merged' },
  stamped: { name: signalNames.stamped, unit: 'share', moment: 'merged' },
  approved_then_pushed: { name: signalNames.approved_then_pushed, unit: 'share', moment: 'merged' },
  review_depth: { name: signalNames.review_depth, unit: 'count', moment: 'merged' },
  ping_pong: { name: signalNames.ping_pong, unit: 'share', moment: 'merged' },
  big: { name: signalNames.big, unit: 'share', moment: 'merged' },
  long_open: { name: signalNames.long_open, unit: 'share', moment: 'end of each bucket' },
  stale_approval: { name: signalNames.stale_approval, unit: 'share', moment: 'end of each bucket' },
  reverted: { name: signalNames.reverted, unit: 'share', moment: 'merged' },
  followed_up: { name: signalNames.followed_up, unit: 'share', moment: 'merged' },
  ci_wait: { name: signalNames.ci_wait, unit: 'hours', moment: 'merged' },
  concentration: { name: signalNames.concentration, unit: 'count', moment: 'submitted' },
  ...(Object.fromEntries(
    authorshipMetrics.map((key) => {
      const { name, unit, moment } = authorshipWords[key];
      return [key, { name, unit, moment }];
    }),
  ) as Record<AuthorshipMetric, Words>),
  ...ofReviewers,
};

/** What those of the dashboard are, whichever way their values are told. */
const definitions: Readonly<Record<Exclude<TrendFigure, SignalKey | AuthorshipMetric | ReviewerTrend>, string>> = {
  opened: 'The pull requests opened in this time.',
  merged: 'The pull requests merged in this time.',
  closed: 'The pull requests closed in this time without being merged.',
  merge_rate: 'Of the pull requests that ended in this time, the share that was merged.',
  time_to_merge: 'The time from opening to merge, of the pull requests merged in this time.',
  time_to_first_review:
    'The time from “ready for review” to the first review by a person other than the author, where that came in this time.',
  reviews: 'The reviews given in this time by people other than the author.',
  response_time: 'The time from what asked for a review to the review, of those given in this time.',
  size: 'The changed lines of the pull requests opened in this time.',
  rounds: 'How often the pull requests merged in this time went through a review, of those that had one.',
  from_outside:
    'Of the reviews given in this time on the team’s pull requests, the share by people who were no members at that moment.',
  to_outside:
    'Of members’ reviews given in this time on people’s pull requests, the share on pull requests that are not the team’s.',
  open: 'The pull requests that were open when this time ended, drafts too.',
  stuck: 'The pull requests that had been open for more than 48 hours when this time ended.',
};

/** A figure in a sentence; of a signal its rule with the thresholds that hold. */
export function definitionOf(key: TrendFigure, settings: HealthSettings): string {
  if (isOfReviewers(key)) return reviewerTrendWords(key).definition;
  if (isSignal(key)) return signalRuleOf(key, settings).rule;
  return isOfAuthorship(key) ? authorshipWords[key].definition : definitions[key];
}

/** Whether it is one of AI reviewers. */
export function isOfReviewers(key: TrendFigure): key is ReviewerTrend {
  return reviewerTrends.some((trend) => trend === key);
}

const isSignal = (key: TrendFigure): key is SignalKey => (signalKeys as readonly string[]).includes(key);

const isOfAuthorship = (key: TrendFigure): key is AuthorshipMetric =>
  (authorshipMetrics as readonly string[]).includes(key);

/** Those that have a mean and percentiles. */
const measured: ReadonlySet<TrendFigure> = new Set([
  'time_to_merge',
  'time_to_first_review',
  'response_time',
  'size',
  'rounds',
  'review_depth',
  'ci_wait',
  'changed_files',
  'commits_by_agent',
  'independent_reviews',
  'waiting_for_review_time',
  'review_cycles',
  'human_findings',
  'ai_time_to_agent_review',
  'ai_findings_per_pr',
]);
/** Numbers that are no counts of things, and null over nothing. */
const ofNothing: ReadonlySet<TrendFigure> = new Set([...measured, 'concentration', 'ai_findings_per_100_lines']);
/** Those whose own value is the median. */
const medians: ReadonlySet<TrendFigure> = new Set(['ci_wait', 'commits_by_agent', 'ai_time_to_agent_review']);

/** What is told of a figure for an aggregate. */
export function statisticOf(key: TrendFigure, aggregate: TrendFigureDescription['aggregates'][number]): Statistic {
  return aggregate === 'value' && medians.has(key) ? 'p50' : aggregate;
}

/** What `GET /api/figures` answers (docs/metrics.md#trends). */
export const describedFigures: TrendFigureDescription[] = (Object.entries(figures) as [TrendFigure, Words][]).map(
  ([key, words]) => ({
    key,
    ...words,
    additive: isCount(key),
    splits: splitsOf(key),
    aggregates: measured.has(key) ? ['value', 'mean', 'p50', 'p75', 'p90'] : ['value'],
  }),
);

/** Whether its values are parts of 1, or differences of such: what they change by is told in points. */
export function isOfShares(key: TrendFigure): boolean {
  return ['share', 'points'].includes(figures[key].unit);
}

/** True of what is 0 over nothing. */
export function isCount(key: TrendFigure): boolean {
  return figures[key].unit === 'count' && !ofNothing.has(key);
}

/** The description of one. */
export function figureOf(key: TrendFigure): TrendFigureDescription {
  return describedFigures.find((figure) => figure.key === key)!;
}
