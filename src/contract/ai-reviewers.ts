import { z } from 'zod';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { aiPullRequests, aiWindow } from './ai-window.ts';
import { endpoint } from './endpoint.ts';
import { count, day, instant } from './values.ts';

/** A value over n things; null over none. Shares are 0 to 1, durations hours (docs/metrics.md#ai-reviewers). */
const valued = z.object({ value: z.number().nullable(), n: count });
/** `value` is the median, in hours. */
const wait = valued.extend({ p90: z.number().nullable() });
/** `value` is the mean, `p50` the median. */
const spread = valued.extend({ p50: z.number().nullable(), p90: z.number().nullable() });

/** What became of findings until their pull request ended; each finding has one of them. */
export const fates = z.object({
  changed: count,
  resolved: count,
  answered: count,
  dismissed_by_hand: count,
  ignored: count,
});

/** What is told alike of an AI reviewer and of the people beside it, over pull requests that ended in the window and that it or they reviewed. */
const compared = {
  acted_on: valued.describe('Of the findings, the share whose fate is `changed`.'),
  noise: valued.describe('Of the findings, the share that was ignored, hidden by hand or got more 👎 than 👍.'),
  silent: valued.describe('Of the pull requests, the share without a finding, and with more than ten.'),
  talkative: valued,
  findings_per_pr: spread,
  findings_per_100_lines: valued.describe(
    '100 findings over changed lines, both summed over these pull requests; n is how many these are.',
  ),
  /** Of the findings; they add up to n of `acted_on`. */
  fates,
};

/** The same of people, each but the author, in the same scope, window and sizes, joined. */
const control = z.object(compared);

/** Its `acted_on` less that of people: 0.1 is ten points; null with fewer than 20 findings on either side. */
const lift = z.number().nullable();

const figures = {
  ...compared,
  coverage: valued.describe(
    'Over pull requests that became ready in the window, open ones too, and aren’t its own: the share that it reviewed.',
  ),
  time_to_agent_review: wait.describe(
    'Of the same, from ready, or the latest request that names it, to its first act.',
  ),
  before_human: valued.describe(
    'Of the same, over those with both: the share in which it acted before `first_review_at`.',
  ),
  on_automation: valued.describe('Over ended ones that it reviewed: the share that bots or agents opened.'),
  thumbs: z.object({ up: count, down: count }).describe('👍 and 👎 on its findings.'),
  resolution: z.null().describe('Hosts tell no reason for which a thread was resolved.'),
  control,
  lift,
};

const reviewer = z.object({
  reviewer: z
    .string()
    .describe(
      'Of the accounts that the list of known automation joins, the one that acted last in these repositories; of two at once the first by login.',
    ),
  avatar_url: z.string().nullable(),
  tools: z
    .array(z.string())
    .describe(
      'The tool that these accounts stand for, as `agents` of pull requests names it; of an account of no known tool its login without `[bot]`.',
    ),
  first_seen: instant.describe('Its first and its last act in these repositories, whatever else is asked.'),
  last_seen: instant,
  ...figures,
});
export type AiReviewer = z.infer<typeof reviewer>;

/** Medians over pull requests; n is how many have the value. Times in hours. */
const humanTime = z.object({
  time_to_first_review: valued.describe('From ready to the first counting review; null without one.'),
  reviews: valued.describe('Counting reviews.'),
  human_findings: valued.describe('Inline comments of people other than the author that open a thread, until the end.'),
  rounds: valued.describe('Review cycles; 0 without a counting review.'),
  time_to_merge: valued,
});

/** Of pull requests that ended in the window and aren’t its own. */
const groups = z.object({
  reviewed_first: count.describe(
    'How many it acted on before the first human did, also where none did, and how many it didn’t review.',
  ),
  not_reviewed: count,
  within_sizes: z
    .object({ reviewed_first: humanTime, not_reviewed: humanTime })
    .describe(
      'The medians of both, weighted alike: over the sizes that have five values or more on both sides, Σ m·median / Σ m, m the smaller count. n counts the values of these sizes; null without one.',
    ),
});

/** Over pull requests that ended in the 90 days before its first act and in those from it on, its own left out. */
const beforeAfter = z.object({
  together: z
    .object({ before: humanTime, after: humanTime })
    .nullable()
    .describe('Of the pull requests of all `repositories`; null where there is none: too early to say.'),
  repositories: z
    .array(
      z.object({
        repository: z.string().describe('As `owner/name`.'),
        first_act: instant,
        before: humanTime.extend({ n: count }),
        after: humanTime.extend({ n: count }),
      }),
    )
    .describe(
      'Those whose whole history is imported and reaches back over the first, and whose second are over, with 20 pull requests or more in each.',
    ),
});

const reviewerInDepth = reviewer.extend({
  series: z
    .array(
      z.object({
        week: day,
        coverage: valued,
        acted_on: valued,
        noise: valued,
        findings_per_pr: spread,
        fates,
        control: z.object({ acted_on: valued, noise: valued, findings_per_pr: spread, fates }),
      }),
    )
    .describe(
      'By weeks of the viewer’s zone, named by their Mondays; the first and the last hold what lies in the window.',
    ),
  sizes: z
    .array(z.object({ size: z.enum(sizeBuckets), ...compared, coverage: valued, control, lift }))
    .describe('Each size of pull requests, the smallest first.'),
  groups,
  before_after: beforeAfter,
});
export type AiReviewerInDepth = z.infer<typeof reviewerInDepth>;

export const listAiReviewers = endpoint({
  method: 'GET',
  path: '/api/ai/reviewers',
  summary: 'What AI reviewers give, with people beside them; the one that reviews most first.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: z.object({ ...aiWindow, ...aiPullRequests }),
  /** Those with an act in the window, by coverage descending, then login. */
  answer: z.array(reviewer),
});

export const getAiReviewer = endpoint({
  method: 'GET',
  path: '/api/ai/reviewers/{login}',
  summary: 'One AI reviewer over time, by size, and the time of people beside it.',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  /** The login of any of its accounts, with or without `[bot]`. */
  params: z.object({ login: z.string().min(1).describe('The login of any of its accounts, with or without `[bot]`.') }),
  query: z.object({ ...aiWindow, ...aiPullRequests }),
  answer: reviewerInDepth,
});
