import { type Kysely, sql } from 'kysely';

/**
 * What AI reviewers and people beside them did in a window, and in which pull requests, is read from indexes alone. It takes some seconds for
 * a million pull requests.
 */
const schema = `
drop index reviewer_acts_ended;
create index reviewer_acts_ended on reviewer_acts (repository_id, ended_at)
  include (reviewer, number, first_act_at, reviews, findings, changed, resolved, answered, dismissed_by_hand, ignored, noisy,
    thumbs_up, thumbs_down);
drop index reviewer_acts_ready;
create index reviewer_acts_ready on reviewer_acts (repository_id, ready_at) include (reviewer, number, first_act_at, wait_hours);
drop index pull_request_facts_ready;
create index pull_request_facts_ready on pull_request_facts (repository_id, ready_at)
  include (number, author_id, acts, lines_changed, first_review_at);
drop index pull_request_facts_ended;
create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at)
  include (number, author_id, created_at, lines_changed, time_to_merge, review_cycles, latest_opinion, approved_first_time, credited_id,
    acts, time_to_first_review)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
