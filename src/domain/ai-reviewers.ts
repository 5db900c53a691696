import { fates } from './reviewer-acts.ts';

/** What is told of an AI reviewer and of the people beside it alike, in this order (docs/metrics.md#ai-reviewers). */
export const comparedFigures = [
  'acted_on',
  'noise',
  'silent',
  'talkative',
  'findings_per_pr',
  'findings_per_100_lines',
] as const;
/** What is told of AI reviewers alone. */
export const reviewerFigures = [
  'coverage',
  'time_to_agent_review',
  'before_human',
  'on_automation',
  ...comparedFigures,
] as const;
export type ReviewerFigure = (typeof reviewerFigures)[number];

const thumbs = ['thumbs_up', 'thumbs_down'] as const;
/** What is counted of reviewers, in this order: their figures, fates and thumbs. */
export const reviewerCounts = [...reviewerFigures, ...fates, ...thumbs] as const;
export type ReviewerCount = (typeof reviewerCounts)[number];
/** The same among all metrics. */
export type ReviewerMetric = `ai_${ReviewerCount}`;

/** How much more is acted on of an AI reviewer's findings than of people's, over time. */
export const LIFT = 'ai_lift';
/** What can be followed over time (docs/metrics.md#trends): the same as metrics, and the lift after what it is made of. */
export type ReviewerTrend = ReviewerMetric | typeof LIFT;
export const reviewerTrends = reviewerCounts.flatMap((count): ReviewerTrend[] =>
  count === 'acted_on' ? [metricOf(count), LIFT] : [metricOf(count)],
);

const ofFindings: readonly string[] = ['acted_on', 'noise', ...fates, ...thumbs];

/** Whether an explained figure, as `ai.noise`, is over findings, and not over pull requests. */
export function isOfFindings(key: string): boolean {
  return key === 'ai.lift' || ofFindings.some((figure) => key === `ai.${figure}`);
}

/** Whether each pull request behind an explained figure has an amount of it: fates and thumbs. */
export function isOfAmounts(key: string): boolean {
  return [...fates, ...thumbs].some((count) => key === `ai.${count}`);
}

/** Whether an explained figure is one of AI reviewers. */
export function isOfReviewers(key: string): boolean {
  return (
    key === 'ai.lift' ||
    /^ai\.(groups|before_after)\./.test(key) ||
    reviewerCounts.some((count) => key === `ai.${count}`)
  );
}

/** Whether something over time is over findings, and not over pull requests. */
export function isTrendOfFindings(key: string): boolean {
  return reviewerTrends.some((trend) => trend === key) && isOfFindings(key.replace('ai_', 'ai.'));
}

/** Whether it is told of people, too. */
export function isCompared(count: ReviewerCount): boolean {
  return [...comparedFigures, ...fates].some((compared) => compared === count);
}

/** With more findings than these a reviewer is talkative. */
export const TALKATIVE_ABOVE = 10;
/** With fewer findings on either side nothing is said of the difference. */
export const ENOUGH_FINDINGS = 20;
/** The fewest pull requests on each side with which a size is compared. */
export const ENOUGH_OF_A_SIZE = 5;
/** The days before and after the first act that are compared, and the fewest pull requests in each. */
export const BEFORE_AFTER = { days: 90, pullRequests: 20 } as const;

interface Words {
  readonly name: string;
  /** The same among figures of other things. */
  readonly amongOthers: string;
  /** One sentence. */
  readonly definition: string;
  readonly unit: 'share' | 'hours' | 'count';
  /** By which moment a pull request counts. */
  readonly moment: 'ready for review' | 'merged or closed';
}

const ready = 'ready for review' as const;
const ended = 'merged or closed' as const;

/** The figures of AI reviewers in words. */
export const reviewerWords: Readonly<Record<ReviewerCount, Words>> = {
  coverage: {
    name: 'Coverage',
    amongOthers: 'Reviewed by AI',
    definition: 'Of the pull requests of others that became ready for review in this time, the share that AI reviewed.',
    unit: 'share',
    moment: ready,
  },
  time_to_agent_review: {
    name: 'Time to AI review',
    amongOthers: 'Time to AI review',
    definition:
      'The time from “ready for review”, or the latest request that names it, to the first thing that the AI reviewer said.',
    unit: 'hours',
    moment: ready,
  },
  before_human: {
    name: 'Before people',
    amongOthers: 'AI before people',
    definition: 'Of the pull requests that AI and a person reviewed, the share in which AI was first.',
    unit: 'share',
    moment: ready,
  },
  on_automation: {
    name: 'On automation',
    amongOthers: 'AI reviews of automation',
    definition: 'Of the ended pull requests that AI reviewed, the share that bots or agents opened.',
    unit: 'share',
    moment: ended,
  },
  acted_on: {
    name: 'Acted on',
    amongOthers: 'AI findings acted on',
    definition:
      'Of the findings, the share whose lines changed and were pushed by anybody else before the pull request ended.',
    unit: 'share',
    moment: ended,
  },
  noise: {
    name: 'Noise',
    amongOthers: 'Noise of AI findings',
    definition: 'Of the findings, the share that was ignored, hidden by hand, or got more 👎 than 👍.',
    unit: 'share',
    moment: ended,
  },
  silent: {
    name: 'Silent',
    amongOthers: 'Silent AI reviews',
    definition: 'Of the ended pull requests that were reviewed, the share without a finding.',
    unit: 'share',
    moment: ended,
  },
  talkative: {
    name: 'Talkative',
    amongOthers: 'Talkative AI reviews',
    definition: `Of the ended pull requests that were reviewed, the share with more than ${TALKATIVE_ABOVE} findings.`,
    unit: 'share',
    moment: ended,
  },
  findings_per_pr: {
    name: 'Findings for each pull request',
    amongOthers: 'AI findings for each pull request',
    definition: 'The mean number of findings, of the ended pull requests that were reviewed.',
    unit: 'count',
    moment: ended,
  },
  findings_per_100_lines: {
    name: 'Findings for 100 lines',
    amongOthers: 'AI findings for 100 lines',
    definition: 'All findings over all changed lines of the ended pull requests that were reviewed, times 100.',
    unit: 'count',
    moment: ended,
  },
  changed: {
    name: 'Line changed',
    amongOthers: 'AI findings: line changed',
    definition:
      'The findings whose lines changed and were pushed by anybody else before the pull request ended. A line can change for other reasons.',
    unit: 'count',
    moment: ended,
  },
  resolved: {
    name: 'Resolved',
    amongOthers: 'AI findings: resolved',
    definition: 'Of the other findings, those whose thread a person resolved.',
    unit: 'count',
    moment: ended,
  },
  answered: {
    name: 'Answered',
    amongOthers: 'AI findings: answered',
    definition: 'Of the other findings, those that another person answered before the pull request ended.',
    unit: 'count',
    moment: ended,
  },
  dismissed_by_hand: {
    name: 'Hidden',
    amongOthers: 'AI findings: hidden',
    definition: 'Of the other findings, those that were hidden for another reason than “resolved”.',
    unit: 'count',
    moment: ended,
  },
  ignored: {
    name: 'Ignored',
    amongOthers: 'AI findings: ignored',
    definition: 'The findings of which none of this is so: changed, resolved, answered or hidden.',
    unit: 'count',
    moment: ended,
  },
  thumbs_up: {
    name: 'Thumbs up',
    amongOthers: 'Thumbs up for AI findings',
    definition: 'The 👍 that anybody left on the findings.',
    unit: 'count',
    moment: ended,
  },
  thumbs_down: {
    name: 'Thumbs down',
    amongOthers: 'Thumbs down for AI findings',
    definition: 'The 👎 that anybody left on the findings.',
    unit: 'count',
    moment: ended,
  },
};

/** The metric that counts a figure. */
export function metricOf<Key extends ReviewerCount>(key: Key): `ai_${Key}` {
  return `ai_${key}`;
}

/** What a metric counts. */
export function reviewerCountOf(metric: ReviewerMetric): ReviewerCount {
  return metric.slice('ai_'.length) as ReviewerCount;
}

/** Where people's findings stand, which makes their noise an upper bound. */
export const THREADS_OF_PEOPLE =
  'Threads are read only where an agent commented in the code: elsewhere what people resolved counts as answered or ignored, so their noise is at most this.';

export const HINT = 'These differ in more than the reviewer: read it as a hint.';

/** A difference, told by its two sides. */
interface ComparisonWords {
  readonly name: string;
  readonly definition: string;
  /** Of the sides; `share`: the difference is in points. */
  readonly unit: 'share' | 'hours' | 'count';
}

export const liftWords: ComparisonWords = {
  name: 'Lift',
  definition: `How much larger the acted-on share of its findings is than that of people’s, in points; said with ${ENOUGH_FINDINGS} findings or more on both sides. A line can change for other reasons, for people’s findings as well.`,
  unit: 'share',
};

/** What is followed over time in words, among figures of other things. */
export function reviewerTrendWords(trend: ReviewerTrend): {
  readonly name: string;
  readonly definition: string;
  readonly unit: Words['unit'] | 'points';
  readonly moment: Words['moment'];
} {
  if (trend === LIFT) return { ...liftWords, name: 'Lift of AI findings', unit: 'points', moment: ended };
  const { amongOthers: name, definition, unit, moment } = reviewerWords[reviewerCountOf(trend)];
  return { name, definition, unit, moment };
}

/** What is told of the time of people beside a reviewer, in this order. */
export const humanTimeFigures = [
  'time_to_first_review',
  'reviews',
  'human_findings',
  'rounds',
  'time_to_merge',
] as const;
export type HumanTimeFigure = (typeof humanTimeFigures)[number];

export const humanTimeWords: Readonly<
  Record<HumanTimeFigure, { readonly name: string; readonly what: string; readonly unit: 'hours' | 'count' }>
> = {
  time_to_first_review: {
    name: 'Human time to first review',
    what: 'time from “ready for review” to the first review by a person',
    unit: 'hours',
  },
  reviews: { name: 'Counting reviews', what: 'number of reviews by people other than the author', unit: 'count' },
  human_findings: {
    name: 'Human findings',
    what: 'number of threads at lines that people other than the author opened',
    unit: 'count',
  },
  rounds: { name: 'Rounds', what: 'number of review cycles', unit: 'count' },
  time_to_merge: { name: 'Time to merge', what: 'time from opening to merge', unit: 'hours' },
};

/** By what the time of people is compared: where it spoke first and where it did not review, or after and before it came. */
export const humanTimeSides = {
  groups: { reviewed_first: 'It spoke first', not_reviewed: 'Without it' },
  before_after: { after: 'After', before: 'Before' },
} as const;
export type HumanTimeComparison = keyof typeof humanTimeSides;

/** The words of one of these figures, compared. */
export function comparedWords(comparison: HumanTimeComparison, figure: HumanTimeFigure): ComparisonWords {
  const { name, what, unit } = humanTimeWords[figure];
  const isBeside = comparison === 'groups';
  return {
    name: `${name}, ${isBeside ? 'beside it' : 'before and after it came'}`,
    definition: isBeside
      ? `The median ${what}, of ended pull requests of others on which it spoke before any person did, and of those that it did not review: within sizes with ${ENOUGH_OF_A_SIZE} or more on both sides, each weighted by the smaller count. ${HINT}`
      : `The median ${what}, of pull requests of others that ended in the ${BEFORE_AFTER.days} days before its first act in a repository, and in the ${BEFORE_AFTER.days} days from it on, where all history is imported and both are over and have ${BEFORE_AFTER.pullRequests} or more. ${HINT}`,
    unit,
  };
}

/** A’s `acted_on` less that of people, 0–1; null with fewer than 20 findings on either side (docs/metrics.md#ai-reviewers). */
export function liftOf(
  own: { readonly value: number | null; readonly n: number },
  people: { readonly value: number | null; readonly n: number },
): number | null {
  if (own.n < ENOUGH_FINDINGS || people.n < ENOUGH_FINDINGS || own.value === null || people.value === null) return null;
  return own.value - people.value;
}

/** A median with the number of values of one size that it is over. */
export interface OfSize {
  readonly value: number | null;
  readonly n: number;
}

/** By how many a size counts on both sides: the smaller count, with five or more on both; else not at all. */
export function weightOf([one, other]: readonly [OfSize, OfSize]): number {
  const smaller = Math.min(one.n, other.n);
  return smaller >= ENOUGH_OF_A_SIZE ? smaller : 0;
}

/**
 * Medians of two groups as if they had pull requests of the same sizes: over the sizes with five values or more on both sides, each
 * weighted by the smaller count. n counts the values of these sizes; null without one.
 */
export function withinSizes(sizes: readonly (readonly [OfSize, OfSize])[]): readonly [OfSize, OfSize] {
  const enough = sizes.filter((pair) => weightOf(pair) > 0);
  const total = enough.reduce((sum, pair) => sum + weightOf(pair), 0);
  const side = (at: 0 | 1): OfSize => ({
    value: total === 0 ? null : enough.reduce((sum, pair) => sum + weightOf(pair) * (pair[at].value ?? 0), 0) / total,
    n: enough.reduce((sum, pair) => sum + pair[at].n, 0),
  });
  return [side(0), side(1)];
}
