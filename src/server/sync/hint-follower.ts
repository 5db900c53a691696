import {
  deferHint,
  finishHint,
  gatherHints,
  type HintsAbout,
  LEASE_RENEWED_EVERY,
  postponeHint,
  renewHint,
  type TakenHint,
  takeHint,
} from '../db/hints.ts';
import { HostError } from '../host/errors.ts';
import type { SyncDeps } from './context.ts';
import { backoff, pauseEnd } from './failures.ts';
import { follow, LookLater, TooManyLooks } from './refresh.ts';

/** After so many looks in a row that failed, the next hint or the hourly sync has to do. */
const MOST_ATTEMPTS = 6;

/** Of these hints, follows the one that is due longest; false when none is. */
export async function followNextHint(
  context: SyncDeps,
  signal: AbortSignal,
  about: HintsAbout = 'anything',
): Promise<boolean> {
  const hint = await takeHint(context.db, context.now(), about);
  if (hint === null) return false;
  const fields = { repository: hint.repository_id, ...hint.subject };
  try {
    await whileLeased(context, hint, () => follow(context, hint.repository_id, hint.subject, signal));
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
    if (signal.aborted) {
      await postponeHint(context.db, hint, context.now());
      context.log.debug({ ...fields, err: error }, 'hint left to the next worker');
      return true;
    }
    const again = nextTry(context, hint, error);
    await postponeHint(context.db, hint, again);
    const kind = error instanceof HostError ? error.kind : 'internal';
    context.log.warn({ ...fields, kind, again, err: error }, 'hint could not be followed');
  }
  return true;
}

/** However long the look takes, nobody begins it a second time beside it. */
async function whileLeased(context: SyncDeps, hint: TakenHint, look: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const renewing = (async () => {
    for (;;) {
      await context.sleep(LEASE_RENEWED_EVERY, ended.signal);
      if (ended.signal.aborted) return;
      try {
        await renewHint(context.db, hint);
      } catch (error) {
        context.log.warn({ repository: hint.repository_id, ...hint.subject, err: error }, 'lease not renewed');
      }
    }
  })();
  try {
    await look();
  } finally {
    ended.abort();
    await renewing;
  }
}

function nextTry(context: SyncDeps, hint: TakenHint, error: unknown): Date | null {
  if (hint.attempts >= MOST_ATTEMPTS) return null;
  const now = context.now();
  const named = error instanceof HostError ? pauseEnd(error, now, 0) : now;
  return new Date(Math.max(named.getTime(), now.getTime() + backoff(hint.attempts, context.random)));
}
