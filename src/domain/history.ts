import { type Drafts, draftsOf, wasDraft } from './drafts.ts';
import type {
  CommentRecord,
  EventRecord,
  Instant,
  PersonRef,
  PullRequestRecord,
  ReviewRecord,
  SubmittedState,
} from './pull-request.ts';

/** A commit or a force push: someone changed what there is to review. */
export interface Push {
  readonly at: Instant;
  /** Whether a bot or an agent made it. */
  readonly byAutomation: boolean;
}

/**
 * What a submitted review is to the figures (docs/metrics.md#what-holds-everywhere):
 * - `reply`: a commented review without a text whose inline comments all answer in existing threads; comments, never a review;
 * - `counting`: by a human who is not the author, within [created_at, end];
 * - `automated`: the same by a bot or an agent; counts in the lists with `accounts=all` only;
 * - `aside`: any other, the author's own, one after the end, one by a deleted account; the timeline shows it.
 */
export type ReviewRole = 'counting' | 'automated' | 'reply' | 'aside';

export interface HistoricReview extends ReviewRecord {
  readonly role: ReviewRole;
  /** What it was when it was submitted; a comment where the host doesn't tell. */
  readonly submittedState: SubmittedState;
  readonly duringDraft: boolean;
  readonly inlineComments: number;
}

/** A counting review's author is a human, so there is one. */
export interface CountingReview extends HistoricReview {
  readonly role: 'counting';
  readonly author: PersonRef;
}

/** One pull request as it looks at `now`: dates later than `now` taken as `now`, everything in time order. */
export interface History {
  readonly record: PullRequestRecord;
  readonly now: Instant;
  readonly createdAt: Instant;
  /** Null while open. */
  readonly endedAt: Instant | null;
  /** `endedAt`, else `now` (docs/metrics.md#one-pull-request). */
  readonly end: Instant;
  readonly drafts: Drafts;
  readonly pushes: readonly Push[];
  /** Every submitted review. */
  readonly reviews: readonly HistoricReview[];
  readonly countingReviews: readonly CountingReview[];
  readonly comments: readonly CommentRecord[];
  readonly events: readonly EventRecord[];
  /** The latest date later than `now`: figures may change when it has passed. Null when there is none. */
  readonly provisionalUntil: Instant | null;
}

/** Reads a record as of `now`; the rules are those of docs/metrics.md#what-holds-everywhere. */
export function historyOf(record: PullRequestRecord, now: Instant): History {
  const clamped = (at: Instant) => Math.min(at, now);
  const createdAt = clamped(record.createdAt);
  const ended = record.mergedAt ?? record.closedAt;
  const endedAt = ended === null ? null : Math.max(createdAt, clamped(ended));
  const end = endedAt ?? now;

  const events = record.events
    .map((event) => ({ ...event, at: clamped(event.at) }))
    .sort((a, b) => a.at - b.at || compareIds(a.id, b.id));
  const comments = record.comments
    .map((comment) => ({ ...comment, createdAt: clamped(comment.createdAt) }))
    .sort((a, b) => a.createdAt - b.createdAt || compareIds(a.id, b.id));
  const drafts = draftsOf(events, record.draft);
  const reviews = historicReviews(record, clamped, { createdAt, end, drafts, events });

  return {
    record,
    now,
    createdAt,
    endedAt,
    end,
    drafts,
    pushes: pushesOf(record, events, createdAt, end),
    reviews,
    countingReviews: reviews.filter(isCounting),
    comments,
    events,
    provisionalUntil: latestAfter(record, now),
  };
}

/** When it was first ready for review; null while it never was. */
export function readyAtOf({ drafts, createdAt }: Pick<History, 'drafts' | 'createdAt'>): Instant | null {
  return drafts.openedAsDraft ? (drafts.changes[0]?.at ?? null) : createdAt;
}

/** Whether a review counts (docs/metrics.md#what-holds-everywhere). */
function isCounting(review: HistoricReview): review is CountingReview {
  return review.role === 'counting';
}

/** A review's comments: its inline comments, plus 1 for a text (`pull_request.total_comments` in docs/metrics.md#one-pull-request). */
export function commentsCount(review: HistoricReview): number {
  return review.inlineComments + (review.hasBody ? 1 : 0);
}

/** Orders the host's ids: numbers by size, anything else as text. */
export function compareIds(a: string, b: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(a) && numeric.test(b) && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two accounts are the same; nobody is the same as a deleted account. */
export function isSamePerson(a: PersonRef | null, b: PersonRef | null): boolean {
  return a !== null && b !== null && a.id === b.id;
}

interface ReviewWindow {
  readonly createdAt: Instant;
  readonly end: Instant;
  readonly drafts: Drafts;
  readonly events: readonly EventRecord[];
}

function historicReviews(
  record: PullRequestRecord,
  clamped: (at: Instant) => Instant,
  window: ReviewWindow,
): HistoricReview[] {
  const inline = new Map<string, CommentRecord[]>();
  for (const comment of record.comments) {
    if (comment.kind !== 'inline' || comment.reviewId === null) continue;
    const together = inline.get(comment.reviewId);
    if (together === undefined) inline.set(comment.reviewId, [comment]);
    else together.push(comment);
  }
  const dismissedFrom = new Map<string, SubmittedState>();
  for (const event of window.events) {
    if (event.type === 'review_dismissed' && event.reviewId !== null && event.previousState !== null) {
      dismissedFrom.set(event.reviewId, event.previousState);
    }
  }

  return record.reviews
    .map((review) => {
      const submittedAt = clamped(review.submittedAt);
      const itsInline = inline.get(review.id) ?? [];
      return {
        ...review,
        submittedAt,
        role: roleOf({ ...review, submittedAt }, itsInline, record.author, window),
        submittedState:
          review.state === 'dismissed'
            ? (review.stateAtSubmission ?? dismissedFrom.get(review.id) ?? 'commented')
            : review.state,
        duringDraft: wasDraft(window.drafts, submittedAt),
        inlineComments: itsInline.length,
      };
    })
    .sort((a, b) => a.submittedAt - b.submittedAt || compareIds(a.id, b.id));
}

function roleOf(
  review: ReviewRecord,
  inline: readonly CommentRecord[],
  pullRequestAuthor: PersonRef | null,
  window: ReviewWindow,
): ReviewRole {
  const isReply =
    review.state === 'commented' &&
    !review.hasBody &&
    inline.length > 0 &&
    inline.every((comment) => comment.inReplyTo !== null);
  if (isReply) return 'reply';
  if (isSamePerson(review.author, pullRequestAuthor)) return 'aside';
  if (review.submittedAt < window.createdAt || review.submittedAt > window.end) return 'aside';
  switch (review.author?.kind) {
    case 'human':
      return 'counting';
    case 'bot':
    case 'agent':
      return 'automated';
    default:
      return 'aside';
  }
}

function pushesOf(record: PullRequestRecord, events: readonly EventRecord[], createdAt: Instant, end: Instant): Push[] {
  const commits = record.commits.map((commit) => ({
    at: Math.min(Math.max(commit.committedAt, createdAt), end),
    byAutomation: commit.authorIsBot || isAutomation(commit.author),
  }));
  const forcePushes = events
    .filter((event) => event.type === 'force_push')
    .map((event) => ({ at: event.at, byAutomation: isAutomation(event.actor) }));
  return [...commits, ...forcePushes].sort((a, b) => a.at - b.at);
}

/** Whether an account is a bot or an agent. */
export function isAutomation(person: PersonRef | null): boolean {
  return isAutomationKind(person?.kind);
}

/** Whether accounts of a kind are bots or agents; undefined and null are the kind of nobody. */
export function isAutomationKind(kind: string | null | undefined): kind is 'bot' | 'agent' {
  return kind === 'bot' || kind === 'agent';
}

function latestAfter(record: PullRequestRecord, now: Instant): Instant | null {
  const dates = [
    record.createdAt,
    record.mergedAt,
    record.closedAt,
    ...record.commits.map((commit) => commit.committedAt),
    ...record.reviews.map((review) => review.submittedAt),
    ...record.comments.map((comment) => comment.createdAt),
    ...record.events.map((event) => event.at),
  ].filter((at) => at !== null);
  const latest = dates.reduce((a, b) => Math.max(a, b), now);
  return latest > now ? latest : null;
}
