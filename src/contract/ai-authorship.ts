import { z } from 'zod';
import { sizeBuckets } from '#domain/size-distribution.ts';
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
  /** Over those opened in the window: the part of all groups’ that is this one’s; n is how many all groups opened. */
  share_opened: valued,
  lines_changed: spread,
  changed_files: spread,
  /** The median part of its listed commits that carry an agent’s trace; n counts those with commits. */
  commits_by_agent: valued,
  /** Over those first reviewed in the window. */
  time_to_first_review: spread,
  /** Over those merged in the window: as `share_opened`. */
  share_merged: valued,
  time_to_merge: spread,
  /** As `GET /api/health` tells it, whatever branch they were merged into. */
  merged_unreviewed: valued,
  /** Of agents’ pull requests alone, null for other groups: nobody but the person who started the agent reviewed it or commented on it. */
  merged_on_own_word: valued,
  /** Of the same, the mean: counting reviews by anyone but the person who started the agent. */
  independent_reviews: valued,
  /** As `GET /api/health` tells them, of those merged 30 and 7 days earlier than the window, into whatever branch. */
  reverted: valued,
  followed_up: valued,
  /** Over those that ended in the window, merged or closed. */
  merge_rate: valued,
  waiting_for_review_time: spread,
  /** The mean, of those with a counting review. */
  review_cycles: valued,
  /** The mean: inline comments of people other than the author that open a thread, until the end. */
  human_findings: valued,
  /** The share with a failing check of the last push; n counts those in which one fails or all are done. */
  failing_at_last_push: valued,
});

const group = z.object({
  /**
   * `human`, `assisted`, `agent`, `bot`, always all that are asked for; or each tool of what was opened, first reviewed or ended in the
   * window, the most opened first, then by name, and last `none`, always: what has no tool.
   */
  key: z.string(),
  n_opened: count,
  n_merged: count,
  /** Of those that ended in the window: closed unmerged within 24 hours and without a counting review. `merge_rate` keeps them. */
  tried: count,
  figures,
});

export const aiAuthorship = z.object({
  groups: z.array(group),
  /**
   * By weeks of the viewer’s zone, the running one and those that the window cuts too, named by their Monday: each week and each of
   * `groups`, in this order, 0 where nothing was opened or merged.
   */
  series: z.array(z.object({ week: day, group: z.string(), opened: count, merged: count })),
  /** The same over pull requests of each size, the smallest first; shares are of those of the size. Each has the keys of `groups`, in their order. */
  within_sizes: z.array(z.object({ size: z.enum(sizeBuckets), groups: z.array(group) })),
  /** Of those that bots opened in the window, whatever `bots` says: how many have an agent’s trace. */
  bots_with_trace: count,
  /** Of those that agents opened in the window, `of`: for how many the person who started it is known, and by which rule. */
  credited: z.object({
    n: count,
    of: count,
    by: z.record(creditRule.exclude(['author']), count),
  }),
});
export type AiAuthorship = z.infer<typeof aiAuthorship>;

export const getAiAuthorship = endpoint({
  method: 'GET',
  path: '/api/ai/authorship',
  summary: 'How the pull requests that agents write fare beside people’s, and who stands behind them.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  query: z.object({ ...aiWindow, ...authorshipGroups }),
  answer: aiAuthorship,
});
