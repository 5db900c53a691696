import type { Transaction } from 'kysely';
import { fromKysely, type Job, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { holderOfSetUpLock, SET_UP_LOCK, SET_UP_RETRY } from '../db/set-up-lock.ts';

/** A kind of work. Each capability declares its own and hands them to `openJobs`. */
export interface Queue<Data extends object> {
  readonly name: string;
  /**
   * Whether jobs with the same `key` may pile up: `every` keeps each of them, `one_waiting` drops a second one that waits,
   * `one_at_all` also drops it while one runs.
   */
  readonly keep: 'every' | 'one_waiting' | 'one_at_all';
  /** How many times a job that threw, or whose process died or was stopped, is taken up again. */
  readonly retries: number;
  /** Seconds before the first retry; they double with each further one. 0 retries at once. */
  readonly retry_delay?: number;
  /** The longest that one job may run, in seconds; the default is a day. */
  readonly time_limit?: number;
  /** Holds the shape of the data for the compiler alone. */
  readonly data?: Data;
}

export interface SendOptions {
  /** What `keep` compares. */
  readonly key?: string;
  readonly start_after?: Date;
  /** The higher, the earlier; 0 by default. */
  readonly priority?: number;
  /** Sends with this transaction: the job exists when and only when it commits. Required inside a transaction. */
  readonly within?: Transaction<Database>;
}

/** `stopping` is aborted when the process wants to end: go to the next checkpoint, then return or throw. */
export type Handler<Data extends object> = (data: Data, job: { id: string; stopping: AbortSignal }) => Promise<void>;

/** Durable work in the database, shared by all processes on it. */
export interface Jobs {
  /** False when `keep` dropped it. A worker of this process takes it up at once, of another one within a second. */
  send<Data extends object>(queue: Queue<Data>, data: Data, options?: SendOptions): Promise<boolean>;
  /** `at_once` jobs run side by side; call it once for each queue. A handler that throws has its job retried. */
  work<Data extends object>(queue: Queue<Data>, at_once: number, handler: Handler<Data>): Promise<void>;
  /** Sends a job at each time of a cron expression (UTC), once however many processes run. */
  schedule<Data extends object>(queue: Queue<Data>, cron: string, data: Data): Promise<void>;
  /** Throws when the queue does not answer. */
  check(): Promise<void>;
  /** Takes no more jobs and waits up to `patience` ms for running ones; those that are left are retried by the next process. */
  stop(patience: number): Promise<void>;
}

const schema = 'jobs';
/** Seconds without a sign of life after which another process takes a job up; the least that pg-boss allows is 10. */
const heartbeat = 20;

/**
 * Opens the queues. `working` says whether this process takes jobs (role all or worker) or only sends them.
 * On the embedded database no other process can be alive, so jobs that a dead one left running are taken up at once.
 */
export async function openJobs(
  database: OpenDatabase,
  queues: readonly Queue<object>[],
  {
    working,
    log,
    onWait,
  }: {
    working: boolean;
    log: (error: Error) => void;
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
  boss.on('error', log);
  await setUp(boss, database, queues, onWait);
  await pullBackJobs(pool);
  if (embedded && working) await retryAbandoned();

  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  const pullingBack = setInterval(() => pullBackJobs(pool).catch(log), PULL_BACK_EVERY).unref();

  return {
    async send(queue, data, options = {}) {
      const id = await boss.send(queue.name, data, {
        ...(options.key !== undefined && { singletonKey: options.key }),
        ...(options.start_after && { startAfter: options.start_after }),
        ...(options.priority !== undefined && { priority: options.priority }),
        ...(options.within && { db: fromKysely(options.within) }),
      });
      if (id !== null) wakeAt(queue.name, options.start_after ?? null);
      return id !== null;
    },

    async work(queue, at_once, handler) {
      const options = { localConcurrency: at_once, pollingIntervalSeconds: embedded ? 15 : 1 };
      await boss.work(queue.name, options, async (jobs: Job<never>[]) => {
        for (const job of jobs) {
          const signal = AbortSignal.any([stopping.signal, ...(job.signal ? [job.signal] : [])]);
          const run = handler(job.data, { id: job.id, stopping: signal });
          const settled = run.catch(() => undefined);
          running.add(settled);
          try {
            await run;
          } catch (error) {
            if (!stopping.signal.aborted) log(error instanceof Error ? error : new Error(String(error)));
            throw error;
          } finally {
            running.delete(settled);
            // Without a word it would rest for the polling interval before it looks for more.
            wake(queue.name);
          }
        }
      });
    },

    async schedule(queue, cron, data) {
      await boss.schedule(queue.name, cron, data, { tz: 'UTC' });
    },

    async check() {
      if (!(await boss.isInstalled())) throw new Error('The job queue is not installed.');
    },

    async stop(patience) {
      stopping.abort();
      clearInterval(pullingBack);
      for (const timer of timers) clearTimeout(timer);
      for (const queue of queues) await boss.offWork(queue.name, { wait: false });
      const limit = new AbortController();
      await Promise.race([Promise.all(running), sleep(patience, limit.signal)]);
      limit.abort();
      await boss.stop({ graceful: false, close: false });
    },
  };

  function wake(name: string): void {
    for (const worker of boss.getWipData()) if (worker.name === name) boss.notifyWorker(worker.id);
  }

  function wakeAt(name: string, at: Date | null): void {
    const delay = at === null ? 0 : at.getTime() - Date.now();
    if (delay <= 0) {
      wake(name);
      return;
    }
    // Polling sees to those further away.
    if (delay > 60_000) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      wake(name);
    }, delay + 10);
    timers.add(timer.unref());
  }

  async function retryAbandoned(): Promise<void> {
    const { rows } = await pool.query<{ name: string; ids: string[] }>(
      `select name, array_agg(id::text) as ids from ${schema}.job where state = 'active' group by name`,
    );
    for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'The process that ran it died.' });
  }
}

/** How often jobs from the future are looked for, in milliseconds. */
const PULL_BACK_EVERY = 30_000;

/** A job that was made in the future is one of before the clock was set back: it would wait until the clock has caught up. */
async function pullBackJobs(pool: OpenDatabase['pool']): Promise<void> {
  await pool.query(
    `update ${schema}.job set start_after = start_after - (created_on - now()), created_on = now()
      where state in ('created', 'retry') and created_on > now() + interval '1 minute'`,
  );
}

/** One process at a time makes the tables and the queues. The embedded database has one process, and one connection. */
async function setUp(
  boss: PgBoss,
  { kind, db, pool }: OpenDatabase,
  queues: readonly Queue<object>[],
  onWait: (reason: string) => void,
): Promise<void> {
  const lock = kind === 'embedded' ? null : await pool.connect();
  try {
    for (let waits = false; lock !== null; waits = true) {
      const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [SET_UP_LOCK]);
      if (rows[0]?.taken === true) break;
      if (!waits) onWait(await holderOfSetUpLock(db));
      await sleep(SET_UP_RETRY);
    }
    await boss.start();
    for (const queue of queues) await declare(boss, queue);
  } finally {
    // The lock ends with its connection.
    lock?.release(true);
  }
}

async function declare(boss: PgBoss, queue: Queue<object>): Promise<void> {
  const settings = {
    retryLimit: queue.retries,
    retryDelay: queue.retry_delay ?? 0,
    retryBackoff: (queue.retry_delay ?? 0) > 0,
    expireInSeconds: queue.time_limit ?? 24 * 3600,
    heartbeatSeconds: heartbeat,
    deleteAfterSeconds: 24 * 3600,
  };
  const policy = { every: 'standard', one_waiting: 'short', one_at_all: 'exclusive' }[queue.keep];
  await boss.createQueue(queue.name, { ...settings, policy });
  await boss.updateQueue(queue.name, settings);
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
