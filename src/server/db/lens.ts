import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely';
import type pg from 'pg';
import type { Database } from './database.ts';

/**
 * The database as a user with marks of their own sees it (docs/decisions/0009): the same names mean the views of the schema `lens`.
 * For reading alone. Each question runs in a short transaction, which is what the two settings last for, so that it works on the
 * embedded database's single connection and through a pooler that hands out connections by the transaction.
 */
export function lensOf(pool: pg.Pool, user_id: number): Kysely<Database> {
  const dialect = new PostgresDialect({ pool });
  return new Kysely<Database>({
    dialect: {
      createDriver: () => new LensDriver(dialect.createDriver(), user_id),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  });
}

/** Lets `act` look through a user's lens within a transaction that goes on without it. */
export async function throughLens<Result>(
  transaction: Transaction<Database>,
  user_id: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const { rows } = await sql<{ before: string }>`
    select before, set_config('search_path', 'lens, ' || before, true), set_config('mergelight.lens', ${String(user_id)}, true)
    from (select current_setting('search_path') as before) path`.execute(transaction);
  const result = await act();
  await sql`select set_config('search_path', ${rows[0]!.before}, true)`.execute(transaction);
  return result;
}

class LensDriver implements Driver {
  readonly #driver: Driver;
  readonly #begin: string;

  constructor(driver: Driver, user_id: number) {
    this.#driver = driver;
    this.#begin = `begin read only; select set_config('search_path', 'lens, ' || current_setting('search_path'), true),
      set_config('mergelight.lens', '${Math.trunc(user_id)}', true)`;
  }

  async init(): Promise<void> {
    await this.#driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#driver.acquireConnection();
    try {
      await connection.executeQuery(CompiledQuery.raw(this.#begin));
    } catch (error) {
      await this.#driver.releaseConnection(connection);
      throw error;
    }
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    try {
      // Of a question that failed it undoes nothing but the settings.
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } finally {
      await this.#driver.releaseConnection(connection);
    }
  }

  /** Whatever wants a transaction is in one. */
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {}
}
