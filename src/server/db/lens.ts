import { Kysely, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from './database.ts';
import { dialectWithReplica, type Replica } from './replica.ts';

/**
 * The database as a user with marks of their own sees it (docs/decisions/0009): the same names mean the views of the schema `lens`.
 * For reading alone. Each question runs in a short transaction, which is what the two settings last for. A replica may answer as it may
 * for everybody else.
 */
export function lensOf(pool: pg.Pool, user_id: number, replica: Replica | null = null): Kysely<Database> {
  const settings = `select set_config('search_path', 'lens, ' || current_setting('search_path'), true),
    set_config('mergelight.lens', '${Math.trunc(user_id)}', true)`;
  return new Kysely<Database>({ dialect: dialectWithReplica(pool, replica, settings) });
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
