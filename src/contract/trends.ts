import { z } from 'zod';
import { authorshipMetrics } from '#domain/ai-authorship.ts';
import { reviewerTrends } from '#domain/ai-reviewers.ts';
import { signalKeys } from '#domain/signals.ts';
import { bucketSizes } from '#domain/trends.ts';
import { endpoint } from './endpoint.ts';
import { explanation } from './explain.ts';
import { authorshipsFilter, count, day, fromToFilter, instant, several, someOf, teamsFilter, whole } from './values.ts';

/** What can be followed over time (docs/metrics.md#trends). */
export const trendFigures = [
  'opened',
  'merged',
  'closed',
  'merge_rate',
  'time_to_merge',
  'time_to_first_review',
  'reviews',
  'response_time',
  'size',
  'rounds',
  'open',
  'stuck',
  ...signalKeys,
  ...authorshipMetrics,
  ...reviewerTrends,
] as const;
export type TrendFigure = (typeof trendFigures)[number];

export const trendSplits = [
  'none',
  'repository',
  'team',
  'authorship',
  'tool',
  'size',
  'base',
  'draft',
  /** Of figures of AI reviewers: each of them and, where people are told by the same rules, `people`. */
  'reviewer',
] as const;
export const trendAggregates = ['value', 'mean', 'p50', 'p75', 'p90'] as const;
const units = z.enum(['hours', 'lines', 'share', 'count']);

export const trendFigure = z.object({
  key: z.enum(trendFigures),
  name: z.string(),
  unit: units,
  /** Whether the values of a split add up to the whole, where a thing is in one line only. */
  additive: z.boolean(),
  /** The moment by which a thing falls into a bucket. */
  moment: z.string(),
  splits: z.array(z.enum(trendSplits)),
  /** `value` is the figure’s own. */
  aggregates: z.array(z.enum(trendAggregates)),
});
export type TrendFigureDescription = z.infer<typeof trendFigure>;

const point = z.object({
  /** Null over nothing, save counts, which are 0. */
  value: z.number().nullable(),
  n: count,
});

/** The lowest and the highest value of the 26 full buckets before the last; null with fewer than 12. */
export const usualRange = z.object({ from: z.number(), to: z.number() }).nullable();

export const trendLine = z.object({
  /** `all` without a split, `others` of what has no line of its own; the id of a repository or team as text, `none` of what has no team or tool. */
  key: z.string(),
  name: z.string(),
  points: z.array(point),
  left_out: z.object({ trivial: count, dismissed: count, unknown: count, undecided: count }),
  /** The last full bucket against the mean of the four before: in percent, of shares in their own unit; null where that is not known. */
  change: z.number().nullable(),
  usual: usualRange,
});

export const trend = z.object({
  figure: z.enum(trendFigures),
  unit: units,
  clock: z.literal('hours'),
  aggregate: z.enum(trendAggregates),
  buckets: z.array(day),
  /** False of a bucket that the window cuts, or that runs still. */
  complete: z.array(z.boolean()),
  lines: z.array(trendLine),
  /** What happened to the caller’s data in the window, the earliest first; of many the latest. */
  events: z.array(
    z.object({
      at: instant,
      kind: z.enum(['repository_connected', 'ai_reviewer', 'definitions', 'thresholds', 'note']),
      text: z.string(),
    }),
  ),
});
export type Trend = z.infer<typeof trend>;

/** Over which time, in which points and lines, and of what a trend is asked. */
const asked = {
  ...fromToFilter,
  bucket: z.enum(bucketSizes, `must be one of: ${bucketSizes.join(', ')}`).default('week'),
  aggregate: z.enum(trendAggregates, `must be one of: ${trendAggregates.join(', ')}`).default('value'),
  split: z.enum(trendSplits, `must be one of: ${trendSplits.join(', ')}`).default('none'),
  repository: several.optional(),
  ...teamsFilter,
  authorship: authorshipsFilter,
  size: someOf(['0-50', '51-200', '201-500', '501-1000', '1000+']).optional(),
  /** Any of them. */
  labels: several.optional(),
  /** `true`, of signals alone: whatever branch pull requests were merged into. */
  all_bases: z.enum(['true', 'false'], 'must be true or false').optional(),
  clock: z.literal('hours', 'must be hours').optional(),
};

export const getTrends = endpoint({
  method: 'GET',
  path: '/api/trends',
  summary: 'Figures over time, told apart by one dimension.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  query: z.object({
    figure: someOf(trendFigures).pipe(z.array(z.enum(trendFigures)).min(1).max(6, 'At most 6 figures')),
    ...asked,
  }),
  answer: z.object({ items: z.array(trend) }),
});

export const explainTrendPoint = endpoint({
  method: 'GET',
  path: '/api/trends/{figure}/prs',
  summary: 'What one point of a trend means and which pull requests went into it.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  params: z.object({ figure: z.string().min(1) }),
  query: z.object({
    /** As the trend was asked for. */
    ...asked,
    /** One of its `buckets`. */
    point: day,
    /** The key of one of its lines; without a split there is one, `all`. */
    line: z.string().min(1).optional(),
    /** Of the items: the latest first, or those that contribute most. */
    order: z.enum(['latest', 'value']).default('latest'),
    limit: whole(1, 100).default(100),
    offset: whole(0).default(0),
  }),
  /** `metric` is the figure, `part` the line; `n` and `value` are those of the point. */
  answer: explanation,
});

export const listFigures = endpoint({
  method: 'GET',
  path: '/api/figures',
  summary: 'Which figures can be followed over time, and how.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  answer: z.array(trendFigure),
});
