import type {
  CheckOutcome,
  ClosedIssue,
  Commit,
  Entry,
  InlineComment,
  PullRequestHistory,
  Reviewer,
  Size,
  Who,
} from '../history.ts';
import type { AccountState } from './account.ts';
import { nodeId } from './node-ids.ts';
import type {
  CheckRunState,
  CommitChecks,
  InlineState,
  IssueState,
  PullState,
  RepositoryState,
  RequestedReviewer,
  ReviewRecord,
} from './pull-request.ts';

/** Finds whom an entry speaks of. Throws for a name that the world doesn't know. */
export interface Names {
  account(who: Who): AccountState | null;
  reviewer(reviewer: Reviewer): RequestedReviewer;
}

/** A pull request in the moment of its opening. */
export function openPull(repository: RepositoryState, history: PullRequestHistory, names: Names): PullState {
  const pull: PullState = {
    typeName: 'PullRequest',
    id: history.id,
    nodeId: nodeId('PR', history.id),
    number: history.number,
    repository,
    author: names.account(history.author),
    createdAt: history.createdAt,
    headRef: history.headRef,
    bodyLength: history.bodyLength,
    body: history.body ?? null,
    recorded: history.recorded ?? null,
    title: history.title,
    baseRef: history.baseRef,
    state: 'OPEN',
    draft: history.openedAsDraft,
    updatedAt: history.createdAt,
    closedAt: null,
    mergedAt: null,
    mergedBy: null,
    mergeCommit: null,
    additions: 0,
    deletions: 0,
    files: [],
    changedFiles: 0,
    head: '',
    commits: [],
    comments: [],
    reviews: [],
    threads: [],
    events: [],
    requested: [],
    labels: [],
    assignees: [],
    closes: [],
    timelineUpdatedAt: history.createdAt,
    lastSeq: 0,
    version: 0,
  };
  push(pull, history.commits);
  resize(pull, history.size);
  pull.closes = (history.closes ?? []).map((issue) => issueOf(pull, issue, names));
  return pull;
}

function issueOf(pull: PullState, { number, author, body, entries }: ClosedIssue, names: Names): IssueState {
  const items = entries.map((entry, seq): IssueState['items'][number] => {
    const by = names.account(entry.by);
    return entry.kind === 'comment'
      ? { typeName: 'IssueComment', id: entry.id, at: entry.at, seq, author: by, body: entry.body, pull }
      : {
          ...{ typeName: 'AssignedEvent', name: 'assigned', at: entry.at, seq, actor: by, pull },
          assignee: names.account(entry.who),
        };
  });
  return { typeName: 'Issue', number, author: names.account(author), body, items };
}

function nextSeq(pull: PullState): number {
  pull.lastSeq += 1;
  return pull.lastSeq;
}

function push(pull: PullState, commits: readonly Commit[]): void {
  for (const commit of commits) pull.commits.push({ typeName: 'PullRequestCommit', seq: nextSeq(pull), commit, pull });
  pull.head = pull.commits.at(-1)?.commit.sha ?? pull.head;
}

function resize(pull: PullState, size: Size | undefined): void {
  if (size === undefined) return;
  pull.additions = size.additions;
  pull.deletions = size.deletions;
  pull.files = size.tooLarge ? null : size.files;
  pull.changedFiles = pull.files?.length ?? 0;
}

/** `review_requested` becomes `ReviewRequestedEvent`. */
function eventType(name: string): `${string}Event` {
  const words = name.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** Entries that leave the update date alone: checks belong to the commit, what becomes of inline comments has no time anywhere. */
const SILENT = new Set<Entry['kind']>([
  'check',
  'status',
  'thread_resolved',
  'thread_unresolved',
  'comment_outdated',
  'comment_minimized',
  'reacted',
]);

/**
 * Applies one entry. `closesItself` says whether a merge brings its own closed event: it doesn't where the history has one right after.
 * Throws for an entry that refers to a review, comment or account that isn't there.
 */
export function apply(pull: PullState, entry: Entry, names: Names, closesItself: boolean): void {
  const actor = names.account(entry.by);
  const happened = (name: string, detail: Omit<Partial<PullState['events'][number]>, 'at'> = {}) => {
    pull.events.push({ typeName: eventType(name), name, at: entry.at, seq: nextSeq(pull), actor, pull, ...detail });
  };
  switch (entry.kind) {
    case 'commits':
      push(pull, entry.commits);
      resize(pull, entry.size);
      break;
    case 'force_push':
      if (entry.commits !== undefined) {
        pull.commits = [];
        push(pull, entry.commits);
      }
      resize(pull, entry.size);
      happened('head_ref_force_pushed', { before: entry.before, after: entry.after });
      break;
    case 'comment':
      pull.comments.push({
        typeName: 'IssueComment',
        id: entry.id,
        at: entry.at,
        seq: nextSeq(pull),
        author: actor,
        body: entry.body ?? null,
        pull,
      });
      break;
    case 'comment_deleted':
      deleteComment(pull, entry.id);
      happened('comment_deleted');
      break;
    case 'review':
      review(pull, entry, actor, names);
      break;
    case 'review_dismissed': {
      const dismissed = pull.reviews.find((candidate) => candidate.id === entry.review);
      if (dismissed === undefined) {
        throw new Error(`#${pull.number} has no review ${entry.review} to dismiss.`);
      }
      dismissed.state = 'DISMISSED';
      dismissed.updatedAt = entry.at;
      happened('review_dismissed', { review: dismissed });
      break;
    }
    case 'inline_comment':
      inline(pull, entry, actor, null, commentsById(pull));
      break;
    case 'thread_resolved':
    case 'thread_unresolved': {
      const { thread } = inlineComment(pull, entry.comment);
      thread.resolved = entry.kind === 'thread_resolved';
      thread.resolvedBy = thread.resolved ? actor : null;
      break;
    }
    case 'comment_outdated':
      inlineComment(pull, entry.comment).outdated = true;
      break;
    case 'comment_minimized':
      inlineComment(pull, entry.comment).minimized = entry.reason;
      break;
    case 'reacted':
      inlineComment(pull, entry.comment).thumbs[entry.content] = entry.count;
      break;
    case 'review_requested': {
      const requestedReviewer = names.reviewer(entry.reviewer);
      if (!pull.requested.includes(requestedReviewer)) pull.requested.push(requestedReviewer);
      happened('review_requested', { requestedReviewer });
      break;
    }
    case 'review_request_removed': {
      const requestedReviewer = names.reviewer(entry.reviewer);
      pull.requested = pull.requested.filter((other) => other !== requestedReviewer);
      happened('review_request_removed', { requestedReviewer });
      break;
    }
    case 'ready_for_review':
    case 'convert_to_draft':
      pull.draft = entry.kind === 'convert_to_draft';
      happened(entry.kind);
      break;
    case 'merged':
      pull.state = 'MERGED';
      pull.mergedAt = entry.at;
      pull.closedAt = entry.at;
      pull.mergedBy = actor;
      pull.mergeCommit = entry.commit;
      happened('merged', { sha: entry.commit });
      if (closesItself) happened('closed');
      break;
    case 'closed':
      if (pull.state === 'OPEN') pull.state = 'CLOSED';
      pull.closedAt = entry.at;
      happened('closed');
      break;
    case 'reopened':
      if (pull.state === 'CLOSED') {
        pull.state = 'OPEN';
        pull.closedAt = null;
      }
      happened('reopened');
      break;
    case 'renamed':
      pull.title = entry.to;
      happened('renamed_title', { from: entry.from, to: entry.to });
      break;
    case 'base_changed':
      pull.baseRef = entry.to;
      happened('base_ref_changed', { from: entry.from, to: entry.to });
      break;
    case 'head_ref_deleted':
      happened('head_ref_deleted');
      break;
    case 'labeled':
      if (!pull.labels.includes(entry.label)) pull.labels.push(entry.label);
      happened('labeled', { label: entry.label });
      break;
    case 'unlabeled':
      pull.labels = pull.labels.filter((label) => label !== entry.label);
      happened('unlabeled', { label: entry.label });
      break;
    case 'assigned':
    case 'unassigned': {
      const assignee = names.account(entry.who);
      pull.assignees = pull.assignees.filter((other) => other !== assignee);
      if (entry.kind === 'assigned' && assignee !== null) pull.assignees.push(assignee);
      happened(entry.kind, { assignee });
      break;
    }
    case 'other':
      happened(entry.event);
      break;
    case 'check':
    case 'status':
      check(pull, entry, actor);
      break;
  }
  if (!SILENT.has(entry.kind)) {
    pull.updatedAt = Math.max(pull.updatedAt, entry.at);
    pull.timelineUpdatedAt = Math.max(pull.timelineUpdatedAt, entry.at);
  }
  pull.version += 1;
}

function review(
  pull: PullState,
  entry: Extract<Entry, { kind: 'review' }>,
  author: AccountState | null,
  names: Names,
): void {
  const record: ReviewRecord = {
    typeName: 'PullRequestReview',
    id: entry.id,
    at: entry.at,
    seq: nextSeq(pull),
    author,
    given: entry.state,
    state: entry.state,
    updatedAt: entry.at,
    bodyLength: entry.bodyLength,
    blank: entry.blank ?? false,
    body: entry.body ?? null,
    commit: entry.commit,
    comments: [],
    pull,
  };
  const known = commentsById(pull);
  for (const written of entry.comments) inline(pull, written, names.account(written.author), record, known);
  pull.reviews.push(record);
  if (entry.state !== 'PENDING' && author !== null) pull.requested = pull.requested.filter((other) => other !== author);
}

function inlineComment(pull: PullState, id: number): InlineState {
  const comment = pull.threads.flatMap(({ comments }) => comments).find((candidate) => candidate.id === id);
  if (comment === undefined) throw new Error(`#${pull.number} has no inline comment ${id}.`);
  return comment;
}

function commentsById(pull: PullState): Map<number, InlineState> {
  return new Map(pull.threads.flatMap(({ comments }) => comments).map((comment) => [comment.id, comment]));
}

/** An inline comment, in the thread of the one that it answers or in a new one. */
function inline(
  pull: PullState,
  written: Pick<InlineComment, 'id' | 'at' | 'path' | 'inReplyTo'>,
  author: AccountState | null,
  review: ReviewRecord | null,
  known: Map<number, InlineState>,
): void {
  const answered = written.inReplyTo === null ? null : (known.get(written.inReplyTo) ?? null);
  let thread = answered?.thread;
  if (thread === undefined) {
    thread = {
      typeName: 'PullRequestReviewThread',
      id: written.id,
      seq: nextSeq(pull),
      at: written.at,
      path: written.path,
      pull,
      comments: [],
      resolved: false,
      resolvedBy: null,
    };
    pull.threads.push(thread);
  }
  const comment: InlineState = {
    typeName: 'PullRequestReviewComment',
    id: written.id,
    at: written.at,
    author,
    path: written.path,
    inReplyTo: answered,
    review,
    thread,
    outdated: false,
    minimized: null,
    thumbs: { THUMBS_UP: 0, THUMBS_DOWN: 0 },
  };
  known.set(comment.id, comment);
  thread.comments.push(comment);
  review?.comments.push(comment);
}

function deleteComment(pull: PullState, id: number): void {
  const general = pull.comments.findIndex((comment) => comment.id === id);
  if (general >= 0) {
    pull.comments.splice(general, 1);
    return;
  }
  const thread = pull.threads.find((candidate) => candidate.comments.some((comment) => comment.id === id));
  const comment = thread?.comments.find((candidate) => candidate.id === id);
  if (thread === undefined || comment === undefined) throw new Error(`#${pull.number} has no comment ${id} to delete.`);
  thread.comments.splice(thread.comments.indexOf(comment), 1);
  comment.review?.comments.splice(comment.review.comments.indexOf(comment), 1);
  if (thread.comments.length === 0) pull.threads.splice(pull.threads.indexOf(thread), 1);
}

function check(
  pull: PullState,
  entry: Extract<Entry, { kind: 'check' | 'status' }>,
  creator: AccountState | null,
): void {
  const { repository, head: sha } = pull;
  const checks = checksOf(pull);
  if (entry.kind === 'check') {
    const started = repository.started.get(entry.id);
    started?.runs.splice(
      started.runs.findIndex(({ id }) => id === entry.id),
      1,
    );
    repository.started.delete(entry.id);
    checks.runs.push(runOf(pull, entry, entry.at, entry.outcome));
    return;
  }
  const statuses = checks.statuses.filter((other) => other.context !== entry.context);
  const status = { typeName: 'StatusContext', id: entry.id, context: entry.context, state: entry.state } as const;
  checks.statuses.splice(0, checks.statuses.length, ...statuses, { ...status, at: entry.at, creator, sha, repository });
}

/** Has a check of the head commit run until its entry is applied. */
export function startCheck(pull: PullState, entry: Extract<Entry, { kind: 'check' }>): void {
  const checks = checksOf(pull);
  checks.runs.push(runOf(pull, entry, null, null));
  pull.repository.started.set(entry.id, checks);
}

function checksOf({ repository, head }: PullState): CommitChecks {
  const checks = repository.checks.get(head) ?? { runs: [], statuses: [] };
  repository.checks.set(head, checks);
  return checks;
}

function runOf(
  { repository, head }: PullState,
  { id, name, app, startedAt }: Extract<Entry, { kind: 'check' }>,
  completedAt: number | null,
  outcome: CheckOutcome | null,
): CheckRunState {
  return { typeName: 'CheckRun', id, name, app, startedAt, completedAt, outcome, sha: head, repository };
}

/** Takes over what a recording states about the whole pull request, once all of its entries have been applied. */
export function settleRecorded(pull: PullState): void {
  const recorded = pull.recorded;
  if (recorded === null) return;
  pull.additions = recorded.additions ?? pull.additions;
  pull.deletions = recorded.deletions ?? pull.deletions;
  pull.changedFiles = recorded.changedFiles ?? pull.changedFiles;
  pull.draft = recorded.draft ?? pull.draft;
  pull.updatedAt = recorded.updatedAt ?? pull.updatedAt;
}
