import type { OpenDatabase } from '../db/open.ts';
import { withoutStatementLimit } from '../db/statement-limits.ts';

/**
 * Reads every row of every table, so that a page that is damaged is found (PostgreSQL checks the sums of pages where they were switched
 * on, as in the embedded database), however long that takes. A table that is split into parts is one table.
 */
export async function countRows(database: OpenDatabase): Promise<{ rows: number; tables: Map<string, number> }> {
  return await withoutStatementLimit(() => countWithin(database));
}

async function countWithin({ pool }: OpenDatabase): ReturnType<typeof countRows> {
  const client = await pool.connect();
  try {
    const { rows: names } = await client.query<{ name: string; quoted: string }>(`
      select c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 2`);
    await client.query('begin; set local statement_timeout = 0');
    // The tables themselves, not their indexes.
    await client.query(
      'set local enable_indexonlyscan = off; set local enable_indexscan = off; set local enable_bitmapscan = off',
    );
    const tables = new Map<string, number>();
    for (const { name, quoted } of names) {
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoted}`);
      tables.set(name, Number(rows[0]?.count ?? 0));
    }
    await client.query('commit');
    return { rows: [...tables.values()].reduce((sum, count) => sum + count, 0), tables };
  } finally {
    client.release();
  }
}
