import { wordsOf } from '#domain/agent-traces.ts';
import type {
  HostAccount,
  HostAssignment,
  HostCheck,
  HostComment,
  HostCommit,
  HostEvent,
  HostEventType,
  HostPullRequest,
  HostReview,
  HostReviewer,
  HostReviewState,
} from '../pull-request.ts';
import type { HostRepository } from '../repository.ts';
import type {
  ActorAnswer,
  AssignmentAnswer,
  CheckAnswer,
  CommentAnswer,
  CommitAnswer,
  EventAnswer,
  InlineCommentAnswer,
  LabelingAnswer,
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
    merge_commit_sha: answer.mergeCommit?.oid ?? null,
    body: answer.body,
    labels: labelsOf(reading.labelings),
    assignments: assignmentsOf(reading.assignments),
    commits: reading.commits?.map(commitOf) ?? null,
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
    owner_id: answer.owner.databaseId == null ? null : String(answer.owner.databaseId),
    name: answer.name,
    url: answer.url,
    private: answer.isPrivate,
    archived: answer.isArchived,
    default_branch: answer.defaultBranchRef?.name ?? null,
    pushed_at: answer.pushedAt ?? null,
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

/** The labels that it carries now, in the order in which they were set. */
function labelsOf(labelings: readonly LabelingAnswer[]): string[] {
  const labels = new Set<string>();
  for (const { __typename, label } of labelings) {
    if (label === null) continue;
    if (__typename === 'LabeledEvent') labels.add(label.name);
    else labels.delete(label.name);
  }
  return [...labels];
}

/** Who was assigned from when to when. */
function assignmentsOf(events: readonly AssignmentAnswer[]): HostAssignment[] {
  const all: { account: HostAccount; at: Date; until: Date | null }[] = [];
  for (const { __typename, assignee, createdAt } of events) {
    const account = accountOf(assignee);
    if (account === null) continue;
    const running = all.find((one) => one.account.id === account.id && one.until === null);
    if (__typename === 'UnassignedEvent') {
      if (running !== undefined) running.until = createdAt;
    } else if (running === undefined) all.push({ account, at: createdAt, until: null });
  }
  return all;
}

function reviewOf(review: ReviewAnswer): HostReview {
  const body = review.body ?? '';
  return {
    id: idOf(review),
    author: accountOf(review.author),
    state: reviewStates[review.state] ?? 'commented',
    submitted_at: review.submittedAt ?? review.createdAt,
    has_body: body.trim() !== '',
    body_words: wordsOf(body),
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
    body_words: wordsOf(comment.body),
    marks: null,
  };
}

function inlineCommentOf(comment: InlineCommentAnswer): HostComment {
  const thumbs = (content: string) =>
    comment.reactionGroups?.find((group) => group.content === content)?.reactors.totalCount ?? 0;
  return {
    id: idOf(comment),
    kind: 'inline',
    author: accountOf(comment.author),
    created_at: comment.createdAt,
    review_id: comment.pullRequestReview && idOf(comment.pullRequestReview),
    in_reply_to: comment.replyTo && idOf(comment.replyTo),
    path: comment.path,
    body_words: null,
    marks: {
      outdated: comment.outdated,
      minimized: comment.isMinimized ? (comment.minimizedReason?.toLowerCase() ?? 'unknown') : null,
      thumbs_up: thumbs('THUMBS_UP'),
      thumbs_down: thumbs('THUMBS_DOWN'),
    },
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
      started_at: check.startedAt,
      finished_at: check.completedAt,
    };
  }
  const pending = check.statusState === 'PENDING' || check.statusState === 'EXPECTED';
  return {
    id: check.id,
    name: check.context,
    outcome: pending ? null : check.statusState.toLowerCase(),
    started_at: null,
    finished_at: pending ? null : check.createdAt,
  };
}

/** The number that REST and webhooks use too; the node id where a server keeps none. */
export function idOf({ id, fullDatabaseId }: ReferenceAnswer): string {
  return fullDatabaseId ?? id;
}
