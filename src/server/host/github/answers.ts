import { z } from 'zod';

/**
 * The shapes of GitHub's answers, the fields that we ask for and no others. Times become Dates, numbers that GitHub
 * sends as text (`BigInt`) become text. Whatever may be missing is nullable, as GitHub's schema says.
 */

const instant = z.string().pipe(z.coerce.date());
/** `BigInt` is text by the schema; some servers send a number. */
const bigId = z.union([z.string(), z.number().transform(String)]).nullish();

export const actorAnswer = z.object({
  __typename: z.string(),
  id: z.string().nullish(),
  databaseId: z.number().nullish(),
  login: z.string(),
  name: z.string().nullish(),
  avatarUrl: z.string().nullish(),
});
export type ActorAnswer = z.infer<typeof actorAnswer>;

/** A reviewer of a type unknown to us, or whose fields we may not name, is its `__typename` alone. */
export const reviewerAnswer = actorAnswer.extend({ login: z.string().nullish(), combinedSlug: z.string().nullish() });
export type ReviewerAnswer = z.infer<typeof reviewerAnswer>;

/** A list of which only the length is told. */
const counted = z.object({ totalCount: z.number() });

export const reference = z.object({ id: z.string(), fullDatabaseId: bigId });
export type ReferenceAnswer = z.infer<typeof reference>;

export const repositoryAnswer = z.object({
  id: z.string(),
  databaseId: z.number(),
  name: z.string(),
  owner: z.object({ login: z.string(), databaseId: z.number().nullish() }),
  url: z.string(),
  isPrivate: z.boolean(),
  isArchived: z.boolean(),
  defaultBranchRef: z.object({ name: z.string() }).nullable(),
  pushedAt: instant.nullish(),
  allPullRequests: z.object({ totalCount: z.number() }),
});
export type RepositoryAnswer = z.infer<typeof repositoryAnswer>;

export const reviewRequestAnswer = z.object({ requestedReviewer: reviewerAnswer.nullable() });
export type ReviewRequestAnswer = z.infer<typeof reviewRequestAnswer>;

export const reviewAnswer = reference.extend({
  state: z.enum(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED', 'DISMISSED', 'PENDING']),
  submittedAt: instant.nullable(),
  createdAt: instant,
  body: z.string().nullable(),
  author: actorAnswer.nullable(),
  commit: z.object({ oid: z.string() }).nullable(),
  comments: counted,
});
export type ReviewAnswer = z.infer<typeof reviewAnswer>;

const anyComment = reference.extend({ createdAt: instant, author: actorAnswer.nullable() });

export const commentAnswer = anyComment.extend({ body: z.string() });
export type CommentAnswer = z.infer<typeof commentAnswer>;

/** `pullRequestReview` is null for comments of the years before GitHub had reviews. */
export const inlineCommentAnswer = anyComment.extend({
  path: z.string(),
  outdated: z.boolean(),
  isMinimized: z.boolean(),
  minimizedReason: z.string().nullable(),
  reactionGroups: z.array(z.object({ content: z.string(), reactors: counted })).nullable(),
  replyTo: reference.nullable(),
  pullRequestReview: reference.nullable(),
});
export type InlineCommentAnswer = z.infer<typeof inlineCommentAnswer>;

export const commitAnswer = z.object({
  listed: z.object({
    oid: z.string(),
    authoredDate: instant,
    committedDate: instant,
    message: z.string(),
    author: z
      .object({ name: z.string().nullable(), email: z.string().nullable(), user: actorAnswer.nullable() })
      .nullable(),
  }),
});
export type CommitAnswer = z.infer<typeof commitAnswer>;

export const fileAnswer = z.object({ path: z.string(), additions: z.number(), deletions: z.number() });
export type FileAnswer = z.infer<typeof fileAnswer>;

const knownEvents = [
  'ReviewRequestedEvent',
  'ReviewRequestRemovedEvent',
  'ReviewDismissedEvent',
  'ReadyForReviewEvent',
  'ConvertToDraftEvent',
  'HeadRefForcePushedEvent',
  'MergedEvent',
  'ClosedEvent',
  'ReopenedEvent',
] as const;

export const eventAnswer = z.object({
  __typename: z.enum(knownEvents),
  id: z.string(),
  createdAt: instant,
  actor: actorAnswer.nullable(),
  requestedReviewer: reviewerAnswer.nullish(),
  previousReviewState: z.string().nullish(),
  review: reference.nullish(),
  afterCommit: z.object({ oid: z.string() }).nullish(),
  commit: z.object({ oid: z.string() }).nullish(),
});
export type EventAnswer = z.infer<typeof eventAnswer>;

export const assignmentAnswer = z.object({
  __typename: z.enum(['AssignedEvent', 'UnassignedEvent']),
  id: z.string(),
  createdAt: instant,
  assignee: actorAnswer.nullable(),
});
export type AssignmentAnswer = z.infer<typeof assignmentAnswer>;

/** The label is null where it was deleted. */
export const labelingAnswer = z.object({
  __typename: z.enum(['LabeledEvent', 'UnlabeledEvent']),
  id: z.string(),
  label: z.object({ name: z.string() }).nullable(),
});
export type LabelingAnswer = z.infer<typeof labelingAnswer>;

const thread = z.object({ __typename: z.literal('PullRequestReviewThread'), id: z.string() });

/** A thread; its inline comments are still unread. */
export const threadAnswer = z.object({ id: z.string(), comments: z.unknown() });
export type ThreadAnswer = z.infer<typeof threadAnswer>;

/** An item of the timeline. */
export const timelineAnswer = z.discriminatedUnion('__typename', [
  eventAnswer,
  assignmentAnswer,
  labelingAnswer,
  thread,
  reviewAnswer.extend({ __typename: z.literal('PullRequestReview') }),
  commentAnswer.extend({ __typename: z.literal('IssueComment') }),
  commitAnswer.extend({ __typename: z.literal('PullRequestCommit'), id: z.string() }),
]);
export type TimelineAnswer = z.infer<typeof timelineAnswer>;

export const checkAnswer = z.discriminatedUnion('__typename', [
  z.object({
    __typename: z.literal('CheckRun'),
    id: z.string(),
    name: z.string(),
    conclusion: z.string().nullable(),
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
  }),
  z.object({
    __typename: z.literal('StatusContext'),
    id: z.string(),
    context: z.string(),
    statusState: z.string(),
    createdAt: instant,
  }),
]);
export type CheckAnswer = z.infer<typeof checkAnswer>;

/** A page of a list. `pageCount` is the timeline's own count of this page's nodes. */
export const listAnswer = z.object({
  totalCount: z.number().optional(),
  pageCount: z.number().optional(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(z.unknown()),
});

/** A pull request; its timeline and its files are still unread (`NestedList`). */
export const pullRequestAnswer = z.object({
  id: z.string(),
  fullDatabaseId: bigId,
  number: z.number().int(),
  title: z.string(),
  url: z.string(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  isDraft: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
  closedAt: instant.nullable(),
  mergedAt: instant.nullable(),
  additions: z.number(),
  deletions: z.number(),
  changedFiles: z.number(),
  baseRefName: z.string(),
  headRefName: z.string(),
  headRefOid: z.string().nullable(),
  body: z.string(),
  mergeCommit: z.object({ oid: z.string() }).nullable(),
  author: actorAnswer.nullable(),
  mergedBy: actorAnswer.nullable(),
  timelineItems: z.unknown(),
  files: z.unknown(),
  reviews: counted,
  comments: counted,
  commits: counted,
  reviewThreads: counted,
  reviewRequests: counted,
  statusCheckRollup: z.object({ id: z.string(), contexts: counted.optional() }).nullable(),
  // Of one that is asked for whole.
  requestsNow: z.unknown().optional(),
  checksNow: z.object({ contexts: z.unknown() }).nullish(),
  threadsNow: z.unknown().optional(),
});
export type PullRequestAnswer = z.infer<typeof pullRequestAnswer>;

/** A page of a repository's pull requests, each still to be understood. */
export const pageAnswer = z.object({
  totalCount: z.number(),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  nodes: z.array(z.unknown()),
});

export const digestAnswer = z.object({ id: z.string(), number: z.number().int(), updatedAt: instant });
