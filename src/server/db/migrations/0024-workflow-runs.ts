import { type Kysely, sql } from 'kysely';

/** Workflow runs of pull requests and what their attempts tell, as far as some token may read them. */
const schema = `
alter table hint_quotas drop constraint hint_quotas_purpose_check;
alter table hint_quotas add constraint hint_quotas_purpose_check check (purpose in ('hints', 'collection', 'actions'));

create table workflow_reads (
  repository_id integer primary key references repositories on delete cascade,
  due_at timestamptz not null,
  read_at timestamptz not null,
  from_at timestamptz,
  until_at timestamptz,
  page integer not null default 1,
  known_from timestamptz,
  allowed boolean,
  jobs_left integer not null default 0
);

create table workflow_runs (
  repository_id integer not null references repositories on delete cascade,
  run_id text not null,
  workflow text not null,
  head_branch text,
  head_sha text not null,
  created_at timestamptz not null,
  attempts integer not null,
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled', 'other')),
  jobs_due boolean not null default false,
  jobs_attempt integer,
  jobs_tries integer not null default 0,
  reruns integer,
  rerun_wait_hours double precision,
  primary key (repository_id, run_id)
);
create index workflow_runs_created on workflow_runs (repository_id, created_at);
create index workflow_runs_due on workflow_runs (repository_id, jobs_tries, created_at desc) where jobs_due;

create table workflow_run_pull_requests (
  repository_id integer not null,
  number integer not null,
  run_id text not null,
  by_head boolean not null,
  primary key (repository_id, number, run_id),
  foreign key (repository_id, number) references pull_requests on delete cascade,
  foreign key (repository_id, run_id) references workflow_runs on delete cascade
);
create index workflow_run_pull_requests_run on workflow_run_pull_requests (repository_id, run_id);

create table workflow_jobs (
  repository_id integer not null,
  run_id text not null,
  name text not null,
  flaky boolean not null,
  primary key (repository_id, run_id, name),
  foreign key (repository_id, run_id) references workflow_runs on delete cascade
);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
