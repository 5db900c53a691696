import { type Kysely, sql } from 'kysely';

/**
 * Lists by who wrote pull requests, with which tool, and whom they are credited to are counted from one index, told apart by state and
 * draft. It takes some seconds for a million pull requests.
 */
const schema = `
create index pull_request_facts_attribution on pull_request_facts (repository_id, authorship)
  include (number, author_id, agents, credited_id, draft, by_agent, ended_at, time_to_merge)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
