import type { Fate } from './reviewer-acts.ts';

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
export type ComparedFigure = (typeof comparedFigures)[number];

/** What is counted of reviewers: their figures, fates and thumbs. */
export type ReviewerCount = ReviewerFigure | Fate | 'thumbs_up' | 'thumbs_down';
/** The same among all metrics. */
export type ReviewerMetric = `ai_${ReviewerCount}`;

/** Those that can be followed over time, of all AI reviewers together (docs/metrics.md#trends). */
export const reviewerTrends = [
  'ai_coverage',
  'ai_time_to_agent_review',
  'ai_before_human',
  'ai_on_automation',
  'ai_acted_on',
  'ai_noise',
  'ai_silent',
  'ai_talkative',
  'ai_findings_per_pr',
  'ai_findings_per_100_lines',
] as const satisfies readonly ReviewerMetric[];
export type ReviewerTrend = (typeof reviewerTrends)[number];

/** Whether an explained figure is over findings, and not over pull requests. */
export function isOfFindings(key: string): boolean {
  return key === 'ai.acted_on' || key === 'ai.noise';
}

/** Whether it is told of people, too. */
export function isCompared(figure: ReviewerFigure): figure is ComparedFigure {
  return comparedFigures.some((compared) => compared === figure);
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
export const reviewerWords: Readonly<Record<ReviewerFigure, Words>> = {
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
};

/** The metric that counts a figure. */
export const metricOf = <Key extends ReviewerCount>(key: Key): `ai_${Key}` => `ai_${key}`;

/** The figure that a metric counts. */
export function reviewerFigureOf(metric: ReviewerTrend): ReviewerFigure {
  return metric.slice('ai_'.length) as ReviewerFigure;
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

/**
 * Medians of two groups as if they had pull requests of the same sizes: over the sizes with five values or more on both sides, each
 * weighted by the smaller count. n counts the values of these sizes; null without one.
 */
export function withinSizes(sizes: readonly (readonly [OfSize, OfSize])[]): readonly [OfSize, OfSize] {
  const enough = sizes.filter(([a, b]) => Math.min(a.n, b.n) >= ENOUGH_OF_A_SIZE);
  const weights = enough.map(([a, b]) => Math.min(a.n, b.n));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const side = (at: 0 | 1): OfSize => ({
    value:
      total === 0
        ? null
        : enough.reduce((sum, pair, index) => sum + weights[index]! * (pair[at].value ?? 0), 0) / total,
    n: enough.reduce((sum, pair) => sum + pair[at].n, 0),
  });
  return [side(0), side(1)];
}
