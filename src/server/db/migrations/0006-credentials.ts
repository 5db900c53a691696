import { type Kysely, sql } from 'kysely';

/**
 * What somebody sees is tied to the credential that it was checked with. `grant_id` is a credential's identity: signing in again with
 * the same OAuth grant keeps it, another credential gets a new one. Sight that was checked after the stored token was stored was
 * checked with that token and stays; older sight is checked again, and sessions that an earlier credential opened end.
 */
const schema = `
create sequence grants as integer;
alter table credentials add column grant_id integer not null default nextval('grants');
alter table credentials add column client_id text;
alter table credentials add column expires_at timestamptz;
alter table credentials add column refresh_token_encrypted text;
alter table credentials add column refresh_leased_until timestamptz;
create table former_credentials (
  grant_id integer primary key,
  user_id integer not null references users on delete cascade,
  token_encrypted text not null,
  replaced_at timestamptz not null
);
create index former_credentials_user on former_credentials (user_id);
alter table sessions add column grant_id integer;
update sessions s set grant_id = c.grant_id from credentials c
  where c.user_id = s.user_id and c.rejected_at is null and s.created_at >= c.updated_at;
delete from sessions where grant_id is null;
alter table sessions alter column grant_id set not null;
alter table users add column seen_at timestamptz;
alter table users add column organizations text[];
alter table users add column organizations_at timestamptz;
update users set seen_at = signed_in_at;
alter table users alter column seen_at set not null;
alter table users alter column seen_at set default now();
create table allowed_logins (
  host text not null,
  login text not null,
  host_id text not null,
  primary key (host, login)
);
alter table repositories add column node_id text;
alter table repositories add column former_owner text;
alter table repositories add column former_name text;
alter table repositories add column renamed_at timestamptz;
alter table connections add column checked_with integer;
alter table connections add column check_due_at timestamptz;
alter table connections add column lost_at timestamptz;
alter table connections add column lost_reason text;
alter table connections add column lost_link text;
alter table connections add column settled boolean not null default true;
alter table connections add column seen_owner text;
alter table connections add column seen_name text;
alter table connections add column former_grant_id integer references former_credentials on delete set null;
update connections c set checked_with = k.grant_id from credentials k
  where k.user_id = c.user_id and k.rejected_at is null and c.checked_at >= k.updated_at;
update connections set check_due_at = case when checked_with is null then now() else checked_at + interval '20 hours' end;
update connections set lost_at = checked_at, lost_reason = 'not_found' where not readable;
update connections c set seen_owner = r.owner, seen_name = r.name from repositories r where r.id = c.repository_id;
alter table connections alter column check_due_at set not null;
alter table connections alter column seen_owner set not null;
alter table connections alter column seen_name set not null;
create index connections_due on connections (check_due_at);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
