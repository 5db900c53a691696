// Made by scripts/tables.ts from the schema that the migrations make: change these, then run it again.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { Kind, OptionsOf, QuietHours } from '#domain/notifications/subscriptions.ts';
import type { HealthSettings } from '#domain/signals.ts';
import type { UnlistedRepositories } from '../host/host.ts';
import type { StoredListedRepository } from './listed-repository.ts';

/** The tables as Kysely sees them. Times are Dates, durations hours, ids of the host text. */
export interface Database {
  /** Numbers far above all known ones which the host was asked for in vain. */
  absent_numbers: {
    repository_id: number;
    number: number;
    looked_at: Date;
  };
  /** The marks that hold for everyone: an administrator's, and those of whom nobody knows who set them. */
  account_kinds: {
    host: string;
    host_id: string;
    kind: 'human' | 'bot' | 'agent';
    set_by: number | null;
    set_at: Date;
  };
  /** Accounts whose kind for everyone is to be settled and whose pull requests are to be counted again. */
  account_recounts: {
    host: string;
    host_id: string;
  };
  /** Which account a login of ADMIN_LOGINS means: the first that this server knew by it. */
  administrators: {
    host: string;
    /** In lower case. */
    login: string;
    host_id: string;
  };
  /** Labels that say which tool took part, beside those that are known. */
  agent_labels: {
    host: string;
    /** In lower case. */
    label: string;
    tool: string;
    set_by: number | null;
    set_at: Date;
  };
  /** Whom a login of ALLOWED_LOGINS means: the account that first signed in under it, also when another one has taken the name. */
  allowed_logins: {
    host: string;
    /** Lower case. */
    login: string;
    host_id: string;
  };
  /** From where each token was used. */
  api_token_networks: {
    token_id: number;
    /** The first 24 bits of an IPv4 address, 48 of an IPv6 one. */
    network: string;
    first_used_at: Date;
  };
  /** Personal tokens, by which programs read what their owner reads. */
  api_tokens: {
    id: GeneratedAlways<number>;
    user_id: number;
    /** SHA-256 of the token, hexadecimal. */
    token_hash: string;
    name: string;
    scopes: string[];
    /** Which of the owner's repositories it reads; null: all. */
    repositories: number[] | null;
    created_at: Date;
    /** To the hour. */
    last_used_at: Date | null;
    expires_at: Date;
  };
  /** What assistants asked last, by person; never with what. */
  assistant_calls: {
    id: GeneratedAlways<number>;
    user_id: number;
    tool: string;
    at: Date;
    ms: number;
    failed: boolean;
  };
  changed_files: {
    repository_id: number;
    number: number;
    path: string;
    additions: number;
    deletions: number;
  };
  /** Accounts with another login, name or picture, until it is noted of each of their pull requests that it changed. */
  changed_people: {
    person_id: number;
    noted_at: Date;
  };
  checks: {
    repository_id: number;
    number: number;
    host_id: string;
    name: string;
    outcome: string | null;
    finished_at: Date | null;
    started_at: Date | null;
  };
  /** What is asked once about single pull requests, beside what is read of all: how threads ended, and who started an agent. */
  clues: {
    repository_id: number;
    number: number;
    /** `session` and `issue` tell who started it; `names` are accounts that its texts name and that are not known yet. */
    kind: 'threads' | 'session' | 'names' | 'issue';
    /** When it is to be asked; null when it was. */
    due_at: Date | null;
    /** Of threads: the end of the pull request after which they are read. */
    read_for: Date | null;
    /** Whom it tells of. */
    person_ids: Generated<number[]>;
  };
  comments: {
    repository_id: number;
    kind: 'general' | 'inline';
    host_id: string;
    number: number;
    author_id: number | null;
    created_at: Date;
    review_id: string | null;
    in_reply_to: string | null;
    path: string | null;
    /** Of general ones; null where it was not read. */
    body_words: number | null;
    /** Of inline ones, as are the next three: as read last, or first after the end. Null where it was not read. */
    outdated: boolean | null;
    /** The host's reason in lower case; null where it is shown. */
    minimized: string | null;
    thumbs_up: number | null;
    thumbs_down: number | null;
  };
  commits: {
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
    /** Whether its message or git author carries the trace of a coding agent. */
    by_agent: boolean;
    /** The traces and the co-authors that its message names, of which nothing else is kept; null where there are none. */
    trailers: ColumnType<{ marks: { rule: number; tool: string; text: string }[]; co_authors: { id: string | null; login: string }[] } | null, string | null | undefined, string | null>;
    /** The commit that its message says it reverts. */
    reverts_sha: string | null;
  };
  /** Confirmation mails of the last day, which limits count; deleting an account resets no limit. */
  confirmation_mails: {
    id: GeneratedAlways<number>;
    /** As of `mail_confirmations`. */
    address_hash: string;
    user_id: number;
    sent_at: Date;
  };
  /** `metrics/scope.ts` alone says which of them somebody sees. */
  connections: {
    user_id: number;
    repository_id: number;
    /** What the host said last about the person's token. */
    readable: boolean;
    checked_at: Date;
    connected_at: Date;
    /** The `grant_id` of the credential that it said it about; null before the first check. */
    checked_with: number | null;
    check_due_at: Date;
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
  };
  /** The sum of a living account's participations in one repository and a calendar month of UTC, or a year that begins with a quarter. */
  contributor_months: {
    repository_id: number;
    /** The first one. */
    month: Date;
    person_id: number;
    participations: number;
    opened: number;
    merged: number;
    counting_reviews: number;
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
    /** 0 for a month, else the month of the calendar with which the twelve begin. */
    span: number;
  };
  /** The sum of a person's participations in one repository; the latest activity is the latest of theirs. */
  contributor_totals: {
    repository_id: number;
    person_id: number | null;
    opened: number;
    open: number;
    merged: number;
    counting_reviews: number;
    automated_reviews: number;
    submitted_reviews: number;
    last_activity_at: Date;
    /** Of those opened, open and merged the ones in which an agent took part as an author. */
    by_agent: Generated<number>;
    open_by_agent: Generated<number>;
    merged_by_agent: Generated<number>;
  };
  /** What somebody who may says better than the rules; it outlives every reading. */
  corrections: {
    repository_id: number;
    number: number;
    subject: 'authorship' | 'credit';
    authorship: 'human' | 'assisted' | 'agent' | null;
    tool: string | null;
    /** Who is credited; null for nobody. */
    person_id: number | null;
    set_by: number | null;
    set_at: Date;
  };
  /** The host token of each person that is used now. */
  credentials: {
    user_id: number;
    token_encrypted: string;
    scopes: string[] | null;
    rejected_at: Date | null;
    updated_at: Date;
    /** * The credential's identity: it stays when the same OAuth grant is stored again or refreshed, and is another for any other credential. What was checked or opened with an earlier one counts no longer. */
    grant_id: Generated<number>;
    /** The OAuth client that it was issued to; null for a personal access token and where it is not known. */
    client_id: string | null;
    /** When the token ends; null where it doesn't, or the host did not say. */
    expires_at: Date | null;
    refresh_token_encrypted: string | null;
    /** Until when a process has taken the refresh of this token on itself, by the database's clock. */
    refresh_leased_until: Date | null;
  };
  events: {
    repository_id: number;
    host_id: string;
    number: number;
    position: number;
    type: 'review_requested' | 'review_request_removed' | 'review_dismissed' | 'ready_for_review' | 'convert_to_draft' | 'force_push' | 'merged' | 'closed' | 'reopened';
    at: Date;
    actor_id: number | null;
    reviewer_id: number | null;
    team: string | null;
    review_id: string | null;
    previous_state: string | null;
    sha: string | null;
  };
  /** Nothing reads or fills it: the first acts of AI reviewers are found in `reviewer_acts`. Processes of the version before still write to it; the next version drops it. */
  first_acts: {
    repository_id: number;
    person_id: number;
    number: number;
    at: Date;
  };
  follow_ups: {
    repository_id: number;
    number: number;
    by_number: number;
  };
  followed_owners: {
    user_id: number;
    owner: string;
  };
  /** Stronger credentials that a weaker one replaced, kept for syncs alone of the connections that name them. */
  former_credentials: {
    grant_id: number;
    user_id: number;
    token_encrypted: string;
    replaced_at: Date;
    /** As of `credentials`, as are the next four. */
    client_id: string | null;
    refresh_token_encrypted: string | null;
    expires_at: Date | null;
    refresh_leased_until: Date | null;
  };
  health_settings: {
    id: Generated<number>;
    host: string;
    settings: ColumnType<HealthSettings, string, string>;
    revision: number;
    set_by: number | null;
    set_at: Date;
  };
  /** What hints about a repository have led to within the last hour. */
  hint_limits: {
    repository_id: number;
    window_from: Date;
    /** Look-ups since then. */
    looks: number;
    /** When hints last led to a sync. */
    synced_at: Date | null;
  };
  /** How much of a user's quota hints, what is read again, and workflow runs have used in the host's hour that ends then. */
  hint_quotas: {
    user_id: number;
    window_ends_at: Date;
    points: number;
    /** Points an hour; null while the host has not said, and where it has no limit; 0 while the host wants a pause of this user. */
    quota: number | null;
    purpose: Generated<'hints' | 'collection' | 'actions'>;
  };
  /** A request to look at something on the host soon, at most once per 5 s however many arrive (docs/server.md#webhooks-and-hints). */
  hints: {
    repository_id: number;
    /** `pull request 12`, `commit <sha>`, `changes` or `repository`. */
    subject: string;
    /** How many have arrived. */
    hints: Generated<number>;
    /** Null when nothing is left to look at. */
    due_at: Date | null;
    leased_until: Date | null;
    looked_at: Date | null;
    attempts: Generated<number>;
  };
  import_repositories: {
    import_id: string;
    position: number;
    owner: string;
    name: string;
    status: 'pending' | 'connected' | 'already' | 'refused';
    reason: string | null;
    repository_id: number | null;
    /** The sync that was begun for it; null where its history was here already. */
    session_id: string | null;
  };
  /** Whose choice it is that teams of an organisation which appear later are imported, too. */
  imported_organisations: {
    user_id: number;
    organization_id: string;
    login: string;
    /** False where only those are that are part of none. */
    with_children: boolean;
  };
  /** Repositories that somebody connected together, and whether their syncs go on. */
  imports: {
    id: string;
    user_id: number;
    state: 'running' | 'paused' | 'cancelled';
    sync: boolean;
    started_at: Date;
  };
  /** Addresses of our screens that people keep under a name, for themselves or for everyone who signs in at the same host. */
  kept_views: {
    id: Generated<number>;
    /** Random: what its own address holds. */
    slug: string;
    user_id: number;
    host: string;
    name: string;
    /** With its query, as whoever keeps it sees it; others get what is theirs of it. */
    path: string;
    visibility: 'mine' | 'everyone';
    /** Whether it stands on the dashboard of those who see it. */
    pinned: boolean;
    created_at: Date;
  };
  lens_facts: {
    repository_id: number;
    user_id: number;
    number: number;
    first_review_at: Date | null;
    last_review_at: Date | null;
    first_agent_review_at: Date | null;
    approved_at: Date | null;
    last_activity_at: Date;
    time_to_first_review: number | null;
    active_development_time: number;
    waiting_for_review_time: number;
    post_approval_time: number | null;
    review_cycles: number;
    waiting_on: string | null;
    waiting_since: Date | null;
    waiting_reason: string | null;
    phases: JSONColumnType<{ phase: string; from: string; to: string | null }[]>;
    reviewer_ids: number[];
    latest_opinion: string | null;
    approved_first_time: boolean | null;
    by_agent: boolean;
    authorship: string | null;
    agents: string[] | null;
    evidence: ColumnType<{ rule: number; tool: string; confidence: string; text: string; source: string | null }[] | null, string | null | undefined, string | null>;
    credited_id: number | null;
    credit_by: string | null;
    standing_approvals: number | null;
    standing_requests: number | null;
    commented_by_others: boolean | null;
    inline_by_others: boolean | null;
    human_findings: number | null;
    self_merged: boolean | null;
    review_words: number | null;
    approval_lag_minutes: number | null;
    commits_after_approval: number | null;
    forced_after_approval: boolean | null;
    turns_in_a_day: number | null;
    commits_by_agent: number | null;
    independent_reviews: number | null;
    merged_on_own_word: boolean | null;
  };
  lens_marks: {
    repository_id: number;
    user_id: number;
    person_id: number;
    kind: string;
  };
  lens_months: {
    repository_id: number;
    month: Date;
    person_id: number;
    participations: number;
    opened: number;
    merged: number;
    counting_reviews: number;
    reviewed: number;
    lines_opened: number;
    ended: number;
    merge_ms: number;
    with_cycles: number;
    cycles: number;
    responses: number;
    response_ms: number;
    contributions: number;
    span: number;
    user_id: number;
  };
  lens_participations: {
    repository_id: number;
    number: number;
    person_id: number | null;
    month: Date;
    opened: number;
    open: number;
    merged: number;
    counting_reviews: number;
    automated_reviews: number;
    submitted_reviews: number;
    reviewed: number;
    lines_opened: number;
    ended: number;
    merge_ms: number;
    with_cycles: number;
    cycles: number;
    responses: number;
    response_ms: number;
    contributions: number;
    last_activity_at: Date | null;
    by_agent: Generated<number>;
    open_by_agent: Generated<number>;
    merged_by_agent: Generated<number>;
    user_id: number;
  };
  lens_pending: {
    repository_id: number;
    user_id: number;
    number: number;
    person_id: number;
  };
  lens_reviewer_acts: {
    repository_id: number;
    number: number;
    reviewer: string;
    person_id: number;
    acted_at: Date[];
    first_act_at: Date;
    last_act_at: Date;
    wait_hours: number | null;
    reviews: number;
    findings: number;
    changed: number;
    resolved: number;
    answered: number;
    dismissed_by_hand: number;
    ignored: number;
    noisy: number;
    thumbs_up: number;
    thumbs_down: number;
    ready_at: Date | null;
    ended_at: Date | null;
    user_id: number;
  };
  lens_reviews: {
    repository_id: number;
    user_id: number;
    host_id: string;
    number: number;
    counts: boolean;
    automated: boolean;
    latest: boolean;
    response_hours: number | null;
  };
  lens_totals: {
    repository_id: number;
    person_id: number;
    opened: number;
    open: number;
    merged: number;
    counting_reviews: number;
    automated_reviews: number;
    submitted_reviews: number;
    by_agent: Generated<number>;
    open_by_agent: Generated<number>;
    merged_by_agent: Generated<number>;
    user_id: number;
  };
  /** * A repository as a user with marks of their own sees it (docs/decisions/0009). What hangs on it, the tables `lens_…`, only lens-rows.ts, lens-views.ts and the worker name. */
  lenses: {
    repository_id: number;
    user_id: number;
    /** When what the user sees last changed without anybody else seeing a change. */
    changed_at: Date;
  };
  /** A link by which a mail address is confirmed; of a channel where `channel_id` says so, else of a person. */
  mail_confirmations: {
    token_hash: string;
    user_id: number;
    channel_id: number | null;
    /** SHA-256 of the address in lower case. */
    address_hash: string;
    created_at: Date;
    used_at: Date | null;
  };
  /** What people note beside figures over time, for themselves or for everyone who signs in at the same host. */
  notes: {
    id: Generated<number>;
    user_id: number;
    host: string;
    /** The moment that it tells of. */
    at: Date;
    text: string;
    visibility: 'mine' | 'everyone';
    created_at: Date;
  };
  notification_channel_repositories: {
    channel_id: number;
    repository_id: number;
  };
  /** A place that a person has messages sent to. */
  notification_channels: {
    id: Generated<number>;
    user_id: number;
    type: 'slack' | 'teams' | 'webhook' | 'mail';
    name: string;
    /** The URL, or the mail address of a list. */
    target_encrypted: string;
    /** The same, shortened. */
    shown: string;
    /** What a webhook's messages are signed with; null of all others. */
    secret_encrypted: string | null;
    /** It takes its owner's own messages; else it is a team's. */
    personal: boolean;
    all_repositories: boolean;
    /** Narrows what is told to a team; one that is gone, or that its owner no longer sees, narrows it to nothing. */
    team_id: number | null;
    titles: boolean;
    /** Null: its owner's. */
    time_zone: string | null;
    quiet_hours: ColumnType<QuietHours, string, string>;
    /** When the mail address of a list was confirmed. */
    confirmed_at: Date | null;
    paused_at: Date | null;
    /** As its owner reads it. */
    paused_reason: string | null;
    /** Final failures in a row. */
    failures: Generated<number>;
    /** What came to pass before it was last resumed is not told, except in digests. */
    resumed_at: Date | null;
    created_at: Date;
  };
  /** One row: which version of the facts turns were last found by. */
  notification_facts: {
    id: number;
    version: number;
    /** What another version would have found before that is not told. */
    since: Date;
  };
  /** The pull requests in a message. */
  notification_items: {
    notification_id: string;
    repository_id: number;
    number: number;
    /** Of the recipient's item, where the message is to a person. */
    kind: string | null;
    since: Date | null;
    /** Of `stuck`: which one this is, from 0. */
    repetition: number | null;
  };
  /** What was told, or is about to be, so that nothing is told twice. */
  notification_keys: {
    key: string;
    notification_id: string;
    kind: 'turn' | 'stuck' | 'daily' | 'weekly' | 'sync';
    /** Before that it is not told, whatever else the message tells. */
    due_at: Date;
    repository_id: number | null;
    number: number | null;
    /** Since when the pull request waits. */
    since: Date | null;
    /** Of `stuck`: which one this is, from 0. */
    repetition: number | null;
  };
  /** What a person said of being told things; without a row nothing was said. */
  notification_settings: {
    user_id: number;
    /** Where they want mail; null: at the address of the host's account. */
    mail_address: string | null;
    /** The last of their own addresses that they confirmed; mail goes there while `mail_address` is another. */
    confirmed_mail_address: string | null;
    quiet_hours: ColumnType<QuietHours, string, string>;
    /** Nothing is told to them, and nothing kept for later. */
    paused: boolean;
    /** What came to pass before they were told things again is not told, except in digests. */
    resumed_at: Date | null;
  };
  /** That somebody wants one kind of message by one channel: `channel`, which everybody has, or `channel_id`, which they made. */
  notification_subscriptions: {
    id: GeneratedAlways<number>;
    user_id: number;
    channel: 'mail' | 'slack_dm' | null;
    channel_id: number | null;
    kind: 'turn' | 'stuck' | 'daily' | 'weekly' | 'sync';
    /** All of the kind's options. */
    options: ColumnType<OptionsOf[Kind], string, string>;
    /** What began before that is not told, except in digests. */
    since: Date;
  };
  /** One message. Its text is not kept. */
  notifications: {
    id: string;
    user_id: number;
    channel: 'mail' | 'slack_dm' | null;
    channel_id: number | null;
    kind: 'turn' | 'stuck' | 'daily' | 'weekly' | 'sync' | 'test';
    /** Of a digest: `2026-W47` or `2026-11-22`. */
    period: string | null;
    state: 'pending' | 'held' | 'sending' | 'sent' | 'dropped' | 'failed' | 'unknown';
    due_at: Date;
    next_attempt_at: Date | null;
    attempts: Generated<number>;
    claimed_at: Date | null;
    /** When it was sent, dropped or given up. */
    finished_at: Date | null;
    subject: string | null;
    /** In our words, with at most 200 characters of the other side. */
    last_error: string | null;
    created_at: Date;
    /** Grows with what it is to tell: a message that was put together before is not sent. */
    revision: Generated<number>;
  };
  /** By blocks of 8192 numbers of a repository: a bit each, in the order of `get_bit`. */
  number_states: {
    repository_id: number;
    block: number;
    open: Buffer;
    merged: Buffer;
  };
  organization_webhooks: {
    id: Generated<number>;
    host: string;
    /** The host's id of it, as the owner's of its repositories. */
    organization_id: string;
    login: string;
    webhook_key: string;
    webhook_secret_encrypted: string;
    created_by: number | null;
    created_at: Date;
    last_delivery_at: Date | null;
  };
  /** The marks that hold for whoever made them. */
  own_account_kinds: {
    user_id: number;
    host: string;
    host_id: string;
    kind: 'human' | 'bot' | 'agent';
    set_at: Date;
  };
  /** Users whose own marks have changed since a worker last looked at them, with an id of the last change. */
  own_mark_changes: {
    user_id: number;
    change_id: string;
  };
  /** * What one person did on one pull request in one calendar month of UTC; `recountParticipations` keeps it. A null person is a deleted account. */
  participations: {
    repository_id: number;
    number: number;
    person_id: number | null;
    month: Date;
    opened: number;
    open: number;
    merged: number;
    counting_reviews: number;
    automated_reviews: number;
    submitted_reviews: number;
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
    /** Their latest timeline event or inline comment; null where only the date of authoring a commit lies in the month. */
    last_activity_at: Date | null;
    /** Of those opened, open and merged the ones in which an agent took part as an author. */
    by_agent: Generated<number>;
    open_by_agent: Generated<number>;
    merged_by_agent: Generated<number>;
  };
  people: {
    id: GeneratedAlways<number>;
    host: string;
    host_id: string;
    login: string;
    type: 'user' | 'bot' | 'mannequin' | 'organization';
    name: string | null;
    /** `name` in lower case as JavaScript does it: databases disagree about letters beyond ASCII. */
    name_lower: string | null;
    avatar_url: string | null;
    kind: 'human' | 'bot' | 'agent';
  };
  /** What somebody wrote or is credited with, or `reviewed` with a review that counts: the numbers of a block of 8192, four bytes each, ascending. */
  person_numbers: {
    repository_id: number;
    reviewed: boolean;
    person_id: number;
    block: number;
    /** When the first of them was opened, or when the first review was given, and the last. */
    first_at: Date;
    last_at: Date;
    numbers: Buffer;
  };
  /** When what is told of each pull request changed last (docs/server.md#loading-bit-by-bit). */
  pull_request_changes: {
    repository_id: number;
    number: number;
    changed_at: Date;
  };
  /** Facts of one pull request (docs/metrics.md#one-pull-request); durations of open ones hold the part before `waiting_since`. */
  pull_request_facts: {
    repository_id: number;
    number: number;
    version: number;
    /** These five as in `pull_requests`, so that a question about many of them reads one index. */
    ended_at: Date | null;
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
    author_id: number | null;
    draft: boolean;
    created_at: Date;
    lines_changed: number;
    /** It and the next four are null until they were computed first (`attribution-columns.ts` says what holds until then). */
    authorship: 'human' | 'assisted' | 'agent' | 'bot' | 'ghost' | null;
    agents: string[] | null;
    evidence: ColumnType<{ rule: number; tool: string; confidence: string; text: string; source: string | null }[] | null, string | null | undefined, string | null>;
    credited_id: number | null;
    credit_by: 'author' | 'session' | 'trailer' | 'line' | 'assignee' | 'asked' | 'issue' | 'corrected' | null;
    signals: Generated<number>;
    base_ref: string | null;
    changed_files: number | null;
    lines_counted: number | null;
    files_known: boolean | null;
    opened_as_draft: boolean | null;
    draft_changes: Date[] | null;
    standing_approvals: number | null;
    standing_requests: number | null;
    commented_by_others: boolean | null;
    inline_by_others: boolean | null;
    human_findings: number | null;
    self_merged: boolean | null;
    review_words: number | null;
    approval_lag_minutes: number | null;
    commits_after_approval: number | null;
    forced_after_approval: boolean | null;
    turns_in_a_day: number | null;
    ci_wait_hours: number | null;
    ci_overlap_hours: number | null;
    /** By which rules the rows of `reviewer_acts` of the pull request were computed; 0: not yet. */
    acts: Generated<number>;
    commits_by_agent: number | null;
    independent_reviews: number | null;
    merged_on_own_word: boolean | null;
    failing_at_last_push: boolean | null;
  };
  pull_requests: {
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
    /** What was collected of it when it was read last: 0 before labels, assignees, traces and words were. */
    collection: Generated<number>;
    /** When it was last read again in vain. */
    collection_tried_at: Date | null;
    labels: Generated<string[]>;
    /** Who was assigned, and until when; null for nobody, and where it was not read. */
    assignees: ColumnType<{ person_id: number; at: string; until: string | null }[] | null, string | null | undefined, string | null>;
    merge_commit_sha: string | null;
    /** What its description says of agents and reverts, of which nothing else is kept; null where it says nothing. */
    description_marks: ColumnType<{ marks: { rule: number; tool: string; text: string }[]; requested_by: string[]; reverts: { repository: string | null; number: number }[] } | null, string | null | undefined, string | null>;
    answered_at: Date | null;
  };
  /** A repository whose sums, or facts, are to be recounted behind the running server. */
  recounts: {
    repository_id: number;
    /** First the sums, where true; then the facts, from what is stored, where true. */
    sums: boolean;
    facts: boolean;
    /** What is there must not be shown until then; else it is shown until its own recount begins. */
    unusable: boolean;
    /** The highest number that was counted; null before it begins. */
    counted_to: number | null;
    counted: Generated<number>;
    total: Generated<number>;
    /** What it has taken so far. */
    seconds: Generated<number>;
    /** The person up to whom sums are there; null before all participations were counted. */
    summed_to: number | null;
  };
  /** One row, of the repositories that were recounted while others are not: what `recounts` held of them. */
  recounts_done: {
    only_row: Generated<boolean>;
    counted: number;
    total: number;
    seconds: number;
  };
  /** What somebody removed by hand: following an owner does not bring it back. */
  removed_connections: {
    user_id: number;
    /** By what processes of the version before 0052 know it; filled by a trigger. */
    repository_id: number | null;
    host: string;
    host_id: string;
  };
  repositories: {
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
    /** When all history was there for the first time; reading it again doesn't change it. */
    history_completed_at: Date | null;
    last_synced_at: Date | null;
    swept_at: Date | null;
    /** When anything that a screen shows was last stored. */
    changed_at: Date;
    created_at: Date;
    /** The key by which the host finds it with others in one request; null until it was read since that is stored. */
    node_id: string | null;
    /** What it was called before it was last renamed or moved, and when that was noticed. */
    former_owner: string | null;
    former_name: string | null;
    renamed_at: Date | null;
    /** Since when the host signs with a secret that could not be opened any more and was replaced; null where it does not. */
    webhook_refused_since: Date | null;
    former_default_branches: Generated<string[]>;
    owner_id: string | null;
    /** The `renamed_at` since which it is noted of its pull requests that they changed. */
    rename_told_at: Date | null;
  };
  /** What a person's token listed at the host a moment ago; pages of one list come from one row. */
  repository_lists: {
    id: string;
    user_id: number;
    /** The credential that it was read with: another one lists other repositories. */
    grant_id: number;
    read_at: Date;
    used_at: Date;
    repositories: ColumnType<StoredListedRepository[], string, string>;
    unlisted: ColumnType<UnlistedRepositories[], string, string>;
  };
  revert_claims: {
    repository_id: number;
    key: string;
    number: number;
  };
  reverts: {
    repository_id: number;
    number: number;
    target: number;
  };
  review_requests: {
    repository_id: number;
    number: number;
    position: number;
    person_id: number | null;
    /** `@org/slug`, or `@?` for a team whose name the token may not read; null for a person. */
    team: string | null;
  };
  /** Threads with inline comments of an agent, as they were first read after the pull request ended. */
  review_threads: {
    repository_id: number;
    number: number;
    /** The inline comment that opened it. */
    comment_id: string;
    resolved: boolean;
    resolved_by_id: number | null;
  };
  /** What a reviewer did in a pull request of another (docs/metrics.md#ai-reviewers): a tool with all its accounts, or the people. */
  reviewer_acts: {
    repository_id: number;
    number: number;
    /** The tool; empty: the people. */
    reviewer: string;
    /** The account that acted last. */
    person_id: number;
    /** Ascending. */
    acted_at: Date[];
    first_act_at: Date;
    last_act_at: Date;
    wait_hours: number | null;
    /** Those that count, of tools those that would if people gave them. */
    reviews: number;
    findings: number;
    /** These five are fates of findings, of those whose fate is known; of open pull requests they are 0. */
    changed: number;
    resolved: number;
    answered: number;
    dismissed_by_hand: number;
    ignored: number;
    noisy: number;
    thumbs_up: number;
    thumbs_down: number;
    /** It and `ended_at` as in `pull_request_facts`. */
    ready_at: Date | null;
    ended_at: Date | null;
  };
  reviews: {
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
    comments_count: number;
    response_hours: number | null;
    /** The last of its author's counting (or automated) reviews of the pull request: by it a reviewed pull request is counted once. */
    latest: Generated<boolean>;
    /** Null where it was not read. */
    body_words: number | null;
  };
  /** Tokens that are no longer used here and are still to be ended at the host. */
  revocations: {
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
    attempts: Generated<number>;
  };
  /** Who did what and from where, for administrators; kept for 400 days. */
  security_events: {
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
  };
  sessions: {
    id_hash: string;
    user_id: number;
    created_at: Date;
    expires_at: Date;
    /** The credential that opened it: it ends when another one is stored. */
    grant_id: number;
    /** What its person calls it by; opens nothing. */
    id: Generated<string>;
    /** Written about once a minute. */
    last_used_at: Date;
    /** Browser and system as the browser names itself, e.g. `Firefox on Linux`; null where it says nothing known. */
    browser: string | null;
  };
  signal_dismissals: {
    repository_id: number;
    number: number;
    key: string;
    reason: string;
    set_by: number | null;
    set_at: Date;
  };
  /** What people have put aside of their work. */
  snoozes: {
    user_id: number;
    repository_id: number;
    number: number;
    /** Null: until it changes. */
    until: Date | null;
    until_change: boolean;
    /** What it was to them then, and since when: with `until_change` it comes back with another. */
    kind: string;
    since: Date;
    changed_at: Date;
  };
  sync_sessions: {
    id: string;
    repository_id: number;
    user_id: number;
    /** A person's session goes before the hourly ones. */
    asked_by: 'person' | 'schedule';
    mode: 'full' | 'incremental';
    status: 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';
    phase: string;
    stage: 'history' | 'changes' | 'done';
    cursor: string | null;
    page_size_limit: number | null;
    scan_started_at: Date | null;
    total_prs: number | null;
    processed_prs: Generated<number>;
    processed_reviews: Generated<number>;
    processed_items: Generated<number>;
    /** Never falls while the session lives. */
    percentage: Generated<number>;
    /** Smoothed over the pages; null before enough of them. */
    seconds_per_pull_request: number | null;
    skipped: ColumnType<{ number: number | null; reason: string }[], string | undefined, string>;
    attempts: Generated<number>;
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
    created_at: Date;
    started_at: Date | null;
    updated_at: Date;
    finished_at: Date | null;
    /** Grows with every session: the newest one has the highest. */
    sequence: Generated<number>;
    /** Grows with every claim of any session: users take turns by it. Null before the first. */
    turn: number | null;
    /** The pauses since something was last stored, summed up. */
    waited_seconds: Generated<number>;
  };
  /** Who chose to import a team of the host; it goes with the last of them. */
  team_imports: {
    user_id: number;
    team_id: number;
  };
  team_members: {
    id: GeneratedAlways<number>;
    team_id: number;
    person_id: number;
    from: Date | null;
    to: Date | null;
  };
  team_parts: {
    group_id: number;
    team_id: number;
  };
  team_people: {
    team_id: number;
    person_id: number;
    from: Date;
    to: Date;
  };
  /** Whose token lists a team of the host. */
  team_readers: {
    user_id: number;
    team_id: number;
    checked_at: Date;
    /** Since when it lists others of the organisation without this one, which was visible to all members; null while it lists it. An archived team is seen all the same, unless it is withheld. */
    lost_at: Date | null;
    /** True from when a weaker token took the place of the one that listed it, until a list by a token is stored. */
    withheld: Generated<boolean>;
  };
  /** Teams of the host, and groups that people make. */
  teams: {
    id: GeneratedAlways<number>;
    host: string;
    source: 'host' | 'own';
    host_id: string | null;
    organization_id: string | null;
    /** The organisation's login. */
    organisation: string | null;
    slug: string | null;
    name: string;
    parent_id: number | null;
    visibility: 'visible' | 'secret' | 'mine' | 'everyone';
    created_by: number | null;
    created_at: Date;
    /** Who was a member when it was first read is taken for one before that, too. */
    assumed_before: Date | null;
    /** When it was last read whole. */
    read_at: Date | null;
    /** Since when it comes back empty although it had many members; null where it does not, or that is believed. */
    empty_since: Date | null;
    /** Since when whoever is shown other teams of the organisation is not shown this one. */
    missing_since: Date | null;
    /** When it was last read, once nobody's token reads it any more. */
    stale_since: Date | null;
    archived_at: Date | null;
  };
  /** Every event of every timeline, with its account where there is one. */
  timeline_moments: {
    repository_id: number;
    number: number;
    /** Null of checks and deleted accounts. */
    person_id: number | null;
    at: Date;
  };
  /** Accounts that a text names and that the host does not know: they are not looked up again. */
  unknown_accounts: {
    host: string;
    /** The id, or `@` and the login in lower case. */
    named: string;
    looked_at: Date;
  };
  /** A pull request whose version of `updated_at` could not be stored, which is tried again when it changes, or that the host could not tell, of which no version is known (`epoch`). */
  unstorable_pull_requests: {
    repository_id: number;
    number: number;
    updated_at: Date;
    /** One sentence for a person. */
    reason: string;
    noted_at: Date;
    /** When the host is asked for it again; null for one that could not be stored. */
    again_at: Date | null;
  };
  /** A link in mails of some weeks by which their person stops a kind. */
  unsubscribe_tokens: {
    token_hash: string;
    user_id: number;
    kind: 'turn' | 'stuck' | 'daily' | 'weekly' | 'sync';
    token_encrypted: string;
    created_at: Date;
    good_until: Date;
  };
  users: {
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
    /** Their last request, to some minutes. */
    seen_at: Generated<Date>;
    /** Organisations that they are a member of, lower-cased logins, as the host said at `organizations_at`; null where it was not asked. */
    organizations: string[] | null;
    organizations_at: Date | null;
    /** False until it was taken from the browser or chosen by the person. */
    time_zone_known: Generated<boolean>;
    /** The account whose work the user is shown, by the host's id; null: their own. Only visitors of the demo have one. */
    work_of: string | null;
    /** Up to where a read replica has to have replayed the log before it may answer them; null: whatever it has. */
    written_lsn: string | null;
    /** When their token was deleted because they had not been seen for 90 days; null where the last one was deleted otherwise. */
    unused_token_deleted_at: Date | null;
  };
  /** Secrets that were replaced and are still taken for a while; sealed as the repository's own is. */
  webhook_old_secrets: {
    repository_id: number;
    secret_encrypted: string;
    taken_until: Date;
  };
  /** A job of a workflow run that failed or succeeded in an attempt that nobody stopped. */
  workflow_jobs: {
    repository_id: number;
    run_id: string;
    name: string;
    /** It failed in one attempt and succeeded in a later one. */
    flaky: boolean;
  };
  /** How far the workflow runs of a repository are read (docs/server.md#workflow-runs). */
  workflow_reads: {
    repository_id: number;
    /** When their list is to be read again. */
    due_at: Date;
    /** When something of them was read last: repositories take turns by it. */
    read_at: Date;
    /** The list that is being read goes back to then, and is read down to `until_at`; both null while none is. */
    from_at: Date | null;
    until_at: Date | null;
    /** Of those created up to `until_at`, the page to be read next. */
    page: Generated<number>;
    /** Runs created since then are stored; null before their list was read to its end once. */
    known_from: Date | null;
    /** Whether anybody’s token may read them; null before the host was asked. */
    allowed: boolean | null;
    /** Of how many runs jobs may be asked for until the list is read again. */
    jobs_left: Generated<number>;
  };
  /** Which pull requests a workflow run belongs to. */
  workflow_run_pull_requests: {
    repository_id: number;
    number: number;
    run_id: string;
    /** The host names none: its branch and commit are those of this one. */
    by_head: boolean;
  };
  /** A workflow run that a pull request caused. */
  workflow_runs: {
    repository_id: number;
    run_id: string;
    workflow: string;
    head_branch: string | null;
    head_sha: string;
    created_at: Date;
    /** The number of the latest. */
    attempts: number;
    /** How that one ended; null while it runs. */
    outcome: 'succeeded' | 'failed' | 'cancelled' | 'other' | null;
    /** The jobs of its attempts are to be asked for. */
    jobs_due: Generated<boolean>;
    /** The attempt up to which they were read; null before. */
    jobs_attempt: number | null;
    /** How often they were asked for in vain. */
    jobs_tries: Generated<number>;
    /** Attempts after the first that nobody stopped; null before jobs were read. */
    reruns: number | null;
    /** From the end of the first failed attempt until the end of the next that succeeded. */
    rerun_wait_hours: number | null;
  };
}

/** The columns of each table in their order, with the types by which PostgreSQL calls them. */
export const columnTypes = {
  absent_numbers: { repository_id: 'int4', number: 'int4', looked_at: 'timestamptz' },
  account_kinds: { host: 'text', host_id: 'text', kind: 'text', set_by: 'int4', set_at: 'timestamptz' },
  account_recounts: { host: 'text', host_id: 'text' },
  administrators: { host: 'text', login: 'text', host_id: 'text' },
  agent_labels: { host: 'text', label: 'text', tool: 'text', set_by: 'int4', set_at: 'timestamptz' },
  allowed_logins: { host: 'text', login: 'text', host_id: 'text' },
  api_token_networks: { token_id: 'int4', network: 'text', first_used_at: 'timestamptz' },
  api_tokens: { id: 'int4', user_id: 'int4', token_hash: 'text', name: 'text', scopes: 'text[]', repositories: 'int4[]', created_at: 'timestamptz', last_used_at: 'timestamptz', expires_at: 'timestamptz' },
  assistant_calls: { id: 'int8', user_id: 'int4', tool: 'text', at: 'timestamptz', ms: 'int4', failed: 'bool' },
  changed_files: { repository_id: 'int4', number: 'int4', path: 'text', additions: 'int4', deletions: 'int4' },
  changed_people: { person_id: 'int4', noted_at: 'timestamptz' },
  checks: { repository_id: 'int4', number: 'int4', host_id: 'text', name: 'text', outcome: 'text', finished_at: 'timestamptz', started_at: 'timestamptz' },
  clues: { repository_id: 'int4', number: 'int4', kind: 'text', due_at: 'timestamptz', read_for: 'timestamptz', person_ids: 'int4[]' },
  comments: { repository_id: 'int4', kind: 'text', host_id: 'text', number: 'int4', author_id: 'int4', created_at: 'timestamptz', review_id: 'text', in_reply_to: 'text', path: 'text', body_words: 'int4', outdated: 'bool', minimized: 'text', thumbs_up: 'int4', thumbs_down: 'int4' },
  commits: { repository_id: 'int4', number: 'int4', sha: 'text', position: 'int4', author_id: 'int4', author_name: 'text', author_is_bot: 'bool', authored_at: 'timestamptz', committed_at: 'timestamptz', listed_at: 'timestamptz', headline: 'text', by_agent: 'bool', trailers: 'jsonb', reverts_sha: 'text' },
  confirmation_mails: { id: 'int4', address_hash: 'text', user_id: 'int4', sent_at: 'timestamptz' },
  connections: { user_id: 'int4', repository_id: 'int4', readable: 'bool', checked_at: 'timestamptz', connected_at: 'timestamptz', checked_with: 'int4', check_due_at: 'timestamptz', lost_at: 'timestamptz', lost_reason: 'text', lost_link: 'text', settled: 'bool', seen_owner: 'text', seen_name: 'text', former_grant_id: 'int4' },
  contributor_months: { repository_id: 'int4', month: 'date', person_id: 'int4', participations: 'int4', opened: 'int4', merged: 'int4', counting_reviews: 'int4', reviewed: 'int4', lines_opened: 'float8', ended: 'int4', merge_ms: 'float8', with_cycles: 'int4', cycles: 'int4', responses: 'int4', response_ms: 'float8', contributions: 'int4', span: 'int2' },
  contributor_totals: { repository_id: 'int4', person_id: 'int4', opened: 'int4', open: 'int4', merged: 'int4', counting_reviews: 'int4', automated_reviews: 'int4', submitted_reviews: 'int4', last_activity_at: 'timestamptz', by_agent: 'int4', open_by_agent: 'int4', merged_by_agent: 'int4' },
  corrections: { repository_id: 'int4', number: 'int4', subject: 'text', authorship: 'text', tool: 'text', person_id: 'int4', set_by: 'int4', set_at: 'timestamptz' },
  credentials: { user_id: 'int4', token_encrypted: 'text', scopes: 'text[]', rejected_at: 'timestamptz', updated_at: 'timestamptz', grant_id: 'int4', client_id: 'text', expires_at: 'timestamptz', refresh_token_encrypted: 'text', refresh_leased_until: 'timestamptz' },
  events: { repository_id: 'int4', host_id: 'text', number: 'int4', position: 'int4', type: 'text', at: 'timestamptz', actor_id: 'int4', reviewer_id: 'int4', team: 'text', review_id: 'text', previous_state: 'text', sha: 'text' },
  first_acts: { repository_id: 'int4', person_id: 'int4', number: 'int4', at: 'timestamptz' },
  follow_ups: { repository_id: 'int4', number: 'int4', by_number: 'int4' },
  followed_owners: { user_id: 'int4', owner: 'text' },
  former_credentials: { grant_id: 'int4', user_id: 'int4', token_encrypted: 'text', replaced_at: 'timestamptz', client_id: 'text', refresh_token_encrypted: 'text', expires_at: 'timestamptz', refresh_leased_until: 'timestamptz' },
  health_settings: { id: 'int4', host: 'text', settings: 'jsonb', revision: 'int4', set_by: 'int4', set_at: 'timestamptz' },
  hint_limits: { repository_id: 'int4', window_from: 'timestamptz', looks: 'int4', synced_at: 'timestamptz' },
  hint_quotas: { user_id: 'int4', window_ends_at: 'timestamptz', points: 'int4', quota: 'int4', purpose: 'text' },
  hints: { repository_id: 'int4', subject: 'text', hints: 'int4', due_at: 'timestamptz', leased_until: 'timestamptz', looked_at: 'timestamptz', attempts: 'int4' },
  import_repositories: { import_id: 'uuid', position: 'int4', owner: 'text', name: 'text', status: 'text', reason: 'text', repository_id: 'int4', session_id: 'uuid' },
  imported_organisations: { user_id: 'int4', organization_id: 'text', login: 'text', with_children: 'bool' },
  imports: { id: 'uuid', user_id: 'int4', state: 'text', sync: 'bool', started_at: 'timestamptz' },
  kept_views: { id: 'int4', slug: 'text', user_id: 'int4', host: 'text', name: 'text', path: 'text', visibility: 'text', pinned: 'bool', created_at: 'timestamptz' },
  lens_facts: { repository_id: 'int4', user_id: 'int4', number: 'int4', first_review_at: 'timestamptz', last_review_at: 'timestamptz', first_agent_review_at: 'timestamptz', approved_at: 'timestamptz', last_activity_at: 'timestamptz', time_to_first_review: 'float8', active_development_time: 'float8', waiting_for_review_time: 'float8', post_approval_time: 'float8', review_cycles: 'int4', waiting_on: 'text', waiting_since: 'timestamptz', waiting_reason: 'text', phases: 'jsonb', reviewer_ids: 'int4[]', latest_opinion: 'text', approved_first_time: 'bool', by_agent: 'bool', authorship: 'text', agents: 'text[]', evidence: 'jsonb', credited_id: 'int4', credit_by: 'text', standing_approvals: 'int4', standing_requests: 'int4', commented_by_others: 'bool', inline_by_others: 'bool', human_findings: 'int4', self_merged: 'bool', review_words: 'int4', approval_lag_minutes: 'float8', commits_after_approval: 'int4', forced_after_approval: 'bool', turns_in_a_day: 'int4', commits_by_agent: 'float8', independent_reviews: 'int4', merged_on_own_word: 'bool' },
  lens_marks: { repository_id: 'int4', user_id: 'int4', person_id: 'int4', kind: 'text' },
  lens_months: { repository_id: 'int4', month: 'date', person_id: 'int4', participations: 'int4', opened: 'int4', merged: 'int4', counting_reviews: 'int4', reviewed: 'int4', lines_opened: 'float8', ended: 'int4', merge_ms: 'float8', with_cycles: 'int4', cycles: 'int4', responses: 'int4', response_ms: 'float8', contributions: 'int4', span: 'int2', user_id: 'int4' },
  lens_participations: { repository_id: 'int4', number: 'int4', person_id: 'int4', month: 'date', opened: 'int4', open: 'int4', merged: 'int4', counting_reviews: 'int4', automated_reviews: 'int4', submitted_reviews: 'int4', reviewed: 'int4', lines_opened: 'float8', ended: 'int4', merge_ms: 'float8', with_cycles: 'int4', cycles: 'int4', responses: 'int4', response_ms: 'float8', contributions: 'int4', last_activity_at: 'timestamptz', by_agent: 'int4', open_by_agent: 'int4', merged_by_agent: 'int4', user_id: 'int4' },
  lens_pending: { repository_id: 'int4', user_id: 'int4', number: 'int4', person_id: 'int4' },
  lens_reviewer_acts: { repository_id: 'int4', number: 'int4', reviewer: 'text', person_id: 'int4', acted_at: 'timestamptz[]', first_act_at: 'timestamptz', last_act_at: 'timestamptz', wait_hours: 'float8', reviews: 'int4', findings: 'int4', changed: 'int4', resolved: 'int4', answered: 'int4', dismissed_by_hand: 'int4', ignored: 'int4', noisy: 'int4', thumbs_up: 'int4', thumbs_down: 'int4', ready_at: 'timestamptz', ended_at: 'timestamptz', user_id: 'int4' },
  lens_reviews: { repository_id: 'int4', user_id: 'int4', host_id: 'text', number: 'int4', counts: 'bool', automated: 'bool', latest: 'bool', response_hours: 'float8' },
  lens_totals: { repository_id: 'int4', person_id: 'int4', opened: 'int4', open: 'int4', merged: 'int4', counting_reviews: 'int4', automated_reviews: 'int4', submitted_reviews: 'int4', by_agent: 'int4', open_by_agent: 'int4', merged_by_agent: 'int4', user_id: 'int4' },
  lenses: { repository_id: 'int4', user_id: 'int4', changed_at: 'timestamptz' },
  mail_confirmations: { token_hash: 'text', user_id: 'int4', channel_id: 'int4', address_hash: 'text', created_at: 'timestamptz', used_at: 'timestamptz' },
  notes: { id: 'int4', user_id: 'int4', host: 'text', at: 'timestamptz', text: 'text', visibility: 'text', created_at: 'timestamptz' },
  notification_channel_repositories: { channel_id: 'int4', repository_id: 'int4' },
  notification_channels: { id: 'int4', user_id: 'int4', type: 'text', name: 'text', target_encrypted: 'text', shown: 'text', secret_encrypted: 'text', personal: 'bool', all_repositories: 'bool', team_id: 'int4', titles: 'bool', time_zone: 'text', quiet_hours: 'jsonb', confirmed_at: 'timestamptz', paused_at: 'timestamptz', paused_reason: 'text', failures: 'int4', resumed_at: 'timestamptz', created_at: 'timestamptz' },
  notification_facts: { id: 'int4', version: 'int4', since: 'timestamptz' },
  notification_items: { notification_id: 'uuid', repository_id: 'int4', number: 'int4', kind: 'text', since: 'timestamptz', repetition: 'int4' },
  notification_keys: { key: 'text', notification_id: 'uuid', kind: 'text', due_at: 'timestamptz', repository_id: 'int4', number: 'int4', since: 'timestamptz', repetition: 'int4' },
  notification_settings: { user_id: 'int4', mail_address: 'text', confirmed_mail_address: 'text', quiet_hours: 'jsonb', paused: 'bool', resumed_at: 'timestamptz' },
  notification_subscriptions: { id: 'int4', user_id: 'int4', channel: 'text', channel_id: 'int4', kind: 'text', options: 'jsonb', since: 'timestamptz' },
  notifications: { id: 'uuid', user_id: 'int4', channel: 'text', channel_id: 'int4', kind: 'text', period: 'text', state: 'text', due_at: 'timestamptz', next_attempt_at: 'timestamptz', attempts: 'int4', claimed_at: 'timestamptz', finished_at: 'timestamptz', subject: 'text', last_error: 'text', created_at: 'timestamptz', revision: 'int4' },
  number_states: { repository_id: 'int4', block: 'int4', open: 'bytea', merged: 'bytea' },
  organization_webhooks: { id: 'int4', host: 'text', organization_id: 'text', login: 'text', webhook_key: 'text', webhook_secret_encrypted: 'text', created_by: 'int4', created_at: 'timestamptz', last_delivery_at: 'timestamptz' },
  own_account_kinds: { user_id: 'int4', host: 'text', host_id: 'text', kind: 'text', set_at: 'timestamptz' },
  own_mark_changes: { user_id: 'int4', change_id: 'uuid' },
  participations: { repository_id: 'int4', number: 'int4', person_id: 'int4', month: 'date', opened: 'int4', open: 'int4', merged: 'int4', counting_reviews: 'int4', automated_reviews: 'int4', submitted_reviews: 'int4', reviewed: 'int4', lines_opened: 'float8', ended: 'int4', merge_ms: 'float8', with_cycles: 'int4', cycles: 'int4', responses: 'int4', response_ms: 'float8', contributions: 'int4', last_activity_at: 'timestamptz', by_agent: 'int4', open_by_agent: 'int4', merged_by_agent: 'int4' },
  people: { id: 'int4', host: 'text', host_id: 'text', login: 'text', type: 'text', name: 'text', name_lower: 'text', avatar_url: 'text', kind: 'text' },
  person_numbers: { repository_id: 'int4', reviewed: 'bool', person_id: 'int4', block: 'int4', first_at: 'timestamptz', last_at: 'timestamptz', numbers: 'bytea' },
  pull_request_changes: { repository_id: 'int4', number: 'int4', changed_at: 'timestamptz' },
  pull_request_facts: { repository_id: 'int4', number: 'int4', version: 'int4', ended_at: 'timestamptz', ready_at: 'timestamptz', first_review_at: 'timestamptz', last_review_at: 'timestamptz', first_agent_review_at: 'timestamptz', approved_at: 'timestamptz', last_activity_at: 'timestamptz', time_to_first_review: 'float8', time_to_merge: 'float8', active_development_time: 'float8', waiting_for_review_time: 'float8', post_approval_time: 'float8', review_cycles: 'int4', waiting_on: 'text', waiting_since: 'timestamptz', waiting_reason: 'text', phases: 'jsonb', reviewer_ids: 'int4[]', latest_opinion: 'text', approved_first_time: 'bool', by_agent: 'bool', provisional_until: 'timestamptz', author_id: 'int4', draft: 'bool', created_at: 'timestamptz', lines_changed: 'int4', authorship: 'text', agents: 'text[]', evidence: 'jsonb', credited_id: 'int4', credit_by: 'text', signals: 'int4', base_ref: 'text', changed_files: 'int4', lines_counted: 'int4', files_known: 'bool', opened_as_draft: 'bool', draft_changes: 'timestamptz[]', standing_approvals: 'int4', standing_requests: 'int4', commented_by_others: 'bool', inline_by_others: 'bool', human_findings: 'int4', self_merged: 'bool', review_words: 'int4', approval_lag_minutes: 'float8', commits_after_approval: 'int4', forced_after_approval: 'bool', turns_in_a_day: 'int4', ci_wait_hours: 'float8', ci_overlap_hours: 'float8', acts: 'int4', commits_by_agent: 'float8', independent_reviews: 'int4', merged_on_own_word: 'bool', failing_at_last_push: 'bool' },
  pull_requests: { repository_id: 'int4', number: 'int4', host_id: 'text', node_id: 'text', title: 'text', title_lower: 'text', url: 'text', state: 'text', draft: 'bool', author_id: 'int4', merged_by_id: 'int4', created_at: 'timestamptz', updated_at: 'timestamptz', closed_at: 'timestamptz', merged_at: 'timestamptz', ended_at: 'timestamptz', additions: 'int4', deletions: 'int4', lines_changed: 'int4', changed_files: 'int4', commits: 'int4', comments: 'int4', review_comments: 'int4', base_ref: 'text', head_ref: 'text', head_sha: 'text', sweep_fingerprint: 'text', fetched_at: 'timestamptz', settled: 'bool', collection: 'int2', collection_tried_at: 'timestamptz', labels: 'text[]', assignees: 'jsonb', merge_commit_sha: 'text', description_marks: 'jsonb', answered_at: 'timestamptz' },
  recounts: { repository_id: 'int4', sums: 'bool', facts: 'bool', unusable: 'bool', counted_to: 'int4', counted: 'int4', total: 'int4', seconds: 'float8', summed_to: 'int4' },
  recounts_done: { only_row: 'bool', counted: 'int4', total: 'int4', seconds: 'float8' },
  removed_connections: { user_id: 'int4', repository_id: 'int4', host: 'text', host_id: 'text' },
  repositories: { id: 'int4', host: 'text', host_id: 'text', owner: 'text', name: 'text', url: 'text', private: 'bool', archived: 'bool', default_branch: 'text', webhook_key: 'text', webhook_secret_encrypted: 'text', webhook_last_delivery_at: 'timestamptz', webhook_last_event: 'text', page_size: 'int4', watermark: 'timestamptz', history_completed_at: 'timestamptz', last_synced_at: 'timestamptz', swept_at: 'timestamptz', changed_at: 'timestamptz', created_at: 'timestamptz', node_id: 'text', former_owner: 'text', former_name: 'text', renamed_at: 'timestamptz', webhook_refused_since: 'timestamptz', former_default_branches: 'text[]', owner_id: 'text', rename_told_at: 'timestamptz' },
  repository_lists: { id: 'uuid', user_id: 'int4', grant_id: 'int4', read_at: 'timestamptz', used_at: 'timestamptz', repositories: 'jsonb', unlisted: 'jsonb' },
  revert_claims: { repository_id: 'int4', key: 'text', number: 'int4' },
  reverts: { repository_id: 'int4', number: 'int4', target: 'int4' },
  review_requests: { repository_id: 'int4', number: 'int4', position: 'int4', person_id: 'int4', team: 'text' },
  review_threads: { repository_id: 'int4', number: 'int4', comment_id: 'text', resolved: 'bool', resolved_by_id: 'int4' },
  reviewer_acts: { repository_id: 'int4', number: 'int4', reviewer: 'text', person_id: 'int4', acted_at: 'timestamptz[]', first_act_at: 'timestamptz', last_act_at: 'timestamptz', wait_hours: 'float8', reviews: 'int4', findings: 'int4', changed: 'int4', resolved: 'int4', answered: 'int4', dismissed_by_hand: 'int4', ignored: 'int4', noisy: 'int4', thumbs_up: 'int4', thumbs_down: 'int4', ready_at: 'timestamptz', ended_at: 'timestamptz' },
  reviews: { repository_id: 'int4', host_id: 'text', number: 'int4', position: 'int4', author_id: 'int4', state: 'text', submitted_at: 'timestamptz', has_body: 'bool', commit_sha: 'text', is_reply: 'bool', counts: 'bool', automated: 'bool', comments_count: 'int4', response_hours: 'float8', latest: 'bool', body_words: 'int4' },
  revocations: { id: 'int4', host: 'text', what: 'text', token_encrypted: 'text', refresh_token_encrypted: 'text', expires_at: 'timestamptz', requested_at: 'timestamptz', due_at: 'timestamptz', attempts: 'int4' },
  security_events: { id: 'int8', at: 'timestamptz', event: 'text', actor: 'text', subject: 'text', repository_id: 'int4', address: 'text', request_id: 'text' },
  sessions: { id_hash: 'text', user_id: 'int4', created_at: 'timestamptz', expires_at: 'timestamptz', grant_id: 'int4', id: 'uuid', last_used_at: 'timestamptz', browser: 'text' },
  signal_dismissals: { repository_id: 'int4', number: 'int4', key: 'text', reason: 'text', set_by: 'int4', set_at: 'timestamptz' },
  snoozes: { user_id: 'int4', repository_id: 'int4', number: 'int4', until: 'timestamptz', until_change: 'bool', kind: 'text', since: 'timestamptz', changed_at: 'timestamptz' },
  sync_sessions: { id: 'uuid', repository_id: 'int4', user_id: 'int4', asked_by: 'text', mode: 'text', status: 'text', phase: 'text', stage: 'text', cursor: 'text', page_size_limit: 'int4', scan_started_at: 'timestamptz', total_prs: 'int4', processed_prs: 'int4', processed_reviews: 'int4', processed_items: 'int4', percentage: 'float8', seconds_per_pull_request: 'float8', skipped: 'jsonb', attempts: 'int4', error: 'text', error_kind: 'text', error_link: 'text', rate_remaining: 'int4', rate_limit: 'int4', rate_reset_at: 'timestamptz', waiting_until: 'timestamptz', worker: 'text', heartbeat_at: 'timestamptz', claimed_at: 'timestamptz', created_at: 'timestamptz', started_at: 'timestamptz', updated_at: 'timestamptz', finished_at: 'timestamptz', sequence: 'int8', turn: 'int8', waited_seconds: 'int4' },
  team_imports: { user_id: 'int4', team_id: 'int4' },
  team_members: { id: 'int4', team_id: 'int4', person_id: 'int4', from: 'timestamptz', to: 'timestamptz' },
  team_parts: { group_id: 'int4', team_id: 'int4' },
  team_people: { team_id: 'int4', person_id: 'int4', from: 'timestamptz', to: 'timestamptz' },
  team_readers: { user_id: 'int4', team_id: 'int4', checked_at: 'timestamptz', lost_at: 'timestamptz', withheld: 'bool' },
  teams: { id: 'int4', host: 'text', source: 'text', host_id: 'text', organization_id: 'text', organisation: 'text', slug: 'text', name: 'text', parent_id: 'int4', visibility: 'text', created_by: 'int4', created_at: 'timestamptz', assumed_before: 'timestamptz', read_at: 'timestamptz', empty_since: 'timestamptz', missing_since: 'timestamptz', stale_since: 'timestamptz', archived_at: 'timestamptz' },
  timeline_moments: { repository_id: 'int4', number: 'int4', person_id: 'int4', at: 'timestamptz' },
  unknown_accounts: { host: 'text', named: 'text', looked_at: 'timestamptz' },
  unstorable_pull_requests: { repository_id: 'int4', number: 'int4', updated_at: 'timestamptz', reason: 'text', noted_at: 'timestamptz', again_at: 'timestamptz' },
  unsubscribe_tokens: { token_hash: 'text', user_id: 'int4', kind: 'text', token_encrypted: 'text', created_at: 'timestamptz', good_until: 'timestamptz' },
  users: { id: 'int4', host: 'text', host_id: 'text', login: 'text', display_name: 'text', avatar_url: 'text', email: 'text', time_zone: 'text', created_at: 'timestamptz', signed_in_at: 'timestamptz', seen_at: 'timestamptz', organizations: 'text[]', organizations_at: 'timestamptz', time_zone_known: 'bool', work_of: 'text', written_lsn: 'pg_lsn', unused_token_deleted_at: 'timestamptz' },
  webhook_old_secrets: { repository_id: 'int4', secret_encrypted: 'text', taken_until: 'timestamptz' },
  workflow_jobs: { repository_id: 'int4', run_id: 'text', name: 'text', flaky: 'bool' },
  workflow_reads: { repository_id: 'int4', due_at: 'timestamptz', read_at: 'timestamptz', from_at: 'timestamptz', until_at: 'timestamptz', page: 'int4', known_from: 'timestamptz', allowed: 'bool', jobs_left: 'int4' },
  workflow_run_pull_requests: { repository_id: 'int4', number: 'int4', run_id: 'text', by_head: 'bool' },
  workflow_runs: { repository_id: 'int4', run_id: 'text', workflow: 'text', head_branch: 'text', head_sha: 'text', created_at: 'timestamptz', attempts: 'int4', outcome: 'text', jobs_due: 'bool', jobs_attempt: 'int4', jobs_tries: 'int4', reruns: 'int4', rerun_wait_hours: 'float8' },
} as const;
