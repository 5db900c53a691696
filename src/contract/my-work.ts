import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  accountKind,
  attribution,
  count,
  hours,
  hoursSpent,
  instant,
  numbered,
  repositoryFilter,
  teamFilter,
  waitingOn,
  waitingReason,
} from './values.ts';

export const workKinds = [
  'author',
  'merge',
  'review',
  'review_again',
  'team_review',
  'yours_waits',
  'reviewed_waits',
  'draft',
] as const;

/** In the order in which they stand; `review` holds what is to be reviewed again, too. */
export const workSections = [
  'review',
  'author',
  'merge',
  'team_review',
  'yours_waits',
  'reviewed_waits',
  'draft',
  'snoozed',
] as const;

export const snooze = z.object({
  until: instant.nullable().describe('Null: whenever it changes.'),
  until_change: z.boolean().describe('Ends also when its kind or the begin of its wait changes.'),
});

/** What an open pull request is to the caller (docs/metrics.md#my-work). */
export const workItem = z.object({
  repo_owner: z.string(),
  repo_name: z.string(),
  pr_number: z.number().int(),
  title: z.string(),
  github_url: z.string(),
  author: z.string(),
  author_avatar_url: z.string().nullable(),
  author_kind: accountKind,
  by_agent: z.boolean(),
  ...attribution,
  lines_changed: count,
  changed_files: count,
  draft: z.boolean(),
  created_at: instant,
  kind: z.enum(workKinds),
  reason: z.union([
    waitingReason,
    z.enum(['requested', 'requested_of_team', 'answered', 'dismissed', 'updated', 'approved_by_you', 'faded', 'agent']),
  ]),
  team: z
    .string()
    .nullable()
    .describe('The team of the caller that is asked, `@organisation/slug`; null of any other kind.'),
  asked_at: instant.nullable().describe('When the caller, or that team, was asked; null where they are not.'),
  reviewed: z.boolean().describe('Whether the caller gave a review that counts.'),
  since: instant,
  waited_hours: hoursSpent,
  waited_working_hours: hours.describe('Null: working hours of one’s own are not known.'),
  overdue: z.boolean().describe('Of what is the caller’s turn alone.'),
  overdue_after_hours: hoursSpent,
  checks: z.enum(['failing', 'running', 'passing']).nullable().describe('Of the head commit; null without any.'),
  reviewers: z.array(z.string()),
  waiting_on: waitingOn,
  waits_for: z
    .array(z.string())
    .describe(
      'The people and teams whose review is requested now, then the people whom what was done since their review calls back; empty unless it waits for reviewers.',
    ),
  snooze: snooze.nullable(),
});
export type WorkItem = z.infer<typeof workItem>;

export const workCounts = z.object({
  turn: count.describe('Reviews, own ones, merges and reviews of a team together.'),
  review: count,
  author: count,
  merge: count,
  team_review: count,
  snoozed: count,
});
export type WorkCounts = z.infer<typeof workCounts>;

export const myWork = z.object({
  as_of: instant,
  recognised: z
    .boolean()
    .describe('Whether the caller’s account opened or reviewed a pull request in scope, or is asked to.'),
  counts: workCounts,
  waiting_for_nobody: count,
  sections: z
    .array(z.object({ key: z.enum(workSections), total: count, items: z.array(workItem) }))
    .describe('All of them, empty ones too, each with at most 200 items.'),
});
export type MyWork = z.infer<typeof myWork>;

export const getMyWork = endpoint({
  method: 'GET',
  path: '/api/my-work',
  summary: 'What waits for the caller, since when and why, and what they wait for.',
  access: 'session',
  scope: 'read:mine',
  table: null,
  status: 200,
  query: z.object({ repository: repositoryFilter, ...teamFilter }),
  answer: myWork,
});

const onePullRequest = z.object({
  owner: z.string().describe('The owner of the repository.'),
  name: z.string().describe('The name of the repository.'),
  number: numbered.describe('The number of the pull request.'),
});

export const saveSnooze = endpoint({
  method: 'PUT',
  path: '/api/my-work/snoozes/{owner}/{name}/{number}',
  summary:
    'Puts an item aside for the caller alone, until a moment or until it changes; a second one replaces the first.',
  access: 'session',
  scope: null,
  status: 200,
  params: onePullRequest,
  body: z
    .object({ until: instant.nullable().default(null), until_change: z.boolean().default(false) })
    .refine(({ until, until_change }) => until !== null || until_change, 'Say until when, or until something changes'),
  answer: snooze,
});

export const deleteSnooze = endpoint({
  method: 'DELETE',
  path: '/api/my-work/snoozes/{owner}/{name}/{number}',
  summary: 'Takes a snooze back, where there is one.',
  access: 'session',
  scope: null,
  status: 204,
  params: onePullRequest,
});
