import { isBotGitAuthor } from '#domain/account-kind.ts';
import { type CommitMarks, type DescriptionMarks, marksOfCommit, marksOfDescription } from '#domain/agent-traces.ts';
import type { AttributionRecord, PendingRequest, PersonRef, PullRequestRecord } from '#domain/pull-request.ts';
import type { HostAccount, HostPullRequest, HostReviewer } from '../host/pull-request.ts';

/** A team whose name the token may not read. */
export const UNNAMED_TEAM = '@?';

/** Who an account is to us; null for a deleted one, which the host spells as nothing or as the user `ghost`. */
export function livingAccount(account: HostAccount | null): HostAccount | null {
  return account === null || account.login.toLowerCase() === 'ghost' ? null : account;
}

/** Every living account that a pull request names, except for bots by the addresses of commits (`claimedBots`). */
export function accountsOf(pull: HostPullRequest): HostAccount[] {
  const reviewers = [...pull.review_requests, ...pull.events.map((event) => event.reviewer)];
  return [
    pull.author,
    pull.merged_by,
    ...(pull.commits ?? []).map((commit) => commit.author).filter((author) => author?.type !== 'bot'),
    ...pull.reviews.map((review) => review.author),
    ...pull.comments.map((comment) => comment.author),
    ...pull.events.map((event) => event.actor),
    ...reviewers.map(accountOfReviewer),
    ...pull.assignments.map(({ account }) => account),
  ]
    .map(livingAccount)
    .filter((account) => account !== null);
}

/** The bots to which the addresses of commits lay claim. */
export function claimedBots(pull: HostPullRequest): HostAccount[] {
  return (pull.commits ?? []).flatMap(({ author }) => (author?.type === 'bot' ? [author] : []));
}

export function accountOfReviewer(reviewer: HostReviewer | null): HostAccount | null {
  return reviewer !== null && 'account' in reviewer ? livingAccount(reviewer.account) : null;
}

export function teamOfReviewer(reviewer: HostReviewer | null): string | null {
  return reviewer !== null && 'team' in reviewer ? (reviewer.team.handle ?? UNNAMED_TEAM) : null;
}

/**
 * The same pull request with nothing in it twice: a list that changes while its pages are read can repeat an item. The
 * last one read stands.
 */
export function withoutRepeats(pull: HostPullRequest): HostPullRequest {
  const once = <T>(items: readonly T[], key: (item: T) => string): T[] => [
    ...new Map(items.map((item) => [key(item), item])).values(),
  ];
  return {
    ...pull,
    commits: pull.commits === null ? null : once(pull.commits, (commit) => commit.sha),
    reviews: once(pull.reviews, (review) => review.id),
    comments: once(pull.comments, (comment) => `${comment.kind} ${comment.id}`),
    events: once(pull.events, (event) => event.id),
    files: once(pull.files, (file) => file.path),
    checks: pull.checks === null ? null : once(pull.checks, (check) => check.id),
  };
}

/** A pull request with what was found in its texts, which go no further. */
export interface ReadThrough {
  readonly pull: HostPullRequest;
  /** In the order of its commits. */
  readonly commitMarks: readonly CommitMarks[];
  readonly descriptionMarks: DescriptionMarks;
}

/** Looks through the texts of a pull request; `hostname` is that of the host's addresses. */
export function readThrough(pull: HostPullRequest, hostname: string): ReadThrough {
  const paths = new Set(pull.files.map(({ path }) => path));
  return {
    pull,
    commitMarks: (pull.commits ?? []).map(({ message, author_name, author_email }) =>
      marksOfCommit({ message, authorName: author_name, authorEmail: author_email }, hostname, paths),
    ),
    descriptionMarks: marksOfDescription(pull.body),
  };
}

/**
 * The pull request as the figures read it. `refs` holds every living account that it names, by the host's id; what stands in its texts
 * or is stored beside it about who started it is not looked up.
 */
export function recordOf(
  { pull, commitMarks, descriptionMarks }: ReadThrough,
  refs: ReadonlyMap<string, PersonRef>,
  { namedLabels, knownIds }: Pick<AttributionRecord, 'namedLabels' | 'knownIds'>,
): PullRequestRecord {
  const refOf = (account: HostAccount | null) => {
    const living = livingAccount(account);
    return living === null ? null : (refs.get(living.id) ?? null);
  };
  return {
    number: pull.number,
    state: pull.state,
    draft: pull.draft,
    author: refOf(pull.author),
    createdAt: pull.created_at.getTime(),
    mergedAt: pull.merged_at?.getTime() ?? null,
    closedAt: pull.closed_at?.getTime() ?? null,
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changed_files,
    headRef: pull.head_ref,
    baseRef: pull.base_ref,
    mergedBy: refOf(pull.merged_by),
    files: pull.files,
    commits: (pull.commits ?? []).map((commit, index) => ({
      sha: commit.sha,
      author: refOf(commit.author),
      authorIsBot: isBotGitAuthor(commit.author_name, commit.author_email),
      authoredAt: commit.authored_at.getTime(),
      committedAt: commit.committed_at.getTime(),
      headline: headlineOf(commit.message),
      byAgent: commitMarks[index]!.marks.length > 0,
      marks: commitMarks[index]!.marks,
      coAuthors: [],
    })),
    reviews: pull.reviews.map((review) => ({
      id: review.id,
      author: refOf(review.author),
      state: review.state,
      stateAtSubmission: null,
      submittedAt: review.submitted_at.getTime(),
      hasBody: review.has_body,
      bodyWords: review.body_words,
    })),
    comments: pull.comments.map((comment) => ({
      id: comment.id,
      kind: comment.kind,
      author: refOf(comment.author),
      createdAt: comment.created_at.getTime(),
      reviewId: comment.review_id,
      inReplyTo: comment.in_reply_to,
      path: comment.path,
      bodyWords: comment.body_words,
      marks: comment.marks && {
        outdated: comment.marks.outdated,
        minimized: comment.marks.minimized,
        thumbsUp: comment.marks.thumbs_up,
        thumbsDown: comment.marks.thumbs_down,
      },
      resolvedBy: null,
    })),
    events: pull.events.map((event) => ({
      id: event.id,
      type: event.type,
      at: event.at.getTime(),
      actor: refOf(event.actor),
      reviewer: refOf(accountOfReviewer(event.reviewer)),
      team: teamOfReviewer(event.reviewer),
      reviewId: event.review_id,
      previousState: event.previous_state === 'dismissed' ? null : event.previous_state,
    })),
    checks: (pull.checks ?? []).map((check) => ({
      id: check.id,
      name: check.name,
      outcome: check.outcome,
      completedAt: check.finished_at?.getTime() ?? null,
      startedAt: check.started_at?.getTime() ?? null,
    })),
    requested: pull.review_requests.flatMap((reviewer): PendingRequest[] => {
      const person = refOf(accountOfReviewer(reviewer));
      const team = teamOfReviewer(reviewer);
      return person !== null ? [{ person }] : team !== null ? [{ team }] : [];
    }),
    attribution: {
      isRead: true,
      areCommitsRead: pull.commits !== null,
      labels: pull.labels,
      assignments: pull.assignments.flatMap(({ account, at, until }) => {
        const person = refOf(account);
        return person === null ? [] : [{ person, at: at.getTime(), until: until?.getTime() ?? null }];
      }),
      descriptionMarks: descriptionMarks.marks,
      requestedBy: [],
      sessionActor: null,
      issueActors: [],
      namedLabels,
      knownIds,
      correctedAuthorship: null,
      correctedCredit: null,
    },
  };
}

function headlineOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
