import { type Kysely, sql } from 'kysely';

/**
 * What AI reviewers, and people beside them, did in each pull request and what became of their findings. What is stored has no rows yet:
 * `acts` tells by which rules those of a pull request were computed, 0 not yet, which is done behind the running server.
 */
const acts = `
  repository_id integer not null,
  number integer not null,
  reviewer text not null,
  person_id integer not null,
  acted_at timestamptz[] not null,
  first_act_at timestamptz not null,
  last_act_at timestamptz not null,
  wait_hours double precision,
  reviews integer not null,
  findings integer not null,
  changed integer not null,
  resolved integer not null,
  answered integer not null,
  dismissed_by_hand integer not null,
  ignored integer not null,
  noisy integer not null,
  thumbs_up integer not null,
  thumbs_down integer not null,
  ready_at timestamptz,
  ended_at timestamptz`;

const schema = `
alter table pull_request_facts add column acts integer not null default 0;
create index pull_request_facts_acts on pull_request_facts (repository_id, acts, number desc);
create index pull_request_facts_ready on pull_request_facts (repository_id, ready_at);

create table reviewer_acts (${acts},
  primary key (repository_id, number, reviewer),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index reviewer_acts_ended on reviewer_acts (repository_id, ended_at);
create index reviewer_acts_ready on reviewer_acts (repository_id, ready_at);
create index reviewer_acts_first on reviewer_acts (repository_id, reviewer, first_act_at);
create index reviewer_acts_last on reviewer_acts (repository_id, reviewer, last_act_at);

create table lens_reviewer_acts (${acts},
  user_id integer not null,
  primary key (repository_id, user_id, number, reviewer),
  foreign key (repository_id, user_id) references lenses on delete cascade
);
create index review_threads_resolved_by on review_threads (repository_id, resolved_by_id);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
