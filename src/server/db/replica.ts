import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  sql,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import type { Database } from './database.ts';
import { DatabaseTimeSpent, dialectOver } from './database-time.ts';
import { isDatabaseAway } from './statement-limits.ts';

/**
 * A streaming standby of the PostgreSQL server, which may answer questions (docs/server.md#several-processes-and-a-read-replica). Whatever
 * is wrong with it, the primary answers, except for a statement of which the time was up.
 */
export interface Replica {
  /** The pool under the questions that it answers. */
  readonly pool: pg.Pool;
  /** How old its answers are at most, in milliseconds; null while it may answer nothing: it is away, no standby of this primary, or behind. */
  staleness(): number | null;
  /**
   * How old its answers would be, in milliseconds, whether or not it may answer. While it is away that grows; before it has first caught
   * up it counts from when it was first looked at.
   */
  lag(): number;
  /** Whether it may answer, and has replayed what the primary had written at this position (`pg_lsn`; null: whatever). */
  has(position: string | null): boolean;
  /** A statement failed there: where the server is away, it is not asked before it has answered the next look. */
  failed(error: unknown): void;
  /** Has `told` know when it stops answering, for a statement that still waits; returns what forgets that again. */
  onLost(told: (error: Error) => void): () => void;
  stop(): Promise<void>;
}

/** How often both servers are asked how far they are, in milliseconds. */
const LOOK_EVERY = 500;
/** How long positions that the standby has not reached are remembered at least, in milliseconds: its lag is exact up to that. */
const REMEMBERED = 600_000;
/** In milliseconds: a standby that takes longer to answer a look is away. */
const LOOK_WITHIN = 1000;

interface ReplicaDeps {
  readonly primary: pg.Pool;
  readonly pool: pg.Pool;
  /** One connection of its own for the looks, so that they do not wait behind questions. */
  readonly looks: pg.Pool;
  /** How old an answer may be, in milliseconds. */
  readonly max_lag: number;
  /** Told when it begins or ceases to be asked, and why. */
  readonly notice: (sentence: string) => void;
}

/**
 * Follows a standby. How far it is behind is measured by positions in the log of the primary, each with the moment in which it was the
 * newest: neither server's clock counts, and a primary on which nothing happens makes nothing old.
 */
export function followReplica({ primary, pool, looks, max_lag, notice }: ReplicaDeps): Replica {
  /** Positions of the primary that the standby has not reached, oldest first. */
  let ahead: { readonly position: bigint; readonly at: number }[] = [];
  /** The question to the primary that is under way. */
  let newest: ReturnType<typeof newestOfPrimary> | null = null;
  let replayed: bigint | null = null;
  /** Everything that was written by then has been replayed. */
  let freshAt = Number.NEGATIVE_INFINITY;
  const began = performance.now();
  const remembered = Math.max(max_lag, REMEMBERED);
  let asked: boolean | null = null;
  let stopped = false;
  const waiting = new Set<(error: Error) => void>();
  let next: ReturnType<typeof setTimeout> | undefined;

  const staleness = () => {
    const age = replayed === null ? Number.POSITIVE_INFINITY : performance.now() - freshAt;
    return age <= max_lag ? age : null;
  };

  function away(): void {
    replayed = null;
    for (const told of waiting) told(new Error('The read replica does not answer.'));
    waiting.clear();
  }

  /** One question at a time: where all connections are busy it waits for one of them, and the looks meanwhile for its answer. */
  function newestOfPrimary(): Promise<PrimaryPosition & { readonly at: number }> {
    if (newest !== null) return newest;
    const at = performance.now();
    newest = primary
      .query<PrimaryPosition>(primaryPosition)
      .then(({ rows }) => ({ ...rows[0]!, at }))
      .finally(() => {
        newest = null;
      });
    return newest;
  }

  function remember(position: bigint, at: number): void {
    ahead = ahead.filter((one) => at - one.at <= remembered);
    if (ahead.at(-1)?.position !== position) ahead.push({ position, at });
  }

  async function look(): Promise<string | null> {
    const atPrimary = await within(LOOK_WITHIN, newestOfPrimary()).catch((error: Error) => error);
    // Also while the standby is away: how far it is behind when it comes back is exact then.
    if (!(atPrimary instanceof Error)) remember(number(atPrimary.position), atPrimary.at);
    try {
      const there = (await within(LOOK_WITHIN, looks.query<StandbyPosition>(standbyPosition))).rows[0]!;
      if (!there.standby) throw new Error('it is not a standby');
      // The standby goes on until its answers are too old: the more so where the primary is busy.
      if (atPrimary instanceof Error)
        return staleness() === null ? `the primary cannot be asked how far it is (${atPrimary.message})` : null;
      const { position, system, timeline, at } = atPrimary;
      if (there.system !== system) throw new Error('it is the standby of another server');
      if (there.timeline !== timeline)
        throw new Error(`it follows another history (timeline ${there.timeline}, the primary ${timeline})`);
      replayed = number(there.position);
      // Nothing was written since: what was the newest then still is.
      if (replayed >= number(position)) freshAt = at;
      for (const passed of ahead.filter((one) => one.position <= replayed!)) freshAt = Math.max(freshAt, passed.at);
      ahead = ahead.filter((one) => one.position > replayed!);
      return staleness() === null ? `it is more than ${max_lag / 1000} s behind` : null;
    } catch (error) {
      away();
      return (error as Error).message;
    }
  }

  async function keepLooking(): Promise<void> {
    const reason = await look();
    if (stopped) return;
    if ((reason === null) !== asked)
      notice(reason === null ? 'The read replica answers questions.' : `The read replica is not asked: ${reason}.`);
    asked = reason === null;
    next = setTimeout(() => void keepLooking(), LOOK_EVERY).unref();
  }
  void keepLooking();

  return {
    pool,
    staleness,
    lag: () => performance.now() - Math.max(freshAt, began),
    has: (position) => staleness() !== null && (position === null || number(position) <= replayed!),
    failed(error) {
      if (isDatabaseAway(error) && !isOneStatement(error)) away();
    },
    onLost(told) {
      waiting.add(told);
      return () => void waiting.delete(told);
    },
    async stop() {
      stopped = true;
      clearTimeout(next);
      await Promise.all([pool.end(), looks.end()]);
    },
  };
}

interface PrimaryPosition {
  readonly position: string;
  /** The server and the history that the log belongs to: after a failover another standby may have what the new primary has not. */
  readonly system: string;
  readonly timeline: number;
}

interface StandbyPosition extends PrimaryPosition {
  readonly standby: boolean;
}

const system = '(select system_identifier::text from pg_control_system()) as system';
const primaryPosition = `
  select pg_current_wal_lsn()::text as position, ${system},
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;
/** A timeline that it has begun to follow is told with its next checkpoint at the latest, to roles with pg_read_all_stats at once. */
const standbyPosition = `
  select coalesce(pg_last_wal_replay_lsn(), '0/0')::text as position, pg_is_in_recovery() as standby, ${system},
    greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()),
      (select received_tli from pg_stat_wal_receiver)) as timeline`;

/** PostgreSQL's text of a position in its log, such as 16/B374D848. */
function number(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** A statement that gave way to the replay, was too slow, or found no room in the pool says nothing of the server. */
function isOneStatement(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === undefined) return message === 'timeout exceeded when trying to connect';
  return /^(40|57014|55P03|53)/.test(code);
}

/** A statement of which the time was up there. */
const isTooSlow = (error: unknown) => (error as { code?: string }).code === '57014';

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it did not answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

const mayAsk = new AsyncLocalStorage<true>();

/** Runs work whose questions a replica may answer, where they are asked of a database with one. Otherwise the primary answers. */
export function fromReplica<Result>(work: () => Result): Result {
  return mayAsk.run(true, work);
}

/**
 * Who is signed in and who may see what is never answered by a replica: a statement that reads one of these tables goes to the primary,
 * whoever asks it.
 */
const neverStale = /\b(connections|credentials|sessions|api_tokens|team_readers|users|administrators)\b/;

/** Kysely's dialect for a pool (see `dialectOver`) whose questions a replica may answer; null: there is none. */
export function dialectWithReplica(pool: pg.Pool, replica: Replica | null, settings: string | null): Dialect {
  const primary = dialectOver(pool, settings);
  if (replica === null) return primary;
  const standby = dialectOver(replica.pool, settings);
  return {
    createDriver: () => new ReplicaDriver(primary.createDriver(), standby.createDriver(), replica),
    createAdapter: () => primary.createAdapter(),
    createIntrospector: (db) => primary.createIntrospector(db),
    createQueryCompiler: () => primary.createQueryCompiler(),
  };
}

class ReplicaDriver implements Driver {
  readonly #primary: Driver;
  readonly #standby: Driver;
  readonly #replica: Replica;

  constructor(primary: Driver, standby: Driver, replica: Replica) {
    this.#primary = primary;
    this.#standby = standby;
    this.#replica = replica;
  }

  async init(): Promise<void> {
    await this.#primary.init();
    await this.#standby.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new RoutedConnection(this.#primary, this.#standby, this.#replica);
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as RoutedConnection).release();
  }
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.#primary.beginTransaction(await (connection as RoutedConnection).toPrimary(), settings);
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#primary.commitTransaction(await (connection as RoutedConnection).toPrimary());
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#primary.rollbackTransaction(await (connection as RoutedConnection).toPrimary());
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#primary.destroy(), this.#standby.destroy()]);
  }
}

/** Chooses a server with its first statement; once it has gone to the primary it stays there. */
class RoutedConnection implements DatabaseConnection {
  readonly #primary: Driver;
  readonly #standby: Driver;
  readonly #replica: Replica;
  #atPrimary: DatabaseConnection | null = null;
  /** Also while it is waited for. */
  #atStandby: Promise<DatabaseConnection> | null = null;

  constructor(primary: Driver, standby: Driver, replica: Replica) {
    this.#primary = primary;
    this.#standby = standby;
    this.#replica = replica;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text } = query;
    if (this.#atPrimary === null && mayAsk.getStore() === true && this.#replica.has(null) && !neverStale.test(text)) {
      try {
        return await this.#askStandby<Row>(query);
      } catch (error) {
        // The primary would be kept as long once more, for an answer that nobody waits for.
        if (error instanceof DatabaseTimeSpent || isTooSlow(error)) throw error;
        // Whatever it is: what is wrong with the statement itself the primary finds, too.
        this.#replica.failed(error);
      }
    }
    return await (await this.toPrimary()).executeQuery<Row>(query);
  }

  /** Waits for the answer as long as the standby is there. */
  async #askStandby<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const lost = Promise.withResolvers<never>();
    const forget = this.#replica.onLost(lost.reject);
    try {
      return await Promise.race([this.#answerOfStandby<Row>(query), lost.promise]);
    } finally {
      forget();
    }
  }

  async #answerOfStandby<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#atStandby ??= this.#standby.acquireConnection();
    const asked = this.#atStandby;
    const connection = await asked;
    if (this.#atStandby !== asked) throw new Error('The read replica was left.');
    // Waiting for a turn takes a while: it may have fallen behind since.
    if (!this.#replica.has(null)) throw new Error('The read replica fell behind.');
    return await connection.executeQuery<Row>(query);
  }

  async toPrimary(): Promise<DatabaseConnection> {
    this.#leaveStandby();
    this.#atPrimary ??= await this.#primary.acquireConnection();
    return this.#atPrimary;
  }

  /** Behind a statement that is still under way, or as soon as a connection is there; nobody waits for that. */
  #leaveStandby(): void {
    const left = this.#atStandby;
    this.#atStandby = null;
    void left?.then((connection) => this.#standby.releaseConnection(connection)).catch(() => undefined);
  }

  async release(): Promise<void> {
    const standby = this.#atStandby;
    const primary = this.#atPrimary;
    [this.#atStandby, this.#atPrimary] = [null, null];
    await standby
      ?.then((connection) => this.#standby.releaseConnection(connection))
      .catch((error) => this.#replica.failed(error));
    if (primary !== null) await this.#primary.releaseConnection(primary);
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    yield* (await this.toPrimary()).streamQuery<Row>(query, chunkSize);
  }
}

/**
 * Has these people see, in every process, what is stored now: until the replica has replayed it the primary answers them. In the order of
 * their ids, since other processes do the same.
 */
export async function noteSeenUpToNow(db: Kysely<Database>, user_ids: readonly number[]): Promise<void> {
  await sql`
    update users set written_lsn = greatest(written_lsn, pg_current_wal_insert_lsn())
    where id in (select id from users where id = any(${[...user_ids]}::int[]) order by id for no key update)`.execute(
    db,
  );
}

/** Up to where the replica has to have replayed the primary's log before it may answer a person; null: as far as it is. */
export async function seenUpTo(db: Kysely<Database>, user_id: number): Promise<string | null> {
  const row = await db.selectFrom('users').select('written_lsn').where('id', '=', user_id).executeTakeFirst();
  return row?.written_lsn ?? null;
}

/**
 * Forgets positions that this server has not written: they are of the one that its data came from. A standby would be held for one that is
 * behind, for as long as it takes to write as much.
 */
export async function forgetPositionsOfOthers(db: Kysely<Database>): Promise<void> {
  await sql`update users set written_lsn = null where written_lsn > pg_current_wal_insert_lsn()`.execute(db);
}
