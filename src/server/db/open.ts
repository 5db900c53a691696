import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Kysely } from 'kysely';
import pg from 'pg';
import { reasonOf, StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { dialectOver } from './database-time.ts';
import { syncEntries, syncTree } from './durable-files.ts';
import { type Embedded, startEmbedded } from './embedded.ts';
import type { LeaseGuard } from './lease.ts';
import { type Notifications, notificationsFrom } from './notifications.ts';
import { dialectWithReplica, followReplica, type Replica } from './replica.ts';
import { ANSWER_LIMIT, clientWithin, LOCK_LIMIT, STATEMENT_LIMIT } from './statement-limits.ts';

export type DatabasePlace =
  /**
   * `url_setting` is the variable that `url` is from, by default DATABASE_URL. `direct_url` leads past a pooler that `url` leads to.
   * `connections` is the most that the pool has. `replica` may answer questions, up to `max_lag` milliseconds old. `answer_limit`:
   * milliseconds after which a statement without an answer is given up, for tests in a hurry.
   */
  | {
      readonly kind: 'postgresql';
      readonly url: string;
      readonly url_setting?: string;
      readonly direct_url?: string | null;
      readonly connections?: number;
      readonly replica?: { readonly url: string; readonly max_lag: number } | null;
      readonly answer_limit?: number;
    }
  /**
   * The embedded PostgreSQL in a folder of its own; `folder` null keeps it in memory, where it may begin as the copy of another one,
   * from the file of its dump. `sync: false` leaves out fsync (the setting `DURABILITY=relaxed`).
   */
  | {
      readonly kind: 'embedded';
      readonly folder: string | null;
      readonly copyOf?: string;
      readonly sync?: boolean;
      readonly lease?: LeaseGuard;
    };

export interface OpenDatabase {
  readonly kind: DatabasePlace['kind'];
  readonly db: Kysely<Database>;
  /** The same for questions of people, which the replica may answer; without one it is `db`. */
  readonly reading: Kysely<Database>;
  /** Null where there is none. */
  readonly replica: Replica | null;
  /** The pool under `db`, for the job queue. */
  readonly pool: pg.Pool;
  /** Why the embedded database ended by itself, after which nothing works any more. Pending until then, so for ever as a rule. */
  readonly lost: Promise<Error>;
  /** Whether it is reached only through a pooler, so that nothing that needs a session of its own can be done. */
  readonly pooled: boolean;
  /** Makes a listener for what the database tells of changes; null where it can't. */
  readonly listen: (() => Notifications) | null;
  /** Null on a PostgreSQL server, and for one that is kept in memory. */
  readonly embedded: { readonly folder: string; holdLog(): LogHold } | null;
  close(): Promise<void>;
}

/** Keeps PostgreSQL's log (WAL) from now on, for whoever copies the files: it makes no checkpoint. */
export interface LogHold {
  /** Nobody else held the log when this began. */
  readonly first: boolean;
  /** Whether the log had grown too long, and was not kept any longer. */
  broken(): boolean;
  release(): void;
}

/**
 * Opens either database behind one code path, a `pg` pool. Neither keeps the process waiting while it works: the embedded one has a
 * thread of its own. But it has a single connection: inside a transaction use that transaction alone, for asking the pool a second
 * time there would wait for itself (it fails after a minute).
 * `int8` arrives as a number, or as text where a number could not hold it.
 * `notice` is told what whoever runs the server should know of it.
 * @throws StartError when the database cannot be reached
 */
export async function openDatabase(
  place: DatabasePlace,
  log: (error: Error) => void,
  notice: (sentence: string) => void = () => undefined,
): Promise<OpenDatabase> {
  return place.kind === 'postgresql' ? await openPostgresql(place, log, notice) : await openEmbedded(place, log);
}

/** Of the pool of a process, unless told otherwise. */
export const CONNECTIONS = 10;

async function openPostgresql(
  {
    url,
    url_setting = 'DATABASE_URL',
    direct_url = null,
    connections = CONNECTIONS,
    replica: standby = null,
    answer_limit = ANSWER_LIMIT,
  }: Extract<DatabasePlace, { kind: 'postgresql' }>,
  log: (error: Error) => void,
  notice: (sentence: string) => void,
): Promise<OpenDatabase> {
  refuseUnusable([
    [url_setting, url],
    ['DATABASE_DIRECT_URL', direct_url],
    ['DATABASE_REPLICA_URL', standby?.url ?? null],
  ]);
  const pool = serverPool(url, connections, answer_limit);
  keepOn(pool, log);
  let pooled: boolean;
  try {
    const client = await pool.connect();
    const { rows } = await client
      .query<{ version: number; pid: number }>(
        "select current_setting('server_version_num')::int as version, pg_backend_pid() as pid",
      )
      .finally(() => client.release());
    const version = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (version < 15)
      throw new StartError(`${url_setting}: PostgreSQL 15 or newer is needed, this server is ${version}.`);
    // A pooler gives each client a number of its own.
    pooled = rows[0]?.pid !== (client as unknown as { processID: number | null }).processID;
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new StartError(`${url_setting}: the database cannot be reached (${reasonOf(error)}).`, error);
  }
  if (pooled && direct_url === null)
    notice(
      'DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL to the server itself, else open pages hear of changes later and no backup can be made.',
    );
  const replica = standby && replicaOf(standby, { primary: pool, connections, log, notice });
  const db = new Kysely<Database>({ dialect: dialectOver(pool, null) });
  const listenAt = direct_url ?? (pooled ? null : url);
  return {
    kind: 'postgresql',
    db,
    reading: replica === null ? db : new Kysely<Database>({ dialect: dialectWithReplica(pool, replica, null) }),
    replica,
    pool,
    lost: new Promise(() => undefined),
    pooled: listenAt === null,
    listen: listenAt === null ? null : () => notificationsFrom(listenAt, log),
    embedded: null,
    async close() {
      await replica?.stop();
      await pool.end();
    },
  };
}

/** @throws StartError naming the address that says nothing, or names a file that is not there: nothing else would before it is needed */
function refuseUnusable(addresses: readonly (readonly [setting: string, address: string | null])[]): void {
  for (const [setting, connectionString] of addresses) {
    try {
      if (connectionString !== null) new pg.Client({ connectionString });
    } catch (error) {
      throw new StartError(`${setting}: cannot be used (${reasonOf(error)}).`, error);
    }
  }
}

/**
 * What every connection begins with. Behind a pooler by the transaction it holds for that server connection until it is closed, whoever
 * uses it: they all say the same, and nothing but speed and patience hangs on it.
 */
export const sessionSettings = () =>
  `set jit = off; set idle_session_timeout = 0; set statement_timeout = ${STATEMENT_LIMIT}; set lock_timeout = ${LOCK_LIMIT}; ${settings}`;

function serverPool(connectionString: string, max: number, answer_limit: number, patience = 10_000): pg.Pool {
  return new pg.Pool({
    connectionString,
    fallback_application_name: APPLICATION,
    max,
    // A new one takes a process of the server's, its settings and first plans: longer than most questions.
    idleTimeoutMillis: IDLE_LIMIT,
    connectionTimeoutMillis: patience,
    // A server that is gone without a word is noticed, also by an idle connection.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client: clientWithin(answer_limit),
    onConnect: (client) => client.query(sessionSettings()),
    types,
  });
}

/** A connection that nothing used for so long is closed, in milliseconds. */
const IDLE_LIMIT = 10 * 60_000;

/** What the server calls our connections, where their address does not say otherwise. */
const APPLICATION = 'mergelight';

/** A replica without room within this time leaves the question to the primary, in milliseconds. */
const REPLICA_PATIENCE = 1000;

function replicaOf(
  { url, max_lag }: { readonly url: string; readonly max_lag: number },
  {
    primary,
    connections,
    log,
    notice,
  }: { primary: pg.Pool; connections: number; log: (error: Error) => void; notice: (sentence: string) => void },
): Replica {
  const pool = serverPool(url, connections, ANSWER_LIMIT, REPLICA_PATIENCE);
  const looks = serverPool(url, 1, REPLICA_PATIENCE, REPLICA_PATIENCE);
  keepOn(pool, log);
  keepOn(looks, () => undefined);
  return followReplica({ primary, pool, looks, max_lag, notice });
}

async function openEmbedded(
  place: Extract<DatabasePlace, { kind: 'embedded' }>,
  log: (error: Error) => void,
): Promise<OpenDatabase> {
  const { folder, copyOf = null, sync = true, lease = null } = place;
  let embedded: Embedded;
  try {
    if (folder !== null) await readyAfterKill(folder, sync);
    const start = () => startEmbedded({ folder, copyOf, sync, lease });
    // PostgreSQL makes a database with a second one of itself, whose memory, 350 MB, comes back with the end of a thread alone.
    if (folder !== null && !(await isMade(folder))) await make(folder, async () => (await start()).close());
    embedded = await start();
  } catch (error) {
    throw new StartError(
      `DATA_DIR: the embedded database in ${folder ?? 'memory'} cannot be opened (${reasonOf(error)}).`,
      error,
    );
  }
  const pool = new pg.Pool({
    // The pool replaces a client whose query failed; each new one needs its own end of the wire to the one database.
    stream: embedded.connect,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
    // The session outlives its client: whatever the one before left open is undone.
    onConnect: (client) => client.query(`rollback; ${settings}`),
    types,
  });
  keepOn(pool, log);
  const db = new Kysely<Database>({ dialect: dialectOver(pool, null) });
  const log_keeper = folder === null ? null : keepLogShort(pool, embedded, log);
  return {
    kind: 'embedded',
    db,
    reading: db,
    replica: null,
    pool,
    lost: embedded.lost,
    pooled: false,
    listen: null,
    embedded: folder === null || log_keeper === null ? null : { folder, holdLog: log_keeper.hold },
    async close() {
      log_keeper?.stop();
      await pool.end();
      await embedded.close();
    },
  };
}

/** Beside a database that is being made or restored, and is not whole yet. */
const unfinished = (folder: string) => `${folder}.unfinished`;

/** False where there is none yet, or a process died while it made one: nothing was stored in that. */
export async function isMade(folder: string): Promise<boolean> {
  return existsSync(folder) && (await readdir(folder)).length > 0 && !existsSync(unfinished(folder));
}

/**
 * What a process that was killed left behind. PostgreSQL syncs each file before it reads its log again, one after the other, because any
 * of them may be in the system's cache alone: seconds, where most have to be written. All are synced before, many at once, so that
 * nothing is left to be written. And its lock file goes: it names a process of PostgreSQL's own world, always the same one, and one
 * that was killed before it had written that would keep the database from ever opening again. Who may open the folder is the lease's
 * to say.
 */
async function readyAfterKill(folder: string, sync: boolean): Promise<void> {
  const lock = join(folder, 'postmaster.pid');
  if (!existsSync(lock)) return;
  if (sync) await syncTree(folder);
  await rm(lock);
}

/** Makes a folder's database such that one that a killed process left half made is not taken for one, then or after a loss of power. */
async function make(folder: string, build: () => Promise<void>): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await writeFile(unfinished(folder), '', { mode: 0o600 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  await build();
  await syncTree(folder);
  await rm(unfinished(folder));
  await syncEntries(dirname(folder));
}

/** PostgreSQL's log is kept about so short, in bytes: a start after a crash reads it again, some 15 MB a second on a busy machine, and it takes room. */
const LOG_LENGTH = 16 * 2 ** 20;
/** While it is held it may grow so long. */
const HELD_LOG_LENGTH = 2 ** 30;

/** Makes checkpoints by the length of the log, which the embedded PostgreSQL, a single process, leaves to whoever runs it. */
function keepLogShort(
  pool: pg.Pool,
  embedded: Embedded,
  log: (error: Error) => void,
): { hold: () => LogHold; stop: () => void } {
  const holds = new Set<symbol>();
  let last = embedded.walWritten();
  let running = false;
  const timer = setInterval(async () => {
    const length = embedded.walWritten() - last;
    if (running || length < (holds.size > 0 ? HELD_LOG_LENGTH : LOG_LENGTH)) return;
    running = true;
    holds.clear();
    try {
      last += length;
      await pool.query('checkpoint');
    } catch (error) {
      log(error as Error);
    }
    running = false;
  }, 2000).unref();
  return {
    hold() {
      const key = Symbol('hold');
      const first = holds.size === 0;
      holds.add(key);
      return { first, broken: () => !holds.has(key), release: () => holds.delete(key) };
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Makes the database of a folder that has none from the files that `write` puts there. Opened it is by `openDatabase`.
 * @throws StartError where there is one already
 */
export async function restoreEmbedded(folder: string, write: () => Promise<void>): Promise<void> {
  if (await isMade(folder))
    throw new StartError(`DATA_DIR: there is a database in ${folder} already. Restore into an empty folder.`);
  await make(folder, write);
}

/**
 * A connection that breaks while idle is logged and replaced with the next query. One that breaks between two queries of a
 * transaction says so to the second; it must not end the process.
 */
function keepOn(pool: pg.Pool, log: (error: Error) => void): void {
  pool.on('error', log);
  pool.on('connect', (client) => client.on('error', () => undefined));
}

/**
 * Days are cut by arguments, never by the session's zone. A year of reviews is grouped in memory, not on disk; and compiling a
 * question (`jit`) would take longer than answering it.
 */
const settings =
  "set time zone 'UTC'; set work_mem = '24MB'; set random_page_cost = 1.1; set max_parallel_workers_per_gather = 0";

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? int8 : pg.types.getTypeParser(oid, format),
};

function int8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}
