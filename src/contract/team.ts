import { z } from 'zod';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { endpoint } from './endpoint.ts';
import { pullRequestListQuery } from './pull-requests.ts';
import {
  accountKind,
  accountsFilter,
  attribution,
  comparedWith,
  count,
  creditFilter,
  day,
  hours,
  instant,
  percent,
  repositoryFilter,
  share,
  teamFilter,
  turn,
  whole,
  windowFilter,
} from './values.ts';

const teamQuery = z.object({ ...windowFilter, repository: repositoryFilter, ...teamFilter });
const peopleQuery = z.object({
  ...windowFilter,
  repository: repositoryFilter,
  ...teamFilter,
  accounts: accountsFilter,
});

const windowFigures = {
  total_contributors: count,
  pr_merge_rate: share,
  merged_prs: count,
  avg_time_to_merge_hours: hours,
  avg_review_time_hours: hours,
  total_prs: count,
  total_reviews: count,
  avg_pr_size: z.number().nullable(),
  ended_prs: count.describe('How many the merge rate is of: merged or closed in the window.'),
  first_reviewed_prs: count.describe('How many the review time is of: those first reviewed in the window.'),
};

export const teamStats = z.object({
  ...windowFigures,
  open_prs: count,
  active_prs_today: count,
  active_prs_yesterday: count.describe(
    'The same of yesterday, from its 00:00 up to this time of day: what today can be compared with before it is over.',
  ),
  previous: z.object(windowFigures).describe('The same figures of the equally long window before.'),
  compared_with: comparedWith,
  series: z
    .array(
      z.object({
        date: day,
        merged_prs: count,
        open_prs: count,
        avg_time_to_merge_hours: hours,
        avg_review_time_hours: hours,
        pr_merge_rate: share,
      }),
    )
    .describe(
      'As many calendar days as the window has, 90 at most, its last one last, each over that day alone, as far as the window has lasted. What is open is that at the end of each.',
    ),
});
export type TeamStats = z.infer<typeof teamStats>;

export const stuckPullRequest = z.object({
  github_id: z.string(),
  title: z.string(),
  repo_name: z.string(),
  repo_owner: z.string(),
  author: z.string(),
  author_display_name: z.string().nullable(),
  author_avatar_url: z.string().nullable(),
  author_kind: accountKind,
  by_agent: z
    .boolean()
    .describe(
      'As in the pull-request list; with `draft` and `author_kind` what the choices `drafts`, `bots` and `agents` look at.',
    ),
  ...attribution,
  lines_changed: count,
  created_at: instant,
  has_reviewer: z.boolean(),
  reviewers: z.array(z.string()).describe('Who reviewed or is asked to, as in the pull-request list.'),
  github_url: z.string(),
  pr_number: z.number().int(),
  draft: z.boolean(),
  ...turn,
});
export type StuckPullRequest = z.infer<typeof stuckPullRequest>;

const stuckQuery = z.object({
  repository: repositoryFilter,
  ...teamFilter,
  asked: pullRequestListQuery.shape.asked,
});

export const stuckCounts = z.object({
  all: count,
  reviewers: count,
  author: count,
  merge: count,
});
export type StuckCounts = z.infer<typeof stuckCounts>;

export const reviewerStat = z.object({
  reviewer: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind: accountKind,
  review_count: count,
  avg_review_time_hours: hours,
});
export type ReviewerStat = z.infer<typeof reviewerStat>;

export const developerStat = z.object({
  author: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind: accountKind,
  open_prs: count,
  merged_prs: count,
  avg_pr_size: z.number().nullable(),
  avg_merge_time_hours: hours,
  reviews_given: count,
  avg_review_response_hours: hours,
  prs_awaiting_review: count,
  review_approval_rate: percent,
  first_time_approval_rate: percent,
  review_to_pr_ratio: z.number().min(0).nullable(),
  active_days: count,
  velocity_trend: z.enum(['up', 'down', 'stable']),
  merge_time_trend: z.enum(['improved', 'slower', 'stable']),
  trends_comparable: z
    .boolean()
    .describe('False where the window before is not wholly stored: the two trends then say nothing.'),
});
export type DeveloperStat = z.infer<typeof developerStat>;

export const reviewLoadRow = z.object({
  reviewer: z.string(),
  display_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  kind: accountKind,
  reviews_last_week: count.describe('Of the chosen window, the last 7 days unless another is.'),
  merged_last_week: count.describe('Likewise.'),
  complex_reviews: count,
  outstanding_reviews: count,
  is_contributor: z
    .boolean()
    .describe(
      'Whether they opened or reviewed a pull request of any connected repository. Of whoever was only asked `/api/contributors` answers 404.',
    ),
});
export type ReviewLoadRow = z.infer<typeof reviewLoadRow>;

export const getTeamStats = endpoint({
  method: 'GET',
  path: '/api/team-stats',
  summary: 'The team’s figures of the last 30 days, or of a chosen window (docs/metrics.md, the team and its people).',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  query: teamQuery,
  answer: teamStats,
});

export const listStuckPullRequests = endpoint({
  method: 'GET',
  path: '/api/stuck-prs',
  summary: `Open for more than ${STUCK_AFTER_HOURS} hours, oldest first.`,
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: stuckQuery.extend({
    turn: pullRequestListQuery.shape.turn,
    limit: whole(1, 500).optional().describe('How many at most; all of them without it.'),
  }),
  answer: z.array(stuckPullRequest),
});

export const countStuckPullRequests = endpoint({
  method: 'GET',
  path: '/api/stuck-prs/counts',
  summary: `How many have been open for more than ${STUCK_AFTER_HOURS} hours, and whose turn it is.`,
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  query: stuckQuery,
  answer: stuckCounts,
});

export const listReviewerStats = endpoint({
  method: 'GET',
  path: '/api/reviewer-stats',
  summary: 'Who reviewed in the last 7 days, or in a chosen window.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: peopleQuery,
  answer: z.array(reviewerStat),
});

export const listDeveloperStats = endpoint({
  method: 'GET',
  path: '/api/developer-stats',
  summary: 'How each developer fared in the last 30 days, or in a chosen window.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: peopleQuery.extend({ credit: creditFilter }),
  answer: z.array(developerStat),
});

export const listReviewLoad = endpoint({
  method: 'GET',
  path: '/api/review-load',
  summary: 'Who carries the review load: the last 7 days, or a chosen window, and what is outstanding now.',
  access: 'session',
  scope: 'read:figures',
  table: 'list',
  status: 200,
  query: peopleQuery,
  answer: z.array(reviewLoadRow),
});
