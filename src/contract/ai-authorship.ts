import { z } from 'zod';
import { sizeBuckets } from '#domain/size-distribution.ts';
import { aiWindow } from './ai-window.ts';
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
  /** The median share of commits by agents; n counts those whose commits are known, all of them. */
  commits_by_agent: valued,
  /** Over those first reviewed in the window. */
  time_to_first_review: spread,
  /** Over those merged in the window: as `share_opened`. */
  share_merged: valued,
  time_to_merge: spread,
  /** As `GET /api/health` tells it, whatever branch they were merged into. */
  merged_unreviewed: valued,
  /** Of agents’ pull requests alone; null for other groups. */
  merged_on_own_word: valued,
  /** As `GET /api/health` tells them: merged 30 and 7 days earlier than the window. */
  reverted: valued,
  followed_up: valued,
  /** Over those that ended in the window, merged or closed. */
  merge_rate: valued,
  waiting_for_review_time: spread,
  /** The mean, of those with a counting review. */
  review_cycles: valued,
  /** The mean: inline comments of people other than the author that open a thread, until the end. */
  human_findings: valued,
  /** The share with a failing check at the end; n counts those whose checks were read. */
  failing_at_last_push: valued,
});

const group = z.object({
  /** `human`, `assisted`, `agent`, `bot`, always all that are asked for; or a tool, the most opened first, and last `none` of what has no tool. */
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
   * By weeks that begin on Mondays of the viewer’s zone, the running one too, labelled with the first day of theirs that lies in the window:
   * each week of the window and each of `groups`, 0 where nothing was opened or merged.
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
  query: z.object({
    ...aiWindow,
    /** Groups by authorship, or by tool: what has several tools counts with each. */
    by: z.enum(['group', 'tool'], 'must be group or tool').default('group'),
    /** `true` adds bots’, which are else in no group and no share; deleted accounts’ never are. */
    bots: z.enum(['true', 'false'], 'must be true or false').optional(),
  }),
  answer: aiAuthorship,
});
