import { accountKind, type HostAccount, isBotGitAuthor } from '#domain/account-kind.ts';
import type {
  EventRecord,
  EventType,
  PersonRef,
  PullRequestRecord,
  ReviewRecord,
  ReviewState,
  SubmittedState,
} from '#domain/pull-request.ts';
import { noAttribution } from './builders.ts';
import { recordedRows } from './recordings.ts';

/** The recorded pull requests of bitcoin-core/gui with their titles, as the figures read them, with the reviews that the backup leaves out. */
export function recordedPullRequests(): (PullRequestRecord & { readonly title: string; readonly updatedAt: number })[] {
  return recordedRows<RecordedPullRequest>('bitcoin-core/gui').map((recorded) => ({
    ...recordOf(recorded),
    title: recorded.title,
    updatedAt: Date.parse(recorded.updated_at),
  }));
}

interface RecordedPullRequest {
  number: number;
  title: string;
  updated_at: string;
  author_login: string | null;
  author_type: string | null;
  state: 'open' | 'merged' | 'closed';
  draft: boolean;
  created_at: string;
  merged_at: string | null;
  closed_at: string | null;
  additions: number;
  deletions: number;
  changed_files: number;
  base_ref: string;
  merged_by?: string | null;
  commits: { sha: string; author_name: string; authored_at: string; committed_at: string; message_headline: string }[];
  reviews: {
    id: number;
    reviewer: string | null;
    reviewer_type: string | null;
    state: ReviewState;
    submitted_at: string;
    body_length: number;
  }[];
  comments: {
    id: number;
    kind: 'issue' | 'review';
    author: string | null;
    author_type: string | null;
    created_at: string;
    review_id?: number | null;
    in_reply_to_id?: number | null;
    path?: string | null;
  }[];
  events: {
    event: string;
    actor?: string | null;
    created_at: string;
    requested_reviewer?: string | null;
    dismissed_review?: { state: string; review_id: number };
  }[];
}

const eventTypes: Readonly<Record<string, EventType>> = {
  review_requested: 'review_requested',
  review_request_removed: 'review_request_removed',
  review_dismissed: 'review_dismissed',
  ready_for_review: 'ready_for_review',
  convert_to_draft: 'convert_to_draft',
  head_ref_force_pushed: 'force_push',
  merged: 'merged',
  closed: 'closed',
  reopened: 'reopened',
};

function person(login: string | null, type: string | null): PersonRef | null {
  if (login === null || accountKind({ type: 'user', login, hostId: null }) === 'ghost') return null;
  const kind = accountKind({ type: (type ?? 'User').toLowerCase() as HostAccount['type'], login, hostId: null });
  return { id: login.toLowerCase(), login, kind, displayName: null, avatarUrl: null };
}

function recordOf(recorded: RecordedPullRequest): PullRequestRecord {
  const instant = (text: string | null) => (text === null ? null : Date.parse(text));
  const reviews = recorded.reviews.map(
    (review): ReviewRecord => ({
      id: String(review.id),
      author: person(review.reviewer, review.reviewer_type),
      state: review.state,
      stateAtSubmission: null,
      submittedAt: Date.parse(review.submitted_at),
      hasBody: review.body_length > 0,
      bodyWords: null,
    }),
  );
  // The backup has no review around a lone inline comment, where the host lists one.
  const listed = new Set(reviews.map(({ id }) => id));
  for (const comment of recorded.comments) {
    const id = String(comment.review_id);
    if (comment.kind !== 'review' || comment.review_id == null || listed.has(id)) continue;
    listed.add(id);
    reviews.push({
      id,
      author: person(comment.author, comment.author_type),
      state: 'commented',
      stateAtSubmission: null,
      submittedAt: Date.parse(comment.created_at),
      hasBody: false,
      bodyWords: 0,
    });
  }
  return {
    number: recorded.number,
    state: recorded.state,
    draft: recorded.draft,
    author: person(recorded.author_login, recorded.author_type),
    createdAt: Date.parse(recorded.created_at),
    mergedAt: instant(recorded.merged_at),
    closedAt: instant(recorded.closed_at),
    additions: recorded.additions,
    deletions: recorded.deletions,
    changedFiles: recorded.changed_files,
    headRef: 'topic',
    baseRef: recorded.base_ref,
    mergedBy: recorded.merged_by == null ? null : person(recorded.merged_by, 'User'),
    files: [],
    commits: recorded.commits.map((commit) => ({
      sha: commit.sha,
      author: null,
      authorIsBot: isBotGitAuthor(commit.author_name, null),
      authoredAt: Date.parse(commit.authored_at),
      committedAt: Date.parse(commit.committed_at),
      headline: commit.message_headline,
      byAgent: false,
      marks: [],
      coAuthors: [],
    })),
    reviews,
    comments: recorded.comments.map((comment) => ({
      id: String(comment.id),
      kind: comment.kind === 'issue' ? 'general' : 'inline',
      author: person(comment.author, comment.author_type),
      createdAt: Date.parse(comment.created_at),
      reviewId: comment.review_id == null ? null : String(comment.review_id),
      inReplyTo: comment.in_reply_to_id == null ? null : String(comment.in_reply_to_id),
      path: comment.path ?? null,
      bodyWords: null,
      marks: null,
      resolvedBy: null,
    })),
    events: recorded.events.flatMap((event, index): EventRecord[] => {
      const type = eventTypes[event.event];
      const dismissed = event.dismissed_review;
      if (type === undefined) return [];
      return [
        {
          id: String(index),
          type,
          at: Date.parse(event.created_at),
          actor: person(event.actor ?? null, 'User'),
          reviewer: person(event.requested_reviewer ?? null, 'User'),
          team: null,
          reviewId: dismissed === undefined ? null : String(dismissed.review_id),
          previousState: dismissed === undefined ? null : (dismissed.state.toLowerCase() as SubmittedState),
        },
      ];
    }),
    checks: [],
    requested: [],
    attribution: noAttribution,
  };
}
