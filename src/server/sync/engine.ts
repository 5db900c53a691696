import { HostError } from '../host/host.ts';
import { Asking, SessionLost } from './asking.ts';
import { readChanges } from './changes.ts';
import type { SyncContext } from './context.ts';
import { readHistory } from './history.ts';
import { Run } from './run.ts';
import { releaseSessions, type SyncSession } from './sessions.ts';

/** Each reads on to its end, where it leaves the session in the stage that follows; false when it gave way before. */
const stages = { history: readHistory, changes: readChanges };

/**
 * Runs one session that this worker has claimed, stage by stage, until it is completed, has to give way (`giveWay` is asked at
 * every checkpoint) or is lost. Each page is stored with the cursor behind it in one transaction, in which the session must still
 * be this worker's.
 * @throws HostError when the host fails in a way that repeating does not help; SessionLost when the session is somebody else's
 */
export async function runSession(
  context: SyncContext,
  worker: string,
  claimed: SyncSession,
  signal: AbortSignal,
  giveWay: (session: SyncSession) => boolean,
): Promise<void> {
  const client = await context.clientFor(claimed.user_id);
  if (client === null) throw new HostError('unauthorized', 'There is no token.');
  const repository = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', claimed.repository_id)
    .executeTakeFirst();
  if (repository === undefined) throw new SessionLost();
  const asking = new Asking(context, client, repository, signal);
  const run = new Run(context, worker, claimed, repository, asking, giveWay);
  while (run.session.stage !== 'done') {
    const ended = await stages[run.session.stage](run);
    if (!ended) return await releaseSessions(context.db, worker, context.now(), claimed.id);
  }
}
