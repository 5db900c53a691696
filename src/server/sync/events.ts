import { type Kysely, sql } from 'kysely';
import type { SyncEvent } from '#contract/sync.ts';
import type { Database } from '../db/database.ts';
import { syncResponseOf } from './progress.ts';
import type { SyncSession } from './sessions.ts';

interface Seen {
  readonly repository_id: number;
  readonly changed_at: Date;
  readonly session: SyncSession | null;
}

/** How often one connection looks, in milliseconds: one cheap question each, the same for however many processes. */
export const LOOK_EVERY = 1000;

/**
 * What happens to the user's repositories from now on, until `pause`, which waits between two looks, answers false: first the progress of every
 * session that is under way, then each change.
 */
export async function* watchSyncs(
  db: Kysely<Database>,
  user_id: number,
  now: () => Date,
  pause: () => Promise<boolean>,
): AsyncIterable<SyncEvent> {
  let before: ReadonlyMap<number, Seen> | null = null;
  do {
    const current = await lookAt(db, user_id);
    for (const seen of current.values()) yield* newsOf(before, seen, now());
    before = current;
  } while (await pause());
}

function* newsOf(all: ReadonlyMap<number, Seen> | null, seen: Seen, now: Date): Iterable<SyncEvent> {
  const before = all?.get(seen.repository_id);
  const { repository_id, session, changed_at } = seen;
  const underWay = session !== null && session.finished_at === null;
  const moved =
    session !== null &&
    (before === undefined
      ? underWay
      : before.session?.id !== session.id ||
        before.session.updated_at.getTime() !== session.updated_at.getTime() ||
        before.session.status !== session.status);
  if (moved) yield { type: 'progress', repository_id, sync: syncResponseOf(session, now) };
  if (all !== null && before?.changed_at.getTime() !== changed_at.getTime())
    yield { type: 'changed', repository_id, changed_at: changed_at.toISOString() };
}

async function lookAt(db: Kysely<Database>, user_id: number): Promise<Map<number, Seen>> {
  const { rows } = await sql<Omit<SyncSession, 'id'> & { id: string | null; seen_id: number; changed_at: Date }>`
    select s.*, c.repository_id as seen_id, r.changed_at
    from connections c join repositories r on r.id = c.repository_id
    left join lateral (select * from sync_sessions s where s.repository_id = c.repository_id
      order by s.created_at desc, s.id limit 1) s on true
    where c.user_id = ${user_id} and c.readable`.execute(db);
  return new Map(
    rows.map(({ seen_id, changed_at, ...row }) => [
      seen_id,
      { repository_id: seen_id, changed_at, session: row.id === null ? null : { ...row, id: row.id } },
    ]),
  );
}
