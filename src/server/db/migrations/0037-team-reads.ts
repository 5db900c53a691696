import { type Kysely, sql } from 'kysely';

/**
 * What is asked about a team's pull requests and reviews of a window is read from indexes alone, with whom they belong to and when they were
 * opened; and of lists of them what they are sorted by. It takes some seconds for a million pull requests.
 */
const schema = `
drop index pull_request_facts_ended;
create index pull_request_facts_ended on pull_request_facts (repository_id, ended_at)
  include (number, author_id, created_at, lines_changed, time_to_merge, review_cycles, latest_opinion, approved_first_time, credited_id);
drop index pull_request_facts_first_review;
create index pull_request_facts_first_review on pull_request_facts (repository_id, first_review_at)
  include (time_to_first_review, author_id, credited_id, created_at) where first_review_at is not null;
drop index pull_request_facts_author_ended;
create index pull_request_facts_author_ended on pull_request_facts (repository_id, author_id, ended_at)
  include (number, time_to_merge, review_cycles, created_at) where ended_at is not null;
drop index reviews_author;
create index reviews_author on reviews (repository_id, author_id, submitted_at)
  include (number, counts, automated, latest, response_hours);
drop index pull_requests_author;
create index pull_requests_author on pull_requests (repository_id, author_id, created_at)
  include (lines_changed, number, state, draft, updated_at);
drop index pull_requests_size;
create index pull_requests_size on pull_requests (repository_id, lines_changed) include (number, author_id);
drop index pull_request_facts_credited;
create index pull_request_facts_credited on pull_request_facts (repository_id, credited_id)
  include (number, author_id, created_at, ended_at, time_to_merge, by_agent) where credit_by <> 'author';
create index pull_request_facts_of_others on pull_request_facts (repository_id, author_id)
  include (number, ended_at, time_to_merge, by_agent) where credited_id <> author_id
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
