import type { SyncDeps } from '../../src/server/sync/context.ts';
import { computeOwnFigures } from '../../src/server/sync/own-figures.ts';
import { rebuildFacts } from '../../src/server/sync/rebuild-facts.ts';
import { settleAccountKinds } from '../../src/server/sync/settle-account-kinds.ts';

/** What a worker does sooner or later with marks that were set, all of it at once: for everyone, then for whoever has marks of their own. */
export async function followMarks(context: Pick<SyncDeps, 'db' | 'log' | 'now'>, signal: AbortSignal): Promise<void> {
  await settleAccountKinds(context, signal);
  await rebuildFacts(context.db, context.now, signal, (error) => {
    throw error;
  });
  await computeOwnFigures(context, signal);
}
