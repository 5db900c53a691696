import { type Kysely, sql } from 'kysely';

/**
 * What is opened and reviewed over time is told apart by facts of pull requests that an index alone holds, of those opened or reviewed since
 * the time begins: not all of history is joined with. It takes some seconds for a million pull requests.
 */
const schema = `
create index pull_request_facts_opened on pull_request_facts (repository_id, created_at)
  include (number, author_id, authorship, by_agent, agents, opened_as_draft);
create index pull_request_facts_reviewed on pull_request_facts (repository_id, last_review_at)
  include (number, author_id, authorship, by_agent, agents, base_ref, lines_changed, opened_as_draft)
  where last_review_at is not null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
