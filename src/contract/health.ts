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
  repositoriesFilter,
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
  repositories: z
    .array(spreadOfHours.extend({ repository: z.string() }))
    .describe('The 50 with the most pull requests, by `owner/name`.'),
  checks: z
    .array(spreadOfHours.extend({ name: z.string() }))
    .describe('The 50 most frequent, by the name of the check.'),
});

/** What workflow runs tell of the same pull requests, where a token may read them. */
const reruns = z.object({
  runs: count.describe('Runs whose jobs were read.'),
  rerun_share: share.describe('Which part of them was started again.'),
  rerun_wait: spreadOfHours
    .nullable()
    .describe(
      'From the end of the first failed attempt until the end of the next that succeeded; null where nothing may be read.',
    ),
  flaky_jobs: z
    .array(
      z.object({ repository: z.string(), workflow: z.string(), job: z.string(), flaky_share: z.number(), n: count }),
    )
    .nullable()
    .describe(
      'Jobs that failed and then succeeded on the same commit, of n runs in which they did either, the worst 50; null as above.',
    ),
  by_head: count.describe('Runs of which the host names no pull request: by branch and commit.'),
  waiting: count.describe('Pull requests that are left out because jobs of their runs are still to be read.'),
  may_not_read: z.array(z.string()).describe('Repositories, as `owner/name`, whose runs no token may read.'),
  message: z.string().nullable().describe('Why nothing is told; null where something is.'),
});

/** What is in neither the share nor n. */
export const leftOut = z.object({
  trivial: count.describe('Too little to be reviewed.'),
  dismissed: count.describe('Somebody who took part says that it is not so.'),
  unknown: count.describe('What tells it is not known.'),
  undecided: count.describe('It may still come.'),
});

/** Who carries the reviews: half of them by the fewest people, the largest part of one, and how unevenly (0 even, 1 one alone). */
const spread = { reviewers: count, half: count.nullable(), top_share: share, gini: share };

const signal = z.object({
  key: z.enum(signalKeys),
  ...valued,
  window: z
    .object({ from: instant, to: instant })
    .describe('In which time its pull requests were merged, or the moment at which it is told, twice.'),
  left_out: leftOut,
  previous: z.number().nullable().describe('Over the window of the same length that ends where this one begins.'),
  series: z
    .array(z.object({ from: day, ...valued }))
    .describe('The last 12 full weeks of the window, by their Mondays.'),
  usual: usualRange,
  merged_on_comment: withN.optional().describe('Of `merged_unreviewed`: without a review, but with a comment.'),
  by_force: withN
    .optional()
    .describe("Of `approved_then_pushed`: by force pushes, of which the host doesn't tell what they changed."),
  p50: z.number().nullable().optional().describe('Of `review_depth`: percentiles, and the share without a finding.'),
  p90: z.number().nullable().optional(),
  none: share.optional(),
  time_to_revert: spreadOfHours
    .optional()
    .describe(
      'Of `reverted`: from merge to merge, in hours, of the reverts that were merged in the window themselves.',
    ),
  ci_share: share.optional().describe('Of `ci_wait`: which part of waiting and approved hours checks ran.'),
  check_waits: checkWaits.optional(),
  reruns: reruns.optional(),
  message: z.string().optional().describe('Why the value is null; absent otherwise.'),
  reviewers: count.optional().describe('Of `concentration`: of the reviews, and apart of merges by people.'),
  top_share: share.optional(),
  gini: share.optional(),
  merges: z.object(spread).optional(),
});
export type Signal = z.infer<typeof signal>;

const healthFilters = {
  ...windowFilter,
  repository: repositoriesFilter,
  ...teamsFilter,
  authorship: authorshipsFilter.describe('`human`, `assisted` and `agent`; the first two unless said.'),
  all_bases: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`: whatever branch they were merged into.'),
};

export const health = z.object({
  window: z.object({ from: instant, to: instant }),
  signals: z.array(signal),
  sizes: z
    .array(
      z.object({
        size: z.string().describe('`0-50` to `1000+`, then `<=400` and `>400` with the limit that holds.'),
        n: count,
        time_to_merge: hours.describe('The median, in hours.'),
        depth_per_100_lines: z.number().nullable(),
        stamped: share,
        reverted: share.describe('Of those merged 30 days ago or more.'),
      }),
    )
    .describe('By lines, and under and over the limit of big ones.'),
  areas: z.array(
    z.object({
      area: z.string().describe('The first two folders of a path.'),
      ...spread,
      at_risk: z.boolean().describe('One person gives nearly all reviews, or gave the last ten.'),
      could: z.array(z.string()).describe('Logins of those who know it and hardly review it.'),
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
  table: 'object',
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
  table: { list: 'items' },
  status: 200,
  params: z.object({ key: z.string().min(1).describe('The key of a signal, as `GET /api/health` has it.') }),
  query: z.object({
    ...healthFilters,
    limit: whole(1, 200).default(50).describe('How many at most.'),
    offset: whole(0).default(0).describe('How many of the first to leave out.'),
  }),
  answer: z.object({
    items: z.array(
      explanation.shape.items.element.extend({
        why: z.string().describe('The rule that it meets, with the numbers of this one.'),
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
  table: null,
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
