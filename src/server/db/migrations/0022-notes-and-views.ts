import { type Kysely, sql } from 'kysely';

/**
 * Notes on the time axis, views that people keep, and when each person first reviewed in each repository, computed here from the reviews
 * and comments that are stored.
 */
const schema = `
create table notes (
  id serial primary key,
  user_id integer not null references users on delete cascade,
  host text not null,
  at timestamptz not null,
  text text not null,
  visibility text not null check (visibility in ('mine', 'everyone')),
  created_at timestamptz not null
);
create index notes_user on notes (user_id, at);
create index notes_everyone on notes (host, at) where visibility = 'everyone';

create table kept_views (
  id serial primary key,
  slug text not null unique,
  user_id integer not null references users on delete cascade,
  host text not null,
  name text not null,
  path text not null,
  visibility text not null check (visibility in ('mine', 'everyone')),
  pinned boolean not null,
  created_at timestamptz not null
);
create index kept_views_user on kept_views (user_id);
create index kept_views_everyone on kept_views (host) where visibility = 'everyone';

create table first_acts (
  repository_id integer not null references repositories on delete cascade,
  person_id integer not null references people,
  number integer not null,
  at timestamptz not null,
  primary key (repository_id, person_id)
);
create index first_acts_number on first_acts (repository_id, number);
insert into first_acts (repository_id, person_id, number, at)
select distinct on (a.repository_id, a.person_id) a.repository_id, a.person_id, a.number, a.at
from (
  select repository_id, number, author_id as person_id, submitted_at as at from reviews
  union all
  select repository_id, number, author_id, created_at from comments where kind = 'inline'
) a
join pull_requests p on p.repository_id = a.repository_id and p.number = a.number
where a.person_id is not null and p.author_id is distinct from a.person_id
  and a.at >= p.created_at and (p.ended_at is null or a.at <= p.ended_at)
order by a.repository_id, a.person_id, a.at, a.number;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
