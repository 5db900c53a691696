import { type Kysely, sql } from 'kysely';

/**
 * What AI reviewers and people beside them did in a window, and in which pull requests, is read from indexes alone. It takes some seconds for
 * a million pull requests, in which everything can be read: only when all are built do they take the place of those before.
 */
const schema = `
create index reviewer_acts_ended_new on reviewer_acts (repository_id, ended_at)
  include (reviewer, number, first_act_at, reviews, findings, changed, resolved, answered, dismissed_by_hand, ignored, noisy,
    thumbs_up, thumbs_down);
create index reviewer_acts_ready_new on reviewer_acts (repository_id, ready_at) include (reviewer, number, first_act_at, wait_hours);
create index pull_request_facts_ready_new on pull_request_facts (repository_id, ready_at)
  include (number, author_id, acts, lines_changed, first_review_at);
create index pull_request_facts_ended_new on pull_request_facts (repository_id, ended_at)
  include (number, author_id, created_at, lines_changed, time_to_merge, review_cycles, latest_opinion, approved_first_time, credited_id,
    acts, time_to_first_review);
drop index reviewer_acts_ended, reviewer_acts_ready, pull_request_facts_ready, pull_request_facts_ended;
alter index reviewer_acts_ended_new rename to reviewer_acts_ended;
alter index reviewer_acts_ready_new rename to reviewer_acts_ready;
alter index pull_request_facts_ready_new rename to pull_request_facts_ready;
alter index pull_request_facts_ended_new rename to pull_request_facts_ended
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
