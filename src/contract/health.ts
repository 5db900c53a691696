import { z } from 'zod';
import { signalKeys } from '#domain/signals.ts';
import { endpoint } from './endpoint.ts';
import { explanation } from './explain.ts';
import { usualRange } from './trends.ts';
import {
  authorshipsFilter,
  count,
  day,
  hours,
  instant,
  several,
  share,
  teamsFilter,
  whole,
  windowFilter,
} from './values.ts';

/** What holds of a signal: its share of n, or what it measures (docs/metrics.md#signals). */
const valued = { value: z.number().nullable(), n: count };
const withN = z.object(valued);

/** Hours over n things; null over nothing. */
const spreadOfHours = z.object({ median: hours, p90: hours, n: count });

/** How long the checks of the last push were waited for. */
const checkWaits = z.object({
  /** The 50 with the most pull requests, by `owner/name`. */
  repositories: z.array(spreadOfHours.extend({ repository: z.string() })),
  /** The 50 most frequent, by the name of the check. */
  checks: z.array(spreadOfHours.extend({ name: z.string() })),
});

/** What workflow runs tell of the same pull requests, where a token may read them. */
const reruns = z.object({
  /** Runs whose jobs were read. */
  runs: count,
  /** Which part of them was started again. */
  rerun_share: share,
  /** From the end of the first failed attempt until the end of the next that succeeded; null where nothing may be read. */
  rerun_wait: spreadOfHours.nullable(),
  /** Jobs that failed and then succeeded on the same commit, of n runs in which they did either, the worst 50; null as above. */
  flaky_jobs: z
    .array(
      z.object({ repository: z.string(), workflow: z.string(), job: z.string(), flaky_share: z.number(), n: count }),
    )
    .nullable(),
  /** Runs of which the host names no pull request: by branch and commit. */
  by_head: count,
  /** Pull requests that are left out because jobs of their runs are still to be read. */
  waiting: count,
  /** Repositories, as `owner/name`, whose runs no token may read. */
  may_not_read: z.array(z.string()),
  /** Why nothing is told; null where something is. */
  message: z.string().nullable(),
});

/** What is in neither the share nor n. */
export const leftOut = z.object({
  /** Too little to be reviewed. */
  trivial: count,
  /** Somebody who took part says that it is not so. */
  dismissed: count,
  /** What tells it is not known. */
  unknown: count,
  /** It may still come. */
  undecided: count,
});

/** Who carries the reviews: half of them by the fewest people, the largest part of one, and how unevenly (0 even, 1 one alone). */
const spread = { reviewers: count, half: count.nullable(), top_share: share, gini: share };

const signal = z.object({
  key: z.enum(signalKeys),
  ...valued,
  /** In which time its pull requests were merged, or the moment at which it is told, twice. */
  window: z.object({ from: instant, to: instant }),
  left_out: leftOut,
  /** Over the window of the same length that ends where this one begins. */
  previous: z.number().nullable(),
  /** The last 12 full weeks of the window, by their Mondays. */
  series: z.array(z.object({ from: day, ...valued })),
  usual: usualRange,
  /** Of `merged_unreviewed`: without a review, but with a comment. */
  merged_on_comment: withN.optional(),
  /** Of `approved_then_pushed`: by force pushes, of which the host doesn't tell what they changed. */
  by_force: withN.optional(),
  /** Of `review_depth`: percentiles, and the share without a finding. */
  p50: z.number().nullable().optional(),
  p90: z.number().nullable().optional(),
  none: share.optional(),
  /** Of `reverted`: from merge to merge, in hours, of the reverts that were merged in the window themselves. */
  time_to_revert: spreadOfHours.optional(),
  /** Of `ci_wait`: which part of waiting and approved hours checks ran. */
  ci_share: share.optional(),
  check_waits: checkWaits.optional(),
  reruns: reruns.optional(),
  /** Why there is no value; absent where there is one. */
  message: z.string().optional(),
  /** Of `concentration`: of the reviews, and apart of merges by people. */
  reviewers: count.optional(),
  top_share: share.optional(),
  gini: share.optional(),
  merges: z.object(spread).optional(),
});
export type Signal = z.infer<typeof signal>;

const healthFilters = {
  ...windowFilter,
  /** Ids of connected repositories. */
  repository: several.optional(),
  ...teamsFilter,
  /** `human`, `assisted` and `agent`; the first two unless said. */
  authorship: authorshipsFilter,
  /** `true`: whatever branch they were merged into. */
  all_bases: z.enum(['true', 'false'], 'must be true or false').optional(),
};

export const health = z.object({
  window: z.object({ from: instant, to: instant }),
  signals: z.array(signal),
  /** By lines, and under and over the limit of big ones. */
  sizes: z.array(
    z.object({
      /** `0-50` to `1000+`, then `<=400` and `>400` with the limit that holds. */
      size: z.string(),
      n: count,
      /** The median, in hours. */
      time_to_merge: hours,
      depth_per_100_lines: z.number().nullable(),
      stamped: share,
      /** Of those merged 30 days ago or more. */
      reverted: share,
    }),
  ),
  areas: z.array(
    z.object({
      /** The first two folders of a path. */
      area: z.string(),
      ...spread,
      /** One person gives nearly all reviews, or gave the last ten. */
      at_risk: z.boolean(),
      /** Logins of those who know it and hardly review it. */
      could: z.array(z.string()),
    }),
  ),
});
export type Health = z.infer<typeof health>;

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  summary: 'Signals of the review practice over the last 90 days, or a window.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  query: z.object(healthFilters),
  answer: health,
});

export const listSignalPullRequests = endpoint({
  method: 'GET',
  path: '/api/health/{key}/prs',
  summary: 'The pull requests behind a signal, the latest first.',
  access: 'session',
  scope: 'read:figures',
  status: 200,
  params: z.object({ key: z.string().min(1) }),
  query: z.object({ ...healthFilters, limit: whole(1, 200).default(50), offset: whole(0).default(0) }),
  answer: z.object({
    items: z.array(
      explanation.shape.items.element.extend({
        /** The rule that it meets, with the numbers of this one. */
        why: z.string(),
        lines_changed: count,
      }),
    ),
    total: count,
  }),
});

const amount = (from: number, to: number) =>
  z
    .number('must be a number')
    .int('must be a whole number')
    .min(from, `must be ${from} or more`)
    .max(to, `must be ${to} or less`);

export const healthSettings = z.object({
  trivial: z.object({ lines: amount(0, 10_000), files: amount(0, 1000) }),
  stamped: z.object({ words: amount(0, 100), minutes: amount(0, 1440), lines_per_minute: amount(1, 10_000) }),
  ping_pong: z.object({ rounds: amount(2, 100), turns: amount(2, 100) }),
  big: amount(1, 100_000),
  long_open_days: amount(1, 730),
  stale_approval_days: amount(1, 365),
  generated: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(200, 'at most 200 characters')
        .regex(/^\P{Cc}*$/u, 'must be one line'),
    )
    .max(100, 'at most 100 patterns'),
});
/** With whether lines of stored pull requests are still counted by the generated files of before. */
const heldSettings = healthSettings.extend({ counting: z.boolean() });

export const getHealthSettings = endpoint({
  method: 'GET',
  path: '/api/settings/health',
  summary: 'The thresholds of signals.',
  access: 'session',
  scope: null,
  status: 200,
  answer: heldSettings,
});

export const saveHealthSettings = endpoint({
  method: 'PUT',
  path: '/api/settings/health',
  summary: 'Changes thresholds, for everyone; by administrators. What is left out stays.',
  access: 'session',
  scope: null,
  status: 200,
  body: z
    .object({
      trivial: healthSettings.shape.trivial.partial(),
      stamped: healthSettings.shape.stamped.partial(),
      ping_pong: healthSettings.shape.ping_pong.partial(),
      big: healthSettings.shape.big,
      long_open_days: healthSettings.shape.long_open_days,
      stale_approval_days: healthSettings.shape.stale_approval_days,
      generated: healthSettings.shape.generated,
    })
    .partial(),
  answer: heldSettings,
});
