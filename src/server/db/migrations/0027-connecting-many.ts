import { type Kysely, sql } from 'kysely';

/**
 * Connecting many repositories at once: what a person's token listed a moment ago, which are being connected and imported together, whose
 * repositories are followed, what was removed by hand, and webhooks of organisations.
 */
const schema = `
create table repository_lists (
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  grant_id integer not null,
  read_at timestamptz not null,
  used_at timestamptz not null,
  repositories jsonb not null,
  unlisted jsonb not null
);
create index repository_lists_user on repository_lists (user_id, read_at desc);

create table imports (
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  state text not null check (state in ('running', 'paused', 'cancelled')),
  sync boolean not null,
  started_at timestamptz not null
);
create index imports_user on imports (user_id, started_at desc);

create table import_repositories (
  import_id uuid not null references imports on delete cascade,
  position integer not null,
  owner text not null,
  name text not null,
  status text not null check (status in ('pending', 'connected', 'already', 'refused')),
  reason text,
  repository_id integer references repositories on delete set null,
  session_id uuid,
  primary key (import_id, position)
);
create index import_repositories_pending on import_repositories (import_id) where status = 'pending';
create index import_repositories_repository on import_repositories (repository_id);

create table followed_owners (
  user_id integer not null references users on delete cascade,
  owner text not null,
  primary key (user_id, owner)
);

create table removed_connections (
  user_id integer not null references users on delete cascade,
  repository_id integer not null references repositories on delete cascade,
  primary key (user_id, repository_id)
);
create index removed_connections_repository on removed_connections (repository_id);

create table organization_webhooks (
  id serial primary key,
  host text not null,
  organization_id text not null,
  login text not null,
  webhook_key text not null unique,
  webhook_secret_encrypted text not null,
  created_by integer references users on delete set null,
  created_at timestamptz not null,
  last_delivery_at timestamptz,
  unique (host, organization_id)
);

alter table repositories add column owner_id text;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
