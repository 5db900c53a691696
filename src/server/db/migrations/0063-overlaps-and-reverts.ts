import { type Kysely, sql } from 'kysely';

/** How long checks ran while a pull request waited was 0 where none says when it began, which nobody knows. */
const unknownOverlaps = `
update pull_request_facts f set signals = 0
where f.ci_overlap_hours = 0 and not exists (select from checks c
  where c.repository_id = f.repository_id and c.number = f.number and c.started_at is not null and c.finished_at is not null)
`;

/**
 * Of titles with quotes in their quotes a part was taken for the reverted one's, and a description that names the repository as it was called
 * before named none. What these revert is noted with their facts.
 */
const otherReverts = `
update pull_request_facts f set signals = 0
from pull_requests p join repositories r on r.id = p.repository_id
where p.repository_id = f.repository_id and p.number = f.number and p.merged_at is not null
  and (p.title ~* '(revert|reapply) ".*".*"'
    or (r.renamed_at is not null and jsonb_path_exists(p.description_marks, '$.reverts[*] ? (@.repository != null)')))
`;

/** Both are computed again behind the running server: few are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(unknownOverlaps).execute(db);
  await sql.raw(otherReverts).execute(db);
}
