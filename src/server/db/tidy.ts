import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Does what a PostgreSQL server does by itself and the embedded database has no process for: frees the place of what was deleted,
 * marks what indexes may answer alone and counts what the planner estimates with, for each table of which a fifth has changed.
 * Answers the names of those tables. Not within a transaction.
 */
export async function tidy(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ schemaname: string; relname: string }>`
    select s.schemaname, s.relname
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where greatest(s.n_dead_tup, s.n_ins_since_vacuum, s.n_mod_since_analyze) > 500 + 0.2 * greatest(c.reltuples, 0)
    order by s.schemaname, s.relname`.execute(db);
  for (const { schemaname, relname } of rows) await sql`vacuum (analyze) ${sql.id(schemaname, relname)}`.execute(db);
  return rows.map(({ relname }) => relname);
}
