import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/** Of our advisory locks that of what accounts are and which labels stand for agents, by which facts are computed. */
const ACCOUNT_KINDS_LOCK = 7_230_413;

/**
 * Keeps what accounts are as it is until the transaction ends: for whoever stores facts that are computed by it. To be called before anything
 * else is locked, for others that have called it may wait for that.
 */
export async function keepAccountKinds(transaction: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${ACCOUNT_KINDS_LOCK})`.execute(transaction);
}

/**
 * Waits until every transaction has ended that has called `keepAccountKinds`, and lets none begin until this one ends: for whoever changes
 * what accounts are and then marks the facts that were computed by what they were. To be called before anything else is locked.
 */
export async function changeAccountKinds(transaction: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ACCOUNT_KINDS_LOCK})`.execute(transaction);
}

/** Of our advisory locks those of what accounts are to one user. The second key is the user. */
const OWN_KINDS = 7_230_418;

/** As `keepAccountKinds`, of what a user has marked for themself. */
export async function keepOwnAccountKinds(transaction: Transaction<Database>, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${OWN_KINDS}::int, ${user_id}::int)`.execute(transaction);
}

/** As `changeAccountKinds`, of what a user marks for themself. */
export async function changeOwnAccountKinds(transaction: Transaction<Database>, user_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OWN_KINDS}::int, ${user_id}::int)`.execute(transaction);
}
