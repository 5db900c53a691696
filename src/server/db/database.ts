import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** The tables as Kysely sees them; `migrations/` is the truth. Times are Dates, durations hours, ids of the host text. */
export interface Database {
  people: People;
  account_kinds: AccountKinds;
  own_account_kinds: OwnAccountKinds;
  own_mark_changes: OwnMarkChanges;
  account_recounts: AccountRecounts;
  lenses: Lenses;
  users: Users;
  administrators: AdministratorsTable;
  credentials: Credentials;
  former_credentials: FormerCredentials;
  allowed_logins: AllowedLogins;
  revocations: Revocations;
  sessions: Sessions;
  security_events: SecurityEvents;
  repositories: Repositories;
  webhook_old_secrets: WebhookOldSecrets;
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
  recounts: Recounts;
  recounts_done: RecountsDone;
  unstorable_pull_requests: UnstorablePullRequests;
  hint_limits: HintLimits;
  absent_numbers: AbsentNumbers;
  hint_quotas: HintQuotas;
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

/** The marks that hold for everyone: an administrator's, and those of whom nobody knows who set them. */
interface AccountKinds {
  host: string;
  host_id: string;
  kind: AccountKindColumn;
  set_by: number | null;
  set_at: Date;
}

/** The marks that hold for whoever made them. */
interface OwnAccountKinds {
  user_id: number;
  host: string;
  host_id: string;
  kind: AccountKindColumn;
  set_at: Date;
}

/** Users whose own marks have changed since a worker last looked at them, with an id of the last change. */
interface OwnMarkChanges {
  user_id: number;
  change_id: string;
}

/** Accounts whose kind for everyone is to be settled and whose pull requests are to be counted again. */
interface AccountRecounts {
  host: string;
  host_id: string;
}

/**
 * A repository as a user with marks of their own sees it (docs/decisions/0009). What hangs on it, the tables `lens_…`, only
 * lens-rows.ts, lens-views.ts and the worker name.
 */
interface Lenses {
  repository_id: number;
  user_id: number;
  /** When what the user sees last changed without anybody else seeing a change. */
  changed_at: Date;
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
  /** False until it was taken from the browser or chosen by the person. */
  time_zone_known: Generated<boolean>;
  created_at: Date;
  signed_in_at: Date;
  /** Their last request, to some minutes. */
  seen_at: Generated<Date>;
  /** Organisations that they are a member of, lower-cased logins, as the host said at `organizations_at`; null where it was not asked. */
  organizations: string[] | null;
  organizations_at: Date | null;
}

/** Which account a login of ADMIN_LOGINS means: the first that this server knew by it. */
interface AdministratorsTable {
  host: string;
  /** In lower case. */
  login: string;
  host_id: string;
}

/** The host token of each person that is used now. */
interface Credentials {
  user_id: number;
  /**
   * The credential's identity: it stays when the same OAuth grant is stored again or refreshed, and is another for any other credential. What was
   * checked or opened with an earlier one counts no longer.
   */
  grant_id: Generated<number>;
  /** The OAuth client that it was issued to; null for a personal access token and where it is not known. */
  client_id: string | null;
  token_encrypted: string;
  scopes: string[] | null;
  /** When the token ends; null where it doesn't, or the host did not say. */
  expires_at: Date | null;
  refresh_token_encrypted: string | null;
  /** Until when a process has taken the refresh of this token on itself, by the database's clock. */
  refresh_leased_until: Date | null;
  rejected_at: Date | null;
  updated_at: Date;
}

/** Stronger credentials that a weaker one replaced, kept for syncs alone of the connections that name them. */
interface FormerCredentials {
  grant_id: number;
  user_id: number;
  /** As of `credentials`, as are the next four. */
  client_id: string | null;
  token_encrypted: string;
  expires_at: Date | null;
  refresh_token_encrypted: string | null;
  refresh_leased_until: Date | null;
  replaced_at: Date;
}

/** Whom a login of ALLOWED_LOGINS means: the account that first signed in under it, also when another one has taken the name. */
interface AllowedLogins {
  host: string;
  /** Lower case. */
  login: string;
  host_id: string;
}

/** Tokens that are no longer used here and are still to be ended at the host. */
interface Revocations {
  id: GeneratedAlways<number>;
  host: string;
  /** The token alone, or all that its person granted to our app. */
  what: 'token' | 'grant';
  token_encrypted: string;
  refresh_token_encrypted: string | null;
  expires_at: Date | null;
  requested_at: Date;
  /** When it is tried next. */
  due_at: Date;
  attempts: ColumnType<number, number | undefined, number>;
}

interface Sessions {
  id_hash: string;
  /** What its person calls it by; opens nothing. */
  id: Generated<string>;
  user_id: number;
  /** The credential that opened it: it ends when another one is stored. */
  grant_id: number;
  created_at: Date;
  expires_at: Date;
  /** Written about once a minute. */
  last_used_at: Date;
  /** Browser and system as the browser names itself, e.g. `Firefox on Linux`; null where it says nothing known. */
  browser: string | null;
}

/** Who did what and from where, for administrators; kept for 400 days. */
interface SecurityEvents {
  id: GeneratedAlways<number>;
  at: Date;
  event: string;
  /** A login. */
  actor: string | null;
  subject: string | null;
  /** The repository that `subject` names. */
  repository_id: number | null;
  address: string | null;
  request_id: string | null;
}

interface Repositories {
  id: GeneratedAlways<number>;
  host: string;
  host_id: string;
  owner: string;
  /** The key by which the host finds it with others in one request; null until it was read since that is stored. */
  node_id: string | null;
  name: string;
  /** What it was called before it was last renamed or moved, and when that was noticed. */
  former_owner: string | null;
  former_name: string | null;
  renamed_at: Date | null;
  url: string;
  private: boolean;
  archived: boolean;
  default_branch: string | null;
  webhook_key: string;
  webhook_secret_encrypted: string;
  webhook_last_delivery_at: Date | null;
  webhook_last_event: string | null;
  /** Since when the host signs with a secret that could not be opened any more and was replaced; null where it does not. */
  webhook_refused_since: Date | null;
  /** The page size that the host could compute last; null before the first page. */
  page_size: number | null;
  /** All changes up to this moment are stored; null before the first completed scan. */
  watermark: Date | null;
  /** When all history was there for the first time; reading it again doesn't change it. */
  history_completed_at: Date | null;
  last_synced_at: Date | null;
  swept_at: Date | null;
  /** When anything that a screen shows was last stored. */
  changed_at: Date;
  created_at: Date;
}

/** Secrets that were replaced and are still taken for a while; sealed as the repository's own is. */
interface WebhookOldSecrets {
  repository_id: number;
  secret_encrypted: string;
  taken_until: Date;
}

/** `metrics/scope.ts` alone says which of them somebody sees. */
interface Connections {
  user_id: number;
  repository_id: number;
  /** What the host said last about the person's token. */
  readable: boolean;
  checked_at: Date;
  /** The `grant_id` of the credential that it said it about; null before the first check. */
  checked_with: number | null;
  check_due_at: Date;
  connected_at: Date;
  /** Since when the host refuses, why, and where single sign-on brings it back; null while readable. */
  lost_at: Date | null;
  lost_reason: string | null;
  lost_link: string | null;
  /** False between the host's first refusal and the second, which settles it. */
  settled: Generated<boolean>;
  /** The name under which the person last saw it. */
  seen_owner: string;
  seen_name: string;
  /** The stronger credential that syncs go on with until the stored one has read this repository. */
  former_grant_id: number | null;
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
  /** A counting review (docs/metrics.md#what-holds-everywhere). */
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

/** Facts of one pull request (docs/metrics.md#one-pull-request); durations of open ones hold the part before `waiting_since`. */
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
  /** Everything that makes a day active (`active_days` in docs/metrics.md#the-team-and-its-people). */
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

/** Every event of every timeline, with its account where there is one. */
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
  /** When a worker last took it, by the database's clock. */
  claimed_at: Date | null;
  /** Grows with every claim of any session: users take turns by it. Null before the first. */
  turn: ColumnType<number | null, number | null | undefined, number | null>;
  /** Grows with every session: the newest one has the highest. */
  sequence: Generated<number>;
  /** The pauses since something was last stored, summed up. */
  waited_seconds: ColumnType<number, number | undefined, number>;
  created_at: Date;
  started_at: Date | null;
  updated_at: Date;
  finished_at: Date | null;
}

/** A repository whose sums, or facts, are to be recounted behind the running server. */
interface Recounts {
  repository_id: number;
  /** First the sums, where true; then the facts, from what is stored, where true. */
  sums: boolean;
  facts: boolean;
  /** What is there must not be shown until then; else it is shown until its own recount begins. */
  unusable: boolean;
  /** The highest number that was counted; null before it begins. */
  counted_to: number | null;
  /** The person up to whom sums are there; null before all participations were counted. */
  summed_to: ColumnType<number | null, number | null | undefined, number | null>;
  counted: ColumnType<number, number | undefined, number>;
  total: ColumnType<number, number | undefined, number>;
  /** What it has taken so far. */
  seconds: ColumnType<number, number | undefined, number>;
}

/** One row, of the repositories that were recounted while others are not: what `recounts` held of them. */
interface RecountsDone {
  only_row: GeneratedAlways<boolean>;
  counted: number;
  total: number;
  seconds: number;
}

/** A pull request whose version of `updated_at` could not be stored: it is tried again when it changes. */
interface UnstorablePullRequests {
  repository_id: number;
  number: number;
  updated_at: Date;
  /** One sentence for a person. */
  reason: string;
  noted_at: Date;
}

/** A request to look at something on the host soon, at most once per 5 s however many arrive (docs/server.md#webhooks-and-hints). */
interface Hints {
  repository_id: number;
  /** `pull request 12`, `commit <sha>`, `changes` or `repository`. */
  subject: string;
  /** How many have arrived. */
  hints: ColumnType<number, number | undefined, number>;
  /** Null when nothing is left to look at. */
  due_at: Date | null;
  leased_until: Date | null;
  looked_at: Date | null;
  attempts: ColumnType<number, number | undefined, number>;
}

/** What hints about a repository have led to within the last hour. */
interface HintLimits {
  repository_id: number;
  window_from: Date;
  /** Look-ups since then. */
  looks: number;
  /** When hints last led to a sync. */
  synced_at: Date | null;
}

/** Numbers far above all known ones which the host was asked for in vain. */
interface AbsentNumbers {
  repository_id: number;
  number: number;
  looked_at: Date;
}

/** How much of a user's quota hints have used in the host's hour that ends then. */
interface HintQuotas {
  user_id: number;
  window_ends_at: Date;
  points: number;
  /** Points an hour; null while the host has not said, and where it has no limit. */
  quota: number | null;
}
