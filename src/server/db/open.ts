import { mkdir } from 'node:fs/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { reasonOf, StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { type Embedded, startEmbedded } from './embedded.ts';

export type DatabasePlace =
  | { readonly kind: 'postgresql'; readonly url: string; readonly connections?: number }
  /**
   * The embedded PostgreSQL in a folder of its own; `folder` null keeps it in memory, where it may begin as the copy of another one,
   * from the file of its dump.
   */
  | { readonly kind: 'embedded'; readonly folder: string | null; readonly copyOf?: string };

export interface OpenDatabase {
  readonly kind: DatabasePlace['kind'];
  readonly db: Kysely<Database>;
  /** The pool under `db`, for the job queue. */
  readonly pool: pg.Pool;
  /** Why the embedded database ended by itself, after which nothing works any more. Pending until then, so for ever as a rule. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/**
 * Opens either database behind one code path, a `pg` pool. Neither keeps the process waiting while it works: the embedded one has a
 * thread of its own. But it has a single connection: inside a transaction use that transaction alone, for asking the pool a second
 * time there would wait for itself (it fails after a minute).
 * `int8` arrives as a number, or as text where a number could not hold it.
 * @throws StartError when the database cannot be reached
 */
export async function openDatabase(place: DatabasePlace, log: (error: Error) => void): Promise<OpenDatabase> {
  return place.kind === 'postgresql'
    ? await openPostgresql(place.url, place.connections ?? 10, log)
    : await openEmbedded(place.folder, place.copyOf ?? null, log);
}

async function openPostgresql(url: string, connections: number, log: (error: Error) => void): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 10_000,
    onConnect: (client) => client.query(`set jit = off; ${settings}`),
    types,
  });
  keepOn(pool, log);
  try {
    const { rows } = await pool.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const version = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (version < 15)
      throw new StartError(`DATABASE_URL: PostgreSQL 15 or newer is needed, this server is ${version}.`);
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL: the database cannot be reached (${reasonOf(error)}).`, error);
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { kind: 'postgresql', db, pool, lost: new Promise(() => undefined), close: () => pool.end() };
}

async function openEmbedded(
  folder: string | null,
  copyOf: string | null,
  log: (error: Error) => void,
): Promise<OpenDatabase> {
  let embedded: Embedded;
  try {
    if (folder !== null) await mkdir(folder, { recursive: true });
    embedded = await startEmbedded({ folder, copyOf });
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
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    kind: 'embedded',
    db,
    pool,
    lost: embedded.lost,
    async close() {
      await pool.end();
      await embedded.close();
    },
  };
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
