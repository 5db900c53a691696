import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Gauge, Samples } from '../http/metrics.ts';
import { isKeptInSync, newestSession } from '../metrics/kept-in-sync.ts';

const one = (value: number | null | undefined): Samples => new Map(value == null ? [] : [['', value]]);

/**
 * What the database says of the installation's health: no login and no name of a repository is in it. `withoutWorker` counts the sync sessions
 * that would run now if a worker had room.
 */
export function databaseGauges(
  { db, pool, replica }: Pick<OpenDatabase, 'db' | 'pool' | 'replica'>,
  hosts: readonly string[],
  now: () => Date,
  withoutWorker: () => Promise<number>,
): Gauge[] {
  return [
    {
      name: 'mergelight_oldest_sync_age_seconds',
      help: 'How long ago the repository was synced that was synced longest ago; archived ones do not count, nor those that nothing syncs or that are being imported.',
      read: async () => one(await oldestSync(db, hosts, now())),
    },
    {
      name: 'mergelight_sync_sessions',
      help: 'Sync sessions by status.',
      async read() {
        const rows = await db
          .selectFrom('sync_sessions')
          .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
          .groupBy('status')
          .execute();
        return new Map(rows.map(({ status, count }) => [`status="${status}"`, Number(count)]));
      },
    },
    {
      name: 'mergelight_syncs_waiting_for_worker',
      help: 'Sync sessions that would run now if a worker had room: of one person no more than run at once.',
      read: async () => one(await withoutWorker()),
    },
    {
      name: 'mergelight_hints_waiting',
      help: 'Webhook hints that are still to be looked at.',
      async read() {
        const row = await db
          .selectFrom('hints')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('due_at', 'is not', null)
          .executeTakeFirstOrThrow();
        return one(Number(row.count));
      },
    },
    {
      name: 'mergelight_skipped_pull_requests',
      help: 'Pull requests that could not be fetched or stored as they are now, of repositories that are kept in sync.',
      read: async () => one(await skippedPullRequests(db, hosts)),
    },
    {
      name: 'mergelight_host_quota_remaining',
      help: 'The lowest and the median of what is left of people’s hourly quota, by whether a sync of theirs runs or waits.',
      read: () => quotaRemaining(db, now()),
    },
    {
      name: 'mergelight_pool_connections',
      help: 'Connections to the database, and how many callers wait for one.',
      read: async () =>
        new Map([
          ['state="active"', pool.totalCount - pool.idleCount],
          ['state="idle"', pool.idleCount],
          ['state="waiting"', pool.waitingCount],
        ]),
    },
    {
      name: 'mergelight_replica_lag_seconds',
      help: 'How old answers of the read replica would be.',
      read: async () => one(replica && replica.lag() / 1000),
    },
    {
      name: 'mergelight_database_bytes',
      help: 'Size of the database.',
      async read() {
        const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
        return one(Number(rows[0]?.bytes));
      },
    },
  ];
}

/**
 * In seconds, counted from the connecting where there was no sync yet; null without a repository that is kept in sync. A first import may take
 * hours: one that has not stopped does not count.
 */
async function oldestSync(db: Kysely<Database>, hosts: readonly string[], now: Date): Promise<number | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(coalesce(r.last_synced_at, r.created_at)) as since from repositories r ${newestSession}
    where not r.archived and ${isKeptInSync(hosts)}
      and (r.last_synced_at is not null or coalesce(newest.status, '') not in ('queued', 'running', 'waiting'))`.execute(
    db,
  );
  const since = rows[0]?.since ?? null;
  return since === null ? null : Math.max(0, (now.getTime() - since.getTime()) / 1000);
}

/** Not by the reports of syncs: the next one does not try again what has not changed, and leaves nothing out. */
async function skippedPullRequests(db: Kysely<Database>, hosts: readonly string[]): Promise<number> {
  const { rows } = await sql<{ skipped: number }>`
    select count(*)::int as skipped from unstorable_pull_requests u
    join repositories r on r.id = u.repository_id ${newestSession} where ${isKeptInSync(hosts)}`.execute(db);
  return rows[0]?.skipped ?? 0;
}

/** Of each person what the host said last, as long as that hour lasts. */
async function quotaRemaining(db: Kysely<Database>, now: Date): Promise<Samples> {
  const { rows } = await sql<{ class: string; lowest: number; median: number }>`
    select class, min(remaining) as lowest, percentile_disc(0.5) within group (order by remaining) as median from (
      select distinct on (s.user_id) s.rate_remaining as remaining,
        case when exists (select from sync_sessions a where a.user_id = s.user_id
          and a.status in ('queued', 'running', 'waiting')) then 'waiting' else 'idle' end as class
      from sync_sessions s where s.rate_remaining is not null and s.rate_reset_at > ${now}::timestamptz
      order by s.user_id, s.updated_at desc) told
    group by class order by class`.execute(db);
  return new Map(
    rows.flatMap(({ class: of, lowest, median }) => [
      [`class="${of}",stat="lowest"`, lowest],
      [`class="${of}",stat="median"`, median],
    ]),
  );
}
