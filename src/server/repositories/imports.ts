import { type Kysely, sql } from 'kysely';
import type { RepositoryImport } from '#contract/connecting.ts';
import type { Database } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';

/** How many are listed. */
const LATEST = 20;

interface Row extends Omit<RepositoryImport, 'started_at' | 'state'> {
  readonly started_at: Date;
  readonly stored_state: 'running' | 'paused' | 'cancelled';
}

/**
 * The last imports of a person, the newest first, or the one of this id. A repository is done where nothing had to be read or its sync has
 * completed; one that was removed since is in none of the counts but the total.
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
    from (select * from imports where user_id = ${user_id} and (${id}::uuid is null or id = ${id}::uuid)
      order by started_at desc, id limit ${LATEST}) i
    join lateral (
      select r.position, r.owner, r.name,
        case when r.status = 'refused' then r.reason
          else coalesce(s.error, 'The import failed.') end as reason,
        case when r.status = 'pending' then 'waiting' when r.status = 'refused' then 'failed'
          when r.repository_id is null then 'removed' when r.session_id is null then 'done'
          when s.status is null or s.status = 'completed' then 'done' when s.status = 'running' then 'running'
          when s.status = 'failed' then 'failed' when s.status = 'cancelled' then 'stopped' else 'waiting' end as stage
      from import_repositories r left join sync_sessions s on s.id = r.session_id
      where r.import_id = i.id) e on true
    group by i.id, i.started_at, i.state
    order by i.started_at desc, i.id`.execute(db);
  return rows.map(({ stored_state, started_at, ...row }) => ({
    ...row,
    started_at: started_at.toISOString(),
    state: stored_state === 'running' && row.running + row.waiting === 0 ? 'done' : stored_state,
  }));
}

/** Dependencies of stopping imports and going on with them. */
export interface ImportDeps {
  readonly db: Kysely<Database>;
  /** Stops a sync at its next checkpoint if it runs. */
  readonly cancelSession: (session_id: string) => Promise<void>;
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
    throw new HttpError(409, 'not_possible_now', `The import is ${wordsOf[before.state]} already.`);
  const state = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[action];
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ state })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('state', 'in', allowed as ('running' | 'paused')[])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new HttpError(409, 'not_possible_now', 'The import has just changed: look again.');
  if (action === 'cancel')
    await db
      .updateTable('import_repositories')
      .set({ status: 'refused', reason: 'Cancelled before it was connected.' })
      .where('import_id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  const sessions = await db
    .selectFrom('import_repositories as r')
    .innerJoin('sync_sessions as s', 's.id', 'r.session_id')
    .select('s.id')
    .where('r.import_id', '=', id)
    .where('s.user_id', '=', user_id)
    .where('s.status', 'in', action === 'resume' ? ['cancelled'] : ['queued', 'running', 'waiting'])
    .orderBy('s.sequence')
    .execute();
  for (const session of sessions) {
    if (action === 'resume') await deps.resumeSession(session.id, user_id);
    else await deps.cancelSession(session.id);
  }
  if (action === 'resume') deps.connectSoon();
  return (await importsOf(db, user_id, id))[0]!;
}

const wordsOf = { running: 'running', paused: 'paused', done: 'done', cancelled: 'cancelled' } as const;
