import { z } from 'zod';
import { accountKind, attribution, count, instant, waitingOn, waitingReason } from './values.ts';

const workKinds = [
  'author',
  'merge',
  'review',
  'review_again',
  'team_review',
  'yours_waits',
  'reviewed_waits',
  'draft',
] as const;

const snooze = z.object({
  /** Null: whenever it changes. */
  until: instant.nullable(),
  /** Ends also when its kind or the begin of its wait changes. */
  until_change: z.boolean(),
});

/** What an open pull request is to the caller. */
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
  /** The team of the caller that is asked, `@organisation/slug`; null of any other kind. */
  team: z.string().nullable(),
  /** When the caller, or that team, was asked; null where they are not. */
  asked_at: instant.nullable(),
  since: instant,
  waited_hours: z.number(),
  /** Null: working hours of one’s own are not known. */
  waited_working_hours: z.number().nullable(),
  /** Of what is the caller’s turn alone. */
  overdue: z.boolean(),
  overdue_after_hours: z.number(),
  /** Of the head commit; null without any. */
  checks: z.enum(['failing', 'running', 'passing']).nullable(),
  reviewers: z.array(z.string()),
  waiting_on: waitingOn,
  snooze: snooze.nullable(),
});
export type WorkItem = z.infer<typeof workItem>;
