import { type Kysely, sql } from 'kysely';

/**
 * Keyed by repository: every table that grows carries `repository_id` as the head of its key, so that the same schema runs on
 * one PostgreSQL, on partitions, or distributed by that column. Times are timestamptz, durations are hours (float8), absent is null.
 */
const schema = `
create table people (
  id integer generated always as identity primary key,
  host text not null,
  host_id text not null,
  login text not null,
  type text not null check (type in ('user', 'bot', 'mannequin', 'organization')),
  name text,
  name_lower text,
  avatar_url text,
  kind text not null check (kind in ('human', 'bot', 'agent')),
  unique (host, host_id)
);
create index people_login on people (host, lower(login));

create table account_kinds (
  host text not null,
  host_id text not null,
  kind text not null check (kind in ('human', 'bot', 'agent')),
  set_by integer,
  set_at timestamptz not null,
  primary key (host, host_id)
);

create table users (
  id integer generated always as identity primary key,
  host text not null,
  host_id text not null,
  login text not null,
  display_name text,
  avatar_url text,
  email text,
  time_zone text not null default 'UTC',
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  unique (host, host_id)
);

create table credentials (
  user_id integer primary key references users on delete cascade,
  token_encrypted text not null,
  scopes text[],
  rejected_at timestamptz,
  updated_at timestamptz not null
);

create table sessions (
  id_hash text primary key,
  user_id integer not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_expiry on sessions (expires_at);

create table repositories (
  id integer generated always as identity primary key,
  host text not null,
  host_id text not null,
  owner text not null,
  name text not null,
  url text not null,
  private boolean not null,
  archived boolean not null,
  default_branch text,
  webhook_key text not null unique,
  webhook_secret_encrypted text not null,
  webhook_last_delivery_at timestamptz,
  webhook_last_event text,
  page_size integer,
  watermark timestamptz,
  history_completed_at timestamptz,
  last_synced_at timestamptz,
  swept_at timestamptz,
  changed_at timestamptz not null,
  created_at timestamptz not null,
  unique (host, host_id)
);
create index repositories_name on repositories (host, lower(owner), lower(name));

create table connections (
  user_id integer not null references users on delete cascade,
  repository_id integer not null references repositories on delete cascade,
  readable boolean not null,
  checked_at timestamptz not null,
  connected_at timestamptz not null,
  primary key (user_id, repository_id)
);
create index connections_repository on connections (repository_id);

create table pull_requests (
  repository_id integer not null references repositories on delete cascade,
  number integer not null,
  host_id text not null,
  node_id text not null,
  title text not null,
  title_lower text collate "C" not null,
  url text not null,
  state text not null check (state in ('open', 'merged', 'closed')),
  draft boolean not null,
  author_id integer references people,
  merged_by_id integer references people,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  merged_at timestamptz,
  ended_at timestamptz generated always as (coalesce(merged_at, closed_at)) stored,
  additions integer not null,
  deletions integer not null,
  lines_changed integer generated always as (additions + deletions) stored,
  changed_files integer not null,
  commits integer not null,
  comments integer not null,
  review_comments integer not null,
  base_ref text not null,
  head_ref text not null,
  head_sha text,
  sweep_fingerprint text,
  fetched_at timestamptz not null,
  settled boolean not null,
  primary key (repository_id, number)
);
create index pull_requests_updated on pull_requests (repository_id, updated_at);
create index pull_requests_updated_state on pull_requests (repository_id, state, updated_at);
create index pull_requests_created on pull_requests (repository_id, created_at) include (author_id, lines_changed);
create index pull_requests_size on pull_requests (repository_id, lines_changed);
create index pull_requests_title on pull_requests (repository_id, title_lower);
create index pull_requests_ended on pull_requests (repository_id, ended_at)
  include (created_at, merged_at, author_id, lines_changed, number) where ended_at is not null;
create index pull_requests_open on pull_requests (repository_id, author_id, created_at) where state = 'open';
create index pull_requests_author on pull_requests (repository_id, author_id, created_at);
create index pull_requests_author_ended on pull_requests (repository_id, author_id, ended_at) where ended_at is not null;

create table commits (
  repository_id integer not null,
  number integer not null,
  sha text not null,
  position integer not null,
  author_id integer references people,
  author_name text,
  author_is_bot boolean not null,
  authored_at timestamptz not null,
  committed_at timestamptz not null,
  listed_at timestamptz not null,
  headline text not null,
  by_agent boolean not null,
  primary key (repository_id, number, sha),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index commits_authored on commits (repository_id, authored_at) include (author_id, author_is_bot);
create index commits_author on commits (repository_id, author_id, authored_at);
create index commits_listed on commits (repository_id, listed_at);
create index commits_author_listed on commits (repository_id, author_id, listed_at);

create table reviews (
  repository_id integer not null,
  host_id text not null,
  number integer not null,
  position integer not null,
  author_id integer references people,
  state text not null check (state in ('approved', 'changes_requested', 'commented', 'dismissed')),
  submitted_at timestamptz not null,
  has_body boolean not null,
  commit_sha text,
  is_reply boolean not null,
  counts boolean not null,
  automated boolean not null,
  comments_count integer not null,
  response_hours float8,
  primary key (repository_id, host_id),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index reviews_pull_request on reviews (repository_id, number);
create index reviews_submitted on reviews (repository_id, submitted_at) include (counts, automated, author_id, response_hours, number);
create index reviews_author on reviews (repository_id, author_id, submitted_at);

create table comments (
  repository_id integer not null,
  kind text not null check (kind in ('general', 'inline')),
  host_id text not null,
  number integer not null,
  author_id integer references people,
  created_at timestamptz not null,
  review_id text,
  in_reply_to text,
  path text,
  primary key (repository_id, kind, host_id),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index comments_pull_request on comments (repository_id, number);
create index comments_created on comments (repository_id, created_at) include (author_id);
create index comments_author on comments (repository_id, author_id, created_at);

create table events (
  repository_id integer not null,
  host_id text not null,
  number integer not null,
  position integer not null,
  type text not null check (type in ('review_requested', 'review_request_removed', 'review_dismissed', 'ready_for_review',
    'convert_to_draft', 'force_push', 'merged', 'closed', 'reopened')),
  at timestamptz not null,
  actor_id integer references people,
  reviewer_id integer references people,
  team text,
  review_id text,
  previous_state text,
  sha text,
  primary key (repository_id, host_id),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index events_pull_request on events (repository_id, number);
create index events_at on events (repository_id, at);
create index events_actor on events (repository_id, actor_id, at);

create table checks (
  repository_id integer not null,
  number integer not null,
  host_id text not null,
  name text not null,
  outcome text,
  finished_at timestamptz,
  primary key (repository_id, number, host_id),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index checks_finished on checks (repository_id, finished_at);

create table review_requests (
  repository_id integer not null,
  number integer not null,
  position integer not null,
  person_id integer references people,
  team text,
  primary key (repository_id, number, position),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index review_requests_person on review_requests (person_id) where person_id is not null;

create table changed_files (
  repository_id integer not null,
  number integer not null,
  path text not null,
  additions integer not null,
  deletions integer not null,
  primary key (repository_id, number, path),
  foreign key (repository_id, number) references pull_requests on delete cascade
);

create table pull_request_facts (
  repository_id integer not null,
  number integer not null,
  version integer not null,
  ended_at timestamptz,
  ready_at timestamptz,
  first_review_at timestamptz,
  last_review_at timestamptz,
  first_agent_review_at timestamptz,
  approved_at timestamptz,
  last_activity_at timestamptz not null,
  time_to_first_review float8,
  time_to_merge float8,
  active_development_time float8 not null,
  waiting_for_review_time float8 not null,
  post_approval_time float8,
  review_cycles integer not null,
  waiting_on text check (waiting_on in ('author', 'reviewers', 'merge')),
  waiting_since timestamptz,
  waiting_reason text,
  phases jsonb not null,
  reviewer_ids integer[] not null,
  latest_opinion text check (latest_opinion in ('approved', 'changes_requested')),
  approved_first_time boolean,
  by_agent boolean not null,
  provisional_until timestamptz,
  primary key (repository_id, number),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at);
create index pull_request_facts_first_review on pull_request_facts (repository_id, first_review_at);
create index pull_request_facts_version on pull_request_facts (version);
create index pull_request_facts_provisional on pull_request_facts (provisional_until) where provisional_until is not null;

create table participations (
  repository_id integer not null references repositories on delete cascade,
  number integer not null,
  person_id integer references people,
  opened integer not null,
  open integer not null,
  merged integer not null,
  counting_reviews integer not null,
  automated_reviews integer not null,
  submitted_reviews integer not null,
  last_activity_at timestamptz not null,
  unique nulls not distinct (repository_id, number, person_id)
);
create index participations_latest on participations (repository_id, person_id, last_activity_at);

create table contributor_totals (
  repository_id integer not null references repositories on delete cascade,
  person_id integer references people,
  opened integer not null,
  open integer not null,
  merged integer not null,
  counting_reviews integer not null,
  automated_reviews integer not null,
  submitted_reviews integer not null,
  last_activity_at timestamptz not null,
  unique nulls not distinct (repository_id, person_id)
);

create view timeline_moments as
  select repository_id, number, author_id as person_id, created_at as at from pull_requests
  union all
  select repository_id, number, author_id, listed_at from commits where not author_is_bot
  union all
  select c.repository_id, c.number, c.author_id, c.listed_at from commits c join people p on p.id = c.author_id
    where c.author_is_bot and p.kind <> 'human'
  union all
  select c.repository_id, c.number, null, c.listed_at from commits c left join people p on p.id = c.author_id
    where c.author_is_bot and p.kind is distinct from 'bot' and p.kind is distinct from 'agent'
  union all
  select repository_id, number, author_id, created_at from comments where kind = 'general'
  union all
  select repository_id, number, author_id, submitted_at from reviews
  union all
  select repository_id, number, actor_id, at from events e
    where type <> 'closed' or not exists (select from pull_requests p where p.repository_id = e.repository_id
      and p.number = e.number and date_trunc('second', p.merged_at) = date_trunc('second', e.at))
  union all
  select repository_id, number, null, finished_at from checks where finished_at is not null and outcome is not null;

create table sync_sessions (
  id uuid primary key,
  repository_id integer not null references repositories on delete cascade,
  user_id integer not null references users on delete cascade,
  asked_by text not null check (asked_by in ('person', 'schedule')),
  mode text not null check (mode in ('full', 'incremental')),
  status text not null check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  phase text not null,
  stage text not null check (stage in ('history', 'changes', 'done')),
  cursor text,
  page_size_limit integer,
  scan_started_at timestamptz,
  total_prs integer,
  processed_prs integer not null default 0,
  processed_reviews integer not null default 0,
  processed_items integer not null default 0,
  percentage float8 not null default 0,
  seconds_per_pull_request float8,
  skipped jsonb not null default '[]',
  attempts integer not null default 0,
  error text,
  error_kind text,
  error_link text,
  rate_remaining integer,
  rate_limit integer,
  rate_reset_at timestamptz,
  waiting_until timestamptz,
  worker text,
  heartbeat_at timestamptz,
  claimed_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create unique index sync_sessions_one_active on sync_sessions (repository_id) where status in ('queued', 'running', 'waiting');
create index sync_sessions_newest on sync_sessions (repository_id, created_at desc);
create index sync_sessions_user on sync_sessions (user_id, claimed_at desc);

create table hints (
  repository_id integer not null references repositories on delete cascade,
  subject text not null,
  hints integer not null default 1,
  due_at timestamptz,
  leased_until timestamptz,
  looked_at timestamptz,
  attempts integer not null default 0,
  primary key (repository_id, subject)
);
create index hints_due on hints (due_at) where due_at is not null;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
