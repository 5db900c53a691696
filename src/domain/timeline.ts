import { counted } from './counted.ts';
import { commentsCount, compareIds, type HistoricReview, type History } from './history.ts';
import type { CommentRecord, EventRecord, Instant, PersonRef, ReviewState } from './pull-request.ts';

/** Wire types, in the order in which they stand at one instant (docs/metrics.md#one-pull-request). */
export const timelineEventTypes = [
  'opened',
  'commit',
  'comment',
  'inline_comment',
  'review',
  'review_requested',
  'review_request_removed',
  'review_dismissed',
  'ready_for_review',
  'convert_to_draft',
  'force_push',
  'reopened',
  'merged',
  'closed',
  'status_check',
] as const;

export type TimelineEventType = (typeof timelineEventTypes)[number];

export interface TimelineEvent {
  readonly id: string;
  readonly type: TimelineEventType;
  readonly at: Instant;
  /** Null for checks, deleted accounts, and commits that belong to nobody or to a bot without an account. */
  readonly actor: PersonRef | null;
  /** What happened, to be read after the actor's name: "opened this pull request". */
  readonly description: string;
  readonly metadata: {
    readonly review_state: ReviewState | null;
    readonly check_status: string | null;
    readonly sha: string | null;
    /** How many answers in threads a review consists of that is nothing else; null for every other event. */
    readonly replies: number | null;
  };
}

/** Everything that happened to a pull request, in time order (docs/metrics.md#one-pull-request). */
export function timelineOf(history: History): TimelineEvent[] {
  const rank = new Map(timelineEventTypes.map((type, index) => [type, index]));
  const events = [
    opened(history),
    ...commits(history),
    ...history.comments
      .filter((comment) => comment.reviewId === null)
      .map((comment) => {
        const type = comment.kind === 'general' ? 'comment' : 'inline_comment';
        return event(type, comment.id, comment.createdAt, comment.author, commentWords(comment));
      }),
    ...history.reviews.map((review) => ({
      ...event('review', review.id, review.submittedAt, review.author, reviewWords(review)),
      metadata: {
        ...noMetadata,
        review_state: review.state,
        replies: review.role === 'reply' ? review.inlineComments : null,
      },
    })),
    ...hostEvents(history),
    ...checks(history),
  ];
  return events.sort((a, b) => a.at - b.at || (rank.get(a.type) ?? 0) - (rank.get(b.type) ?? 0));
}

const noMetadata = { review_state: null, check_status: null, sha: null, replies: null };

function event(
  type: TimelineEventType,
  id: string,
  at: Instant,
  actor: PersonRef | null,
  description: string,
): TimelineEvent {
  return { id, type, at, actor, description, metadata: noMetadata };
}

function opened({ record, createdAt, drafts }: History): TimelineEvent {
  const words = drafts.openedAsDraft ? 'opened this pull request as a draft' : 'opened this pull request';
  return event('opened', 'opened', createdAt, record.author, words);
}

function commits({ record, createdAt, now }: History): TimelineEvent[] {
  return record.commits.map((commit) => {
    const at = Math.min(Math.max(commit.committedAt, createdAt), now);
    const actor = commit.authorIsBot && commit.author?.kind === 'human' ? null : commit.author;
    return {
      ...event('commit', commit.sha, at, actor, `pushed “${commit.headline}”`),
      metadata: { ...noMetadata, sha: commit.sha },
    };
  });
}

/** An inline comment stands for itself where it belongs to no review, as those of the years before the host had reviews. */
function commentWords({ kind, path }: CommentRecord): string {
  return kind === 'general' ? 'commented' : `commented on ${path === null ? 'the code' : `“${path}”`}`;
}

/** The host's own events; a closing in the second of a merge is part of the merge. */
function hostEvents({ record, events, now }: History): TimelineEvent[] {
  const second = (at: Instant) => Math.floor(at / 1000);
  const merges = new Set(events.filter(({ type }) => type === 'merged').map(({ at }) => second(at)));
  if (record.mergedAt !== null) merges.add(second(Math.min(record.mergedAt, now)));
  return events
    .filter(({ type, at }) => type !== 'closed' || !merges.has(second(at)))
    .map((host) => event(host.type, host.id, host.at, host.actor, eventWords(host)));
}

function checks({ record, now }: History): TimelineEvent[] {
  return record.checks
    .flatMap((check) => {
      if (check.completedAt === null || check.outcome === null) return [];
      return {
        ...event('status_check', check.id, Math.min(check.completedAt, now), null, check.name),
        metadata: { ...noMetadata, check_status: check.outcome },
      };
    })
    .sort((a, b) => compareIds(a.id, b.id));
}

function reviewWords(review: HistoricReview): string {
  if (review.role === 'reply')
    return review.inlineComments === 1 ? 'replied' : `replied ${review.inlineComments} times`;
  const count = commentsCount(review);
  const comments = counted(count, 'comment');
  const verb = { approved: 'approved', changes_requested: 'asked for changes', commented: null }[review.submittedState];
  if (verb === null) return count === 0 ? 'reviewed' : `left ${comments}`;
  return count === 0 ? verb : `${verb}, ${comments}`;
}

function eventWords({ type, reviewer, team }: EventRecord): string {
  const whom = reviewer?.login ?? team ?? 'a deleted account';
  switch (type) {
    case 'review_requested':
      return `asked ${whom} for a review`;
    case 'review_request_removed':
      return `no longer asks ${whom} for a review`;
    case 'review_dismissed':
      return 'dismissed a review';
    case 'ready_for_review':
      return 'marked it ready for review';
    case 'convert_to_draft':
      return 'converted it to a draft';
    case 'force_push':
      return 'force-pushed';
    case 'reopened':
      return 'reopened it';
    case 'merged':
      return 'merged it';
    case 'closed':
      return 'closed it';
  }
}
