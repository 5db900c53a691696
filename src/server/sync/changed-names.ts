import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { noteChangesOf } from '../db/pull-request-changes.ts';
import { partsIn } from '../metrics/lens-rows.ts';

/**
 * Notes of the pull requests of people who have another login, name or picture, and of repositories that are called otherwise, that what is told of
 * them changed: each repository in a transaction of its own, so that nobody waits for it long.
 */
export async function noteChangedNames(db: Kysely<Database>, signal: AbortSignal): Promise<void> {
  const { rows: people } = await sql<{ person_id: number; noted_at: string }>`
    select person_id, noted_at::text from changed_people order by person_id`.execute(db);
  for (const { person_id, noted_at } of people) {
    const { rows } = await sql<{ id: number }>`
      select id from repositories r
      where exists (select from contributor_totals t where t.repository_id = r.id and t.person_id = ${person_id})
        or exists (select from review_requests q where q.repository_id = r.id and q.person_id = ${person_id})
      order by id`.execute(db);
    for (const { id } of rows) {
      if (signal.aborted) return;
      await db.transaction().execute(
        async (transaction) =>
          await noteChangesOf(
            transaction,
            id,
            sql`select number from (${partsIn(sql`repository_id = ${id}`, sql`${person_id}::int`)}) part
                union all select number from review_requests where repository_id = ${id} and person_id = ${person_id}`,
          ),
      );
    }
    await sql`delete from changed_people where person_id = ${person_id} and noted_at = ${noted_at}::timestamptz`.execute(
      db,
    );
  }
  const { rows: repositories } = await sql<{ id: number; renamed_at: string }>`
    select id, renamed_at::text from repositories where renamed_at is distinct from rename_told_at order by id`.execute(
    db,
  );
  for (const { id, renamed_at } of repositories) {
    if (signal.aborted) return;
    await db.transaction().execute(async (transaction) => {
      await noteChangesOf(transaction, id, sql`select number from pull_requests where repository_id = ${id}`);
      await sql`update repositories set rename_told_at = ${renamed_at}::timestamptz where id = ${id}`.execute(
        transaction,
      );
    });
  }
}
