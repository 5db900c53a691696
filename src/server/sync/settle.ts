import { sql } from 'kysely';
import { isRefusal, noteRefused } from '../db/sight.ts';
import { HostError, wantsPause } from '../host/errors.ts';
import type { SyncDeps } from './context.ts';
import {
  backoff,
  failureOf,
  failureRules,
  outagePause,
  ownFailure,
  WAITS_WITHOUT_PROGRESS,
  waitUntil,
} from './failures.ts';
import { hasToken, readersOf } from './refresh.ts';
import { outageOf, type SyncSession, updateOwn } from './sessions.ts';

/** What follows of a failure for its session. */
export type Settlement =
  | {
      readonly outcome: 'wait';
      readonly until: Date;
      /** Waits in a row, with this one; of a host that may be down, and of failures of ours, those for the same reason alone. */
      readonly attempts: number;
      /** Spent waiting for a host that may be down, with this wait. */
      readonly waited_seconds: number;
    }
  | { readonly outcome: 'pass_on' }
  | { readonly outcome: 'fail' };

/**
 * What follows of a failure, as the table of failures says, by what is stored of the one before. `isRejected`: the host has no doubt that
 * the token is not accepted.
 */
export function settlementOf(
  error: unknown,
  before: Pick<SyncSession, 'attempts' | 'waited_seconds' | 'error_kind'>,
  isRejected: boolean,
  now: Date,
  random: () => number,
): Settlement {
  const rule = error instanceof HostError ? failureRules[error.kind].outcome : 'wait';
  if (rule === 'sign_in' && isRejected) return { outcome: 'pass_on' };
  // A 401 that the host does not repeat is a failure like any other that passes.
  if (rule !== 'wait' && rule !== 'sign_in') return { outcome: 'fail' };

  if (error instanceof HostError && error.kind === 'unavailable') {
    const { failures, waited } = outageOf(before);
    const pause = outagePause(error, failures + 1, waited, now, random);
    if (pause === null) return { outcome: 'fail' };
    const waited_seconds = Math.round(waited + pause / 1000);
    return { outcome: 'wait', until: new Date(now.getTime() + pause), attempts: failures + 1, waited_seconds };
  }
  // What failed otherwise before says nothing of how long to wait now.
  const kind = error instanceof HostError ? error.kind : ownFailure.kind;
  const alike = before.error_kind === kind ? before.attempts : 0;
  if (error instanceof HostError) {
    const { attempts } = before;
    if (attempts >= WAITS_WITHOUT_PROGRESS) return { outcome: 'fail' };
    return { outcome: 'wait', until: waitUntil(error, alike, now, random), attempts: attempts + 1, waited_seconds: 0 };
  }
  if (alike >= ownFailure.retries) return { outcome: 'fail' };
  const until = new Date(now.getTime() + backoff(alike + 1, random));
  return { outcome: 'wait', until, attempts: alike + 1, waited_seconds: 0 };
}

/**
 * Stores what a failure means for its session: it waits and goes on by itself, or ends with a sentence and can be resumed. What a rejected
 * token had begun goes on with another connected person's, where there is one. `grant_id` is the credential that the host was asked with,
 * null where there was none.
 */
export async function settleFailure(
  context: SyncDeps,
  worker: string,
  claimed: SyncSession,
  grant_id: number | null,
  error: unknown,
): Promise<void> {
  const { db } = context;
  const now = context.now();
  const row = await db
    .selectFrom('sync_sessions as s')
    .innerJoin('repositories as r', 'r.id', 's.repository_id')
    .select(['s.attempts', 's.waited_seconds', 's.error_kind', 'r.host', 'r.owner', 'r.name'])
    .where('s.id', '=', claimed.id)
    .where('s.worker', '=', worker)
    .where('s.turn', '=', claimed.turn)
    .where('s.status', '=', 'running')
    .executeTakeFirst();
  if (row === undefined) return;
  const about = { host: context.hostLabel(row.host), repository: `${row.owner}/${row.name}` };
  const failure = failureOf(error, about);
  const isRejected =
    error instanceof HostError &&
    error.kind === 'unauthorized' &&
    (grant_id === null || (await context.rejectToken(claimed.user_id, grant_id)));
  const settlement = settlementOf(error, row, isRejected, now, context.random);

  if (settlement.outcome === 'wait') {
    const { until, attempts, waited_seconds } = settlement;
    await updateOwn(db, claimed, worker, {
      status: 'waiting',
      waiting_until: until,
      attempts,
      waited_seconds,
      error: failure.sentence,
      error_kind: failure.kind,
      worker: null,
      updated_at: now,
    });
    if (error instanceof HostError) context.hostWaited(error.kind);
    if (wantsPause(error)) await parkOthers(context, claimed.user_id, failure, until, now);
    return;
  }
  const why = { error: failure.sentence, error_kind: failure.kind, error_link: failure.link };
  if (settlement.outcome === 'pass_on') return await passOnSyncs(context, claimed.user_id, why);
  // Whoever reads of the end finds its consequences in place.
  if (isRefusal(error) && grant_id !== null) {
    const { user_id, repository_id } = claimed;
    const lost = await noteRefused(db, { user_id, repository_id, grant_id }, error, now);
    if (lost !== null) await context.noteSecurityEvent(lost, null);
  }
  await updateOwn(db, claimed, worker, failedWith(why, now));
}

/** What is told of a failed sync. */
interface Why {
  readonly error: string;
  readonly error_kind: string;
  readonly error_link: string | null;
}

/** How every sync ends that failed. */
const failedWith = (why: Why, now: Date) => ({
  ...why,
  status: 'failed' as const,
  phase: 'error',
  worker: null,
  waiting_until: null,
  finished_at: now,
  updated_at: now,
});

/** How a sync ends whose person has no token any more, and nobody else can go on with it. */
const withoutToken = {
  error: 'The person who started it has signed out, and nobody else who may read this repository is signed in.',
  error_kind: 'unauthorized',
  error_link: null,
} as const;

/**
 * What a person without a token had begun goes on with somebody else's, where there is one, else it fails because of `why`. Null: they have a
 * token still, and what nobody else can go on with stays theirs.
 */
export async function passOnSyncs(context: SyncDeps, user_id: number, why: Why | null = withoutToken): Promise<void> {
  const now = context.now();
  const active = await context.db
    .selectFrom('sync_sessions')
    .select(['id', 'repository_id'])
    .where('user_id', '=', user_id)
    .where('status', 'in', ['queued', 'waiting', 'running'])
    .execute();
  for (const session of active) {
    const except = why === null ? user_id : null;
    const change = (await handedOver(context, session.repository_id, now, except)) ?? (why && failedWith(why, now));
    if (change === null) continue;
    await context.db
      .updateTable('sync_sessions')
      .set(change)
      .where('id', '=', session.id)
      .where('status', 'in', ['queued', 'waiting', 'running'])
      .execute();
  }
}

/** A session as it goes on with the token of somebody, but not of `except`, who may read the repository; null where there is nobody. */
async function handedOver(context: SyncDeps, repository_id: number, now: Date, except: number | null) {
  for (const reader of await readersOf(context, repository_id)) {
    if (reader === except || !(await hasToken(context, reader, repository_id))) continue;
    const status = 'queued' as const;
    return {
      user_id: reader,
      status,
      worker: null,
      waiting_until: null,
      error: null,
      error_kind: null,
      // What was heard of one person's quota is not told of another's.
      ...{ rate_remaining: null, rate_limit: null, rate_reset_at: null },
      updated_at: now,
    };
  }
  return null;
}

/** While one user's quota is spent, or the host wants a pause of them, their sessions wait and others' go on (docs/server.md#retries-and-waits). */
async function parkOthers(
  context: SyncDeps,
  user_id: number,
  { kind, sentence }: Pick<ReturnType<typeof failureOf>, 'kind' | 'sentence'>,
  until: Date,
  now: Date,
): Promise<void> {
  await sql`
    update sync_sessions set status = 'waiting', waiting_until = ${until}, error = ${sentence}, error_kind = ${kind},
      updated_at = ${now}
    where user_id = ${user_id} and (status = 'queued'
      or (status = 'waiting' and error_kind = ${kind} and waiting_until < ${until}))`.execute(context.db);
}
