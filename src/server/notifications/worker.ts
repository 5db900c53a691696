import type { WorkItem } from '#contract/my-work.ts';
import type { Message } from '#domain/notifications/message.ts';
import type { Log } from '../log.ts';
import { type ContentDeps, decide, type Said } from './content.ts';
import { type DueDeps, DueFinder } from './due.ts';
import type { Outcome } from './outlets.ts';
import { claim, defer, drop, giveUpSending, nextDue, record, type Waiting } from './queue.ts';
import type { Recipient } from './recipients.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** What is due is looked for that often, also where nothing changed. */
const LOOK_EVERY = MINUTE;
/** A message that could not be put together is left alone for so long, and given up a day after it was due, or might come. */
const BROKEN_FOR = 5 * MINUTE;
const GIVEN_UP_AFTER = 24 * 60 * MINUTE;

/** A message on its way: its text, and how it goes out. */
export interface Sending {
  readonly message: Message<WorkItem>;
  /** In the log. */
  readonly subject: string;
  send(): Promise<Outcome>;
}

export interface NotificationWorkerDeps extends ContentDeps, Omit<DueDeps, 'failed'> {
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Gets a message ready for its channel; a sentence where the channel is off, or no address is known. */
  readonly address: (to: Recipient, said: Said) => Promise<Sending | string>;
}

export interface NotificationWorker {
  /** Looks for what is due and sends it, now: for tests that set the clock. Resolves when all of it was sent. */
  workOff(): Promise<void>;
  /** Takes no more until `resume`, and waits up to `patience` milliseconds for what is being sent: nothing can be stored from then on. */
  pause(patience: number): Promise<void>;
  resume(): void;
  /** The same for good: what no answer has come to by then may have arrived, and is unknown in some minutes. */
  stop(patience: number): Promise<void>;
}

/**
 * Finds what is due, prompted by changes of what is stored and each minute, and sends it. Any number of processes may do so. With `poll` null
 * it does nothing by itself.
 */
export function startNotificationWorker(
  deps: NotificationWorkerDeps,
  { poll = SECOND }: { readonly poll?: number | null } = {},
): NotificationWorker {
  const { db, log, now } = deps;
  const due = new DueFinder({
    ...deps,
    failed: (err, fields) => log.error({ err, ...fields }, 'failed to look for what is to be told'),
  });
  const stopping = new AbortController();
  const sending = new Set<Promise<void>>();
  let lookAt = 0;
  let paused = false;
  let round = Promise.resolve();
  if (poll !== null) void keepWorking(poll);

  async function keepWorking(pause: number): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!paused) {
        round = lookAndSend();
        await round;
      }
      await deps.sleep(pause, stopping.signal);
    }
  }

  async function lookAndSend(): Promise<void> {
    try {
      await look();
      await sendDue();
    } catch (err) {
      log.error({ err }, 'notifications could not reach their database');
    }
  }

  async function look(): Promise<void> {
    if (now().getTime() < lookAt) return void (await due.lookAtChanges());
    lookAt = now().getTime() + LOOK_EVERY;
    await giveUpSending(db, now());
    await due.look();
  }

  /** Sends what is due, as fast as it may be; true where there was something. */
  async function sendDue(): Promise<boolean> {
    const seen: string[] = [];
    for (;;) {
      if (stopping.signal.aborted || paused) return seen.length > 0;
      const waiting = await nextDue(db, seen, now());
      if (waiting === null) return seen.length > 0;
      seen.push(waiting.id);
      try {
        await begin(waiting);
      } catch (err) {
        log.error({ err, notification: waiting.id, user: waiting.user_id }, 'a notification could not be put together');
        await leaveBroken(waiting);
      }
    }
  }

  async function leaveBroken(waiting: Waiting): Promise<void> {
    const at = now();
    if (at.getTime() - waiting.due_at.getTime() > GIVEN_UP_AFTER)
      await drop(db, waiting, 'It could not be put together', at);
    else await defer(db, waiting, 'pending', at.getTime() + BROKEN_FOR);
  }

  async function begin(waiting: Waiting): Promise<void> {
    const at = now();
    const decision = await decide(deps, waiting, at);
    if (decision.do === 'defer') return await defer(db, waiting, decision.state, decision.at);
    if (decision.do === 'drop') return await drop(db, waiting, decision.reason, at);
    const ready = await deps.address(decision.to, decision.message);
    if (typeof ready === 'string') return await drop(db, waiting, ready, at);
    // Putting it together may have taken a while.
    if (!(await claim(db, waiting, { ...decision.claim, subject: ready.subject }, now()))) return;
    const sent = send(waiting, ready).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  async function send(waiting: Waiting, ready: Sending): Promise<void> {
    try {
      const outcome = await ready.send();
      await record(db, waiting, outcome, now());
    } catch (err) {
      // It may have arrived: the row stays as it is, and is unknown in some minutes.
      log.error({ err, notification: waiting.id }, 'what came of sending a notification could not be noted');
    }
  }

  async function settled(patience: number): Promise<void> {
    const late = new AbortController();
    const ended = round.then(() => Promise.all(sending));
    await Promise.race([ended, deps.sleep(patience, late.signal)]);
    late.abort();
  }

  return {
    async workOff() {
      await giveUpSending(db, now());
      await due.look();
      while (await sendDue()) await Promise.all(sending);
    },
    async pause(patience) {
      paused = true;
      await settled(patience);
    },
    resume() {
      paused = false;
    },
    async stop(patience) {
      stopping.abort();
      await settled(patience);
    },
  };
}
