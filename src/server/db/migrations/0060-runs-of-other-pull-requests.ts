import { type Kysely, sql } from 'kysely';

/**
 * Runs of a branch that was used again were tied to the pull request of the day on which the host was asked. They are tied to those of their
 * branch and commit that were open when they were created.
 */
const tieAgain = `
with untied as (
  delete from workflow_run_pull_requests t using workflow_runs u, pull_requests p
  where u.repository_id = t.repository_id and u.run_id = t.run_id and p.repository_id = t.repository_id and p.number = t.number
    and not t.by_head and (p.created_at > u.created_at or p.ended_at < u.created_at)
  returning t.repository_id, t.run_id
)
insert into workflow_run_pull_requests (repository_id, number, run_id, by_head)
select p.repository_id, p.number, u.run_id, true
from (select distinct repository_id, run_id from untied) runs
join workflow_runs u on u.repository_id = runs.repository_id and u.run_id = runs.run_id
join pull_requests p on p.repository_id = u.repository_id and p.head_ref = u.head_branch
  and p.created_at <= u.created_at and (p.ended_at is null or p.ended_at >= u.created_at)
where (p.head_sha = u.head_sha
    or exists (select from commits c where c.repository_id = p.repository_id and c.number = p.number and c.sha = u.head_sha)
    or exists (select from events e where e.repository_id = p.repository_id and e.number = p.number
      and e.type = 'force_push' and e.sha = u.head_sha))
  and not exists (select from workflow_run_pull_requests t
    join pull_requests o on o.repository_id = t.repository_id and o.number = t.number
    where t.repository_id = u.repository_id and t.run_id = u.run_id
      and (t.by_head or (o.created_at <= u.created_at and (o.ended_at is null or o.ended_at >= u.created_at))))
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tieAgain).execute(db);
}
