import { type Kysely, sql } from 'kysely';

/**
 * A review in the second of the last push came after it. What was pushed after its approval, and reviewed in the second of a push, is computed
 * again behind the running server: few are.
 */
const data = `
update pull_request_facts it set signals = 0
where (commits_after_approval > 0 or forced_after_approval) and exists (
  select from reviews v where v.repository_id = it.repository_id and v.number = it.number and v.counts and (
    exists (select from commits c where c.repository_id = v.repository_id and c.number = v.number and c.committed_at = v.submitted_at)
    or exists (select from events e where e.repository_id = v.repository_id and e.number = v.number and e.at = v.submitted_at)))
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(data).execute(db);
}
