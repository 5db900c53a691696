import { z } from 'zod';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { aiWindow, authorshipGroups } from './ai-window.ts';
import { endpoint } from './endpoint.ts';
import { count, creditRule, day } from './values.ts';

/** A value over n pull requests; null over none. Shares are 0 to 1 (docs/metrics.md#agents-pull-requests-beside-peoples). */
const valued = z.object({ value: z.number().nullable(), n: count });
/** A duration in hours, or a size: `value` is the mean, `p50` the median. */
const spread = valued.extend({
  p50: z.number().nullable(),
  p75: z.number().nullable(),
  p90: z.number().nullable(),
});

const figures = z.object({
  share_opened: valued.describe(
    'Over those opened in the window: the part of all groups’ that is this one’s; n is how many all groups opened.',
  ),
  lines_changed: spread,
  changed_files: spread,
  commits_by_agent: valued.describe(
    'The median part of its listed commits that carry an agent’s trace; n counts those with commits.',
  ),
  time_to_first_review: spread.describe('Over those first reviewed in the window.'),
  share_merged: valued.describe('Over those merged in the window: as `share_opened`.'),
  time_to_merge: spread,
  merged_unreviewed: valued.describe('As `GET /api/health` tells it, whatever branch they were merged into.'),
  merged_on_own_word: valued.describe(
    'Of agents’ pull requests alone, null for other groups: nobody but the person who started the agent reviewed it or commented on it.',
  ),
  independent_reviews: valued.describe(
    'Of the same, the mean: counting reviews by anyone but the person who started the agent.',
  ),
  reverted: valued.describe(
    'As `GET /api/health` tells them, of those merged 30 and 7 days earlier than the window, into whatever branch.',
  ),
  followed_up: valued,
  merge_rate: valued.describe('Over those that ended in the window, merged or closed.'),
  waiting_for_review_time: spread,
  review_cycles: valued.describe('The mean, of those with a counting review.'),
  human_findings: valued.describe(
    'The mean: inline comments of people other than the author that open a thread, until the end.',
  ),
  failing_at_last_push: valued.describe(
    'The share with a failing check of the last push; n counts those in which one fails or all are done.',
  ),
});

const group = z.object({
  key: z
    .string()
    .describe(
      '`human`, `assisted`, `agent`, `bot`, always all that are asked for; or each tool of what was opened, first reviewed or ended in the window, the most opened first, then by name, and last `none`, always: what has no tool.',
    ),
  n_opened: count,
  n_merged: count,
  tried: count.describe(
    'Of those that ended in the window: closed unmerged within 24 hours and without a counting review. `merge_rate` keeps them.',
  ),
  figures,
});

export const aiAuthorship = z.object({
  groups: z.array(group),
  series: z
    .array(z.object({ week: day, group: z.string(), opened: count, merged: count }))
    .describe(
      'By weeks of the viewer’s zone, the running one and those that the window cuts too, named by their Monday: each week and each of `groups`, in this order, 0 where nothing was opened or merged.',
    ),
  within_sizes: z
    .array(z.object({ size: z.enum(sizeBuckets), groups: z.array(group) }))
    .describe(
      'The same over pull requests of each size, the smallest first; shares are of those of the size. Each has the keys of `groups`, in their order.',
    ),
  bots_with_trace: count.describe(
    'Of those that bots opened in the window, whatever `bots` says: how many have an agent’s trace.',
  ),
  credited: z
    .object({
      n: count,
      of: count,
      by: z.record(creditRule.exclude(['author']), count),
    })
    .describe(
      'Of those that agents opened in the window, `of`: for how many the person who started it is known, and by which rule.',
    ),
});
export type AiAuthorship = z.infer<typeof aiAuthorship>;

export const getAiAuthorship = endpoint({
  method: 'GET',
  path: '/api/ai/authorship',
  summary: 'How the pull requests that agents write fare beside people’s, and who stands behind them.',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  query: z.object({ ...aiWindow, ...authorshipGroups }),
  answer: aiAuthorship,
});
