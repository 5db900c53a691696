import { AsyncLocalStorage } from 'node:async_hooks';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { connectionTurn } from './connection-share.ts';

/** How long a piece of work may still keep the database busy, in milliseconds. */
interface DatabaseTime {
  left: number;
}

const times = new AsyncLocalStorage<DatabaseTime | undefined>();

/** A statement took longer than the work that it belongs to may keep the database busy. */
export class DatabaseTimeSpent extends Error {
  constructor(cause?: unknown) {
    super('The time of the database is spent.', { cause });
    this.name = 'DatabaseTimeSpent';
  }
}

/**
 * Runs work whose statements may take `milliseconds` together; waiting for a connection is not counted. The
 * statement that takes more ends with `DatabaseTimeSpent`: a PostgreSQL server cancels it, the embedded database, which cannot, runs it
 * to its end while nobody waits for it.
 */
export function withinDatabaseTime<Result>(milliseconds: number, work: () => Result): Result {
  return times.run({ left: milliseconds }, work);
}

/** Runs work that is held to no such time: what is noted of work that may have spent its own. */
export function outsideDatabaseTime<Result>(work: () => Result): Result {
  return times.run(undefined, work);
}

/** A statement that the server has not cancelled by then is given up on this side, in milliseconds. */
const GRACE = 500;
/** What PostgreSQL and Node take for a time at most, in milliseconds. */
const LONGEST = 2 ** 31 - 1;
/** PostgreSQL's code of a statement that was cancelled. */
const QUERY_CANCELED = '57014';

/**
 * Kysely's dialect for a pool. Each question runs in a short transaction of its own where it needs settings of its own, so that it
 * works on the embedded database's single connection and through a pooler that hands out connections by the transaction: within
 * `withinDatabaseTime`, and for whoever reads through `settings`, which are statements that set something for the transaction (null:
 * none). Those read alone.
 */
export function dialectOver(pool: pg.Pool, settings: string | null): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => new SettingDriver(dialect.createDriver(), settings),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

class SettingDriver implements Driver {
  readonly #driver: Driver;
  readonly #settings: string | null;
  readonly #turns = new WeakMap<DatabaseConnection, () => void>();
  /** Connections in a short transaction, and what they are wrapped around where their time is limited. */
  readonly #inTransaction = new WeakMap<DatabaseConnection, DatabaseConnection>();

  constructor(driver: Driver, settings: string | null) {
    this.#driver = driver;
    this.#settings = settings;
  }

  async init(): Promise<void> {
    await this.#driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const giveBack = await connectionTurn();
    try {
      const connection = await this.#acquire();
      this.#turns.set(connection, giveBack);
      return connection;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async releaseConnection(given: DatabaseConnection): Promise<void> {
    // Nobody waits for a connection that still has to end something.
    this.#turns.get(given)?.();
    this.#turns.delete(given);
    await this.#release(given);
  }

  async #acquire(): Promise<DatabaseConnection> {
    const time = times.getStore();
    const connection = await this.#driver.acquireConnection();
    if (time === undefined && this.#settings === null) return connection;
    const limit = Math.min(Math.max(1, Math.ceil(time?.left ?? 0)), LONGEST);
    const begin = [
      ...(this.#settings === null ? ['begin'] : ['begin read only', this.#settings]),
      // The wait for a lock is part of the statement. What follows the setting of a limit would be held to it already.
      ...(time === undefined ? [] : ['set local lock_timeout = 0', `set local statement_timeout = ${limit}`]),
    ];
    try {
      await connection.executeQuery(CompiledQuery.raw(begin.join('; ')));
    } catch (error) {
      await rollBack(connection);
      await this.#driver.releaseConnection(connection);
      throw timeSpentBy(error) ?? error;
    }
    const given = time === undefined ? connection : new TimedConnection(connection, time);
    this.#inTransaction.set(given, connection);
    return given;
  }

  async #release(given: DatabaseConnection): Promise<void> {
    const connection = this.#inTransaction.get(given);
    if (connection === undefined) return await this.#driver.releaseConnection(given);
    this.#inTransaction.delete(given);
    const release = async () => {
      try {
        // After a question that failed PostgreSQL rolls back instead.
        await connection.executeQuery(CompiledQuery.raw('commit'));
      } catch (error) {
        await rollBack(connection);
        throw timeSpentBy(error) ?? error;
      } finally {
        await this.#driver.releaseConnection(connection);
      }
    };
    // Behind a statement that nobody waits for the connection is released when that has ended; one that breaks meanwhile is replaced.
    if (given instanceof TimedConnection && given.isLate) void release().catch(() => undefined);
    else await release();
  }

  /** Whatever wants a transaction while it is in one has that, which is committed when it is released. */
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (!this.#inTransaction.has(connection)) await this.#driver.beginTransaction(connection, settings);
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#inTransaction.has(connection)) await this.#driver.commitTransaction(connection);
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const inner = this.#inTransaction.get(connection);
    if (inner === undefined) await this.#driver.rollbackTransaction(connection);
    else if (!(connection instanceof TimedConnection && connection.isLate))
      await inner.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy(): Promise<void> {
    await this.#driver.destroy();
  }
}

/** What is begun and cannot be ended otherwise is not left to whoever has the connection next. One that is broken is replaced. */
async function rollBack(connection: DatabaseConnection): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => undefined);
}

/** Null where an error says something else than that PostgreSQL cancelled a statement for its time. */
function timeSpentBy(error: unknown): DatabaseTimeSpent | null {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED ? new DatabaseTimeSpent(error) : null;
}

class TimedConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #time: DatabaseTime;
  /** Whether a statement still runs that nobody waits for. */
  isLate = false;

  constructor(connection: DatabaseConnection, time: DatabaseTime) {
    this.#connection = connection;
    this.#time = time;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#time.left <= 0) throw new DatabaseTimeSpent();
    const began = performance.now();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        this.isLate = true;
        late.reject(new DatabaseTimeSpent());
      },
      Math.min(this.#time.left + GRACE, LONGEST),
    );
    try {
      return await Promise.race([this.#connection.executeQuery<Row>(query), late.promise]);
    } catch (error) {
      throw timeSpentBy(error) ?? error;
    } finally {
      clearTimeout(timer);
      this.#time.left -= performance.now() - began;
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }
}
