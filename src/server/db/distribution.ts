import type { Database } from './database.ts';

/**
 * Where the rows of each table live once one PostgreSQL server is not enough (docs/scaling.md). Nothing here changes how the product
 * runs: two commands read it, `npm run partition` and `npm run distribute`, and the test of the statements.
 * - `distributed`: rows live by the hash of their `repository_id`, all tables of one repository together. `grows` with pull requests:
 *   those are what declarative partitioning splits; of the others there are too few rows for 64 parts.
 * - `reference`: every node has a whole copy, so that distributed tables may refer to it and be joined with it.
 * - `local`: on the coordinator alone, because no question joins it with distributed tables.
 */
export type Placement =
  | { readonly kind: 'distributed'; readonly grows: boolean; readonly why: string }
  | { readonly kind: 'reference' | 'local'; readonly why: string };

/** The tables that the migrations make; the view `timeline_moments` is not one. */
export type Table = Exclude<keyof Database, 'timeline_moments'>;

const ofPullRequests = (why: string) => ({ kind: 'distributed', grows: true, why }) as const;
const ofRepository = (why: string) => ({ kind: 'distributed', grows: false, why }) as const;
const reference = (why: string) => ({ kind: 'reference', why }) as const;
const local = (why: string) => ({ kind: 'local', why }) as const;

/** The column by which rows are distributed and partitioned. */
export const DISTRIBUTION_COLUMN = 'repository_id';

/** In an order in which each table comes after those of its kind that its foreign keys refer to. */
export const placements: Readonly<Record<Table, Placement>> = {
  users: reference('foreign keys of marks, dismissals and lenses lead there'),
  people: reference('almost every question joins authors and reviewers'),
  repositories: reference('the head of every foreign key; unique by the host’s id, so not distributable by its own'),
  credentials: reference('who sees what (isVisible) is joined with pull requests'),
  former_credentials: reference('connections refer to them'),
  recounts: reference('which repositories are withheld is joined with who sees what; workers take them from all'),
  connections: reference('who sees what (isVisible) is joined with pull requests'),
  changed_people: reference('joined with those in whose pull requests they take part'),
  own_account_kinds: reference('lens views join them'),
  teams: reference('questions of a team join its people'),
  team_members: reference('the periods of a team’s people are joined with what they did'),
  team_parts: reference('who belongs to a team by another one is joined with what they did'),
  team_people: reference('questions of a team join its people'),
  team_readers: reference('who sees a team is joined with its people'),

  pull_requests: ofPullRequests('one row for each'),
  pull_request_changes: ofPullRequests('one row for each'),
  pull_request_facts: ofPullRequests('one row for each pull request'),
  commits: ofPullRequests('some three for each'),
  reviews: ofPullRequests('some two for each'),
  comments: ofPullRequests('some four for each'),
  events: ofPullRequests('some four for each'),
  checks: ofPullRequests('some two for each'),
  review_requests: ofPullRequests('those of the open ones'),
  changed_files: ofPullRequests('some three for each'),
  review_threads: ofPullRequests('what was said in lines of code'),
  clues: ofPullRequests('what tells of an agent’s part'),
  participations: ofPullRequests('some seven for each'),
  reviewer_acts: ofPullRequests('what reviewers, AI tools among them, did in each'),
  contributor_months: ofPullRequests('the sums of each person by month'),
  person_numbers: ofPullRequests('the numbers of what each person wrote and reviewed'),
  workflow_runs: ofPullRequests('the runs of each push'),
  workflow_run_pull_requests: ofPullRequests('which runs belong to which pull request'),
  workflow_jobs: ofPullRequests('the jobs of each run'),

  absent_numbers: ofRepository('numbers that the host has no pull request for'),
  contributor_totals: ofRepository('one row for each person of a repository'),
  corrections: ofRepository('what people corrected by hand'),
  first_acts: ofRepository('nothing fills it any more'),
  follow_ups: ofRepository('few pull requests follow another'),
  number_states: ofRepository('one row for 8,192 pull requests'),
  revert_claims: ofRepository('few pull requests revert another'),
  reverts: ofRepository('few pull requests revert another'),
  signal_dismissals: ofRepository('what people dismissed by hand'),
  snoozes: ofRepository('what people put aside; the end of a pull request deletes it'),
  unstorable_pull_requests: ofRepository('what could not be stored'),
  webhook_old_secrets: ofRepository('secrets of a webhook that is being renewed'),
  workflow_reads: ofRepository('one row for each repository'),
  lenses: ofRepository('one row for each repository and person with marks of their own'),
  lens_marks: ofRepository('the accounts that somebody marked for themselves'),
  lens_pending: ofRepository('what is to be computed for them'),
  lens_facts: ofRepository('what differs for them: the pull requests in which a marked account takes part'),
  lens_reviews: ofRepository('what differs for them'),
  lens_reviewer_acts: ofRepository('what differs for them'),
  lens_participations: ofRepository('what differs for them'),
  lens_totals: ofRepository('what differs for them'),
  lens_months: ofRepository('what differs for them'),

  hints: local('a queue that workers take from, over repositories'),
  hint_limits: local('read and written with hints'),
  sync_sessions: local('found by its id, which is its key; a few rows for each repository'),
  notification_settings: local('of a person'),
  notification_channels: local('of a person'),
  notification_channel_repositories: local('of a person’s channel'),
  notification_subscriptions: local('of a person'),
  notifications: local('of a person, over repositories'),
  notification_items: local('of a notification, over repositories'),
  notification_keys: local('keys that are unique over repositories'),
  notification_facts: local('one row'),
  mail_confirmations: local('of a person'),
  confirmation_mails: local('of a person'),
  unsubscribe_tokens: local('of a person'),
  imports: local('of a person, over repositories'),
  import_repositories: local('of an import; repositories that may not be connected yet'),
  imported_organisations: local('of a person'),
  followed_owners: local('of a person'),
  removed_connections: local('of a person'),
  repository_lists: local('of a person'),
  organization_webhooks: local('of an organization'),
  team_imports: local('of a person'),
  team_readings: local('of a person'),
  kept_views: local('of a person'),
  notes: local('of a person'),
  own_mark_changes: local('of a person'),
  sessions: local('of a person'),
  revocations: local('tokens to be given back to the host'),
  api_tokens: local('of a person'),
  api_token_networks: local('of a token'),
  assistant_calls: local('of a person'),
  hint_quotas: local('of a person'),
  account_kinds: local('of the installation'),
  account_recounts: local('of the installation'),
  unknown_accounts: local('of the installation'),
  agent_labels: local('of the installation'),
  administrators: local('of the installation'),
  allowed_logins: local('of the installation'),
  health_settings: local('of the installation'),
  front_end_files: local('of the installation'),
  recounts_done: local('one row'),
  security_events: local('a log over repositories, found by its moment'),
};

/** Those that declarative partitioning splits, each after those that it refers to. */
export const partitionedTables: readonly Table[] = Object.entries(placements).flatMap(([table, placement]) =>
  placement.kind === 'distributed' && placement.grows ? [table as Table] : [],
);
