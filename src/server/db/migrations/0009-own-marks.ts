import { type Kysely, sql } from 'kysely';

/**
 * Marks of accounts belong to whoever made them; `account_kinds` keeps those that hold for everyone. What is stored today becomes its
 * setter's own, and stays for everyone where the setter is unknown; `account_recounts` names the accounts whose kind has to be settled.
 *
 * A lens is how the stored pull requests of one repository look to one user with marks of their own: the rows that differ from
 * everybody's (facts, reviews, participations), and how much the sums differ (totals, months). `person_id` 0 is a deleted account.
 * The views that put them over everybody's rows are made after the migrations (lens-views.ts).
 */
const schema = `
create table own_account_kinds (
  user_id integer not null references users on delete cascade,
  host text not null,
  host_id text not null,
  kind text not null check (kind in ('human', 'bot', 'agent')),
  set_at timestamptz not null,
  primary key (user_id, host, host_id)
);
create table own_mark_changes (
  user_id integer primary key references users on delete cascade,
  change_id uuid not null
);
create table account_recounts (
  host text not null,
  host_id text not null,
  primary key (host, host_id)
);

create table lenses (
  repository_id integer not null references repositories on delete cascade,
  user_id integer not null,
  changed_at timestamptz not null,
  primary key (repository_id, user_id)
);
create index lenses_user on lenses (user_id);
create table lens_marks (
  repository_id integer not null,
  user_id integer not null,
  person_id integer not null,
  kind text not null,
  primary key (repository_id, user_id, person_id),
  foreign key (repository_id, user_id) references lenses on delete cascade
);
create table lens_pending (
  repository_id integer not null,
  user_id integer not null,
  number integer not null,
  person_id integer not null,
  primary key (repository_id, user_id, number, person_id),
  foreign key (repository_id, user_id) references lenses on delete cascade
);
create index lens_pending_person on lens_pending (user_id, person_id);
create table lens_facts (
  repository_id integer not null,
  user_id integer not null,
  number integer not null,
  first_review_at timestamptz,
  last_review_at timestamptz,
  first_agent_review_at timestamptz,
  approved_at timestamptz,
  last_activity_at timestamptz not null,
  time_to_first_review float8,
  active_development_time float8 not null,
  waiting_for_review_time float8 not null,
  post_approval_time float8,
  review_cycles integer not null,
  waiting_on text,
  waiting_since timestamptz,
  waiting_reason text,
  phases jsonb not null,
  reviewer_ids integer[] not null,
  latest_opinion text,
  approved_first_time boolean,
  by_agent boolean not null,
  primary key (repository_id, user_id, number),
  foreign key (repository_id, user_id) references lenses on delete cascade
);
create table lens_reviews (
  repository_id integer not null,
  user_id integer not null,
  host_id text not null,
  number integer not null,
  counts boolean not null,
  automated boolean not null,
  latest boolean not null,
  response_hours float8,
  primary key (repository_id, user_id, host_id),
  foreign key (repository_id, user_id) references lenses on delete cascade
);
create index lens_reviews_pull_request on lens_reviews (repository_id, user_id, number);
create table lens_participations (like participations including defaults);
alter table lens_participations add column user_id integer not null;
alter table lens_participations add unique nulls not distinct (repository_id, user_id, number, person_id, month);
alter table lens_participations add foreign key (repository_id, user_id) references lenses on delete cascade;
create index lens_participations_latest on lens_participations (repository_id, user_id, person_id, last_activity_at);
create table lens_totals (like contributor_totals including defaults);
alter table lens_totals drop column last_activity_at;
alter table lens_totals add column user_id integer not null;
alter table lens_totals add primary key (repository_id, user_id, person_id);
alter table lens_totals add foreign key (repository_id, user_id) references lenses on delete cascade;
create table lens_months (like contributor_months including defaults);
alter table lens_months add column user_id integer not null;
alter table lens_months add primary key (repository_id, user_id, span, month, person_id);
alter table lens_months add foreign key (repository_id, user_id) references lenses on delete cascade;

insert into own_account_kinds (user_id, host, host_id, kind, set_at)
  select u.id, k.host, k.host_id, k.kind, k.set_at from account_kinds k join users u on u.id = k.set_by;
insert into account_recounts (host, host_id)
  select k.host, k.host_id from account_kinds k join users u on u.id = k.set_by;
delete from account_kinds k using users u where u.id = k.set_by;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
