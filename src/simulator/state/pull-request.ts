import type {
  ChangedFile,
  CheckOutcome,
  Commit,
  Entry,
  PullRequestHistory,
  ReviewState,
  Thumb,
  WorkflowRun,
} from '../history.ts';
import type { AccountState, TeamState } from './account.ts';
import type { PullOrder } from './pull-order.ts';

export interface CommitChecks {
  readonly runs: CheckRunState[];
  readonly statuses: StatusState[];
}

export interface RepositoryState {
  readonly typeName: 'Repository';
  readonly id: number;
  readonly nodeId: string;
  owner: AccountState;
  name: string;
  private: boolean;
  archived: boolean;
  readonly fork: boolean;
  deleted: boolean;
  /** Why nobody gets at it: taken down, or against the terms. */
  blocked: 'dmca' | 'tos' | null;
  /** Its organisation demands single sign-on, which classic and OAuth tokens lack unless authorised. */
  saml: boolean;
  readonly defaultBranch: string;
  readonly createdAt: number;
  updatedAt: number;
  /** Logins in lower case. */
  readers: Set<string>;
  admins: Set<string>;
  readonly byNumber: Map<number, PullState>;
  readonly byCreation: PullOrder<PullState>;
  readonly byUpdate: PullOrder<PullState>;
  readonly counts: Record<PullState['state'], number>;
  readonly checks: Map<string, CommitChecks>;
  /** Where each check stands that has begun and not ended, by id. */
  readonly started: Map<number, CommitChecks>;
  /** By id, also those that begin later. */
  readonly runs: Map<number, WorkflowRun>;
}

export interface CommentState {
  readonly typeName: 'IssueComment';
  readonly id: number;
  readonly at: number;
  readonly seq: number;
  readonly author: AccountState | null;
  readonly body: string | null;
  readonly pull: PullState;
}

export interface InlineState {
  readonly typeName: 'PullRequestReviewComment';
  readonly id: number;
  readonly at: number;
  readonly author: AccountState | null;
  readonly path: string;
  readonly inReplyTo: InlineState | null;
  /** Null for a comment of the years before reviews. */
  readonly review: ReviewRecord | null;
  readonly thread: ThreadState;
  outdated: boolean;
  /** Why it is hidden; null while it is shown. */
  minimized: string | null;
  readonly thumbs: Record<Thumb, number>;
}

export interface ThreadState {
  readonly typeName: 'PullRequestReviewThread';
  /** The id of the comment that opened it. */
  readonly id: number;
  readonly seq: number;
  readonly at: number;
  readonly path: string;
  readonly pull: PullState;
  readonly comments: InlineState[];
  resolved: boolean;
  resolvedBy: AccountState | null;
}

export interface ReviewRecord {
  readonly typeName: 'PullRequestReview';
  readonly id: number;
  readonly at: number;
  readonly seq: number;
  readonly author: AccountState | null;
  readonly given: ReviewState;
  state: ReviewState | 'DISMISSED';
  updatedAt: number;
  readonly bodyLength: number;
  readonly blank: boolean;
  readonly body: string | null;
  readonly commit: string | null;
  readonly comments: InlineState[];
  readonly pull: PullState;
}

export type RequestedReviewer = AccountState | TeamState;

/** An event of the timeline. `typeName` is GraphQL's name of it (`ReadyForReviewEvent`), `name` REST's (`ready_for_review`). */
export interface EventState {
  readonly typeName: `${string}Event`;
  readonly name: string;
  readonly at: number;
  readonly seq: number;
  readonly actor: AccountState | null;
  readonly pull: PullState;
  readonly requestedReviewer?: RequestedReviewer;
  readonly review?: ReviewRecord;
  readonly sha?: string | null;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly from?: string;
  readonly to?: string;
  readonly label?: string;
  readonly assignee?: AccountState | null;
}

export interface ListedCommit {
  readonly typeName: 'PullRequestCommit';
  readonly seq: number;
  readonly commit: Commit;
  readonly pull: PullState;
}

export interface CheckRunState {
  readonly typeName: 'CheckRun';
  readonly id: number;
  readonly name: string;
  readonly app: string;
  readonly startedAt: number;
  /** Both null while it runs. */
  readonly completedAt: number | null;
  readonly outcome: CheckOutcome | null;
  readonly sha: string;
  readonly repository: RepositoryState;
}

export interface StatusState {
  readonly typeName: 'StatusContext';
  readonly id: number;
  readonly context: string;
  readonly state: 'SUCCESS' | 'FAILURE' | 'ERROR' | 'PENDING';
  readonly at: number;
  readonly creator: AccountState | null;
  readonly sha: string;
  readonly repository: RepositoryState;
}

/** An issue that a pull request closes. */
export interface IssueState {
  readonly typeName: 'Issue';
  readonly number: number;
  readonly author: AccountState | null;
  readonly body: string;
  readonly items: readonly (EventState | CommentState)[];
}

export interface PullState {
  readonly typeName: 'PullRequest';
  readonly id: number;
  readonly nodeId: string;
  readonly number: number;
  readonly repository: RepositoryState;
  readonly author: AccountState | null;
  readonly createdAt: number;
  readonly headRef: string;
  readonly bodyLength: number;
  readonly body: string | null;
  readonly recorded: NonNullable<PullRequestHistory['recorded']> | null;
  title: string;
  baseRef: string;
  state: 'OPEN' | 'CLOSED' | 'MERGED';
  draft: boolean;
  updatedAt: number;
  closedAt: number | null;
  mergedAt: number | null;
  mergedBy: AccountState | null;
  mergeCommit: string | null;
  additions: number;
  deletions: number;
  /** Null of one whose changes are too much for the host. */
  files: readonly ChangedFile[] | null;
  changedFiles: number;
  head: string;
  commits: ListedCommit[];
  readonly comments: CommentState[];
  readonly reviews: ReviewRecord[];
  readonly threads: ThreadState[];
  readonly events: EventState[];
  requested: RequestedReviewer[];
  labels: string[];
  assignees: AccountState[];
  closes: readonly IssueState[];
  /** Times at which GraphQL's `timelineItems.updatedAt` moved last. */
  timelineUpdatedAt: number;
  lastSeq: number;
  /** Raised by every change, so that what is derived can be kept. */
  version: number;
}

/** What happened just now, for whoever has to be told (webhooks). */
export type PullRequestEvent =
  | { readonly kind: 'opened'; readonly pull: PullState; readonly at: number }
  | { readonly kind: 'entry'; readonly pull: PullState; readonly entry: Entry; readonly previousHead: string };
