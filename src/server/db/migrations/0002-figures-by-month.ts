import { type Kysely, sql } from 'kysely';

/**
 * What long periods are summed from: a person's figures in each calendar month of UTC, kept with every save. Which review is a
 * reviewer's latest, so that reviewed pull requests are counted without comparing. An index that the search reads alone.
 * The participations are recomputed after the migrations. The view is the same, in parts that can each be read by time.
 */
const schema = `
alter table reviews add column latest boolean not null default false;
update reviews r set latest = true
  where (counts or automated) and author_id is not null and not exists (
    select from reviews later
    where later.repository_id = r.repository_id and later.number = r.number and later.author_id = r.author_id
      and (later.counts or later.automated) and later.position > r.position);
drop index reviews_submitted;
create index reviews_submitted on reviews (repository_id, submitted_at)
  include (counts, automated, latest, author_id, response_hours, number);

drop index pull_requests_title;
create index pull_requests_title on pull_requests (repository_id, title_lower)
  include (number, author_id, state, draft, updated_at, created_at, lines_changed);
create index pull_request_facts_by_agent on pull_request_facts (repository_id, number) where by_agent;

drop table participations;
create table participations (
  repository_id integer not null references repositories on delete cascade,
  number integer not null,
  person_id integer references people,
  month date not null,
  opened integer not null,
  open integer not null,
  merged integer not null,
  counting_reviews integer not null,
  automated_reviews integer not null,
  submitted_reviews integer not null,
  reviewed integer not null,
  lines_opened float8 not null,
  ended integer not null,
  merge_ms float8 not null,
  with_cycles integer not null,
  cycles integer not null,
  responses integer not null,
  response_ms float8 not null,
  contributions integer not null,
  last_activity_at timestamptz,
  unique nulls not distinct (repository_id, number, person_id, month)
);
create index participations_latest on participations (repository_id, person_id, last_activity_at);

create table contributor_months (
  repository_id integer not null references repositories on delete cascade,
  month date not null,
  person_id integer not null references people,
  participations integer not null,
  opened integer not null,
  merged integer not null,
  counting_reviews integer not null,
  reviewed integer not null,
  lines_opened float8 not null,
  ended integer not null,
  merge_ms float8 not null,
  with_cycles integer not null,
  cycles integer not null,
  responses integer not null,
  response_ms float8 not null,
  contributions integer not null,
  primary key (repository_id, month, person_id)
);

create or replace view timeline_moments as
  select repository_id, number, author_id as person_id, created_at as at from pull_requests
  union all
  select repository_id, number, author_id, listed_at from commits where not author_is_bot
  union all
  select c.repository_id, c.number, c.author_id, c.listed_at from commits c join people p on p.id = c.author_id
    where c.author_is_bot and p.kind <> 'human'
  union all
  select c.repository_id, c.number, null, c.listed_at from commits c left join people p on p.id = c.author_id
    where c.author_is_bot and p.kind is distinct from 'bot' and p.kind is distinct from 'agent'
  union all
  select repository_id, number, author_id, created_at from comments where kind = 'general'
  union all
  select repository_id, number, author_id, submitted_at from reviews
  union all
  select repository_id, number, actor_id, at from events where type <> 'closed'
  union all
  select repository_id, number, actor_id, at from events e
    where type = 'closed' and not exists (select from pull_requests p where p.repository_id = e.repository_id
      and p.number = e.number and date_trunc('second', p.merged_at) = date_trunc('second', e.at))
  union all
  select repository_id, number, null, finished_at from checks where finished_at is not null and outcome is not null;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
