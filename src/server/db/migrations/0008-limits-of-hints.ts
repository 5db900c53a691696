import { type Kysely, sql } from 'kysely';

const schema = `
create table administrators (
  host text not null,
  login text not null,
  host_id text not null,
  primary key (host, login)
);
create table hint_limits (
  repository_id int primary key references repositories on delete cascade,
  window_from timestamptz not null,
  looks int not null,
  synced_at timestamptz
);
create table absent_numbers (
  repository_id int not null references repositories on delete cascade,
  number int not null,
  looked_at timestamptz not null,
  primary key (repository_id, number)
);
create table hint_quotas (
  user_id int primary key references users on delete cascade,
  window_ends_at timestamptz not null,
  points int not null,
  quota int
);
alter table repositories add webhook_refused_since timestamptz;
create table webhook_old_secrets (
  repository_id int not null references repositories on delete cascade,
  secret_encrypted text not null,
  taken_until timestamptz not null,
  primary key (repository_id, secret_encrypted)
);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
