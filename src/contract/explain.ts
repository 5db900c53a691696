import { z } from 'zod';
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
  /** `hours`, `lines`, `share`, `percent` or `count`. */
  unit: z.string(),
  /**
   * Of a difference, which is the value: its two sides, the first less the second, in the same unit, each with the key that `part` takes
   * to be opened alone. Together they make up `n` and the items.
   */
  sides: z
    .array(z.object({ part: z.string(), name: z.string(), value: z.number().nullable(), n: count, total: count }))
    .optional(),
  /** Which part of a figure that has many, as the question named it; null for any other figure. */
  part: z.string().nullable(),
  /**
   * Half-open: after `from`, up to and including `to`; `from` null where the figure has no window. A calendar day, and a window that was
   * asked for by its ends, is from its first instant to that of what follows.
   */
  window: z.object({ from: instant.nullable(), to: instant }),
  value: z.number().nullable(),
  /** Null where the figure is no mean of single values. */
  mean: z.number().nullable(),
  median: z.number().nullable(),
  /** How many items the figure is based on. */
  n: count,
  left_out: z.array(z.object({ reason: z.string(), count })),
  /** The pull requests that went into it, one page, each with what it contributed. */
  items: z.array(
    z.object({
      repo_owner: z.string(),
      repo_name: z.string(),
      pr_number: z.number().int(),
      title: z.string(),
      state: pullRequestState,
      author: z.string(),
      at: instant,
      value: z.number().nullable(),
      /** Of figures of findings: what became of those on it. */
      fates: fates.optional(),
      /** Of a difference: of which side it is. */
      part: z.string().optional(),
    }),
  ),
  total: count,
  hasMore: z.boolean(),
});
export type Explanation = z.infer<typeof explanation>;

export const explainMetric = endpoint({
  method: 'GET',
  path: '/api/explain/{metric}',
  summary: 'What an aggregate figure means and which pull requests went into it.',
  access: 'session',
  scope: { param: 'metric', prefix: 'my_work.', matching: 'read:mine', others: 'read:figures' },
  status: 200,
  params: z.object({ metric: z.string().min(1) }),
  query: z.object({
    username: z.string().optional(),
    /** With `from` and `to` the window of a figure that has one to choose, as the lists take them. */
    period: periodFilter,
    ...fromToFilter,
    repository: repositoryFilter,
    ...teamFilter,
    /** For the sums of a list of people: as the list was asked for. */
    accounts: accountsFilter,
    /** For figures of developers and contributors: as the page was asked for. */
    credit: creditFilter,
    /**
     * Which part of a figure that is drawn in many: a size (`0-50`), a day or the first day of a week (`2026-03-29`), weekday and hour
     * (`1-10` is Monday, ten o’clock), a reviewer’s login, a folder (`src/web`), a group of pull requests or, `by` tool, a tool, a side
     * of a difference.
     */
    part: z.string().optional(),
    /** Of figures of AI in review: as its calls take them. */
    ...aiPullRequests,
    /** Of figures of AI reviewers: whose, by the login of any of its accounts; without one those that are told of people, too, of these. */
    reviewer: z.string().optional(),
    ...authorshipGroups,
    /** `owner/name/number`, for what one pull request is compared with. */
    pull_request: z.string().optional(),
    /** Of the items: the latest first, or those that contribute most. */
    order: z.enum(['latest', 'value']).default('latest'),
    limit: whole(1, 100).default(100),
    offset: whole(0).default(0),
  }),
  answer: explanation,
});
