import { type Kysely, sql } from 'kysely';

/**
 * Reviews over time are told apart by facts of their pull requests that an index alone holds, of those reviewed since the time begins: not
 * all of history is joined with. It takes two seconds for a million pull requests.
 */
const schema = `
create index pull_request_facts_reviewed on pull_request_facts (repository_id, last_review_at)
  include (number, author_id, authorship, by_agent, agents, base_ref, lines_changed, opened_as_draft)
  where last_review_at is not null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
