import type { FastifyRequest } from 'fastify';
import type { SyncContext } from './context.ts';
import { markFactsOf, rebuildFacts } from './rebuild-facts.ts';
import { refreshPullRequest } from './refresh.ts';
import { syncRoutes } from './routes.ts';
import { cancelSessionsOf } from './sessions.ts';
import { upkeep } from './upkeep.ts';
import { type SyncWorker, startSyncWorker, type WorkerSettings, workerDefaults } from './worker.ts';

/** What the composition root needs of the sync. Nothing works until `startWorking`, which only roles all and worker call. */
export interface Sync {
  routes(stillSignedIn: (request: FastifyRequest) => Promise<boolean>): ReturnType<typeof syncRoutes>;
  /** Tells this process's worker, if it has one, to look for work now. */
  nudge(): void;
  /** Fetches one pull request for somebody who waits; false when the host has none of this number. */
  refreshPullRequest(wanted: Parameters<typeof refreshPullRequest>[1]): Promise<boolean>;
  /** Computes the facts anew of every pull request in which this account (the row's id) has a part. */
  recountAccount(account: { readonly id: number }): Promise<void>;
  /** Ends a running sync of the repository: one of that user, or any when null. */
  cancelSync(repository_id: number, of_user: number | null): Promise<void>;
  startWorking(settings?: WorkerSettings): void;
  /** To be called every minute by one process: starts what is due. */
  upkeep(signal: AbortSignal): Promise<void>;
  /** See `SyncWorker.stop`. */
  stop(patience: number): Promise<void>;
}

export function openSync(context: SyncContext): Sync {
  let worker: SyncWorker | null = null;
  const nudge = () => worker?.nudge();
  return {
    routes: (stillSignedIn) => syncRoutes(context, nudge, stillSignedIn),
    nudge,
    refreshPullRequest: (wanted) => refreshPullRequest(context, wanted),
    async recountAccount({ id }) {
      await markFactsOf(context.db, id);
      await rebuildFacts(context.db, context.now, new AbortController().signal);
    },
    cancelSync: (repository_id, of_user) => cancelSessionsOf(context.db, repository_id, of_user, context.now()),
    startWorking(settings = workerDefaults) {
      worker ??= startSyncWorker(context, settings);
    },
    upkeep: async (signal) => {
      await upkeep(context, signal);
      nudge();
    },
    stop: async (patience) => await worker?.stop(patience),
  };
}
