import { type Kysely, sql } from 'kysely';

/**
 * What is collected of pull requests beside the figures of today: who wrote them and who started them, labels, assignees, threads, when
 * checks began. Columns are added empty, so that nobody waits for it: `collection` tells which pull requests were read since, the others
 * are read again behind the running server. Inline comments of no review are moments of the timeline.
 */
const schema = `
alter table pull_requests add column collection smallint not null default 0;
alter table pull_requests add column collection_tried_at timestamptz;
alter table pull_requests add column labels text[] not null default '{}';
alter table pull_requests add column assignees jsonb;
alter table pull_requests add column merge_commit_sha text;
alter table pull_requests add column description_marks jsonb;
create index pull_requests_to_collect on pull_requests (repository_id, created_at desc) where collection < 1;

alter table commits add column trailers jsonb;
alter table commits add column reverts_sha text;
alter table reviews add column body_words integer;
alter table comments add column body_words integer;
alter table comments add column outdated boolean;
alter table comments add column minimized text;
alter table comments add column thumbs_up integer;
alter table comments add column thumbs_down integer;
alter table checks add column started_at timestamptz;

alter table pull_request_facts add column authorship text check (authorship in ('human', 'assisted', 'agent', 'bot', 'ghost'));
alter table pull_request_facts add column agents text[];
alter table pull_request_facts add column evidence jsonb;
alter table pull_request_facts add column credited_id integer;
alter table pull_request_facts add column credit_by text
  check (credit_by in ('author', 'session', 'trailer', 'line', 'assignee', 'asked', 'issue', 'corrected'));
create index pull_request_facts_authorship on pull_request_facts (repository_id, authorship) where authorship <> 'human';
create index pull_request_facts_credited on pull_request_facts (repository_id, credited_id) where credit_by <> 'author';
alter table lens_facts add column authorship text;
alter table lens_facts add column agents text[];
alter table lens_facts add column evidence jsonb;
alter table lens_facts add column credited_id integer;
alter table lens_facts add column credit_by text;

create table review_threads (
  repository_id integer not null,
  number integer not null,
  comment_id text not null,
  resolved boolean not null,
  resolved_by_id integer references people,
  primary key (repository_id, number, comment_id),
  foreign key (repository_id, number) references pull_requests on delete cascade
);

create table clues (
  repository_id integer not null,
  number integer not null,
  kind text not null check (kind in ('threads', 'session', 'names', 'issue')),
  due_at timestamptz,
  read_for timestamptz,
  person_ids integer[] not null default '{}',
  primary key (repository_id, number, kind),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index clues_due on clues (due_at) where due_at is not null;

create table unknown_accounts (
  host text not null,
  named text not null,
  looked_at timestamptz not null,
  primary key (host, named)
);

create table corrections (
  repository_id integer not null,
  number integer not null,
  subject text not null check (subject in ('authorship', 'credit')),
  authorship text check (authorship in ('human', 'assisted', 'agent')),
  tool text,
  person_id integer references people,
  set_by integer references users on delete set null,
  set_at timestamptz not null,
  primary key (repository_id, number, subject),
  foreign key (repository_id, number) references pull_requests on delete cascade
);

create table agent_labels (
  host text not null,
  label text not null,
  tool text not null,
  set_by integer references users on delete set null,
  set_at timestamptz not null,
  primary key (host, label)
);

alter table hint_quotas add column purpose text not null default 'hints' check (purpose in ('hints', 'collection'));
alter table hint_quotas drop constraint hint_quotas_pkey;
alter table hint_quotas add primary key (user_id, purpose);

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
  select repository_id, number, author_id, created_at from comments where review_id is null
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
