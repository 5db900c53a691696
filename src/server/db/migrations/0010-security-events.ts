import { type Kysely, sql } from 'kysely';

/** Security events for administrators; sessions that their person can list and that end when nobody uses them. */
const schema = `
create table security_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  event text not null,
  actor text,
  subject text,
  repository_id int,
  address text,
  request_id text
);
create index security_events_at on security_events (at);
create index security_events_event on security_events (event, id);
create index security_events_actor on security_events (lower(actor), id);
alter table sessions add column id uuid not null default gen_random_uuid();
alter table sessions add column last_used_at timestamptz not null default now();
alter table sessions alter column last_used_at drop default;
alter table sessions add column browser text;
create unique index sessions_id on sessions (id);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
