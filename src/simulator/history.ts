/**
 * The memory of a simulated host: what happened to each pull request, in the order in which it happened.
 * A world is written down as histories; what the host answers at a given moment is the fold of the entries up to then,
 * so an entry dated in the future becomes visible when its time comes ("life going on").
 *
 * All times are epoch milliseconds, whole seconds (the host has second precision).
 */

export type AccountType = 'User' | 'Bot' | 'Mannequin' | 'Organization';

export interface Account {
  /** The host's numeric id (`databaseId`), unique among accounts. */
  readonly id: number;
  /** As REST spells it; a Bot's carries `[bot]` here, GraphQL drops it. */
  readonly login: string;
  readonly type: AccountType;
  readonly name: string | null;
  readonly email: string | null;
  readonly avatarUrl: string | null;
}

/** Somebody's time in a team, `[from, to)`; a `from` of null is always, a `to` of null still. The host tells only who is in it now. */
export interface TeamMembership {
  readonly login: string;
  readonly maintainer?: boolean;
  readonly from: number | null;
  readonly to: number | null;
}

export interface Team {
  readonly id: number;
  readonly organization: string;
  readonly slug: string;
  readonly name: string;
  /** Listed only to its members and to owners of the organisation. */
  readonly secret?: boolean;
  /** The slug of the team that it is part of. */
  readonly parent?: string;
  /** Immediate members; those of its parts come on top. */
  readonly members?: readonly TeamMembership[];
}

/**
 * Who belongs to an organisation. Of one that a world says nothing about, everybody who is among the readers or administrators of a
 * repository is a member.
 */
export interface Organization {
  readonly login: string;
  readonly members: readonly { readonly login: string; readonly owner?: boolean }[];
}

/** An account by login (case as in `Account.login`), or null for a deleted account. */
export type Who = string | null;

export type Reviewer = { readonly account: string } | { readonly team: string };

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'PENDING';

export type Thumb = 'THUMBS_UP' | 'THUMBS_DOWN';

export interface InlineComment {
  readonly id: number;
  readonly at: number;
  readonly author: Who;
  readonly path: string;
  /** The id of the comment answered; null opens a thread. */
  readonly inReplyTo: number | null;
}

export interface Commit {
  readonly sha: string;
  /** The account that the host resolves the git author to; null when it knows none. */
  readonly account: Who;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authoredAt: number;
  readonly committedAt: number;
  /** Headline, blank line, body and trailers. */
  readonly message: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

export type CheckOutcome =
  | 'SUCCESS'
  | 'FAILURE'
  | 'NEUTRAL'
  | 'CANCELLED'
  | 'SKIPPED'
  | 'TIMED_OUT'
  | 'ACTION_REQUIRED';

/** One thing that happened. `by` is who did it. Entries of a pull request are sorted by `at`, ties in the order they took effect. */
export type Entry = { readonly at: number; readonly by: Who } & (
  | { readonly kind: 'commits'; readonly commits: readonly Commit[]; readonly size?: Size }
  /** Replaces the commit list: the earlier commits are no longer listed. */
  | {
      readonly kind: 'force_push';
      readonly before: string | null;
      readonly after: string | null;
      readonly commits?: readonly Commit[];
      readonly size?: Size;
    }
  | {
      readonly kind: 'comment';
      readonly id: number;
      /** Its text; a general remark where none is given. */
      readonly body?: string;
    }
  | { readonly kind: 'comment_deleted'; readonly id: number }
  | {
      readonly kind: 'review';
      readonly id: number;
      readonly state: ReviewState;
      /** Length of the review's text; 0 for none. */
      readonly bodyLength: number;
      /** The text is white space only. */
      readonly blank?: boolean;
      /** The text, in place of one of that length. */
      readonly body?: string;
      readonly comments: readonly InlineComment[];
      readonly commit: string | null;
    }
  /** An inline comment of the years before the host had reviews: it belongs to none. */
  | {
      readonly kind: 'inline_comment';
      readonly id: number;
      readonly path: string;
      /** The id of the comment answered; null opens a thread. */
      readonly inReplyTo: number | null;
    }
  | { readonly kind: 'review_dismissed'; readonly review: number }
  | { readonly kind: 'thread_resolved' | 'thread_unresolved'; readonly comment: number }
  /** The lines that an inline comment is about have changed. */
  | { readonly kind: 'comment_outdated'; readonly comment: number }
  /** `reason` as the host spells it: `resolved`, `off-topic` … */
  | { readonly kind: 'comment_minimized'; readonly comment: number; readonly reason: string }
  | {
      readonly kind: 'reacted';
      readonly comment: number;
      readonly content: Thumb;
      readonly count: number;
    }
  | { readonly kind: 'review_requested'; readonly reviewer: Reviewer }
  | { readonly kind: 'review_request_removed'; readonly reviewer: Reviewer }
  | { readonly kind: 'ready_for_review' }
  | { readonly kind: 'convert_to_draft' }
  | { readonly kind: 'merged'; readonly commit: string | null }
  | { readonly kind: 'closed' }
  | { readonly kind: 'reopened' }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'head_ref_deleted' }
  | { readonly kind: 'base_changed'; readonly from: string; readonly to: string }
  | { readonly kind: 'labeled' | 'unlabeled'; readonly label: string }
  | { readonly kind: 'assigned' | 'unassigned'; readonly who: string }
  /** Touches the update date and nothing that the product shows. */
  | { readonly kind: 'other'; readonly event: string }
  /** A check run of the head commit, which runs from `startedAt` on. Does NOT touch the update date. */
  | {
      readonly kind: 'check';
      readonly id: number;
      readonly name: string;
      readonly app: string;
      readonly startedAt: number;
      readonly outcome: CheckOutcome;
    }
  | {
      readonly kind: 'status';
      readonly id: number;
      readonly context: string;
      readonly state: 'SUCCESS' | 'FAILURE' | 'ERROR' | 'PENDING';
    }
);

export interface Size {
  readonly additions: number;
  readonly deletions: number;
  readonly files: readonly ChangedFile[];
  /** More than the host computes: it then counts no file and lists none, without an error. */
  readonly tooLarge?: true;
}

/** An issue, as far as a pull request that closes it leads there. */
export interface ClosedIssue {
  readonly number: number;
  readonly author: Who;
  readonly body: string;
  readonly entries: readonly (
    | { readonly kind: 'assigned'; readonly at: number; readonly by: Who; readonly who: string }
    | { readonly kind: 'comment'; readonly at: number; readonly by: Who; readonly id: number; readonly body: string }
  )[];
}

export interface PullRequestHistory {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly author: Who;
  readonly createdAt: number;
  readonly openedAsDraft: boolean;
  readonly baseRef: string;
  readonly headRef: string;
  readonly bodyLength: number;
  /** The description, in place of one of that length. */
  readonly body?: string;
  /** The issues that it closes. */
  readonly closes?: readonly ClosedIssue[];
  /** The size and the commits it was opened with; later entries replace them. */
  readonly commits: readonly Commit[];
  readonly size: Size;
  readonly entries: readonly Entry[];
  /**
   * Counters as a recording states them, where they differ from what its entries add up to (hidden comments, capped lists).
   * They hold from the recording's end on.
   */
  readonly recorded?: {
    readonly additions?: number;
    readonly deletions?: number;
    readonly changedFiles?: number;
    readonly commits?: number;
    readonly comments?: number;
    readonly reviewComments?: number;
    readonly updatedAt?: number;
    readonly draft?: boolean;
  };
}

/** A run of a workflow, with all its attempts. Visible from `createdAt` on, each attempt and job from its start. */
export interface WorkflowRun {
  readonly id: number;
  readonly workflow: string;
  readonly event: string;
  readonly createdAt: number;
  readonly headRef: string;
  readonly headSha: string;
  /** The host names those of them that are open; none for a run of a fork. */
  readonly pullRequests: readonly number[];
  readonly attempts: readonly WorkflowAttempt[];
  /** Fields in place of those that the host answers. */
  readonly instead?: Readonly<Record<string, unknown>>;
}

export interface WorkflowAttempt {
  readonly startedAt: number;
  /** Somebody stopped it, whatever became of its jobs. */
  readonly cancelled?: boolean;
  readonly jobs: readonly WorkflowJob[];
}

export interface WorkflowJob {
  readonly id: number;
  readonly name: string;
  readonly startedAt: number;
  readonly completedAt: number;
  readonly outcome: CheckOutcome;
}

export interface RepositoryHistory {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly fork?: boolean;
  readonly defaultBranch: string;
  readonly createdAt: number;
  /** Logins that may read it when it is private; everyone may read a public one. */
  readonly readers: readonly string[];
  /** Logins that may manage its webhooks. */
  readonly admins: readonly string[];
  readonly pullRequests: readonly PullRequestHistory[];
  readonly runs?: readonly WorkflowRun[];
}

export interface World {
  readonly name: string;
  readonly accounts: readonly Account[];
  readonly organizations?: readonly Organization[];
  readonly teams: readonly Team[];
  readonly repositories: readonly RepositoryHistory[];
  /** The logins a browser may sign in as on the host's authorize page; the first is preselected. */
  readonly signIn: readonly string[];
  /** True: whoever is called `visitor-<12 hexadecimal digits>` has an account that reads everything and administers nothing. */
  readonly visitors?: boolean;
  /** The login of somebody with work of every kind, for whoever shows visitors somebody's work. */
  readonly desk?: string;
}
