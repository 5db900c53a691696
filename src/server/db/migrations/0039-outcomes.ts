import { type Kysely, sql } from 'kysely';

/**
 * How pull requests fared, where agents' are told beside people's. Columns are added empty; what is stored gets them with the acts of its
 * reviewers, behind the running server, and is left out as not known until then.
 */
const byAccounts = ['commits_by_agent double precision', 'independent_reviews integer', 'merged_on_own_word boolean'];

const schema = `
${[...byAccounts, 'failing_at_last_push boolean'].map((column) => `alter table pull_request_facts add column ${column}`).join(';\n')};
${byAccounts.map((column) => `alter table lens_facts add column ${column}`).join(';\n')}
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of schema.split(';\n')) await sql.raw(statement).execute(db);
}
