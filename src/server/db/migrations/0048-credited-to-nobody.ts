import { type Kysely, sql } from 'kysely';

/** Lists of what is credited to nobody read an index of these alone. It takes some seconds for a million pull requests. */
const schema = `
create index pull_request_facts_credited_to_nobody on pull_request_facts (repository_id, number)
  include (author_id, authorship, agents, draft, by_agent, ended_at, time_to_merge, credited_id) where credited_id is null
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(schema).execute(db);
}
