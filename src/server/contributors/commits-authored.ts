import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Scope } from '../metrics/scope.ts';

/**
 * How many commits (each sha once) a person authored since `after`, by the authored date (`total_commits` in
 * docs/metrics.md#one-person).
 */
export async function commitsAuthored(
  db: Kysely<Database>,
  scope: Scope,
  personId: number,
  after: Date,
): Promise<number> {
  const { rows } = await sql<{ commits: number }>`
    select count(distinct sha)::int as commits
    from commits
    join people person on person.id = author_id
    where ${scope.filter()} and author_id = ${personId} and authored_at > ${after}
      and not (author_is_bot and person.kind = 'human')`.execute(db);
  return rows[0]!.commits;
}
