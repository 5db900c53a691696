import type { AgentMark } from './agent-traces.ts';

/**
 * What is known of one pull request, as it is stored from the host: the input of every figure about a single pull request.
 *
 * Conventions of this room:
 * - an instant is epoch milliseconds (`Instant`), a duration in a result is hours as a float, unrounded (`Hours`);
 * - an absent value is null, and a null person is a deleted account (a ghost) or, for a commit, nobody known;
 * - commits come in the host's order (rebased commits share a second); all other lists may come in any order:
 *   they are sorted by time, then by id;
 * - ids are the host's, as text.
 */

/** Epoch milliseconds. */
export type Instant = number;

/** Hours, unrounded; only the browser rounds (docs/metrics.md#what-holds-everywhere). */
export type Hours = number;

export type AccountKind = 'human' | 'bot' | 'agent' | 'ghost';

export interface PersonRef {
  /** The host's id; logins change over time and are no identity. */
  readonly id: string;
  /** As shown: a bot's account carries `[bot]`. */
  readonly login: string;
  readonly kind: AccountKind;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
}

export type PullRequestState = 'open' | 'merged' | 'closed';

/** What a reviewer can submit. */
export type SubmittedState = 'approved' | 'changes_requested' | 'commented';

/** What a review is now. */
export type ReviewState = SubmittedState | 'dismissed';

export interface CommitRecord {
  readonly sha: string;
  /** The account of the git author; null when the host knows none. */
  readonly author: PersonRef | null;
  /** Whether the git author's name or address ends in `[bot]`, see `isBotGitAuthor`. */
  readonly authorIsBot: boolean;
  readonly authoredAt: Instant;
  readonly committedAt: Instant;
  readonly headline: string;
  /** Whether its message or git author carries the trace of a coding agent (`agent-traces.ts`). */
  readonly byAgent: boolean;
  /** These traces; empty where only `byAgent` was kept of them. */
  readonly marks: readonly AgentMark[];
  /** Accounts that its message names as co-authors, those that are known. */
  readonly coAuthors: readonly PersonRef[];
}

export interface ReviewRecord {
  readonly id: string;
  readonly author: PersonRef | null;
  readonly state: ReviewState;
  /** What a dismissed review was when it was submitted, where known; null otherwise. */
  readonly stateAtSubmission: SubmittedState | null;
  readonly submittedAt: Instant;
  /** Whether it has a text that is not blank (docs/metrics.md#what-holds-everywhere). */
  readonly hasBody: boolean;
  /** How many words that is; null where it was not counted. */
  readonly bodyWords: number | null;
}

export interface CommentRecord {
  readonly id: string;
  readonly kind: 'general' | 'inline';
  readonly author: PersonRef | null;
  readonly createdAt: Instant;
  /** The review that an inline comment belongs to; null for general comments. */
  readonly reviewId: string | null;
  /** The comment that it answers; null when it opens a thread or is general. */
  readonly inReplyTo: string | null;
  readonly path: string | null;
  /** How many words it has; null where they were not counted. */
  readonly bodyWords: number | null;
  /** Of an inline comment; null where that was not read. */
  readonly marks: CommentMarks | null;
  /** Who resolved the thread that it opens; null where nobody did, nobody known, or that was not read. */
  readonly resolvedBy: PersonRef | null;
}

/** What became of an inline comment, without moments: as it was first read after the end (docs/server.md#what-is-read-again). */
export interface CommentMarks {
  /** The lines that it is about were changed since. */
  readonly outdated: boolean;
  /** The reason for which it was hidden, in lower case; null where it was not. */
  readonly minimized: string | null;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
}

/** A file that it changes. */
export interface FileRecord {
  readonly path: string;
  readonly additions: number;
  readonly deletions: number;
}

export type EventType =
  | 'review_requested'
  | 'review_request_removed'
  | 'review_dismissed'
  | 'ready_for_review'
  | 'convert_to_draft'
  | 'force_push'
  | 'reopened'
  | 'merged'
  | 'closed';

export interface EventRecord {
  readonly id: string;
  readonly type: EventType;
  readonly at: Instant;
  readonly actor: PersonRef | null;
  /** The person whose review is requested or no longer requested. */
  readonly reviewer: PersonRef | null;
  /** The team (`@org/slug`) whose review is requested or no longer requested. */
  readonly team: string | null;
  /** The review that is dismissed. */
  readonly reviewId: string | null;
  /** What the dismissed review was before. */
  readonly previousState: SubmittedState | null;
}

/** A check run or a status of the head commit. */
export interface CheckRecord {
  readonly id: string;
  readonly name: string;
  /** The host's conclusion in lower case: `success`, `failure`, `neutral`, `timed_out` …; null while it runs. */
  readonly outcome: string | null;
  readonly completedAt: Instant | null;
  /** Null where the host does not say, or before it was read. */
  readonly startedAt: Instant | null;
}

/** A review that is requested now, of a person or of a team (`@org/slug`). */
export type PendingRequest = { readonly person: PersonRef } | { readonly team: string };

/** Somebody was assigned. */
export interface Assignment {
  readonly person: PersonRef;
  readonly at: Instant;
  /** Null while they are. */
  readonly until: Instant | null;
}

/** What tells who wrote a pull request and who started it, beside its author, commits and requests (docs/server.md#who-wrote-a-pull-request). */
export interface AttributionRecord {
  /** False of what was stored before traces were read: then `byAgent` of its commits is all that is known. */
  readonly isRead: boolean;
  /** False too where the token might not read the commits: of these, at most `byAgent` of earlier ones is known. */
  readonly areCommitsRead: boolean;
  readonly labels: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly descriptionMarks: readonly AgentMark[];
  /** Whom its description names as who requested it. */
  readonly requestedBy: readonly PersonRef[];
  /** Who started the session in which an agent wrote it. */
  readonly sessionActor: PersonRef | null;
  /** Who set the agent on the one issue that it closes. */
  readonly issueActors: readonly PersonRef[];
  /** Labels that the settings name, with the tool that each stands for. */
  readonly namedLabels: readonly { readonly label: string; readonly tool: string }[];
  /** Whether the host's ids are those of the list of known automation. */
  readonly knownIds: boolean;
  /** What somebody says better than the rules; null for nothing. */
  readonly correctedAuthorship: {
    readonly authorship: 'human' | 'assisted' | 'agent';
    readonly tool: string | null;
  } | null;
  /** The same of who started it; `person` is null for nobody. */
  readonly correctedCredit: { readonly person: PersonRef | null } | null;
}

export interface PullRequestRecord {
  readonly number: number;
  readonly state: PullRequestState;
  readonly draft: boolean;
  readonly author: PersonRef | null;
  readonly createdAt: Instant;
  /** Null unless merged. */
  readonly mergedAt: Instant | null;
  /** Null while open; the host also sets it when merging. */
  readonly closedAt: Instant | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
  readonly headRef: string;
  readonly baseRef: string;
  /** Null unless merged, and where whoever did it is unknown. */
  readonly mergedBy: PersonRef | null;
  /** Those that the host lists, which may be fewer than `changedFiles`. */
  readonly files: readonly FileRecord[];
  readonly commits: readonly CommitRecord[];
  readonly reviews: readonly ReviewRecord[];
  readonly comments: readonly CommentRecord[];
  readonly events: readonly EventRecord[];
  readonly checks: readonly CheckRecord[];
  /** In the host's order. */
  readonly requested: readonly PendingRequest[];
  readonly attribution: AttributionRecord;
}

const MILLISECONDS_PER_HOUR = 3_600_000;

/** The hours between two instants, unrounded. */
export function hoursBetween(from: Instant, to: Instant): Hours {
  return toHours(to - from);
}

/** Milliseconds as hours, unrounded. */
export function toHours(milliseconds: number): Hours {
  return milliseconds / MILLISECONDS_PER_HOUR;
}
