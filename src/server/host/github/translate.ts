import type {
  HostAccount,
  HostCheck,
  HostComment,
  HostCommit,
  HostEvent,
  HostEventType,
  HostPullRequest,
  HostRepository,
  HostReview,
  HostReviewer,
  HostReviewState,
} from '../host.ts';
import type {
  ActorAnswer,
  CheckAnswer,
  CommentAnswer,
  CommitAnswer,
  EventAnswer,
  InlineCommentAnswer,
  ReferenceAnswer,
  RepositoryAnswer,
  ReviewAnswer,
  ReviewerAnswer,
} from './answers.ts';
import type { PullRequestReading } from './pull-request-reading.ts';

/*
 * GitHub's words become ours. Nobody outside this folder knows how GitHub spells a thing.
 */

const eventTypes: Record<EventAnswer['__typename'], HostEventType> = {
  ReviewRequestedEvent: 'review_requested',
  ReviewRequestRemovedEvent: 'review_request_removed',
  ReviewDismissedEvent: 'review_dismissed',
  ReadyForReviewEvent: 'ready_for_review',
  ConvertToDraftEvent: 'convert_to_draft',
  HeadRefForcePushedEvent: 'force_push',
  MergedEvent: 'merged',
  ClosedEvent: 'closed',
  ReopenedEvent: 'reopened',
};

const reviewStates: Record<string, HostReviewState> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

const pullRequestStates = { OPEN: 'open', MERGED: 'merged', CLOSED: 'closed' } as const;

/** A pull request whose lists have been read to their ends. Lists stay in the host's order. */
export function pullRequestOf(reading: PullRequestReading): HostPullRequest {
  const { answer } = reading;
  const reviews = reading.reviews.filter(({ state }) => state !== 'PENDING');
  return {
    id: idOf(answer),
    node_id: answer.id,
    number: answer.number,
    title: answer.title,
    url: answer.url,
    state: pullRequestStates[answer.state],
    draft: answer.isDraft,
    author: accountOf(answer.author),
    merged_by: accountOf(answer.mergedBy),
    created_at: answer.createdAt,
    updated_at: answer.updatedAt,
    closed_at: answer.closedAt,
    merged_at: answer.mergedAt,
    additions: answer.additions,
    deletions: answer.deletions,
    changed_files: answer.changedFiles,
    base_ref: answer.baseRefName,
    head_ref: answer.headRefName,
    head_sha: answer.headRefOid,
    commits: reading.commits.map(commitOf),
    reviews: reviews.map(reviewOf),
    comments: [...reading.comments.map(generalCommentOf), ...reading.inlineComments.map(inlineCommentOf)],
    events: reading.events.map(eventOf),
    review_requests: reading.reviewRequests.items.flatMap(
      ({ requestedReviewer }) => reviewerOf(requestedReviewer) ?? [],
    ),
    files: reading.files.items.map(({ path, additions, deletions }) => ({ path, additions, deletions })),
    checks: reading.checks?.map(checkOf) ?? null,
    commit_count: answer.commits.totalCount,
    comment_count: answer.comments.totalCount,
    review_comment_count:
      reviews.reduce((sum, { comments }) => sum + comments.totalCount, 0) +
      reading.inlineComments.filter(({ pullRequestReview }) => pullRequestReview === null).length,
  };
}

export function repositoryOf(answer: RepositoryAnswer): HostRepository {
  return {
    id: String(answer.databaseId),
    node_id: answer.id,
    owner: answer.owner.login,
    name: answer.name,
    url: answer.url,
    private: answer.isPrivate,
    archived: answer.isArchived,
    default_branch: answer.defaultBranchRef?.name ?? null,
    pull_requests: answer.allPullRequests.totalCount,
  };
}

/**
 * An account, or null for a deleted one: GraphQL says null, REST mostly the stand-in `ghost`. Users, bots,
 * organisations and mannequins share one space of numbers; an enterprise's user account has none and is known by its
 * node id. A bot's login carries `[bot]`, which GraphQL leaves out and REST shows.
 */
export function accountOf(actor: ActorAnswer | null): HostAccount | null {
  if (!actor || (actor.login.toLowerCase() === 'ghost' && actor.__typename === 'User')) return null;
  const id = actor.databaseId == null ? actor.id : String(actor.databaseId);
  if (id == null) return null;
  const bot = actor.__typename === 'Bot';
  return {
    id,
    login: bot && !actor.login.endsWith('[bot]') ? `${actor.login}[bot]` : actor.login,
    type: bot
      ? 'bot'
      : actor.__typename === 'Mannequin'
        ? 'mannequin'
        : actor.__typename === 'Organization'
          ? 'organization'
          : 'user',
    name: actor.name || null,
    avatar_url: actor.avatarUrl || null,
  };
}

/** A type that we do not know is taken for a team: newer servers let enterprise teams be asked. */
export function reviewerOf(reviewer: ReviewerAnswer | null | undefined): HostReviewer | null {
  if (!reviewer) return null;
  if (!['User', 'Bot', 'Mannequin'].includes(reviewer.__typename)) {
    return { team: { handle: reviewer.combinedSlug ? `@${reviewer.combinedSlug}` : null } };
  }
  const account = reviewer.login == null ? null : accountOf({ ...reviewer, login: reviewer.login });
  return account && { account };
}

function reviewOf(review: ReviewAnswer): HostReview {
  return {
    id: idOf(review),
    author: accountOf(review.author),
    state: reviewStates[review.state] ?? 'commented',
    submitted_at: review.submittedAt ?? review.createdAt,
    has_body: (review.body ?? '').trim() !== '',
    commit_sha: review.commit?.oid ?? null,
  };
}

function generalCommentOf(comment: CommentAnswer): HostComment {
  return {
    id: idOf(comment),
    kind: 'general',
    author: accountOf(comment.author),
    created_at: comment.createdAt,
    review_id: null,
    in_reply_to: null,
    path: null,
  };
}

function inlineCommentOf(comment: InlineCommentAnswer): HostComment {
  return {
    ...generalCommentOf(comment),
    kind: 'inline',
    review_id: comment.pullRequestReview && idOf(comment.pullRequestReview),
    in_reply_to: comment.replyTo && idOf(comment.replyTo),
    path: comment.path,
  };
}

/**
 * The bot that an address of a git author names: GitHub gives each account one that holds its id and login (GitHub documentation,
 * commit email addresses), and GraphQL tells the account of a commit for users alone. Whoever commits writes the address: it is a claim.
 */
function botOfAddress(email: string | null): HostAccount | null {
  const [, id, login] = /^(\d{1,15})\+([a-z\d-]{1,100}\[bot\])@users\.noreply\.[a-z\d.-]+$/i.exec(email ?? '') ?? [];
  if (id === undefined || login === undefined) return null;
  return { id: String(Number(id)), login, type: 'bot', name: null, avatar_url: null };
}

function commitOf({ listed: commit }: CommitAnswer): HostCommit {
  return {
    sha: commit.oid,
    author: accountOf(commit.author?.user ?? null) ?? botOfAddress(commit.author?.email ?? null),
    author_name: commit.author?.name ?? null,
    author_email: commit.author?.email ?? null,
    authored_at: commit.authoredDate,
    committed_at: commit.committedDate,
    message: commit.message,
  };
}

function eventOf(event: EventAnswer): HostEvent {
  return {
    id: event.id,
    type: eventTypes[event.__typename],
    at: event.createdAt,
    actor: accountOf(event.actor),
    reviewer: reviewerOf(event.requestedReviewer),
    review_id: event.review ? idOf(event.review) : null,
    previous_state: reviewStates[event.previousReviewState ?? ''] ?? null,
    sha: event.commit?.oid ?? event.afterCommit?.oid ?? null,
  };
}

/** A commit status has no end of its own: it is posted when it is known. */
function checkOf(check: CheckAnswer): HostCheck {
  if (check.__typename === 'CheckRun') {
    return {
      id: check.id,
      name: check.name,
      outcome: check.conclusion?.toLowerCase() ?? null,
      finished_at: check.completedAt,
    };
  }
  const pending = check.statusState === 'PENDING' || check.statusState === 'EXPECTED';
  return {
    id: check.id,
    name: check.context,
    outcome: pending ? null : check.statusState.toLowerCase(),
    finished_at: pending ? null : check.createdAt,
  };
}

/** The number that REST and webhooks use too; the node id where a server keeps none. */
function idOf({ id, fullDatabaseId }: ReferenceAnswer): string {
  return fullDatabaseId ?? id;
}
