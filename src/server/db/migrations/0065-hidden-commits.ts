import { type Kysely, sql } from 'kysely';

/**
 * Commits that a token might not read counted as read: pull requests that have some and of which none is stored are read again behind the
 * running server, and until then say that not all traces were read.
 */
const readAgain = `
update pull_requests p set collection = -2, collection_tried_at = 'epoch'
where p.collection <> 0 and p.commits > 0
  and not exists (select from commits c where c.repository_id = p.repository_id and c.number = p.number)
`;

/** Only people start pull requests: of those that were credited to their authors, an agent or a bot, it is computed again. */
const recompute = `
update pull_request_facts f set version = 0
where f.credit_by = 'author' and exists (select from people a where a.id = f.author_id and a.kind <> 'human')
  or exists (select from lens_facts l join lens_marks m on m.repository_id = l.repository_id and m.user_id = l.user_id and m.person_id = f.author_id
    where l.repository_id = f.repository_id and l.number = f.number and l.credit_by = 'author' and m.kind <> 'human')
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  // First the rows that whoever stores or computes a pull request locks first.
  await sql.raw(readAgain).execute(db);
  await sql.raw(recompute).execute(db);
}
