import { type Kysely, sql } from 'kysely';

/** What is open is looked up in an index of these alone, however long the history. It takes some seconds for a million pull requests. */
const schema = `
create index pull_request_facts_open on pull_request_facts (repository_id, number)
  include (waiting_on, waiting_since, waiting_reason, author_id, credited_id, credit_by, authorship, by_agent, agents, reviewer_ids)
  where ended_at is null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
