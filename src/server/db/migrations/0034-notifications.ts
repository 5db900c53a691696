import { type Kysely, sql } from 'kysely';

/** What people want to be told and where, and the messages that came of it. */
const schema = `
create table notification_settings (
  user_id integer primary key references users on delete cascade,
  mail_address text,
  confirmed_mail_address text,
  quiet_hours jsonb not null,
  paused boolean not null,
  resumed_at timestamptz
);

create table notification_channels (
  id serial primary key,
  user_id integer not null references users on delete cascade,
  type text not null check (type in ('slack', 'teams', 'webhook', 'mail')),
  name text not null,
  target_encrypted text not null,
  shown text not null,
  secret_encrypted text,
  personal boolean not null,
  all_repositories boolean not null,
  team_id integer,
  titles boolean not null,
  time_zone text,
  quiet_hours jsonb not null,
  confirmed_at timestamptz,
  paused_at timestamptz,
  paused_reason text,
  failures integer not null default 0,
  resumed_at timestamptz,
  created_at timestamptz not null,
  check ((paused_at is null) = (paused_reason is null))
);
create index notification_channels_user on notification_channels (user_id);

create table notification_channel_repositories (
  channel_id integer not null references notification_channels on delete cascade,
  repository_id integer not null references repositories on delete cascade,
  primary key (channel_id, repository_id)
);
create index notification_channel_repositories_repository on notification_channel_repositories (repository_id);

create table notification_subscriptions (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  channel text check (channel in ('mail', 'slack_dm')),
  channel_id integer references notification_channels on delete cascade,
  kind text not null check (kind in ('turn', 'stuck', 'daily', 'weekly', 'sync')),
  options jsonb not null,
  since timestamptz not null,
  check ((channel is null) <> (channel_id is null)),
  unique nulls not distinct (user_id, kind, channel, channel_id)
);
create index notification_subscriptions_channel on notification_subscriptions (channel_id);

create table mail_confirmations (
  token_hash text primary key,
  user_id integer not null references users on delete cascade,
  channel_id integer references notification_channels on delete cascade,
  address_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index mail_confirmations_user on mail_confirmations (user_id);
create index mail_confirmations_channel on mail_confirmations (channel_id);

create table confirmation_mails (
  id integer generated always as identity primary key,
  address_hash text not null,
  user_id integer not null,
  sent_at timestamptz not null
);
create index confirmation_mails_address on confirmation_mails (address_hash, sent_at);
create index confirmation_mails_user on confirmation_mails (user_id, sent_at);

create table unsubscribe_tokens (
  token_hash text primary key,
  user_id integer not null references users on delete cascade,
  kind text not null check (kind in ('turn', 'stuck', 'daily', 'weekly', 'sync')),
  token_encrypted text not null,
  created_at timestamptz not null,
  good_until timestamptz not null
);
create index unsubscribe_tokens_user on unsubscribe_tokens (user_id, kind, created_at);

create table notifications (
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  channel text check (channel in ('mail', 'slack_dm')),
  channel_id integer references notification_channels on delete cascade,
  kind text not null check (kind in ('turn', 'stuck', 'daily', 'weekly', 'sync', 'test')),
  period text,
  state text not null check (state in ('pending', 'held', 'sending', 'sent', 'dropped', 'failed', 'unknown')),
  due_at timestamptz not null,
  next_attempt_at timestamptz,
  attempts integer not null default 0,
  claimed_at timestamptz,
  finished_at timestamptz,
  subject text,
  last_error text,
  created_at timestamptz not null,
  revision integer not null default 0,
  check ((channel is null) <> (channel_id is null))
);
create index notifications_user on notifications (user_id, (coalesce(finished_at, created_at)));
create index notifications_channel on notifications (channel_id);
create index notifications_waiting on notifications (next_attempt_at) where state in ('pending', 'held', 'sending');
create index notifications_old on notifications (created_at);
create index notifications_claimed on notifications (claimed_at);

create table notification_items (
  notification_id uuid not null references notifications on delete cascade,
  repository_id integer not null references repositories on delete cascade,
  number integer not null,
  kind text,
  since timestamptz,
  repetition integer,
  primary key (notification_id, repository_id, number)
);
create index notification_items_repository on notification_items (repository_id);

create table notification_keys (
  key text primary key,
  notification_id uuid not null references notifications on delete cascade,
  kind text not null check (kind in ('turn', 'stuck', 'daily', 'weekly', 'sync')),
  due_at timestamptz not null,
  repository_id integer references repositories on delete cascade,
  number integer,
  since timestamptz,
  repetition integer
);
create index notification_keys_notification on notification_keys (notification_id);
create index notification_keys_repository on notification_keys (repository_id);

create table notification_facts (
  id integer primary key check (id = 1),
  version integer not null,
  since timestamptz not null
)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
