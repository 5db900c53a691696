import { z } from 'zod';
import { percentiles } from '#domain/percentiles.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { fates } from './ai-reviewers.ts';
import { aiPullRequests, authorshipGroups } from './ai-window.ts';
import { endpoint } from './endpoint.ts';
import {
  accountsFilter,
  count,
  creditFilter,
  fromToFilter,
  instant,
  periodFilter,
  pullRequestState,
  repositoryFilter,
  teamFilter,
  whole,
} from './values.ts';

export const explanation = z.object({
  metric: z.string(),
  name: z.string(),
  definition: z.string(),
  unit: z.string().describe('`hours`, `lines`, `share`, `percent` or `count`.'),
  sides: z
    .array(z.object({ part: z.string(), name: z.string(), value: z.number().nullable(), n: count, total: count }))
    .optional()
    .describe(
      'Of a difference, which is the value: its two sides, the first less the second, in the same unit, each with the key that `part` takes to be opened alone. Together they make up `n` and the items.',
    ),
  sizes: z
    .array(
      z.object({
        size: z.enum(sizeBuckets),
        weight: count,
        sides: z.array(z.object({ part: z.string(), value: z.number().nullable(), n: count })),
      }),
    )
    .optional()
    .describe(
      'Of a difference within sizes: what both sides come to in each size, and the `weight` by which it counts in both, the smaller count; 0 where one of them has too few.',
    ),
  part: z
    .string()
    .nullable()
    .describe('Which part of a figure that has many, as the question named it; null for any other figure.'),
  window: z
    .object({ from: instant.nullable(), to: instant })
    .describe(
      'Half-open: after `from`, up to and including `to`; `from` null where the figure has no window. A calendar day, and a window that was asked for by its ends, is from its first instant to that of what follows.',
    ),
  value: z.number().nullable(),
  mean: z.number().nullable().describe('Null where the figure is not a mean of single values.'),
  median: z.number().nullable(),
  n: count.describe('How many items the figure is based on.'),
  left_out: z.array(z.object({ reason: z.string(), count })),
  items: z
    .array(
      z.object({
        repo_owner: z.string(),
        repo_name: z.string(),
        pr_number: z.number().int(),
        title: z.string(),
        state: pullRequestState,
        author: z.string(),
        at: instant,
        value: z.number().nullable(),
        fates: fates.optional().describe('Of figures of findings: what became of those on it.'),
        part: z.string().optional().describe('Of a difference: of which side it is.'),
        agents: z
          .array(z.string())
          .optional()
          .describe('Of who started agents’ pull requests: the tools that took part, the surest first.'),
        draft: z.boolean().optional().describe('Of the same.'),
      }),
    )
    .describe('The pull requests that went into it, one page, each with what it contributed.'),
  total: count,
  hasMore: z.boolean(),
});
export type Explanation = z.infer<typeof explanation>;

/** Which of the items behind a figure an answer holds. */
export const itemsPage = {
  order: z
    .enum(['latest', 'value'])
    .default('latest')
    .describe('Of the items: the latest first, or those that contribute most.'),
  limit: whole(1, 100).default(100).describe('How many at most.'),
  offset: whole(0).default(0).describe('How many of the first to leave out.'),
};

export const explainMetric = endpoint({
  method: 'GET',
  path: '/api/explain/{metric}',
  summary: 'What an aggregate figure means and which pull requests went into it.',
  access: 'session',
  scope: { param: 'metric', prefix: 'my_work.', matching: 'read:mine', others: 'read:figures' },
  table: null,
  status: 200,
  params: z.object({
    metric: z.string().min(1).describe('The key of a figure, such as `team.merged_prs` (docs/metrics.md).'),
  }),
  query: z.object({
    username: z.string().optional().describe('Of figures of one person: whose, by login.'),
    period: periodFilter.describe(
      'With `from` and `to` the window of a figure that has one to choose, as the lists take them.',
    ),
    ...fromToFilter,
    repository: repositoryFilter,
    ...teamFilter,
    accounts: accountsFilter.describe('For the sums of a list of people: as the list was asked for.'),
    credit: creditFilter.describe('For figures of developers and contributors: as the page was asked for.'),
    part: z
      .string()
      .optional()
      .describe(
        'Which part of a figure that is drawn in many: a size (`0-50`), a day or the first day of a week (`2026-03-29`), weekday and hour (`1-10` is Monday, ten o’clock), a reviewer’s login, a folder (`src/web`), a group of pull requests or, `by` tool, a tool, a rule by which it is known who started one or `none`, a side of a difference.',
      ),
    /** Of figures of AI in review: as its calls take them. */
    ...aiPullRequests,
    reviewer: z
      .string()
      .optional()
      .describe(
        'Of figures of AI reviewers: whose, by the login of any of its accounts; without one those that are told of people, too, of these.',
      ),
    ...authorshipGroups,
    group: z
      .string()
      .optional()
      .describe(
        'Of figures of agents’ pull requests within sizes, which need it: the group or, `by` tool, the tool that stands beside those without a trace.',
      ),
    statistic: z
      .enum(percentiles, `must be one of: ${percentiles.join(', ')}`)
      .optional()
      .describe(
        'Of durations and sizes of agents’ pull requests and people’s: the percentile that is told; left out the mean, within sizes the median.',
      ),
    pull_request: z.string().optional().describe('`owner/name/number`, for what one pull request is compared with.'),
    ...itemsPage,
  }),
  answer: explanation,
});
