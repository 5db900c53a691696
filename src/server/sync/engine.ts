import type { PersonalClient } from '../context.ts';
import { readChanges } from './changes.ts';
import type { SyncDeps } from './context.ts';
import { failureOf } from './failures.ts';
import { readHistory } from './history.ts';
import { RetryingHostClient, SessionLost } from './retrying-host-client.ts';
import { Run } from './run.ts';
import { outageOf, releaseSessions, type SyncSession, updateOwn } from './sessions.ts';

/** Each reads on to its end, where it leaves the session in the stage that follows; false when it gave way before. */
const stages = { history: readHistory, changes: readChanges };

/**
 * Runs one session that this worker has claimed, with the credential of its user, stage by stage, until it is completed, has to give way (`shouldYield` is asked at
 * every checkpoint) or is lost. Each page is stored with the cursor behind it in one transaction, in which the session must still
 * be this worker's.
 * @throws HostError when the host fails in a way that repeating does not help; SessionLost when the session is somebody else's
 */
export async function runSession(
  context: SyncDeps,
  worker: string,
  claimed: SyncSession,
  personal: PersonalClient,
  signal: AbortSignal,
  shouldYield: (session: SyncSession) => boolean,
): Promise<void> {
  const repository = await context.db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', claimed.repository_id)
    .executeTakeFirst();
  if (repository === undefined) throw new SessionLost();
  const { hostLabel, db, now } = context;
  const about = { host: hostLabel(repository.host), repository: `${repository.owner}/${repository.name}` };
  const hostClient = new RetryingHostClient(context, personal, repository, signal, {
    outage: outageOf(claimed),
    async note(error, { failures, waited }, until) {
      const { kind, sentence } = failureOf(error, about);
      const change = { error: sentence, error_kind: kind, attempts: failures, waited_seconds: Math.round(waited) };
      await updateOwn(db, claimed, worker, { ...change, waiting_until: until, updated_at: now() });
    },
  });
  const run = new Run(context, worker, claimed, repository, hostClient, shouldYield);
  while (run.session.stage !== 'done') {
    const ended = await stages[run.session.stage](run);
    if (!ended) return await releaseSessions(context.db, worker, context.now(), claimed.id);
  }
}
