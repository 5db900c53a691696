import { z } from 'zod';
import { ownSignalKeys } from '#domain/signals.ts';
import { endpoint } from './endpoint.ts';
import {
  accountKind,
  attribution,
  authorship,
  count,
  evidence,
  hours,
  hoursSpent,
  instant,
  numbered,
  percent,
  propertyFilter,
  pullRequestState,
  repositoryFilter,
  reviewState,
  teamFilter,
  turn,
  waitingOn,
  whole,
} from './values.ts';

const address = z.object({
  repoOwner: z.string().min(1).describe('The owner of the repository.'),
  repoName: z.string().min(1).describe('The name of the repository.'),
  prNumber: numbered.describe('The number of the pull request.'),
});

export const pullRequestListItem = z.object({
  github_id: z.string(),
  pr_number: z.number().int(),
  title: z.string(),
  state: pullRequestState,
  draft: z.boolean(),
  author: z.string(),
  author_display_name: z.string().nullable(),
  author_avatar_url: z.string().nullable(),
  author_kind: accountKind,
  by_agent: z
    .boolean()
    .describe(
      "True when an agent wrote it, or took part in it under a human's account: `authorship` is `agent` or `assisted`.",
    ),
  ...attribution,
  reviewers: z.array(z.string()),
  repo_full_name: z.string(),
  repo_owner: z.string(),
  repo_name: z.string(),
  lines_changed: count,
  created_at: instant,
  updated_at: instant,
  github_url: z.string(),
  ...turn,
});
export type PullRequestListItem = z.infer<typeof pullRequestListItem>;

const countsByState = z.object({ all: count, open: count, merged: count, closed: count });

export const pullRequestList = z.object({
  prs: z.array(pullRequestListItem),
  total: count.describe('Matches of the whole question, without its paging.'),
  hasMore: z.boolean(),
  counts: countsByState.describe('Of everything in scope, whatever `state` and `q` say.'),
  found: countsByState
    .nullable()
    .describe('How many of these `q` and the other filters find, whatever `state` says; null without `q`.'),
  attributed_since: instant
    .nullable()
    .describe(
      'Who wrote those opened since then is known as far as it can be; earlier ones are being read again. Null: all are.',
    ),
});
export type PullRequestList = z.infer<typeof pullRequestList>;

export const timelineEvent = z.object({
  id: z.string(),
  type: z
    .string()
    .describe('Which there are is in docs/product.md#shapes-of-answers; an unknown one gets a default look.'),
  description: z.string(),
  actor: z.string().nullable().describe('Null for events without an account (checks, deleted accounts).'),
  actor_avatar: z.string().nullable(),
  actor_kind: accountKind.nullable(),
  timestamp: instant,
  metadata: z.object({
    review_state: reviewState.nullable(),
    check_status: z.string().nullable(),
    sha: z.string().nullable(),
    replies: count
      .nullable()
      .describe('How many answers in threads a review consists of that is nothing else; null for every other event.'),
  }),
});
export type TimelineEvent = z.infer<typeof timelineEvent>;

export const reviewOfPullRequest = z.object({
  id: z.string(),
  reviewer: z.string(),
  reviewer_avatar: z.string().nullable(),
  state: reviewState,
  submitted_at: instant,
  comments_count: count,
  response_time: hours,
});
export type ReviewOfPullRequest = z.infer<typeof reviewOfPullRequest>;

export const reviewerOfPullRequest = z.object({
  username: z.string(),
  avatar_url: z.string().nullable(),
  reviews_submitted: count,
  total_comments: count,
  avg_response_time: hours,
  approval_rate: percent,
});

/** A person or a team (`@org/slug`) whose review is requested now, and since when (docs/metrics.md#my-work). */
export const requestedReviewer = z.object({
  reviewer: z.string(),
  avatar_url: z.string().nullable(),
  asked_at: instant,
});
export type RequestedReviewer = z.infer<typeof requestedReviewer>;

export const timeMetrics = z.object({
  time_to_first_review: hours,
  time_to_merge: hours,
  active_development_time: hoursSpent,
  waiting_for_review_time: hoursSpent,
  post_approval_time: hours,
  business_hours_spent: hoursSpent,
  after_hours_time: hoursSpent,
  review_cycles: count,
  ready_at: instant.nullable(),
  first_review_at: instant.nullable(),
  first_agent_review_at: instant.nullable(),
  approved_at: instant.nullable(),
  ...turn,
  phases: z
    .array(z.object({ phase: z.enum(['development', 'waiting', 'approved']), from: instant, to: instant.nullable() }))
    .describe('The last `to` is null while the pull request is open.'),
});
export type TimeMetrics = z.infer<typeof timeMetrics>;

export const comparativeMetrics = z.object({
  author_avg_pr_size: z.number().nullable(),
  size_percentile: percent,
  cycle_time_percentile: percent,
  author_avg_cycle_time: hours,
  team_p50_cycle_time: hours,
  team_p75_cycle_time: hours,
  team_p90_cycle_time: hours,
  team_p50_pr_size: z.number().nullable().describe("The median of the team's changed lines."),
  author_set_size: count.describe("How many others of its author the author's averages are based on."),
  comparison_set_size: count.describe(
    "How many pull requests it is compared with; below 5 the team's figures are null.",
  ),
});
export type ComparativeMetrics = z.infer<typeof comparativeMetrics>;

const attributionInDepth = {
  ...attribution,
  confidence: evidence.shape.confidence.nullable().describe('Of the surest trace; null without one.'),
  evidence: z.array(evidence),
};

/** A signal of the review practice that a pull request has (docs/metrics.md#signals). */
export const ownSignal = z.object({
  key: z.enum(ownSignalKeys),
  name: z.string().describe('In a few words: `pushed after approval (2 commits)`.'),
  why: z.string().describe('The rule that it meets, with the numbers of this one.'),
  dismissed: z.boolean().describe('Somebody who took part says that it is not so.'),
  reason: z.string().nullable().describe('In their words; null where it is not dismissed, or without a word.'),
});
export type OwnSignal = z.infer<typeof ownSignal>;

export const dismissSignal = endpoint({
  method: 'PUT',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/signals/{key}',
  summary: 'Says that a signal of a pull request is not so, or takes that back; by its author and reviewers.',
  access: 'session',
  scope: null,
  status: 200,
  params: address.extend({ key: z.string().min(1).describe('The key of one of its signals.') }),
  body: z.object({
    dismissed: z.boolean(),
    reason: z.string().trim().max(200, 'at most 200 characters').default(''),
  }),
  answer: ownSignal,
});

export const pullRequestDetail = z.object({
  pr_number: z.number().int(),
  title: z.string(),
  state: pullRequestState,
  draft: z.boolean(),
  html_url: z.string(),
  repository: z.object({ owner: z.string(), name: z.string() }),
  author: z.string(),
  author_avatar_url: z.string().nullable(),
  author_kind: accountKind,
  by_agent: z.boolean(),
  ...attributionInDepth,
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  assignee_kinds: z.array(accountKind).describe('Of `assignees`, in their order.'),
  created_at: instant,
  updated_at: instant,
  additions: count,
  deletions: count,
  changed_files: count,
  commits: count,
  merged_at: instant.nullable(),
  closed_at: instant.nullable(),
  comments: count,
  review_comments: count,
  timeline: z.array(timelineEvent),
  reviews: z.array(reviewOfPullRequest),
  reviewers: z.array(reviewerOfPullRequest),
  requested_reviewers: z
    .array(requestedReviewer)
    .describe("People, then teams, in the host's order; those who reviewed before and are asked again are among them."),
  contributors: z
    .array(z.string())
    .describe(
      'Logins: those in the timeline or asked to review who exist as contributors. Of anybody else `/api/contributors` answers 404.',
    ),
  time_metrics: timeMetrics,
  comparative_metrics: comparativeMetrics,
  corrected: z
    .object({ authorship: z.boolean(), credit: z.boolean() })
    .describe('What somebody said better than the rules do.'),
  signals: z
    .array(ownSignal)
    .describe('What the review practice shows of it (docs/metrics.md#signals); those that are dismissed too.'),
  may_dismiss_signals: z.boolean().describe('Whether whoever asks took part, and so may say that one is not so.'),
  traces_read: z
    .boolean()
    .describe('False until its traces were read: what is said of who wrote it is then what was known before.'),
});
export type PullRequestDetail = z.infer<typeof pullRequestDetail>;

export const pullRequestListQuery = z.object({
  limit: whole(1, 500).default(50).describe('How many at most.'),
  offset: whole(0).default(0).describe('How many of the first to leave out.'),
  sortBy: z
    .enum(['updated_at', 'created_at', 'lines_changed', 'title'])
    .default('updated_at')
    .describe('By what the list is sorted.'),
  sortOrder: z.enum(['ASC', 'DESC']).default('DESC').describe('Descending or ascending.'),
  state: pullRequestState.optional().describe('Those in this state alone.'),
  q: z
    .string()
    .optional()
    .describe('A text that the title, the author’s login or display name, or the repository’s full name holds.'),
  repository: repositoryFilter,
  ...teamFilter,
  drafts: propertyFilter.describe('`hide` leaves out drafts, `only` leaves out the others; left out: both.'),
  bots: propertyFilter.describe(
    '`hide` leaves out those by bots, `only` leaves out the others; with `only` here and at `agents` those of either.',
  ),
  agents: propertyFilter.describe("The same of those by agents, also under a human's account (`by_agent`)."),
  authorship: authorship.exclude(['ghost']).optional().describe('Those of one kind of authorship.'),
  tool: z
    .string()
    .trim()
    .toLowerCase()
    .min(1)
    .max(100)
    .optional()
    .describe('A tool that took part, as `agents` of a pull request names it.'),
  credited_to: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('A login: pull requests of whom started them, their own among them. `none`: those credited to nobody.'),
  turn: waitingOn.optional().describe('Whom an open one waits for.'),
  asked: numbered
    .optional()
    .describe(
      'A team: open ones that wait for reviewers, of which it, a part of it or somebody who is a member now is asked.',
    ),
  requested: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('A login: open ones that wait for reviewers, on which the review of this person is requested now.'),
});

export const listPullRequests = endpoint({
  method: 'GET',
  path: '/api/prs',
  summary: 'Pull requests of every connected repository: filter, search, sort, page.',
  access: 'session',
  scope: 'read:figures',
  table: { list: 'prs', long: true },
  status: 200,
  query: pullRequestListQuery,
  answer: pullRequestList,
});

/** A pull request for whoever keeps a copy: as in the list, with its time metrics. Names may come, none goes. */
export const exportedPullRequest = pullRequestListItem.extend({
  ...timeMetrics.omit({ phases: true }).shape,
  changed_at: instant.describe('When anything of this line was stored last; durations of open ones grow without that.'),
  cursor: z.string().describe('Where this line stands: what follows it is asked by it.'),
});
export type ExportedPullRequest = z.infer<typeof exportedPullRequest>;

export const exportPullRequests = endpoint({
  method: 'GET',
  path: '/api/export/pull-requests',
  summary:
    'Pull requests as lines of JSON in the order in which they changed, up to ten seconds ago, at most 5,000; to load what changed bit by bit.',
  access: 'session',
  scope: 'read:figures',
  table: null,
  status: 200,
  media: 'lines',
  query: z.object({
    since: z.iso
      .datetime({ offset: true, error: 'must be an instant, 2026-03-29T10:00:00Z' })
      .optional()
      .describe('What changed then or later.'),
    repository: repositoryFilter,
    ...teamFilter,
    cursor: z.string().max(100).optional().describe('That of the last line that is known already.'),
  }),
  answer: z.array(exportedPullRequest),
});

export const getPullRequest = endpoint({
  method: 'GET',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}',
  summary: 'One pull request in depth.',
  access: 'session',
  scope: 'read:figures',
  table: 'object',
  status: 200,
  params: address,
  answer: pullRequestDetail,
});

export const refreshPullRequest = endpoint({
  method: 'POST',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/refresh',
  summary: 'Fetches this pull request from the host now and answers it.',
  access: 'session',
  scope: null,
  status: 200,
  params: address,
  answer: pullRequestDetail,
});

/** What a correction comes to. */
export const attributionAnswer = z.object({ ...attributionInDepth, corrected: pullRequestDetail.shape.corrected });
export type AttributionAnswer = z.infer<typeof attributionAnswer>;

export const correctAuthorship = endpoint({
  method: 'PUT',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/authorship',
  summary:
    'Says better than the rules who wrote a pull request; for its author, the credited person, and whoever may write to the repository.',
  access: 'session',
  scope: null,
  status: 200,
  params: address,
  body: z.object({
    authorship: authorship.extract(['human', 'assisted', 'agent']),
    tool: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'must be the name of a tool, such as claude')
      .nullable()
      .default(null)
      .describe('The agent that took part, in lower case; null of a human’s, and where it is not known.'),
  }),
  answer: attributionAnswer,
});

export const withdrawAuthorship = endpoint({
  method: 'DELETE',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/authorship',
  summary: 'Takes back what was said about who wrote a pull request.',
  access: 'session',
  scope: null,
  status: 200,
  params: address,
  answer: attributionAnswer,
});

export const correctCredit = endpoint({
  method: 'PUT',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/credit',
  summary: 'Says who started a pull request, or with null that nobody did; for the same people.',
  access: 'session',
  scope: null,
  status: 200,
  params: address,
  body: z.object({ username: z.string().trim().min(1).max(100).nullable() }),
  answer: attributionAnswer,
});

export const withdrawCredit = endpoint({
  method: 'DELETE',
  path: '/api/pr/{repoOwner}/{repoName}/{prNumber}/credit',
  summary: 'Takes back what was said about who started a pull request.',
  access: 'session',
  scope: null,
  status: 200,
  params: address,
  answer: attributionAnswer,
});
