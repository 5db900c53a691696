import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** The tables as Kysely sees them; `migrations/` is the truth. Times are Dates, durations hours, ids of the host text. */
export interface Database {
  people: People;
  account_kinds: AccountKinds;
  users: Users;
  credentials: Credentials;
  sessions: Sessions;
  repositories: Repositories;
  connections: Connections;
  pull_requests: PullRequests;
  commits: Commits;
  reviews: Reviews;
  comments: Comments;
  events: Events;
  checks: Checks;
  review_requests: ReviewRequests;
  changed_files: ChangedFiles;
  pull_request_facts: PullRequestFactsRow;
  participations: Participations;
  contributor_totals: ContributorTotals;
  contributor_months: ContributorMonths;
  timeline_moments: TimelineMoments;
  sync_sessions: SyncSessions;
  hints: Hints;
}

export type AccountKindColumn = 'human' | 'bot' | 'agent';

interface People {
  id: GeneratedAlways<number>;
  host: string;
  host_id: string;
  login: string;
  type: 'user' | 'bot' | 'mannequin' | 'organization';
  name: string | null;
  /** `name` in lower case as JavaScript does it: databases disagree about letters beyond ASCII. */
  name_lower: string | null;
  avatar_url: string | null;
  kind: AccountKindColumn;
}

interface AccountKinds {
  host: string;
  host_id: string;
  kind: AccountKindColumn;
  set_by: number | null;
  set_at: Date;
}

interface Users {
  id: GeneratedAlways<number>;
  host: string;
  host_id: string;
  login: string;
  display_name: string | null;
  avatar_url: string | null;
  email: string | null;
  time_zone: Generated<string>;
  created_at: Date;
  signed_in_at: Date;
}

interface Credentials {
  user_id: number;
  token_encrypted: string;
  scopes: string[] | null;
  rejected_at: Date | null;
  updated_at: Date;
}

interface Sessions {
  id_hash: string;
  user_id: number;
  created_at: Date;
  expires_at: Date;
}

interface Repositories {
  id: GeneratedAlways<number>;
  host: string;
  host_id: string;
  owner: string;
  name: string;
  url: string;
  private: boolean;
  archived: boolean;
  default_branch: string | null;
  webhook_key: string;
  webhook_secret_encrypted: string;
  webhook_last_delivery_at: Date | null;
  webhook_last_event: string | null;
  /** The page size that the host could compute last; null before the first page. */
  page_size: number | null;
  /** All changes up to this moment are stored; null before the first completed scan. */
  watermark: Date | null;
  /** When all history was there for the first time; reading it anew doesn't change it. */
  history_completed_at: Date | null;
  last_synced_at: Date | null;
  swept_at: Date | null;
  /** When anything that a screen shows was last stored. */
  changed_at: Date;
  created_at: Date;
}

interface Connections {
  user_id: number;
  repository_id: number;
  readable: boolean;
  checked_at: Date;
  connected_at: Date;
}

interface PullRequests {
  repository_id: number;
  number: number;
  host_id: string;
  node_id: string;
  title: string;
  /** `title` in lower case as JavaScript does it; sorted and searched by code points. */
  title_lower: string;
  url: string;
  state: 'open' | 'merged' | 'closed';
  draft: boolean;
  author_id: number | null;
  merged_by_id: number | null;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
  merged_at: Date | null;
  /** When it was merged, else closed; null while open. */
  ended_at: GeneratedAlways<Date | null>;
  additions: number;
  deletions: number;
  lines_changed: GeneratedAlways<number>;
  changed_files: number;
  commits: number;
  comments: number;
  review_comments: number;
  base_ref: string;
  head_ref: string;
  head_sha: string | null;
  sweep_fingerprint: string | null;
  /** When the host was asked for what is stored here. */
  fetched_at: Date;
  /** False while another change within the same second of `updated_at` could have been missed: it is then read once more. */
  settled: boolean;
}

interface Commits {
  repository_id: number;
  number: number;
  sha: string;
  position: number;
  author_id: number | null;
  author_name: string | null;
  author_is_bot: boolean;
  authored_at: Date;
  committed_at: Date;
  /** Where the timeline shows it: `committed_at`, but not before the pull request's `created_at`. */
  listed_at: Date;
  headline: string;
  by_agent: boolean;
}

interface Reviews {
  repository_id: number;
  host_id: string;
  number: number;
  position: number;
  author_id: number | null;
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  submitted_at: Date;
  has_body: boolean;
  commit_sha: string | null;
  is_reply: boolean;
  /** A counting review (metric definitions, section 1). */
  counts: boolean;
  /** What a counting review is to a human, by a bot or an agent: only `accounts=all` shows it. */
  automated: boolean;
  /** The last of its author's counting (or automated) reviews of the pull request: by it a reviewed pull request is counted once. */
  latest: boolean;
  comments_count: number;
  response_hours: number | null;
}

interface Comments {
  repository_id: number;
  kind: 'general' | 'inline';
  host_id: string;
  number: number;
  author_id: number | null;
  created_at: Date;
  review_id: string | null;
  in_reply_to: string | null;
  path: string | null;
}

interface Events {
  repository_id: number;
  host_id: string;
  number: number;
  position: number;
  type: string;
  at: Date;
  actor_id: number | null;
  reviewer_id: number | null;
  team: string | null;
  review_id: string | null;
  previous_state: string | null;
  sha: string | null;
}

interface Checks {
  repository_id: number;
  number: number;
  host_id: string;
  name: string;
  outcome: string | null;
  finished_at: Date | null;
}

interface ReviewRequests {
  repository_id: number;
  number: number;
  position: number;
  person_id: number | null;
  /** `@org/slug`, or `@?` for a team whose name the token may not read; null for a person. */
  team: string | null;
}

interface ChangedFiles {
  repository_id: number;
  number: number;
  path: string;
  additions: number;
  deletions: number;
}

/** Facts of one pull request (metric definitions, section 1); durations of open ones hold the part before `waiting_since`. */
interface PullRequestFactsRow {
  repository_id: number;
  number: number;
  version: number;
  /** These five as in `pull_requests`, so that a question about many of them reads one index. */
  ended_at: Date | null;
  author_id: number | null;
  draft: boolean;
  created_at: Date;
  lines_changed: number;
  ready_at: Date | null;
  first_review_at: Date | null;
  last_review_at: Date | null;
  first_agent_review_at: Date | null;
  approved_at: Date | null;
  last_activity_at: Date;
  time_to_first_review: number | null;
  time_to_merge: number | null;
  active_development_time: number;
  waiting_for_review_time: number;
  post_approval_time: number | null;
  review_cycles: number;
  waiting_on: 'author' | 'reviewers' | 'merge' | null;
  waiting_since: Date | null;
  waiting_reason: string | null;
  phases: JSONColumnType<{ phase: string; from: string; to: string | null }[]>;
  reviewer_ids: number[];
  latest_opinion: 'approved' | 'changes_requested' | null;
  approved_first_time: boolean | null;
  by_agent: boolean;
  /** A date of the pull request that lies in the future: once it has passed the facts are computed again. */
  provisional_until: Date | null;
}

/**
 * What one person did on one pull request in one calendar month of UTC; `recountParticipations` keeps it. A null person is a deleted
 * account.
 */
interface Participations extends Totals, MonthFigures {
  number: number;
  person_id: number | null;
  month: Date;
  /** Their latest timeline event or inline comment; null where only the date of authoring a commit lies in the month. */
  last_activity_at: Date | null;
}

/** Each thing in the month in which it happened; `open` in that of the opening. */
interface Totals {
  repository_id: number;
  opened: number;
  open: number;
  merged: number;
  counting_reviews: number;
  automated_reviews: number;
  submitted_reviews: number;
  /** Of those opened, open and merged the ones in which an agent took part as an author. */
  by_agent: number;
  open_by_agent: number;
  merged_by_agent: number;
}

/** Durations and lines are whole numbers in float8, milliseconds: what was added can be taken away again, and they sum up fast. */
interface MonthFigures {
  /** The pull request's latest counting review by the person lies in the month. */
  reviewed: number;
  lines_opened: number;
  /** Merged, or closed without merging. */
  ended: number;
  merge_ms: number;
  /** Merged with a counting review, and the rounds of these. */
  with_cycles: number;
  cycles: number;
  /** Counting reviews with a response time. */
  responses: number;
  response_ms: number;
  /** Everything that makes a day active (metric definitions, section 3, `active_days`). */
  contributions: number;
}

/** The sum of a person's participations in one repository; the latest activity is the latest of theirs. */
interface ContributorTotals extends Totals {
  person_id: number | null;
  last_activity_at: Date;
}

/** The sum of a living account's participations in one repository and a calendar month of UTC, or a year that begins with a quarter. */
interface ContributorMonths
  extends Pick<Totals, 'repository_id' | 'opened' | 'merged' | 'counting_reviews'>,
    MonthFigures {
  person_id: number;
  /** 0 for a month, else the month of the calendar with which the twelve begin. */
  span: 0 | 1 | 4 | 7 | 10;
  /** The first one. */
  month: Date;
  participations: number;
}

/** Every event of every timeline (metric definitions, section 1), with its account where there is one. */
interface TimelineMoments {
  repository_id: number;
  number: number;
  person_id: number | null;
  at: Date;
}

export type SyncStatusColumn = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

interface SyncSessions {
  id: string;
  repository_id: number;
  user_id: number;
  /** A person's session goes before the hourly ones. */
  asked_by: 'person' | 'schedule';
  mode: 'full' | 'incremental';
  status: SyncStatusColumn;
  phase: string;
  stage: 'history' | 'changes' | 'done';
  cursor: string | null;
  page_size_limit: number | null;
  scan_started_at: Date | null;
  total_prs: number | null;
  processed_prs: ColumnType<number, number | undefined, number>;
  processed_reviews: ColumnType<number, number | undefined, number>;
  processed_items: ColumnType<number, number | undefined, number>;
  /** Never falls while the session lives. */
  percentage: ColumnType<number, number | undefined, number>;
  /** Smoothed over the pages; null before enough of them. */
  seconds_per_pull_request: number | null;
  skipped: ColumnType<{ number: number | null; reason: string }[], string | undefined, string>;
  attempts: ColumnType<number, number | undefined, number>;
  error: string | null;
  error_kind: string | null;
  error_link: string | null;
  rate_remaining: number | null;
  rate_limit: number | null;
  rate_reset_at: Date | null;
  waiting_until: Date | null;
  worker: string | null;
  heartbeat_at: Date | null;
  /** When a worker last took it, by the database's clock: users take turns by it. */
  claimed_at: Date | null;
  created_at: Date;
  started_at: Date | null;
  updated_at: Date;
  finished_at: Date | null;
}

/** A request to look at something on the host soon, at most once per 5 s however many arrive (server specification, section 6). */
interface Hints {
  repository_id: number;
  /** `pull request 12`, `commit <sha>` or `repository`. */
  subject: string;
  /** How many have arrived. */
  hints: ColumnType<number, number | undefined, number>;
  /** Null when nothing is left to look at. */
  due_at: Date | null;
  leased_until: Date | null;
  looked_at: Date | null;
  attempts: ColumnType<number, number | undefined, number>;
}
