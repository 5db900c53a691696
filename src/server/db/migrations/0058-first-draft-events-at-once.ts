import { type Kysely, sql } from 'kysely';

/**
 * Where the first two draft events came in one second, what a pull request is now tells how it was opened. These are computed again behind the
 * running server: few are.
 */
const data = `
update pull_request_facts set version = 0
where (repository_id, number) in (
  select repository_id, number from (
    select repository_id, number, type, at, min(at) over (partition by repository_id, number) as first_at
    from events where type in ('ready_for_review', 'convert_to_draft')
  ) told where at = first_at group by repository_id, number having count(distinct type) = 2)
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(data).execute(db);
}
