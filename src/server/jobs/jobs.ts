import { type JobWithMetadata, PgBoss } from 'pg-boss';
import type { OpenDatabase } from '../db/open.ts';
import { holderOfSetUpLock, SET_UP_LOCK, SET_UP_RETRY } from '../db/set-up-lock.ts';
import { sleep } from '../sleep.ts';

/**
 * A kind of background work that is found by what is stored, so that its jobs carry no data and one that fails is not retried, unless it is
 * daily: the next one finds the same work. Each capability declares its own; `background-jobs.ts` lists them.
 */
export interface Queue {
  readonly name: string;
  /** When a job is sent by itself: a cron expression in UTC, which fires once however many processes run. */
  readonly cron: string;
  /** The longest that one job may run, in seconds. */
  readonly time_limit: number;
  /**
   * At most one job a day (UTC), however often the schedule fires, so that it may fire whenever a process happens to run. One that fails, is
   * stopped, or whose process dies is retried an hour later.
   */
  readonly daily?: boolean;
}

/**
 * Resolves when the work is done; at most one job of a queue runs at a time. `stopping` is aborted when the process ends or the time is up.
 * `sent_at` is when the job was sent by the database's clock, the same in a retry.
 */
export type Handler = (stopping: AbortSignal, sent_at: Date) => Promise<void>;

/** Durable work in the database, shared by all processes on it. */
export interface Jobs {
  /**
   * Sends a job now, unless one of this queue waits or runs, or of a daily one was sent today. A worker of this process takes it up at once, one of another process
   * within a second.
   */
  send(queue: Queue): Promise<void>;
  /** Has this process take the queue's jobs, and sends one whenever the queue's schedule fires. What a handler throws is logged. */
  work(queue: Queue, handler: Handler): Promise<void>;
  /** @throws Error when the queue does not answer */
  check(): Promise<void>;
  /** Takes no more jobs and waits up to `patience` milliseconds for running ones; those that are left are given up. */
  stop(patience: number): Promise<void>;
}

const schema = 'jobs';
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Seconds without a sign of life after which a job is given up, and the next one may start; the least that pg-boss allows is 10. */
const heartbeat = 20;

/**
 * Opens the queues. `working` says whether this process takes jobs (role all or worker) or only sends them.
 * On the embedded database no other process can be alive, so jobs that a dead one left running are given up at once.
 */
export async function openJobs(
  database: OpenDatabase,
  queues: readonly Queue[],
  {
    working,
    log,
    onWait,
  }: {
    working: boolean;
    /** `queue` names that of the job that failed; without it the queues themselves have failed. */
    log: (error: Error, queue?: string) => void;
    /** Told once why the set-up has to wait for another process. */
    onWait: (reason: string) => void;
  },
): Promise<Jobs> {
  const { kind, pool } = database;
  const embedded = kind === 'embedded';
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => await pool.query(text, values as unknown[]) },
    schema,
    backend: embedded ? 'pglite' : 'postgres',
    supervise: working,
    schedule: working,
    superviseIntervalSeconds: embedded ? 60 : 15,
    monitorIntervalSeconds: embedded ? 60 : 15,
    cronWorkerIntervalSeconds: 20,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log(error));
  await setUp(boss, database, queues, onWait);
  await pullBackDates(pool);
  if (embedded && working) await giveUpAbandoned();

  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  let lastFetches = new Map<string, number | null>();
  const pullingBack = setInterval(() => {
    pullBackDates(pool).catch((error: Error) => log(error));
    wakeSleepers();
  }, PULL_BACK_EVERY).unref();

  return {
    async send(queue) {
      const { name } = queue;
      if ((await boss.send(name, {}, optionsOf(queue))) === null) return;
      for (const worker of boss.getWipData()) if (worker.name === name) boss.notifyWorker(worker.id);
    },

    async work(queue, handler) {
      const { name, cron, daily = false } = queue;
      const options = { pollingIntervalSeconds: embedded ? 15 : 1, includeMetadata: true } as const;
      await boss.work(name, options, async ([job]: JobWithMetadata[]) => {
        const signal = AbortSignal.any([stopping.signal, job!.signal]);
        const run = handler(signal, job!.createdOn);
        const settled = run.catch(() => undefined);
        running.add(settled);
        try {
          await run;
          // What was left has to be retried.
          if (daily) signal.throwIfAborted();
        } catch (error) {
          if (!stopping.signal.aborted) log(error instanceof Error ? error : new Error(String(error)), name);
          throw error;
        } finally {
          running.delete(settled);
        }
      });
      await boss.schedule(name, cron, {}, { tz: 'UTC', ...optionsOf(queue) });
    },

    async check() {
      if (!(await boss.isInstalled())) throw new Error('The job queue is not installed.');
    },

    async stop(patience) {
      stopping.abort();
      clearInterval(pullingBack);
      for (const queue of queues) await boss.offWork(queue.name, { wait: false });
      const limit = new AbortController();
      await Promise.race([Promise.all(running), sleep(patience, limit.signal)]);
      limit.abort();
      await boss.stop({ graceful: false, close: false });
    },
  };

  /**
   * A worker during whose last job the clock was set back sleeps until it has caught up (pg-boss, worker.js). Each looks for jobs more often
   * than this is called; to one that is at work it means nothing.
   */
  function wakeSleepers(): void {
    const workers = boss.getWipData({ includeInternal: true });
    for (const { id, lastFetchedOn } of workers) if (lastFetches.get(id) === lastFetchedOn) boss.notifyWorker(id);
    lastFetches = new Map(workers.map(({ id, lastFetchedOn }) => [id, lastFetchedOn]));
  }

  async function giveUpAbandoned(): Promise<void> {
    const { rows } = await pool.query<{ name: string; ids: string[] }>(
      `select name, array_agg(id::text) as ids from ${schema}.job where state = 'active' group by name`,
    );
    for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'The process that ran it died.' });
  }
}

/** A job of a daily queue takes the place of the day on which it was sent, whatever comes of it, and is retried until the next one. */
function optionsOf({ daily = false }: Queue) {
  return daily ? { singletonSeconds: DAY, retryLimit: DAY / HOUR - 1, retryDelay: HOUR } : {};
}

/** How often dates in the future are looked for, in milliseconds. */
const PULL_BACK_EVERY = 30_000;

/**
 * Dates in the future are of before the clock was set back. Until it has caught up, jobs would not start, schedules not fire, and what a
 * dead process left running would keep its queue.
 */
async function pullBackDates(pool: OpenDatabase['pool']): Promise<void> {
  await pool.query(
    `update ${schema}.version set cron_on = null, bam_on = null, flow_on = null
      where greatest(cron_on, bam_on, flow_on) > now()`,
  );
  await pool.query(
    `update ${schema}.queue set monitor_claim_on = null, maintain_on = null where greatest(monitor_claim_on, maintain_on) > now()`,
  );
  // `singleton_on`, in UTC, is the minute in which a schedule has fired, which it does once, or the day of a daily job. A retry waits an hour.
  await pool.query(
    `update ${schema}.job set singleton_on = case when singleton_on <= now() at time zone 'UTC' then singleton_on end,
        start_after = case when state = 'retry' and start_after > now() + interval '61 minutes' then now()
          else start_after - greatest(created_on - now(), interval '0') end, created_on = least(created_on, now()),
        started_on = case when started_on > now() then now() else started_on end,
        heartbeat_on = case when heartbeat_on > now() then now() else heartbeat_on end
      where singleton_on > now() at time zone 'UTC'
        or state in ('created', 'retry') and created_on > now() + interval '1 minute'
        or state = 'retry' and start_after > now() + interval '61 minutes'
        or state = 'active' and greatest(started_on, heartbeat_on) > now()`,
  );
}

/** One process at a time makes the tables and the queues. The embedded database has one process, and one connection. */
async function setUp(
  boss: PgBoss,
  { kind, db, pool }: OpenDatabase,
  queues: readonly Queue[],
  onWait: (reason: string) => void,
): Promise<void> {
  const lock = kind === 'embedded' ? null : await pool.connect();
  try {
    for (let waits = false; lock !== null; waits = true) {
      // A lock of the transaction, not of the session: behind a pooler that would stay with somebody else's connection.
      await lock.query('begin');
      const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [
        SET_UP_LOCK,
      ]);
      if (rows[0]?.taken === true) break;
      // Whoever waits in a transaction keeps one of a pooler's connections, of which the holder needs a second one.
      await lock.query('rollback');
      if (!waits) onWait(await holderOfSetUpLock(db));
      await sleep(SET_UP_RETRY);
    }
    await boss.start();
    await declare(boss, queues);
  } finally {
    // The lock ends with its transaction.
    await lock?.query('commit').catch(() => undefined);
    lock?.release(true);
  }
}

/** Makes the queues that are missing and changes those with other settings: a start pays for one look as a rule. */
async function declare(boss: PgBoss, queues: readonly Queue[]): Promise<void> {
  const stored = new Map((await boss.getQueues(queues.map(({ name }) => name))).map((queue) => [queue.name, queue]));
  for (const { name, time_limit } of queues) {
    const settings = {
      retryLimit: 0,
      expireInSeconds: time_limit,
      heartbeatSeconds: heartbeat,
      deleteAfterSeconds: DAY,
    };
    const queue = stored.get(name);
    const fields = ['retryLimit', 'expireInSeconds', 'heartbeatSeconds', 'deleteAfterSeconds'] as const;
    if (queue === undefined) await boss.createQueue(name, { ...settings, policy: 'exclusive' });
    else if (fields.some((field) => queue[field] !== settings[field])) await boss.updateQueue(name, settings);
  }
}
