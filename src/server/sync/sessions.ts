import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { lockSessions } from '../db/session-locks.ts';
import { planMode, SMART_AGE, type SyncMode } from './plan.ts';

export type SyncSession = Selectable<Database['sync_sessions']>;
export type StoredRepository = Selectable<Database['repositories']>;

/** A session whose worker has not been heard of for this long is taken over by another, in seconds. */
const LEASE_SECONDS = 15;

const active = ['queued', 'running', 'waiting'] as const;
/** A sign of life from the future is one of before the clock was set back. */
const leaseEndedOf = (
  session: string,
) => sql<boolean>`${sql.ref(`${session}.heartbeat_at`)} not between clock_timestamp() - make_interval(secs => ${LEASE_SECONDS})
  and clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
/** No session waits longer, in seconds: what would has seen a clock that was set back. */
const LONGEST_WAIT = 62 * 60;

/** How long the host has failed without a break, as the session's row keeps it. */
export interface Outage {
  /** Failures in a row, and seconds waited between them. */
  readonly failures: number;
  readonly waited: number;
}

export interface SessionRequest {
  readonly repository_id: number;
  readonly user_id: number;
  readonly mode: SyncMode;
  readonly asked_by: SyncSession['asked_by'];
  /** The largest page that the caller wants; null for no wish. */
  readonly page_size_limit: number | null;
}

/**
 * Starts a session, or answers the one that runs: one is active per repository. A full import that was cut off goes on from its
 * cursor when `smart` would read everything anyway. A person's wish takes over what the schedule had begun: it gets their
 * priority and token, and gives way when they want everything read; one that waits for a host which is away is tried at once.
 * Null when the repository is gone.
 */
export async function startSession(
  db: Kysely<Database>,
  request: SessionRequest,
  now: Date,
): Promise<SyncSession | null> {
  return await db.transaction().execute((transaction) => startSessionWithin(transaction, request, now));
}

/** The same together with other changes, which must come after it: it locks the repository. */
export async function startSessionWithin(
  transaction: Transaction<Database>,
  request: SessionRequest,
  now: Date,
): Promise<SyncSession | null> {
  const repository = await lockForSession(transaction, request.repository_id);
  if (repository === null) return null;
  const mode = planMode(request.mode, repository, now);
  const newest = await newestSession(transaction, request.repository_id);
  if (newest !== null && isActive(newest)) {
    const scheduled = newest.asked_by === 'schedule' && request.asked_by === 'person';
    const own = newest.user_id === request.user_id;
    if (!scheduled) return request.asked_by === 'person' && own ? await retryNow(transaction, newest, now) : newest;
    if (mode === newest.mode || mode === 'incremental') return await takeOver(transaction, newest, request, now);
    await cancelSession(transaction, newest.id, now);
  } else if (newest !== null && request.mode === 'smart' && mode === 'full' && canGoOn(newest, now)) {
    const resumed = await resumeLocked(transaction, newest.id, request, now);
    if (resumed !== null) return resumed;
  }
  return await transaction
    .insertInto('sync_sessions')
    .values({
      id: randomUUID(),
      repository_id: request.repository_id,
      user_id: request.user_id,
      asked_by: request.asked_by,
      mode,
      status: 'queued',
      phase: 'starting',
      stage: mode === 'full' ? 'history' : 'changes',
      page_size_limit: request.page_size_limit,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** While it is locked no session of the repository begins or goes on; null when it is gone. */
async function lockForSession(
  transaction: Transaction<Database>,
  repository_id: number,
): Promise<StoredRepository | null> {
  await lockSessions(transaction, repository_id);
  const row = await transaction
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repository_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** How long the host has failed for this session without a break. */
export function outageOf(session: Pick<SyncSession, 'error_kind' | 'attempts' | 'waited_seconds'>): Outage {
  return session.error_kind === 'unavailable'
    ? { failures: session.attempts, waited: session.waited_seconds }
    : { failures: 0, waited: 0 };
}

export function isActive(session: SyncSession): boolean {
  return (active as readonly string[]).includes(session.status);
}

/** Whether a session has stopped with something left to do. */
export function canResume(session: SyncSession): boolean {
  return session.status === 'failed' || session.status === 'cancelled';
}

function canGoOn(session: SyncSession, now: Date): boolean {
  return canResume(session) && session.mode === 'full' && now.getTime() - session.updated_at.getTime() < SMART_AGE;
}

/** Who asks for a sync that waits for the host to come back wants to know at once whether it has. */
async function retryNow(transaction: Transaction<Database>, session: SyncSession, now: Date): Promise<SyncSession> {
  if (session.status !== 'waiting' || session.error_kind !== 'unavailable') return session;
  return await transaction
    .updateTable('sync_sessions')
    .set({ status: 'queued', waiting_until: null, updated_at: now })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function takeOver(
  transaction: Transaction<Database>,
  session: SyncSession,
  request: SessionRequest,
  now: Date,
): Promise<SyncSession> {
  // One that runs keeps its token until its next checkpoint; one that waits for somebody else's quota need not.
  const running = session.status === 'running';
  return await transaction
    .updateTable('sync_sessions')
    .set({
      asked_by: 'person',
      updated_at: now,
      ...(running
        ? {}
        : {
            user_id: request.user_id,
            page_size_limit: request.page_size_limit,
            status: 'queued',
            waiting_until: null,
            attempts: 0,
            waited_seconds: 0,
            ...noQuotaYet(session, request),
          }),
    })
    .where('id', '=', session.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What was heard of one user's quota is not told of another's. */
function noQuotaYet(session: Pick<SyncSession, 'user_id'>, request: Pick<SessionRequest, 'user_id'>) {
  return session.user_id === request.user_id ? {} : { rate_remaining: null, rate_limit: null, rate_reset_at: null };
}

/** The newest session of a repository; null before the first. */
export async function newestSession(db: Kysely<Database>, repository_id: number): Promise<SyncSession | null> {
  const row = await db
    .selectFrom('sync_sessions')
    .selectAll()
    .where('repository_id', '=', repository_id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function sessionById(db: Kysely<Database>, id: string): Promise<SyncSession | null> {
  return (await db.selectFrom('sync_sessions').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/**
 * Queues a failed or cancelled session again, from its cursor, with this user's token. Null when there is nothing to resume:
 * it has not stopped, has completed, or a newer one of its repository exists.
 */
export async function resumeSession(
  db: Kysely<Database>,
  id: string,
  user_id: number,
  asked_by: SyncSession['asked_by'],
  now: Date,
): Promise<SyncSession | null> {
  return await db.transaction().execute(async (transaction) => {
    const session = await sessionById(transaction, id);
    if (session === null || (await lockForSession(transaction, session.repository_id)) === null) return null;
    const { page_size_limit } = session;
    return await resumeLocked(transaction, id, { user_id, asked_by, page_size_limit }, now);
  });
}

async function resumeLocked(
  transaction: Transaction<Database>,
  id: string,
  { user_id, asked_by, page_size_limit }: Pick<SessionRequest, 'user_id' | 'asked_by' | 'page_size_limit'>,
  now: Date,
): Promise<SyncSession | null> {
  const { rows } = await sql<SyncSession>`
    update sync_sessions s set status = 'queued', user_id = ${user_id}, asked_by = ${asked_by}, phase = 'starting',
      page_size_limit = ${page_size_limit},
      error = null, error_kind = null, error_link = null, attempts = 0, waited_seconds = 0, waiting_until = null, worker = null,
      finished_at = null, updated_at = ${now},
      rate_remaining = case when user_id = ${user_id} then rate_remaining end,
      rate_limit = case when user_id = ${user_id} then rate_limit end,
      rate_reset_at = case when user_id = ${user_id} then rate_reset_at end
    where id = ${id} and status in ('failed', 'cancelled') and not exists (select from sync_sessions newer
      where newer.repository_id = s.repository_id and newer.sequence > s.sequence)
    returning s.*`.execute(transaction);
  return rows[0] ?? null;
}

/**
 * Stops an active session: at once while it waits for its turn, else at its next checkpoint, where its worker finds that it has
 * lost it. What is stored stays. Null when it was not active.
 */
export async function cancelSession(db: Kysely<Database>, id: string, now: Date): Promise<SyncSession | null> {
  const row = await db
    .updateTable('sync_sessions')
    .set({ status: 'cancelled', worker: null, waiting_until: null, finished_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', active)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Who comes first: a person waits for the answer, the schedule does not. */
const precedence = sql`case s.asked_by when 'person' then 1 else 2 end`;

/**
 * Takes the session whose turn it is, for this worker: persons before the schedule; then the users with the fewest running, and of
 * these the one whose last turn is longest ago, so that nobody's many repositories starve another's one. At most
 * `per_user` run at once for one user's token. A session whose worker has gone silent is free again. Null when there is none.
 */
export async function claimSession(
  db: Kysely<Database>,
  worker: string,
  per_user: number,
  now: Date,
): Promise<SyncSession | null> {
  const { rows } = await sql<SyncSession>`
    with busy as (
      select user_id, count(*) as running from sync_sessions where status = 'running' and not ${leaseEndedOf('sync_sessions')} group by user_id
    ), next as (
      select s.id from sync_sessions s left join busy b on b.user_id = s.user_id
      where ${claimable(now)} and coalesce(b.running, 0) < ${per_user}
      order by ${precedence}, coalesce(b.running, 0),
        (select max(t.turn) from sync_sessions t where t.user_id = s.user_id) nulls first,
        s.turn nulls first, s.sequence
      limit 1 for update of s skip locked
    )
    update sync_sessions s set status = 'running', worker = ${worker}, heartbeat_at = clock_timestamp(),
      claimed_at = clock_timestamp(), turn = nextval('sync_turns'), started_at = coalesce(s.started_at, ${now}), waiting_until = null, updated_at = ${now}
    from next where s.id = next.id
    returning s.*`.execute(db);
  return rows[0] ?? null;
}

function claimable(now: Date) {
  return sql<boolean>`s.status in ('queued', 'running', 'waiting') and (s.status = 'queued'
    or (s.status = 'waiting' and (s.waiting_until <= ${now}::timestamptz
      or s.waiting_until > ${now}::timestamptz + make_interval(secs => ${LONGEST_WAIT}))) or (s.status = 'running' and ${leaseEndedOf('s')}))`;
}

/**
 * Who waits for a turn that only a session of this worker could give: a person while the schedule's work runs, or a user of whom
 * nothing runs while others have theirs. Null when nobody does.
 */
export async function nextStarvedRequester(db: Kysely<Database>, now: Date): Promise<SyncSession['asked_by'] | null> {
  const { rows } = await sql<{ asked_by: SyncSession['asked_by'] }>`
    select s.asked_by from sync_sessions s
    where ${claimable(now)} and not exists (select from sync_sessions r
      where r.user_id = s.user_id and r.status = 'running' and not ${leaseEndedOf('r')})
    order by ${precedence} limit 1`.execute(db);
  return rows[0]?.asked_by ?? null;
}

/** How many sessions would run now if workers had more places, each user with `per_user` at once at most. */
export async function countWithoutWorker(db: Kysely<Database>, per_user: number, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(least(of_user.waiting, greatest(${per_user} - of_user.running, 0))), 0)::int as count
    from (select count(*) filter (where ${claimable(now)}) as waiting,
        count(*) filter (where s.status = 'running' and not ${leaseEndedOf('s')}) as running
      from sync_sessions s where s.status in ('queued', 'running', 'waiting') group by s.user_id) of_user`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether its person, who asked for it, has asked for more that has not begun; the schedule's syncs have time. */
export async function hasUnbegun(
  db: Kysely<Database>,
  { user_id, asked_by }: Pick<SyncSession, 'user_id' | 'asked_by'>,
): Promise<boolean> {
  if (asked_by !== 'person') return false;
  const row = await db
    .selectFrom('sync_sessions')
    .select('id')
    .where('user_id', '=', user_id)
    .where('turn', 'is', null)
    .where('status', '=', 'queued')
    .where('asked_by', '=', 'person')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Says that this worker is at work on these sessions; answers those that are still its own. One whose page is being stored is passed over: to
 * wait for it would keep the others silent and, once they are noted, their pages waiting. It says so itself with its page. A session of this
 * worker that it has nothing to do with any more, as after a failure that could not be stored, comes free with its lease.
 */
export async function heartbeat(
  db: Kysely<Database>,
  worker: string,
  sessions: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = sql`
    select id from sync_sessions where worker = ${worker} and status = 'running' and id = any(${[...sessions]}::uuid[])`;
  const { rows } = await sql<{ id: string }>`
    with free as (${own} for no key update skip locked), noted as (
      update sync_sessions s set heartbeat_at = clock_timestamp() from free where s.id = free.id
    ) ${own}`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Changes a session that this worker holds; false when it no longer does. */
export async function updateOwn(
  db: Kysely<Database>,
  session: Pick<SyncSession, 'id'>,
  worker: string,
  change: Partial<Omit<SyncSession, 'id' | 'skipped'>>,
): Promise<boolean> {
  const result = await db
    .updateTable('sync_sessions')
    .set(change)
    .where('id', '=', session.id)
    .where('worker', '=', worker)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Gives sessions that run back, so that any worker goes on from their last checkpoint: one of this worker, all of it, or everybody's
 * when `worker` is null.
 */
export async function releaseSessions(
  db: Kysely<Database>,
  worker: string | null,
  now: Date,
  id?: string,
): Promise<void> {
  await db
    .updateTable('sync_sessions')
    .set({ status: 'queued', worker: null, updated_at: now })
    .where('status', '=', 'running')
    .$if(worker !== null, (query) => query.where('worker', '=', worker))
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .execute();
}
