import { randomUUID } from 'node:crypto';
import { sharedConnections } from '../db/connection-share.ts';
import { recountProgress } from '../db/recounts.ts';
import { HostError } from '../host/errors.ts';
import { changedNames } from './changed-names.ts';
import { checkDueAccess } from './check-access.ts';
import type { SyncDeps, UpkeepStep } from './context.ts';
import { runSession } from './engine.ts';
import { followNextHint } from './hint-follower.ts';
import { computeOwnFigures } from './own-figures.ts';
import { rebuildFacts } from './rebuild-facts.ts';
import { recount } from './recount.ts';
import { retriesBy } from './retries.ts';
import { SessionLost } from './retrying-host-client.ts';
import { claimSession, heartbeat, nextStarvedRequester, releaseSessions, type SyncSession } from './sessions.ts';
import { settleFailure } from './settle.ts';
import { noteRelisted, settleAccountKinds } from './settle-account-kinds.ts';

/** Takes sessions and runs them, several side by side. */
export interface SyncWorker {
  /** Looks for work now instead of within a second. */
  nudge(): void;
  /**
   * Takes no more and waits up to `patience` milliseconds for what runs to reach its next checkpoint, from which any worker goes
   * on; a page that is not there by then is asked for again.
   */
  stop(patience: number): Promise<void>;
  /**
   * Takes no more until `resume`, and waits up to `patience` milliseconds for what runs to reach its next checkpoint: nothing can be
   * stored meanwhile (the disk is full).
   */
  pause(patience: number): Promise<void>;
  resume(): void;
}

export interface WorkerSettings {
  /** Sessions side by side in this process, and of these for one user's token. */
  readonly at_once: number;
  readonly per_user: number;
  /** Of those about who may read a repository, and of all others. */
  readonly hints_at_once: number;
  /** Each takes other checks. */
  readonly checks_at_once: number;
  /** Statements of all sessions together that are at the database at a time, so that people's questions do not queue behind them. */
  readonly statements_at_once: number;
  /** How often it looks for work and says that it lives, in milliseconds. */
  readonly poll: number;
  readonly heartbeat: number;
  /** How often it looks for facts that are to be recomputed, in milliseconds. */
  readonly rebuild: number;
  /** True where no other process can be alive: what one before left running is taken up at once. */
  readonly alone: boolean;
  /** A session keeps its turn at least this long, in milliseconds. */
  readonly turn: number;
}

/** Four at once keep a small machine and its database busy; two streams of one token stay below the host's secondary limits. */
export const workerDefaults: WorkerSettings = {
  at_once: 4,
  per_user: 2,
  hints_at_once: 2,
  checks_at_once: 4,
  statements_at_once: 2,
  poll: 1000,
  heartbeat: 4000,
  rebuild: 5000,
  alone: false,
  turn: 10_000,
};

interface Running {
  session: SyncSession;
  readonly since: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  shouldYield: boolean;
}

/** Starts to work; every process with the role `all` or `worker` does so once. */
export function startSyncWorker(context: SyncDeps, settings: WorkerSettings = workerDefaults): SyncWorker {
  const worker = randomUUID();
  const running = new Map<string, Running>();
  const { db, log, now } = context;
  const withinShare = sharedConnections(settings.statements_at_once);
  const stopped = new AbortController();
  let stopping = false;
  let paused = false;
  let nudged = Promise.withResolvers<void>();

  let abandoned = settings.alone;
  const working = loop(settings.poll, async () => {
    if (abandoned) await releaseSessions(db, null, now());
    abandoned = false;
    while (!stopping && !paused && running.size < settings.at_once) {
      const session = await claimSession(db, worker, settings.per_user, now());
      if (session === null) return;
      // A session can come back to the worker that it was taken from for its silence.
      running.get(session.id)?.abort.abort();
      begin(session);
    }
    if (!stopping) await preemptOne();
  });
  const living = loop(settings.heartbeat, async () => {
    if (running.size === 0) return;
    const before = [...running.values()];
    const own = await heartbeat(db, worker, [...running.keys()]);
    for (const { session, abort } of before) if (!own.has(session.id)) abort.abort();
  });

  const follow = (about: 'access' | 'content') =>
    Promise.all(
      Array.from({ length: settings.hints_at_once }, () =>
        loop(settings.poll, async () => {
          while (!stopping && !paused && (await followNextHint(context, stopped.signal, about))) {
            // The next one at once.
          }
        }),
      ),
    );
  // Who may read a repository is asked at once, however many look-ups wait; and they go on, however many people are asked.
  const following = [follow('content'), follow('access')];
  const checking = Promise.all(
    Array.from({ length: settings.checks_at_once }, () =>
      loop(settings.poll, async () => await checkDueAccess(context, stopped.signal)),
    ),
  );
  const [recounts, rebuilds] = [retriesBy(now), retriesBy(now)];
  const stepFailed = (step: UpkeepStep) => (error: unknown, repository_id: number, again: boolean) =>
    context.stepFailed(step, error, { repository_id }, again);
  const rebuilding = loop(settings.rebuild, async () => {
    const progress = await recountProgress(db);
    if (progress !== null) {
      log.info(progress, 'recounting in the background');
      const counted = await recount(db, now, stopped.signal, stepFailed('recount'), recounts);
      if (counted > 0) log.info({ pull_requests: counted }, 'recounted in the background');
    }
    await rebuildFacts(db, now, stopped.signal, stepFailed('rebuild_facts'), rebuilds);
  });
  const noteNames = changedNames(context);
  let isListNew = true;
  const marking = loop(settings.rebuild, async () => {
    if (isListNew) await noteRelisted(db);
    isListNew = false;
    await settleAccountKinds(context, stopped.signal);
    await computeOwnFigures(context, stopped.signal);
    await noteNames(stopped.signal);
  });

  return {
    nudge,
    async pause(patience) {
      paused = true;
      const ended = Promise.all([...running.values()].map((one) => one.ended));
      for (const one of running.values()) one.shouldYield = true;
      const late = new AbortController();
      await Promise.race([ended, context.sleep(patience, late.signal)]);
      late.abort();
    },
    resume() {
      // What could not give way in time was not stored as given back either.
      abandoned = settings.alone;
      paused = false;
      nudge();
    },
    async stop(patience) {
      stopping = true;
      nudge();
      const ended = Promise.all([...running.values()].map((one) => one.ended));
      for (const one of running.values()) one.shouldYield = true;
      const late = new AbortController();
      await Promise.race([ended, context.sleep(patience, late.signal)]);
      late.abort();
      stopped.abort();
      for (const one of running.values()) one.abort.abort();
      await Promise.all([ended, working, living, ...following, checking, rebuilding, marking]);
      // While nothing can be stored, those that could not give way are taken up by the next process.
      if (!paused) await releaseSessions(db, worker, now());
    },
  };

  async function loop(pause: number, step: () => Promise<void>): Promise<void> {
    while (!stopping) {
      const word = nudged.promise;
      try {
        if (!paused) await step();
      } catch (error) {
        log.error({ err: error }, 'the sync worker could not reach its database');
      }
      const awake = new AbortController();
      await Promise.race([context.sleep(pause, awake.signal), word]);
      awake.abort();
    }
  }

  function nudge(): void {
    const word = nudged;
    nudged = Promise.withResolvers();
    word.resolve();
  }

  function begin(session: SyncSession): void {
    const abort = new AbortController();
    const one: Running = {
      session,
      since: performance.now(),
      abort,
      shouldYield: false,
      ended: withinShare(() => run(session, abort.signal)),
    };
    running.set(session.id, one);
    void one.ended.finally(() => {
      if (running.get(session.id) === one) running.delete(session.id);
      nudge();
    });
  }

  async function run(session: SyncSession, signal: AbortSignal): Promise<void> {
    const fields = { session: session.id, repository: session.repository_id, mode: session.mode };
    log.info(fields, 'claimed sync session');
    let grant_id: number | null = null;
    try {
      const personal = await context.clientForSync(session.user_id, session.repository_id);
      if (personal === null) throw new HostError('unauthorized', 'There is no token.');
      grant_id = personal.grant_id;
      await runSession(context, worker, session, personal, signal, (current) => {
        const one = running.get(session.id);
        if (one !== undefined) one.session = current;
        return one?.shouldYield ?? stopping;
      });
      log.info(fields, 'sync session left or completed');
    } catch (error) {
      if (error instanceof SessionLost) return log.info(fields, 'sync session lost or cancelled');
      const kind = error instanceof HostError ? error.kind : 'internal';
      log.warn({ ...fields, kind, err: error }, 'sync session failed');
      try {
        await settleFailure(context, worker, session, grant_id, error);
      } catch (unsettled) {
        // Its lease ends by itself, and a worker that reaches the database goes on with it.
        log.error({ ...fields, err: unsettled }, 'the failure of a sync session could not be stored');
      }
    }
  }

  /** When every place is taken: asks one session to end its turn for somebody who has none. */
  async function preemptOne(): Promise<void> {
    if (running.size < settings.at_once) return;
    const waiting = await nextStarvedRequester(db, now());
    if (waiting === null) return;
    const turns = [...running.values()].filter((one) => performance.now() - one.since >= settings.turn);
    const scheduled = turns.find((one) => one.session.asked_by === 'schedule');
    const one =
      scheduled ?? (waiting === 'person' ? turns.find(({ session }) => session.stage === 'history') : undefined);
    if (one !== undefined) one.shouldYield = true;
  }
}
