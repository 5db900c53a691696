/** An account of the host. Its identity is `id`, the host's own number as text; logins change. */
export interface HostAccount {
  readonly id: string;
  readonly login: string;
  readonly type: 'user' | 'bot' | 'mannequin' | 'organization';
  readonly name: string | null;
  readonly avatar_url: string | null;
}

/** A thread of inline comments as it is now: the host tells no moments. */
export interface HostThread {
  /** The id of the inline comment that opened it. */
  readonly comment_id: string;
  readonly resolved: boolean;
  readonly resolved_by: HostAccount | null;
}

export interface HostTeam {
  /** `@organization/slug`; null where the token may not read teams. */
  readonly handle: string | null;
}

export type HostReviewer = { readonly account: HostAccount } | { readonly team: HostTeam };

export interface HostCommit {
  readonly sha: string;
  /** The account of the git author; null when the host knows none. That of a bot is by its address alone, which anybody can write. */
  readonly author: HostAccount | null;
  readonly author_name: string | null;
  readonly author_email: string | null;
  readonly authored_at: Date;
  readonly committed_at: Date;
  readonly message: string;
}

export type HostReviewState = 'approved' | 'changes_requested' | 'commented' | 'dismissed';

/** A submitted review; one that is still pending never leaves the adapter. */
export interface HostReview {
  readonly id: string;
  readonly author: HostAccount | null;
  readonly state: HostReviewState;
  readonly submitted_at: Date;
  readonly has_body: boolean;
  /** Words of its text. */
  readonly body_words: number;
  readonly commit_sha: string | null;
}

/** A general comment of the conversation, or an inline comment: of a review, save those of the years before the host had reviews. */
export interface HostComment {
  readonly id: string;
  readonly kind: 'general' | 'inline';
  readonly author: HostAccount | null;
  readonly created_at: Date;
  /** The review that an inline comment belongs to. */
  readonly review_id: string | null;
  /** The id of the inline comment that it answers. */
  readonly in_reply_to: string | null;
  readonly path: string | null;
  /** Words of a general one's text; null for inline ones. */
  readonly body_words: number | null;
  /** What became of an inline one; null for general ones. */
  readonly marks: HostCommentMarks | null;
}

/** What became of an inline comment, as it is now: the host tells no moments. */
export interface HostCommentMarks {
  /** The lines that it is about have changed since. */
  readonly outdated: boolean;
  /** Why it is hidden (`resolved`, `off-topic` …, `unknown` where no reason is told); null while it is shown. */
  readonly minimized: string | null;
  readonly thumbs_up: number;
  readonly thumbs_down: number;
}

/** Somebody was assigned; `until` is null while they are. */
export interface HostAssignment {
  readonly account: HostAccount;
  readonly at: Date;
  readonly until: Date | null;
}

export type HostEventType =
  | 'review_requested'
  | 'review_request_removed'
  | 'review_dismissed'
  | 'ready_for_review'
  | 'convert_to_draft'
  | 'force_push'
  | 'merged'
  | 'closed'
  | 'reopened';

export interface HostEvent {
  readonly id: string;
  readonly type: HostEventType;
  readonly at: Date;
  readonly actor: HostAccount | null;
  /** Who was asked; only of review_requested and review_request_removed, null where the host hides or forgot them. */
  readonly reviewer: HostReviewer | null;
  /** The review dismissed and the state that it had. */
  readonly review_id: string | null;
  readonly previous_state: HostReviewState | null;
  /** The commit merged, or the head after a force push. */
  readonly sha: string | null;
}

/** A check run or commit status of the head commit. */
export interface HostCheck {
  readonly id: string;
  readonly name: string;
  /** Null while it runs; the host's word in lower case otherwise (`success`, `failure`, `neutral` …). */
  readonly outcome: string | null;
  /** Null for a commit status. */
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface HostChangedFile {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

/** One pull request with every nested list read to its end. */
export interface HostPullRequest {
  readonly id: string;
  /** The key by which the host finds it again in one request with others. */
  readonly node_id: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly state: 'open' | 'merged' | 'closed';
  readonly draft: boolean;
  readonly author: HostAccount | null;
  readonly merged_by: HostAccount | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
  readonly merged_at: Date | null;
  readonly additions: number;
  readonly deletions: number;
  /** 0 also where the host cannot compute what changed. */
  readonly changed_files: number;
  readonly base_ref: string;
  readonly head_ref: string;
  readonly head_sha: string | null;
  readonly merge_commit_sha: string | null;
  /** The description; looked through and never stored. */
  readonly body: string;
  /** The names of those that it carries now. */
  readonly labels: readonly string[];
  readonly assignments: readonly HostAssignment[];
  /** Null where the token may not read them: the stored ones then stay. */
  readonly commits: readonly HostCommit[] | null;
  readonly reviews: readonly HostReview[];
  readonly comments: readonly HostComment[];
  readonly events: readonly HostEvent[];
  readonly review_requests: readonly HostReviewer[];
  readonly files: readonly HostChangedFile[];
  /** Null where the token may not read them: the stored ones then stay. */
  readonly checks: readonly HostCheck[] | null;
  /** Counts as the host states them, which can exceed what it lists. */
  readonly commit_count: number;
  readonly comment_count: number;
  readonly review_comment_count: number;
}
