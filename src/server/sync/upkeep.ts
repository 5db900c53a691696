import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { forgetOldLimits } from '../db/hint-limits.ts';
import { forgetOldHints } from '../db/hints.ts';
import { forgetFormerCredentials } from '../db/sight.ts';
import type { Queue } from '../jobs/jobs.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';
import { hasToken, isReadForSyncs, readersOf } from './refresh.ts';
import { startSession } from './sessions.ts';

/** What is due by what is stored, every minute, in one process. */
export const upkeepQueue: Queue = { name: 'sync-upkeep', cron: '* * * * *', time_limit: 3600 };

/** Every repository is read once an hour; an archived one, in which nothing can change but its being archived, once a day. */
export const HOURS_BETWEEN_SYNCS = { living: 1, archived: 24 };
/** The schedule's finished sessions are kept this long. */
const DAYS_OF_SESSIONS = 7;

/** Starts the syncs that are due; forgets what nobody needs any more. */
export async function upkeep(context: SyncDeps, signal: AbortSignal): Promise<void> {
  const { db } = context;
  await eachAlone(
    await repositoriesDue(db, context.now()),
    signal,
    (repository_id) => startScheduled(context, repository_id),
    (error, repository_id) => context.stepFailed('start_sync', error, { repository_id }),
  );
  await eachAlone(
    [forgetOldHints, forgetOldLimits, forgetOldSessions, forgetFormerCredentials],
    signal,
    (forget) => forget(db, context.now()),
    (error, { name }) => context.stepFailed('clean_up', error, { name }),
  );
}

/**
 * Those that somebody reads, of which nothing runs and whose newest session ended long enough ago. A first import that somebody
 * cancelled waits for somebody to go on with it; where the history is there, one cancelled look doesn't end the hourly ones.
 */
export async function repositoriesDue(db: Kysely<Database>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from repositories r
    left join lateral (select status, coalesce(finished_at, updated_at) as ended_at from sync_sessions s
      where s.repository_id = r.id order by sequence desc limit 1) newest on true
    where exists (select from connections c where c.repository_id = r.id and ${isReadForSyncs})
      and coalesce(newest.status, '') not in ('queued', 'running', 'waiting')
      and (coalesce(newest.status, '') <> 'cancelled' or r.history_completed_at is not null)
      -- An end in the future is one of before the clock was set back.
      and (coalesce(newest.ended_at, r.created_at) <= ${now}::timestamptz - make_interval(hours =>
          case when r.archived then ${HOURS_BETWEEN_SYNCS.archived}::int else ${HOURS_BETWEEN_SYNCS.living}::int end)
        or newest.ended_at > ${now}::timestamptz + interval '5 minutes')
    order by r.id`.execute(db);
  return rows.map((row) => row.id);
}

async function startScheduled(context: SyncDeps, repository_id: number): Promise<void> {
  const spent = await whoseQuotaIsSpent(context.db, context.now());
  const readers = await readersOf(context, repository_id);
  const usersWithQuotaFirst = [...readers.filter((id) => !spent.has(id)), ...readers.filter((id) => spent.has(id))];
  for (const user_id of usersWithQuotaFirst) {
    if (!(await hasToken(context, user_id, repository_id))) continue;
    const request = { repository_id, user_id, mode: 'smart', asked_by: 'schedule', page_size_limit: null } as const;
    await startSession(context.db, request, context.now());
    return;
  }
}

/** Users of whom a sync waits for their hourly quota. */
async function whoseQuotaIsSpent(db: Kysely<Database>, now: Date): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('sync_sessions')
    .select('user_id')
    .where('status', '=', 'waiting')
    .where('error_kind', '=', 'rate_limited')
    .where('waiting_until', '>', now)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

async function forgetOldSessions(db: Kysely<Database>, now: Date): Promise<void> {
  await sql`
    delete from sync_sessions s where asked_by = 'schedule' and status in ('completed', 'failed', 'cancelled')
      and created_at < ${now}::timestamptz - make_interval(days => ${DAYS_OF_SESSIONS})
      and exists (select from sync_sessions newer where newer.repository_id = s.repository_id
        and newer.sequence > s.sequence)`.execute(db);
}
