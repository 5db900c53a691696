import { type Kysely, sql } from 'kysely';

/**
 * What lists of a team are counted and found by: of each person the numbers of what they wrote or are credited with, and of what they gave a
 * counting review, in blocks of 8192, and which numbers are open or were merged, a bit each; and indexes that hold the numbers in the orders of
 * lists. It takes some seconds for a million pull requests.
 */
const schema = `
create table number_states (
  repository_id integer not null references repositories (id) on delete cascade,
  block integer not null,
  open bytea not null,
  merged bytea not null,
  primary key (repository_id, block)
);
create table person_numbers (
  repository_id integer not null references repositories (id) on delete cascade,
  reviewed boolean not null,
  person_id integer not null references people (id),
  block integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  numbers bytea not null,
  primary key (repository_id, reviewed, person_id, block)
);
create index person_numbers_block on person_numbers (repository_id, block);
insert into person_numbers (repository_id, reviewed, person_id, block, first_at, last_at, numbers)
  select repository_id, true, author_id, number / 8192, min(submitted_at), max(submitted_at), string_agg(distinct int4send(number), ''::bytea)
  from reviews where counts and author_id is not null group by repository_id, author_id, number / 8192
  union all
  select repository_id, false, coalesce(credited_id, author_id), number / 8192, min(created_at), max(created_at),
    string_agg(distinct int4send(number), ''::bytea)
  from pull_request_facts where coalesce(credited_id, author_id) is not null
  group by repository_id, coalesce(credited_id, author_id), number / 8192
  order by 1, 2, 3, 4;
insert into number_states (repository_id, block, open, merged)
  select repository_id, block, string_agg(set_byte('\\x00'::bytea, 0, open), '' order by place),
    string_agg(set_byte('\\x00'::bytea, 0, merged), '' order by place)
  from (
    select repository_id, block, place, coalesce(sum(1 << bit) filter (where state = 'open'), 0)::int as open,
      coalesce(sum(1 << bit) filter (where state = 'merged'), 0)::int as merged
    from (
      select repository_id, number / 8192 as block, number % 8192 / 8 as place, number % 8 as bit, state from pull_requests
      union all
      select repository_id, block, place, 0, null
      from (select distinct repository_id, number / 8192 as block from pull_requests) blocks, generate_series(0, 1023) place
    ) numbers group by repository_id, block, place
  ) bytes group by repository_id, block;
drop index pull_requests_updated;
create index pull_requests_updated on pull_requests (repository_id, updated_at) include (number);
drop index pull_requests_updated_state;
create index pull_requests_updated_state on pull_requests (repository_id, state, updated_at) include (number)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
