import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { isOfTheData } from '../db/statement-limits.ts';
import type { SkippedItem } from '../host/pages.ts';
import type { HostPullRequest } from '../host/pull-request.ts';
import { type Fetched, type Saved, type SaveInto, savePullRequests } from './save.ts';

export interface SavedPage {
  readonly saved: readonly Saved[];
  /** Those that could not be stored, with the reason. */
  readonly skipped: readonly SkippedItem[];
}

/**
 * Stores pull requests as `savePullRequests` does, except those whose own values cannot be stored: they are left out, remembered with
 * the version that was tried (`unstorable_pull_requests`), and named. What is stored of them already stays.
 */
export async function saveStorable(
  transaction: Transaction<Database>,
  into: SaveInto,
  pulls: readonly HostPullRequest[],
  fetched: Fetched,
): Promise<SavedPage> {
  const all = await trySaving(transaction, into, pulls, fetched);
  if (Array.isArray(all)) {
    await forget(transaction, into.id, pulls);
    return { saved: all, skipped: [] };
  }
  const saved: Saved[] = [];
  const skipped: SkippedItem[] = [];
  for (const pull of [...pulls].sort((a, b) => a.number - b.number)) {
    const isSame = pulls.length === 1 && !isOfAnother(all.error);
    const outcome = isSame ? all : await trySaving(transaction, into, [pull], fetched);
    if (Array.isArray(outcome)) {
      saved.push(...outcome);
      continue;
    }
    const reason = reasonOf(outcome.error);
    skipped.push({ number: pull.number, reason });
    const { number, updated_at } = pull;
    const noted = { updated_at, reason, noted_at: fetched.asked_at, again_at: null };
    await transaction
      .insertInto('unstorable_pull_requests')
      .values({ repository_id: into.id, number, ...noted })
      .onConflict((conflict) => conflict.columns(['repository_id', 'number']).doUpdateSet(noted))
      .execute();
  }
  const left = new Set(skipped.map((one) => one.number));
  await forget(
    transaction,
    into.id,
    pulls.filter((pull) => !left.has(pull.number)),
  );
  return { saved, skipped };
}

async function trySaving(
  transaction: Transaction<Database>,
  into: SaveInto,
  pulls: readonly HostPullRequest[],
  fetched: Fetched,
): Promise<Saved[] | { readonly error: unknown }> {
  await sql`savepoint storable`.execute(transaction);
  try {
    const saved = await savePullRequests(transaction, into, pulls, fetched);
    await sql`release savepoint storable`.execute(transaction);
    return saved;
  } catch (error) {
    if (!isOfTheData(error)) throw error;
    await sql`rollback to savepoint storable`.execute(transaction);
    await sql`release savepoint storable`.execute(transaction);
    return { error };
  }
}

/** It may be for what another transaction stored or deleted at the same time, which a second try sees: a missing row, or one that is there already. */
function isOfAnother(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '23503' || error.code === '23505');
}

async function forget(
  transaction: Transaction<Database>,
  repository_id: number,
  pulls: readonly HostPullRequest[],
): Promise<void> {
  if (pulls.length === 0) return;
  await sql`
    delete from unstorable_pull_requests where repository_id = ${repository_id}
      and number = any(${pulls.map((pull) => pull.number)}::int[])`.execute(transaction);
}

/** For people: never the database's own words, which may quote what the row holds. */
function reasonOf(error: unknown): string {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (code.startsWith('54')) return 'could not be stored: one of its texts is too long';
  if (code === '22003') return 'could not be stored: one of its numbers is too large';
  return 'could not be stored';
}
