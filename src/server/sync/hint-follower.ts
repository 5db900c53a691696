import { deferHint, finishHint, gatherHints, postponeHint, type TakenHint, takeHint } from '../db/hints.ts';
import { HostError } from '../host/errors.ts';
import type { SyncDeps } from './context.ts';
import { backoff, pauseEnd } from './failures.ts';
import { follow, LookLater, TooManyLooks } from './refresh.ts';

/** After so many looks in a row that failed, the next hint or the hourly sync has to do. */
const MOST_ATTEMPTS = 6;

/** Follows the hint that is due longest, of all or of those about who may read a repository; false when none is. */
export async function followNextHint(
  context: SyncDeps,
  signal: AbortSignal,
  about: 'anything' | 'access' = 'anything',
): Promise<boolean> {
  const hint = await takeHint(context.db, context.now(), about);
  if (hint === null) return false;
  const fields = { repository: hint.repository_id, ...hint.subject };
  try {
    await follow(context, hint.repository_id, hint.subject, signal);
    await finishHint(context.db, hint);
    context.log.debug(fields, 'hint followed');
  } catch (error) {
    if (error instanceof TooManyLooks) {
      await gatherHints(context.db, hint.repository_id, context.now());
      context.log.debug(fields, 'too many hints: everything that changed is looked at once');
      return true;
    }
    if (error instanceof LookLater) {
      await deferHint(context.db, hint, error.again);
      context.log.debug({ ...fields, again: error.again }, 'hint deferred');
      return true;
    }
    const again = signal.aborted ? context.now() : nextTry(context, hint, error);
    await postponeHint(context.db, hint, again);
    const kind = error instanceof HostError ? error.kind : 'internal';
    context.log.warn({ ...fields, kind, again, err: error }, 'hint could not be followed');
  }
  return true;
}

function nextTry(context: SyncDeps, hint: TakenHint, error: unknown): Date | null {
  if (hint.attempts >= MOST_ATTEMPTS) return null;
  const now = context.now();
  const named = error instanceof HostError ? pauseEnd(error, now, 0) : now;
  return new Date(Math.max(named.getTime(), now.getTime() + backoff(hint.attempts, context.random)));
}
