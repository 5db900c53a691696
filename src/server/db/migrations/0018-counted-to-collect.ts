import { type Kysely, sql } from 'kysely';

/** How many pull requests are still to be read again is counted by everybody who looks at their repositories: from the index alone. */
const schema = `
drop index pull_requests_to_collect;
create index pull_requests_to_collect on pull_requests (repository_id, created_at desc, collection_tried_at) where collection < 1;
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}
