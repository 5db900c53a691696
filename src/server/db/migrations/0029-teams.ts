import { type Kysely, sql } from 'kysely';

/** Teams of the host and groups of one's own, who belonged to them when, and whose token lists them. */
const schema = `
create table teams (
  id integer generated always as identity primary key,
  host text not null,
  source text not null check (source in ('host', 'own')),
  host_id text,
  organization_id text,
  organisation text,
  slug text,
  name text not null,
  parent_id integer references teams on delete set null,
  visibility text not null check (visibility in ('visible', 'secret', 'mine', 'everyone')),
  created_by integer references users on delete cascade,
  created_at timestamptz not null,
  assumed_before timestamptz,
  read_at timestamptz,
  empty_since timestamptz,
  missing_since timestamptz,
  stale_since timestamptz,
  archived_at timestamptz,
  unique (host, host_id),
  check ((source = 'host') = (host_id is not null and organization_id is not null and organisation is not null and slug is not null)),
  check ((source = 'own') = (created_by is not null))
);
create index teams_organization on teams (host, organization_id);
create index teams_parent on teams (parent_id);
create unique index teams_name on teams (created_by, lower(name)) where source = 'own';

create table team_parts (
  group_id integer not null references teams on delete cascade,
  team_id integer not null references teams on delete cascade,
  primary key (group_id, team_id)
);
create index team_parts_team on team_parts (team_id);

create table team_members (
  id integer generated always as identity primary key,
  team_id integer not null references teams on delete cascade,
  person_id integer not null references people,
  "from" timestamptz,
  "to" timestamptz,
  check ("from" < "to")
);
create unique index team_members_period on team_members (team_id, person_id, coalesce("from", '-infinity'));
create index team_members_person on team_members (person_id);

create table team_people (
  team_id integer not null references teams on delete cascade,
  person_id integer not null references people,
  "from" timestamptz not null,
  "to" timestamptz not null,
  primary key (team_id, person_id, "from")
);
create index team_people_person on team_people (person_id, team_id);

create table team_readers (
  user_id integer not null references users on delete cascade,
  team_id integer not null references teams on delete cascade,
  checked_at timestamptz not null,
  primary key (user_id, team_id)
);
create index team_readers_team on team_readers (team_id);

create table team_imports (
  user_id integer not null references users on delete cascade,
  team_id integer not null references teams on delete cascade,
  primary key (user_id, team_id)
);
create index team_imports_team on team_imports (team_id);

create table imported_organisations (
  user_id integer not null references users on delete cascade,
  organization_id text not null,
  login text not null,
  with_children boolean not null,
  primary key (user_id, organization_id)
);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
