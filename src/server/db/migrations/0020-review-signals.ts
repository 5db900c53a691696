import { type Kysely, sql } from 'kysely';

/**
 * What the signals of the review practice ask of each pull request, who reverts and who sets right what, what people say is not so, and
 * the thresholds. Columns are added empty: `signals` tells of which facts it was computed, 0 of none, which is done behind the running
 * server. What depends on what accounts are has a column in `lens_facts`.
 */
const byAccounts = [
  'standing_approvals integer',
  'standing_requests integer',
  'commented_by_others boolean',
  'inline_by_others boolean',
  'human_findings integer',
  'self_merged boolean',
  'review_words integer',
  'approval_lag_minutes double precision',
  'commits_after_approval integer',
  'forced_after_approval boolean',
  'turns_in_a_day integer',
];

const schema = `
${[
  'signals integer not null default 0',
  'base_ref text',
  'changed_files integer',
  'lines_counted integer',
  'files_known boolean',
  'opened_as_draft boolean',
  'draft_changes timestamptz[]',
  ...byAccounts,
  'ci_wait_hours double precision',
  'ci_overlap_hours double precision',
]
  .map((column) => `alter table pull_request_facts add column ${column}`)
  .join(';\n')};
${byAccounts.map((column) => `alter table lens_facts add column ${column}`).join(';\n')};
create index pull_request_facts_signals on pull_request_facts (repository_id, signals, number desc);

alter table repositories add column former_default_branches text[] not null default '{}';
create index pull_requests_merge_commit on pull_requests (repository_id, merge_commit_sha text_pattern_ops)
  where merge_commit_sha is not null;

create table revert_claims (
  repository_id integer not null,
  key text not null,
  number integer not null,
  primary key (repository_id, key, number),
  foreign key (repository_id, number) references pull_requests on delete cascade
);
create index revert_claims_number on revert_claims (repository_id, number);

create table reverts (
  repository_id integer not null,
  number integer not null,
  target integer not null,
  primary key (repository_id, number, target),
  foreign key (repository_id, number) references pull_requests on delete cascade,
  foreign key (repository_id, target) references pull_requests on delete cascade
);
create index reverts_target on reverts (repository_id, target);

create table follow_ups (
  repository_id integer not null,
  number integer not null,
  by_number integer not null,
  primary key (repository_id, number, by_number),
  foreign key (repository_id, number) references pull_requests on delete cascade,
  foreign key (repository_id, by_number) references pull_requests on delete cascade
);
create index follow_ups_by on follow_ups (repository_id, by_number);

create table signal_dismissals (
  repository_id integer not null,
  number integer not null,
  key text not null,
  reason text not null,
  set_by integer references users on delete set null,
  set_at timestamptz not null,
  primary key (repository_id, number, key),
  foreign key (repository_id, number) references pull_requests on delete cascade
);

create table health_settings (
  id serial primary key,
  host text not null,
  settings jsonb not null,
  revision integer not null,
  set_by integer references users on delete set null,
  set_at timestamptz not null
);
create index health_settings_host on health_settings (host, id desc);
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
