import { type Kysely, sql } from 'kysely';

/**
 * What belongs to a team is found by its people: pull requests by whom they are credited to, else their author, and when they were opened,
 * with their state; reviews by who gave them. It takes some seconds for a million pull requests.
 */
const schema = `
create index pull_request_facts_credited_opened on pull_request_facts (repository_id, coalesce(credited_id, author_id), created_at)
  include (number, ended_at, time_to_merge, draft, by_agent, author_id, credited_id);
drop index reviews_author;
create index reviews_author on reviews (repository_id, author_id, submitted_at) include (number, counts, automated)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
