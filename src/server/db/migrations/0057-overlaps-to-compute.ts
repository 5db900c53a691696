import { type Kysely, sql } from 'kysely';

/** What differs for somebody, where it is known how long checks ran while it waited, is computed again behind the running server. */
const data = `
insert into lens_pending (repository_id, user_id, number, person_id)
select l.repository_id, l.user_id, l.number, mark.person_id
from lens_facts l
join pull_request_facts f on f.repository_id = l.repository_id and f.number = l.number and f.ci_overlap_hours is not null
cross join lateral (select m.person_id from lens_marks m
  where m.repository_id = l.repository_id and m.user_id = l.user_id order by m.person_id limit 1) mark
on conflict do nothing
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(data).execute(db);
}
