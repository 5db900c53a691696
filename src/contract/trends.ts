import { z } from 'zod';
import { authorshipMetrics } from '#domain/ai-authorship.ts';
import { reviewerTrends } from '#domain/ai-reviewers.ts';
import { signalKeys } from '#domain/signals.ts';
import { trendSplits } from '#domain/trend-splits.ts';
import { bucketSizes } from '#domain/trends.ts';
import { endpoint } from './endpoint.ts';
import { explanation, itemsPage } from './explain.ts';
import {
  authorshipsFilter,
  count,
  day,
  fromToFilter,
  instant,
  repositoriesFilter,
  several,
  someOf,
  teamsFilter,
} from './values.ts';

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
  'from_outside',
  'to_outside',
  'open',
  'stuck',
  ...signalKeys,
  ...authorshipMetrics,
  ...reviewerTrends,
] as const;
export type TrendFigure = (typeof trendFigures)[number];

export const trendAggregates = ['value', 'mean', 'p50', 'p75', 'p90'] as const;
const units = z
  .enum(['hours', 'lines', 'share', 'points', 'count'])
  .describe('`share` is 0 to 1, `points` the difference of two of them, −1 to 1.');

export const trendFigure = z.object({
  key: z.enum(trendFigures),
  name: z.string(),
  unit: units,
  additive: z
    .boolean()
    .describe('Whether the values of a split add up to the whole, where a thing is in one line only.'),
  moment: z.string().describe('The moment by which a thing falls into a bucket.'),
  splits: z.array(z.enum(trendSplits)),
  aggregates: z.array(z.enum(trendAggregates)).describe('`value` is the figure’s own.'),
});
export type TrendFigureDescription = z.infer<typeof trendFigure>;

const point = z.object({
  value: z.number().nullable().describe('Null over nothing, save counts, which are 0.'),
  n: count,
});

/** The lowest and the highest value of the 26 full buckets before the last; null with fewer than 12. */
export const usualRange = z.object({ from: z.number(), to: z.number() }).nullable();

export const trendLine = z.object({
  key: z
    .string()
    .describe(
      '`all` without a split, `others` of what has no line of its own; the id of a repository or team as text, `none` of what has no team or tool; a base branch by its name, one called `all` or `others` as `branch:all` or `branch:others`.',
    ),
  name: z.string(),
  points: z.array(point),
  left_out: z.object({ trivial: count, dismissed: count, unknown: count, undecided: count }),
  change: z
    .number()
    .nullable()
    .describe(
      'The last full bucket against the mean of the four before: in percent, of shares and points in their own unit; null where that is not known.',
    ),
  usual: usualRange,
});

export const trend = z.object({
  figure: z.enum(trendFigures),
  unit: units,
  clock: z.literal('hours'),
  aggregate: z.enum(trendAggregates),
  buckets: z.array(day),
  complete: z.array(z.boolean()).describe('False of a bucket that the window cuts, or that runs still.'),
  lines: z.array(trendLine),
  events: z
    .array(
      z.object({
        at: instant,
        kind: z.enum(['repository_connected', 'ai_reviewer', 'definitions', 'thresholds', 'note']),
        text: z.string(),
      }),
    )
    .describe('What happened to the caller’s data in the window, the earliest first; of many the latest.'),
});
export type Trend = z.infer<typeof trend>;

/** Over which time, in which points and lines, and of what a trend is asked. */
const asked = {
  ...fromToFilter,
  bucket: z
    .enum(bucketSizes, `must be one of: ${bucketSizes.join(', ')}`)
    .default('week')
    .describe('How long each point is; `whole` is the window as one.'),
  aggregate: z
    .enum(trendAggregates, `must be one of: ${trendAggregates.join(', ')}`)
    .default('value')
    .describe('What of the values in a point is told; `value` is what the figure usually is, a mean or a count.'),
  split: z
    .enum(trendSplits, `must be one of: ${trendSplits.join(', ')}`)
    .default('none')
    .describe('By what the lines are told apart.'),
  repository: repositoriesFilter,
  ...teamsFilter,
  authorship: authorshipsFilter,
  size: someOf(['0-50', '51-200', '201-500', '501-1000', '1000+'])
    .optional()
    .describe('Pull requests of any of these sizes, in changed lines.'),
  labels: several.optional().describe('Pull requests that have any of these labels.'),
  all_bases: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`, of signals alone: whatever branch pull requests were merged into.'),
  clock: z.literal('hours', 'must be hours').optional().describe('By which clock durations are measured.'),
};

export const getTrends = endpoint({
  method: 'GET',
  path: '/api/trends',
  summary: 'Figures over time, told apart by one dimension.',
  access: 'session',
  scope: 'read:figures',
  table: { list: 'items', beside: { 'lines.points': { bucket: 'buckets', complete: 'complete' } } },
  status: 200,
  query: z.object({
    figure: someOf(trendFigures)
      .pipe(z.array(z.enum(trendFigures)).max(6, 'At most 6 figures'))
      .meta({ 'x-values': trendFigures, description: 'Up to six figures of `GET /api/figures`.' }),
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
  table: { list: 'items' },
  status: 200,
  params: z.object({ figure: z.string().min(1).describe('A figure of `GET /api/figures`.') }),
  query: z.object({
    /** As the trend was asked for. */
    ...asked,
    point: day.describe('One of its `buckets`.'),
    line: z.string().min(1).optional().describe('The key of one of its lines; without a split there is one, `all`.'),
    part: z
      .string()
      .optional()
      .describe('Of a difference, whose answer has `sides`: the key of one of these, for its pull requests alone.'),
    ...itemsPage,
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
  table: 'list',
  status: 200,
  answer: z.array(trendFigure),
});
