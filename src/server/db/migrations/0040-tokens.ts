import { type Kysely, sql } from 'kysely';

/** Personal tokens, by which programs read what their owner reads, from where each was used, and what assistants asked with them. */
const schema = `
create table api_tokens (
  id int generated always as identity primary key,
  user_id int not null references users on delete cascade,
  token_hash text not null unique,
  name text not null,
  scopes text[] not null,
  repositories int[],
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index api_tokens_user on api_tokens (user_id, expires_at);
create index api_tokens_end on api_tokens (expires_at);
create table api_token_networks (
  token_id int not null references api_tokens on delete cascade,
  network text not null,
  first_used_at timestamptz not null,
  primary key (token_id, network)
);
create table assistant_calls (
  id bigint generated always as identity primary key,
  user_id int not null references users on delete cascade,
  tool text not null,
  at timestamptz not null,
  ms int not null,
  failed boolean not null
);
create index assistant_calls_user on assistant_calls (user_id, id)`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
