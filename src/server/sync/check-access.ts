import { noteQuota } from '../db/hint-limits.ts';
import { takeDueChecks } from '../db/sight.ts';
import type { SyncDeps } from './context.ts';
import { eachAlone } from './each-alone.ts';

/** Checks taken together: a process that dies leaves no more than these to be taken again. */
const CHECKS_TAKEN = 20;

/** Asks the host about every connection whose check is due; one that fails stops none of the others. */
export async function checkDueAccess(context: SyncDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    const due = await takeDueChecks(context.db, context.served, context.now(), CHECKS_TAKEN);
    await eachAlone(
      due,
      signal,
      async ({ user_id, repository_id }) => {
        const heard = await context.checkAccess(user_id, repository_id);
        if (heard !== null) await noteQuota(context.db, user_id, 'hints', heard);
      },
      (error, { user_id, repository_id }) => context.stepFailed('check_access', error, { user_id, repository_id }),
    );
    if (due.length < CHECKS_TAKEN || signal.aborted) return;
  }
}
