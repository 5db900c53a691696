import { type Kysely, sql } from 'kysely';

/**
 * Who wrote and who started pull requests is found by other rules for texts, which are not kept: those are read again behind the running server
 * in which an agent wrote and nobody is known to have started it (logins with a `_` in addresses, lines behind code within a line), or in which a
 * suggestion was taken over in a file with blanks in its path. As ones that were read by rules of before (-1), and were tried long ago, they are due
 * at once, and no page says that who wrote them is not known.
 */
const readAgain = `
update pull_requests set collection = -1, collection_tried_at = 'epoch'
where collection > 0 and (repository_id, number) in (
  select repository_id, number from pull_request_facts where authorship = 'agent' and credit_by is null
  union all
  select repository_id, number from lens_facts where authorship = 'agent' and credit_by is null
  union all
  select c.repository_id, c.number from changed_files f
  join commits c on c.repository_id = f.repository_id and c.number = f.number and c.headline = 'Update ' || f.path
  where f.path like '% %' and c.trailers -> 'marks' @> '[{"rule": 3}]')
`;

/**
 * Labels called as what every object of JavaScript has were taken for an agent's, Qodo Merge for two tools, and the files of pull requests too
 * large for the host to compute for known. Facts of those are computed again from what is stored.
 */
const recompute = `
update pull_request_facts f set version = 0
where array_position(f.agents, null) is not null or f.agents && array['{}', 'qodo-merge']
  or (f.files_known and f.changed_files = 0)
  or jsonb_path_exists(f.evidence, '$[*] ? (!(@.tool.type() == "string"))')
  or exists (select from reviewer_acts a where a.repository_id = f.repository_id and a.number = f.number and a.reviewer = 'qodo-merge')
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  // First the rows that whoever stores or computes a pull request locks first.
  await sql.raw(readAgain).execute(db);
  await sql.raw(recompute).execute(db);
}
