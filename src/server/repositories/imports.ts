import { type Insertable, type Kysely, sql } from 'kysely';
import type { RepositoryImport } from '#contract/connecting.ts';
import type { Database } from '../db/database.ts';
import { REFUSALS } from '../db/sight.ts';
import type { RepositoryName } from '../host/repository.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { isVisible } from '../metrics/scope.ts';

/** How many are listed, and older ones that run or are paused. */
const LATEST = 20;
/** Of a person's, with repositories that are not connected yet: no more begin. */
const MOST_PENDING = 5;
/** Of a person's, whatever goes on in them. */
const MOST_KEPT = 100;

interface Row extends Omit<RepositoryImport, 'started_at' | 'state'> {
  readonly started_at: Date;
  readonly stored_state: 'running' | 'paused' | 'cancelled';
}

/**
 * The last imports of a person and every one that runs or is paused, the newest first, or the one of this id. A repository is done where its history is here. What somebody
 * else's sync left undone is waiting: it goes on with this person's token (`resumeAbandoned`). One that was removed since is in none of
 * the counts but the total; of one that the person lost sight of, and of a sync by somebody else, nothing more than that is told.
 */
export async function importsOf(
  db: Kysely<Database>,
  user_id: number,
  id: string | null = null,
): Promise<RepositoryImport[]> {
  const { rows } = await sql<Row>`
    select i.id, i.started_at, i.state as stored_state, count(*)::int as total,
      count(*) filter (where e.stage = 'done')::int as done,
      count(*) filter (where e.stage = 'running')::int as running,
      count(*) filter (where e.stage = 'waiting')::int as waiting,
      coalesce(json_agg(json_build_object('full_name', e.owner || '/' || e.name, 'reason', e.reason) order by e.position)
        filter (where e.stage = 'failed'), '[]') as failed
    from (select * from imports where user_id = ${user_id} and (${id}::uuid is null or id = ${id}::uuid)) i
    join lateral (
      select r.position, r.owner, r.name,
        case when r.status = 'refused' then r.reason
          when s.user_id = ${user_id} and s.error is not null then s.error
          when c.lost_at is not null then 'Your account can no longer read it.'
          when s.user_id = ${user_id} and s.status = 'cancelled' then 'Its sync was cancelled.'
          else 'The import failed.' end as reason,
        ${stage} as stage
      from ${repositoriesOf}) e on true
    group by i.id, i.started_at, i.state
    order by i.started_at desc, i.id`.execute(db);
  const imports = rows.map(({ stored_state, started_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    state: stored_state === 'running' && row.running + row.waiting === 0 ? ('done' as const) : stored_state,
  }));
  return imports.filter(({ state }, at) => at < LATEST || state === 'running' || state === 'paused');
}

/** The newest sync of a repository `c` is connected to. */
const newestSessionOf = sql`(select s.* from sync_sessions s where s.repository_id = c.repository_id order by s.sequence desc limit 1)`;

/** Of a sync `s`: its person stopped it, or may not read the repository, which says nothing of whether others can. */
const isAbandoned = sql<boolean>`(s.status = 'cancelled'
  or s.status = 'failed' and s.error_kind = any(${[...REFUSALS, 'unauthorized']}::text[]))`;

/** How far a repository of `repositoriesOf` is. */
const stage = sql`case when r.status = 'pending' then 'waiting' when r.status = 'refused' then 'failed'
  when c.user_id is null then 'removed' when c.lost_at is not null then 'failed'
  when s.status = 'running' and s.id = r.session_id then 'running'
  when s.status in ('queued', 'waiting') and s.id = r.session_id then 'waiting'
  when r.session_id is null or s.status is null or p.history_completed_at is not null then 'done'
  when s.status = 'running' then 'running' when s.status in ('queued', 'waiting') then 'waiting'
  when s.user_id <> i.user_id and ${isAbandoned} then 'waiting'
  when s.status = 'cancelled' and i.state <> 'running' then 'stopped' else 'failed' end`;

/** The repositories `r` of an import `i`, with its person's connection, what is stored and the newest sync. */
const repositoriesOf = sql`import_repositories r
  left join connections c on c.user_id = i.user_id and c.repository_id = r.repository_id
  left join repositories p on p.id = c.repository_id
  left join lateral ${newestSessionOf} s on true
  where r.import_id = i.id`;

/**
 * Stores an import that begins, with its repositories pending, and deletes those of its person that have ended and are not listed any more.
 * @throws HttpError 409 where too many of theirs are under way
 */
export async function beginImport(
  db: Kysely<Database>,
  { id, user_id, sync, started_at }: Pick<Insertable<Database['imports']>, 'id' | 'user_id' | 'sync' | 'started_at'>,
  names: readonly RepositoryName[],
): Promise<void> {
  await db.transaction().execute(async (within) => {
    // Others that the person begins at this moment wait until this one counts.
    await within.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
    await sql`
      delete from imports i where i.user_id = ${user_id}
        and i.id not in (select id from imports where user_id = ${user_id} order by started_at desc, id limit ${LATEST - 1})
        and (i.state = 'cancelled' or i.state = 'running' and not exists (
          select from (select ${stage} as stage from ${repositoriesOf}) e where e.stage in ('running', 'waiting')))`.execute(
      within,
    );
    const { rows } = await sql<{ kept: number; pending: number }>`
      select count(*)::int as kept, count(*) filter (where exists (
        select from import_repositories r where r.import_id = i.id and r.status = 'pending'))::int as pending
      from imports i where i.user_id = ${user_id}`.execute(within);
    const [{ kept, pending } = { kept: 0, pending: 0 }] = rows;
    if (pending >= MOST_PENDING)
      throw new HttpError(
        'too_many',
        `${MOST_PENDING} of your imports have repositories that are not connected yet. Wait until one has connected them, or cancel one.`,
      );
    if (kept >= MOST_KEPT)
      throw new HttpError(
        'too_many',
        `${MOST_KEPT} of your imports have not ended. Wait until some have, or cancel some.`,
      );
    await within.insertInto('imports').values({ id, user_id, state: 'running', sync, started_at }).execute();
    await sql`
      insert into import_repositories (import_id, position, owner, name, status)
      select ${id}, at - 1, owner, name, 'pending'
      from unnest(${names.map(({ owner }) => owner)}::text[], ${names.map(({ name }) => name)}::text[])
        with ordinality given (owner, name, at)`.execute(within);
  });
}

/**
 * Goes on with what the syncs of others left undone, stopped or refused by the host, of repositories that somebody imports too: with their token,
 * and from where it was.
 */
export async function resumeAbandoned(
  deps: StopDeps & {
    readonly startSync: (user_id: number, repository_id: number) => Promise<{ readonly id: string } | null>;
    readonly stepFailed: (error: unknown, fields: object) => void;
  },
): Promise<void> {
  const { db, startSync, stepFailed } = deps;
  const { rows } = await sql<{ import_id: string; position: number; user_id: number; repository_id: number }>`
    select r.import_id, r.position, i.user_id, c.repository_id
    from imports i join import_repositories r on r.import_id = i.id and r.session_id is not null
    join connections c on c.user_id = i.user_id and c.repository_id = r.repository_id and ${isVisible}
    join repositories p on p.id = c.repository_id and p.history_completed_at is null
    join lateral ${newestSessionOf} s on s.user_id <> i.user_id and ${isAbandoned}
    where i.state = 'running' order by i.started_at, r.position`.execute(db);
  for (const { import_id, position, user_id, repository_id } of rows) {
    try {
      const session = await startSync(user_id, repository_id);
      await db
        .updateTable('import_repositories')
        .set({ session_id: session?.id ?? null })
        .where('import_id', '=', import_id)
        .where('position', '=', position)
        .execute();
      await stopUnlessRunning(deps, user_id, import_id);
    } catch (error) {
      stepFailed(error, { import: import_id, position });
    }
  }
}

/** Dependencies of stopping the syncs of an import. */
export interface StopDeps {
  readonly db: Kysely<Database>;
  /** Stops a sync at its next checkpoint if it runs. */
  readonly cancelSession: (session_id: string) => Promise<void>;
}

/** Dependencies of stopping imports and going on with them. */
export interface ImportDeps extends StopDeps {
  /** Queues a stopped sync again, from where it was, with this person's token. */
  readonly resumeSession: (session_id: string, user_id: number) => Promise<void>;
  /** Has a worker go on with what is pending. */
  readonly connectSoon: () => void;
}

/**
 * Pauses, resumes or ends an import.
 * @throws HttpError 404 where it is not this person's, 409 where its state does not allow it
 */
export async function changeImport(
  deps: ImportDeps,
  user_id: number,
  id: string,
  action: 'pause' | 'resume' | 'cancel',
): Promise<RepositoryImport> {
  const { db } = deps;
  const [before] = await importsOf(db, user_id, id);
  if (before === undefined) throw notFound('There is no such import.');
  const allowed = { pause: ['running'], resume: ['paused'], cancel: ['running', 'paused'] }[action];
  if (!allowed.includes(before.state))
    throw new HttpError('not_possible_now', `The import is ${wordsOf[before.state]} already.`);
  const state = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[action];
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ state })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('state', 'in', allowed as ('running' | 'paused')[])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new HttpError('not_possible_now', 'The import has just changed: look again.');
  if (action === 'cancel')
    await db
      .updateTable('import_repositories')
      .set({ status: 'refused', reason: 'Cancelled before it was connected.' })
      .where('import_id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  if (action === 'resume') {
    for (const session of await syncsOf(db, user_id, id, ['cancelled'])) {
      await deps.resumeSession(session, user_id);
      if (!(await stopUnlessRunning(deps, user_id, id))) break;
    }
    deps.connectSoon();
  } else await stopSyncs(deps, user_id, id);
  return (await importsOf(db, user_id, id))[0]!;
}

/** Stops the syncs of an import that was paused or cancelled while one of them was about to begin; returns whether it is running. */
export async function stopUnlessRunning(deps: StopDeps, user_id: number, id: string): Promise<boolean> {
  const found = await deps.db.selectFrom('imports').select('state').where('id', '=', id).executeTakeFirst();
  const isRunning = found?.state === 'running';
  if (!isRunning) await stopSyncs(deps, user_id, id);
  return isRunning;
}

async function stopSyncs({ db, cancelSession }: StopDeps, user_id: number, id: string): Promise<void> {
  for (const session of await syncsOf(db, user_id, id, ['queued', 'running', 'waiting'])) await cancelSession(session);
}

/** The person's own syncs of an import that are in these states, the first begun first. */
async function syncsOf(
  db: Kysely<Database>,
  user_id: number,
  id: string,
  states: readonly Database['sync_sessions']['status'][],
): Promise<string[]> {
  const rows = await db
    .selectFrom('import_repositories as r')
    .innerJoin('sync_sessions as s', 's.id', 'r.session_id')
    .select('s.id')
    .where('r.import_id', '=', id)
    .where('s.user_id', '=', user_id)
    .where('s.status', 'in', states)
    .orderBy('s.sequence')
    .execute();
  return rows.map((row) => row.id);
}

const wordsOf = { running: 'running', paused: 'paused', done: 'done', cancelled: 'cancelled' } as const;
