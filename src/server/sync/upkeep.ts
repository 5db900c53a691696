import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { forgetOldLimits } from '../db/hint-limits.ts';
import { forgetOldHints } from '../db/hints.ts';
import { forgetFormerCredentials } from '../db/sight.ts';
import type { Queue } from '../jobs/jobs.ts';
import { isKeptInSync, newestSession } from '../metrics/kept-in-sync.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';
import { lookAtQuiet } from './quiet-look.ts';
import { hasToken, readersOf } from './refresh.ts';
import { type StoredRepository, startSession } from './sessions.ts';

/** What is due by what is stored, every minute, in one process. */
export const upkeepQueue: Queue = { name: 'sync-upkeep', cron: '* * * * *', time_limit: 3600 };

/** Every repository is read once an hour; an archived one, in which nothing can change but its being archived, once a day. */
const HOURS_BETWEEN_SYNCS = { living: 1, archived: 24 };
/** Repositories that become due within this time are looked at together. */
const MINUTES_TOGETHER = 30;
/** The schedule's finished sessions are kept this long. */
const DAYS_OF_SESSIONS = 7;

/** Starts the syncs that are due; forgets what nobody needs any more. */
export async function upkeep(context: SyncDeps, signal: AbortSignal): Promise<void> {
  const { db } = context;
  const due = await repositoriesDue(context);
  const { quiet, changed } = await lookAtAll(context, due, signal);
  await eachAlone(
    [...new Set([...due, ...changed])].filter((id) => !quiet.has(id)),
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
 * Those that are kept in sync, of which nothing runs and whose newest session ended long enough ago. A look that found nothing counts as a
 * sync.
 */
export async function repositoriesDue(
  { db, served, now: clock }: Pick<SyncDeps, 'db' | 'served' | 'now'>,
  minutes_early = 0,
): Promise<number[]> {
  const now = clock();
  const { rows } = await sql<{ id: number }>`
    select r.id from repositories r ${newestSession}
    where ${isKeptInSync(served)} and coalesce(newest.status, '') not in ('queued', 'running', 'waiting')
      -- An end in the future is one of before the clock was set back.
      and (greatest(coalesce(newest.ended_at, r.created_at), r.last_synced_at)
          <= ${now}::timestamptz + make_interval(mins => ${minutes_early}::int) - make_interval(hours =>
          case when r.archived then ${HOURS_BETWEEN_SYNCS.archived}::int else ${HOURS_BETWEEN_SYNCS.living}::int end)
        or greatest(newest.ended_at, r.last_synced_at) > ${now}::timestamptz + interval '5 minutes')
    order by r.id`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Looks at those that are due together with those that soon will be, so that whose hours are alike share a request. What is not quiet is
 * to be synced, due or not.
 */
async function lookAtAll(
  context: SyncDeps,
  due: readonly number[],
  signal: AbortSignal,
): Promise<{ quiet: ReadonlySet<number>; changed: readonly number[] }> {
  const quiet = new Set<number>();
  const changed: number[] = [];
  if (due.length === 0) return { quiet, changed };
  const byUser = new Map<number, StoredRepository[]>();
  await eachAlone(
    await repositoriesDue(context, MINUTES_TOGETHER),
    signal,
    async (repository_id) => {
      const repository = await context.db
        .selectFrom('repositories')
        .selectAll()
        .where('id', '=', repository_id)
        .where('watermark', 'is not', null)
        .where('history_completed_at', 'is not', null)
        .executeTakeFirst();
      const user_id = repository === undefined ? null : await readerFor(context, repository_id);
      if (repository === undefined || user_id === null) return;
      byUser.set(user_id, [...(byUser.get(user_id) ?? []), repository]);
    },
    (error, repository_id) => context.stepFailed('look', error, { repository_id }),
  );
  await eachAlone(
    [...byUser],
    signal,
    async ([user_id, repositories]) => {
      if (repositories.length < 2 || !repositories.some(({ id }) => due.includes(id))) return;
      const found = await lookAtQuiet(context, user_id, repositories, signal);
      for (const { id } of repositories) {
        if (found.has(id)) quiet.add(id);
        else changed.push(id);
      }
    },
    (error, [user_id]) => context.stepFailed('look', error, { user_id }),
  );
  return { quiet, changed };
}

async function startScheduled(context: SyncDeps, repository_id: number): Promise<void> {
  const user_id = await readerFor(context, repository_id);
  if (user_id === null) return;
  const request = { repository_id, user_id, mode: 'smart', asked_by: 'schedule', page_size_limit: null } as const;
  await startSession(context.db, request, context.now());
}

/** With whose token the repository is read next; null where nobody has one. */
async function readerFor(context: SyncDeps, repository_id: number): Promise<number | null> {
  const spent = await whoseQuotaIsSpent(context.db, context.now());
  const readers = await readersOf(context, repository_id);
  const usersWithQuotaFirst = [...readers.filter((id) => !spent.has(id)), ...readers.filter((id) => spent.has(id))];
  for (const user_id of usersWithQuotaFirst) if (await hasToken(context, user_id, repository_id)) return user_id;
  return null;
}

/** Users of whom a sync waits for their hourly quota, or for a pause that the host wants. */
async function whoseQuotaIsSpent(db: Kysely<Database>, now: Date): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('sync_sessions')
    .select('user_id')
    .where('status', '=', 'waiting')
    .where('error_kind', 'in', ['rate_limited', 'secondary_limit'])
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
