import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { demoPath } from './demo-pages.ts';

/**
 * The demo's pages and pictures stand at this server's own address, and so do the addresses stored with its data. When the
 * server has moved since (another port, say), they follow. `host` is the key of the demo's rows.
 */
export async function followAddress(db: Kysely<Database>, host: string, public_url: string): Promise<void> {
  const base = `${public_url}${demoPath}`;
  const moved = await db
    .selectFrom('repositories')
    .select('id')
    .where('host', '=', host)
    .where(({ not, fn }) => not(fn<boolean>('starts_with', ['url', sql.lit(`${base}/`)])))
    .execute();
  if (moved.length === 0) return;
  const ids = moved.map(({ id }) => id);
  const followed = (column: string) =>
    sql<string>`${base} || regexp_replace(${sql.ref(column)}, '^.*?${sql.raw(demoPath)}', '')`;
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('people')
      .set({ avatar_url: followed('avatar_url') })
      .where('host', '=', host)
      .execute();
    await trx
      .updateTable('users')
      .set({ avatar_url: followed('avatar_url') })
      .where('host', '=', host)
      .execute();
    await trx
      .updateTable('pull_requests')
      .set({ url: followed('url') })
      .where('repository_id', 'in', ids)
      .execute();
    await trx
      .updateTable('repositories')
      .set({ url: followed('url') })
      .where('id', 'in', ids)
      .execute();
  });
}
