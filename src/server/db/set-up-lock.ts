import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Of the one process that sets the database up, an advisory lock's number; any that nothing else locks. `if not exists` is not
 * enough: PostgreSQL answers a process that waited from what it remembered of before.
 */
export const SET_UP_LOCK = 7_230_411;

/** How often a process that waits for the lock tries again, in milliseconds. */
export const SET_UP_RETRY = 500;

/** Who keeps others waiting, for the log and the probe: half a sentence. */
export async function holderOfSetUpLock(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ pid: number; since: Date | null }>`
    select l.pid, a.backend_start as since from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${SET_UP_LOCK} and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
    limit 1`.execute(db);
  const [holder] = rows;
  if (holder === undefined) return 'another process sets up the database';
  const since = holder.since === null ? '' : ` since ${holder.since.toISOString()}`;
  return `another process sets up the database (PostgreSQL backend ${holder.pid}, connected${since})`;
}
