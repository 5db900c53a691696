import { type Kysely, sql } from 'kysely';

/**
 * When what is told of each pull request changed last, in an order in which it can be loaded bit by bit; of those that are stored: when they were
 * fetched. It takes some seconds for a million pull requests.
 */
const schema = `
create table pull_request_changes (
  repository_id integer not null,
  number integer not null,
  changed_at timestamptz not null,
  primary key (repository_id, number),
  foreign key (repository_id, number) references pull_requests (repository_id, number) on delete cascade
);
insert into pull_request_changes (repository_id, number, changed_at)
  select repository_id, number, least(fetched_at, now()) from pull_requests order by repository_id, number;
create index pull_request_changes_order on pull_request_changes (repository_id, changed_at, number);
create table changed_people (
  person_id integer primary key references people (id) on delete cascade,
  noted_at timestamptz not null
);
alter table repositories add column rename_told_at timestamptz;
update repositories set rename_told_at = renamed_at where renamed_at is not null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
