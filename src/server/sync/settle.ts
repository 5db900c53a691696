import { sql } from 'kysely';
import { HostError } from '../host/host.ts';
import type { SyncContext } from './context.ts';
import { backoff, failureOf, failureRules, ownFailure, WAITS_WITHOUT_PROGRESS, waitUntil } from './failures.ts';
import { type SyncSession, updateOwn } from './sessions.ts';

/**
 * Stores what a failure means for its session, as the table of failures says: it waits and goes on by itself, or ends with a
 * sentence and can be resumed. A token that the host rejects ends all sessions of its user; other users' go on.
 */
export async function settleFailure(
  context: SyncContext,
  worker: string,
  claimed: SyncSession,
  error: unknown,
): Promise<void> {
  const { db } = context;
  const now = context.now();
  const row = await db
    .selectFrom('sync_sessions as s')
    .innerJoin('repositories as r', 'r.id', 's.repository_id')
    .select(['s.attempts', 'r.host', 'r.owner', 'r.name'])
    .where('s.id', '=', claimed.id)
    .where('s.worker', '=', worker)
    .where('s.status', '=', 'running')
    .executeTakeFirst();
  if (row === undefined) return;
  const about = { host: context.hostLabel(row.host), repository: `${row.owner}/${row.name}` };
  const failure = failureOf(error, about);
  const outcome = error instanceof HostError ? failureRules[error.kind].outcome : 'wait';
  const mostWaits = error instanceof HostError ? WAITS_WITHOUT_PROGRESS : ownFailure.retries;

  if (outcome === 'wait' && row.attempts < mostWaits) {
    const until =
      error instanceof HostError
        ? waitUntil(error, row.attempts, now, context.random)
        : new Date(now.getTime() + backoff(row.attempts + 1, context.random));
    await updateOwn(db, claimed, worker, {
      status: 'waiting',
      waiting_until: until,
      attempts: row.attempts + 1,
      error: failure.sentence,
      error_kind: failure.kind,
      worker: null,
      updated_at: now,
    });
    if (failure.kind === 'rate_limited') await parkOthers(context, claimed.user_id, failure.sentence, until, now);
    return;
  }
  const ended = {
    status: 'failed',
    phase: 'error',
    error: failure.sentence,
    error_kind: failure.kind,
    error_link: failure.link,
    worker: null,
    waiting_until: null,
    finished_at: now,
    updated_at: now,
  } as const;
  // Whoever reads of the end finds its consequences in place.
  if (outcome === 'lose_sight') await loseSight(context, claimed.user_id, claimed.repository_id);
  if (outcome === 'sign_in') await context.rejectToken(claimed.user_id);
  await updateOwn(db, claimed, worker, ended);
  if (outcome === 'sign_in')
    await db
      .updateTable('sync_sessions')
      .set(ended)
      .where('user_id', '=', claimed.user_id)
      .where('status', 'in', ['queued', 'waiting', 'running'])
      .execute();
}

/** The host lets this user read the repository no longer: they lose sight of it at once, and others don't (server specification, section 4). */
export async function loseSight(context: SyncContext, user_id: number, repository_id: number): Promise<void> {
  await context.db
    .updateTable('connections')
    .set({ readable: false, checked_at: context.now() })
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .execute();
}

/** While one user's hourly quota is spent, their sessions wait and others' go on (server specification, section 5). */
async function parkOthers(context: SyncContext, user_id: number, error: string, until: Date, now: Date): Promise<void> {
  await sql`
    update sync_sessions set status = 'waiting', waiting_until = ${until}, error = ${error}, error_kind = 'rate_limited',
      updated_at = ${now}
    where user_id = ${user_id} and status = 'queued'`.execute(context.db);
}
