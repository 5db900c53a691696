import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DetailFingerprints, OpenPullRequestDigest } from '../host/pages.ts';
import { recordset } from './rows.ts';
import type { StoredRepository, SyncSession } from './sessions.ts';

const HOUR = 3_600_000;

/** Pull requests that ended this long ago are looked at once a day: late checks and resolved threads. */
const RECHECK_CLOSED_FOR = 14 * 24 * HOUR;

/** What is to be fetched, with the fingerprint that was read before; absent for those that are not open. */
export interface FetchCandidate {
  readonly node_id: string;
  readonly number: number;
  readonly fingerprint?: string;
}

/**
 * Whether a session also sweeps: a person's incremental one always, the schedule's once an hour; a full one has just read
 * everything (docs/server.md#sync-order-cursors-and-pauses).
 */
export function sweepIsDue(
  session: Pick<SyncSession, 'mode' | 'asked_by'>,
  repository: Pick<StoredRepository, 'swept_at'>,
  now: Date,
): boolean {
  if (session.mode === 'full') return false;
  if (session.asked_by === 'person' || repository.swept_at === null) return true;
  const since = now.getTime() - repository.swept_at.getTime();
  // One in the future is of before the clock was set back.
  return since >= 0.9 * HOUR || since < -HOUR / 12;
}

/** Each hour another part of the checks comes first: fewer than a look at 100 open pull requests has room for at the least. */
const CHECKS_A_TURN = 40;

/**
 * Keys of the open pull requests that are worth a closer look: those that have threads, which may get resolved, and those that
 * have checks, which may end again as they did before. Where there are more than the host reads along for nothing, the checks
 * are read in turn, by the hour.
 */
export async function detailFingerprints(
  db: Kysely<Database>,
  repository_id: number,
  now: Date,
): Promise<DetailFingerprints<readonly string[]>> {
  const { rows } = await sql<{ node_id: string; threads: boolean; checks: boolean }>`
    select p.node_id,
      exists (select from comments c where c.repository_id = p.repository_id and c.number = p.number and c.kind = 'inline')
        as threads,
      exists (select from checks c where c.repository_id = p.repository_id and c.number = p.number) as checks
    from pull_requests p where p.repository_id = ${repository_id} and p.state = 'open' order by p.number`.execute(db);
  const keys = (field: 'threads' | 'checks') => rows.filter((row) => row[field]).map((row) => row.node_id);
  return { threads: keys('threads'), checks: inTurn(keys('checks'), now) };
}

/** The same things, beginning each hour `step` later. */
export function inTurn<T>(keys: readonly T[], now: Date, step = CHECKS_A_TURN): T[] {
  const turn = Math.floor(now.getTime() / HOUR);
  const first = keys.length === 0 ? 0 : (turn * step) % keys.length;
  return [...keys.slice(first), ...keys.slice(0, first)];
}

/**
 * What is remembered of an open pull request: the list's fingerprint and those of the closer looks, each as it was read last.
 * `before` is what was remembered, null for nothing.
 */
export function rememberedFingerprint(
  before: string | null,
  read: { readonly listed: string } & DetailFingerprints<string | null>,
): string {
  const [, threads = '', checks = ''] = before?.split('.') ?? [];
  return [read.listed, read.threads ?? threads, read.checks ?? checks].join('.');
}

/**
 * The open pull requests of which something changed or that are not stored, and those stored as open that the host no longer lists
 * as such and that nobody fetched since the sweep started.
 */
export async function openToLookAt(
  db: Kysely<Database>,
  repository_id: number,
  open: readonly OpenPullRequestDigest[],
  closer: DetailFingerprints<ReadonlyMap<string, string>>,
  started: Date,
): Promise<FetchCandidate[]> {
  const rows = await db
    .selectFrom('pull_requests')
    .select(['number', 'node_id', 'state', 'sweep_fingerprint', 'fetched_at'])
    .where('repository_id', '=', repository_id)
    .where((where) =>
      where.or([
        where('state', '=', 'open'),
        sql<boolean>`number = any(${open.map((digest) => digest.number)}::int[])`,
      ]),
    )
    .execute();
  const stored = new Map(rows.map((row) => [row.number, row.sweep_fingerprint]));
  const listed = new Set(open.map((digest) => digest.number));
  const changed = open.flatMap(({ node_id, number, fingerprint }) => {
    const before = stored.get(number) ?? null;
    const [threads, checks] = [closer.threads.get(node_id) ?? null, closer.checks.get(node_id) ?? null];
    const after = rememberedFingerprint(before, { listed: fingerprint, threads, checks });
    return after === before ? [] : [{ node_id, number, fingerprint: after }];
  });
  const left = rows.filter((row) => row.state === 'open' && !listed.has(row.number) && row.fetched_at < started);
  return [...changed, ...left.map(({ node_id, number }) => ({ node_id, number }))];
}

/** Those that ended within the last 14 days and were not fetched for a day: so also once a day after they ended. */
export async function closedToLookAt(
  db: Kysely<Database>,
  repository_id: number,
  now: Date,
): Promise<FetchCandidate[]> {
  return await db
    .selectFrom('pull_requests')
    .select(['number', 'node_id'])
    .where('repository_id', '=', repository_id)
    .where('ended_at', '>', new Date(now.getTime() - RECHECK_CLOSED_FOR))
    .where('fetched_at', '<', new Date(now.getTime() - 24 * HOUR))
    .orderBy('number')
    .execute();
}

/** Those that were not fetched since, except what the host could not tell or could not be stored: that is tried again by other rules. */
export async function notFetchedSince(
  db: Kysely<Database>,
  repository_id: number,
  since: Date,
): Promise<FetchCandidate[]> {
  return await db
    .selectFrom('pull_requests as p')
    .select(['number', 'node_id'])
    .where('repository_id', '=', repository_id)
    .where('fetched_at', '<', since)
    .where(
      sql<boolean>`not exists (select from unstorable_pull_requests u
        where u.repository_id = p.repository_id and u.number = p.number)`,
    )
    .orderBy('number')
    .execute();
}

/** Remembers the fingerprints that were read before these pull requests were fetched. */
export async function saveFingerprints(
  transaction: Transaction<Database>,
  repository_id: number,
  batch: readonly FetchCandidate[],
  fingerprints: ReadonlyMap<string, string | null>,
): Promise<void> {
  const rows = batch.flatMap(({ node_id, number }) => {
    const sweep_fingerprint = fingerprints.get(node_id);
    return sweep_fingerprint == null ? [] : [{ number, sweep_fingerprint }];
  });
  if (rows.length === 0) return;
  await sql`
    update pull_requests p set sweep_fingerprint = r.sweep_fingerprint
    from ${recordset('pull_requests', ['number', 'sweep_fingerprint'], rows)}
    where p.repository_id = ${repository_id} and p.number = r.number`.execute(transaction);
}
