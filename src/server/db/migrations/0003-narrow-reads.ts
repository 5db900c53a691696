import { type Kysely, sql } from 'kysely';

/**
 * What is asked of many pull requests at once stands beside their facts, in indexes that answer alone: who authored them, when they were
 * opened and how large they are. Whole months are read in the order in which they lie. How many are by agents is counted with the other totals of their authors; the participations are
 * recomputed after the migrations.
 */
const schema = `
drop index pull_request_facts_ended;
drop index pull_request_facts_first_review;
alter table pull_request_facts add column author_id integer;
alter table pull_request_facts add column draft boolean;
alter table pull_request_facts add column created_at timestamptz;
alter table pull_request_facts add column lines_changed integer;
update pull_request_facts f set ended_at = p.ended_at, author_id = p.author_id, draft = p.draft, created_at = p.created_at,
  lines_changed = p.lines_changed
  from pull_requests p where p.repository_id = f.repository_id and p.number = f.number;
alter table pull_request_facts alter column draft set not null;
alter table pull_request_facts alter column created_at set not null;
alter table pull_request_facts alter column lines_changed set not null;
create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at)
  include (number, author_id, created_at, lines_changed, time_to_merge, review_cycles, latest_opinion, approved_first_time);
create index pull_request_facts_author_ended on pull_request_facts (repository_id, author_id, ended_at)
  include (number, time_to_merge, review_cycles) where ended_at is not null;
create index pull_request_facts_first_review on pull_request_facts (repository_id, first_review_at)
  include (time_to_first_review) where first_review_at is not null;
drop index pull_requests_author;
create index pull_requests_author on pull_requests (repository_id, author_id, created_at) include (lines_changed);

alter table contributor_months drop constraint contributor_months_pkey;
alter table contributor_months add primary key (repository_id, person_id, month);
create index contributor_months_month on contributor_months (repository_id, month);

alter table participations add column by_agent integer not null default 0;
alter table participations add column open_by_agent integer not null default 0;
alter table participations add column merged_by_agent integer not null default 0;
alter table contributor_totals add column by_agent integer not null default 0;
alter table contributor_totals add column open_by_agent integer not null default 0;
alter table contributor_totals add column merged_by_agent integer not null default 0;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
