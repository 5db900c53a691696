import { type Kysely, sql } from 'kysely';
import type { WorkItem } from '../../src/contract/my-work.ts';
import type { Message } from '../../src/domain/notifications/message.ts';
import type { Kind, OptionsOf, PersonChannel, QuietHours } from '../../src/domain/notifications/subscriptions.ts';
import type { Database } from '../../src/server/db/database.ts';
import { personDesk } from '../../src/server/my-work/desk.ts';
import { addressing } from '../../src/server/notifications/addressing.ts';
import { channelDesk } from '../../src/server/notifications/channel-desk.ts';
import type { DeskOf } from '../../src/server/notifications/desk.ts';
import type { Destination, Outcome, Outlets } from '../../src/server/notifications/outlets.ts';
import {
  type NotificationWorker,
  type NotificationWorkerDeps,
  startNotificationWorker,
} from '../../src/server/notifications/worker.ts';
import { secretBox } from '../../src/server/secret-box.ts';
import { PUBLIC_URL } from './app.ts';

/** What a stand-in for the outside was handed. */
export interface Delivered {
  readonly at: Date;
  readonly to: Destination;
  readonly message: Message<WorkItem>;
}

/** A notification worker whose clock stands until it is set, and the outside that it sends to. */
export interface Notified {
  now: Date;
  readonly delivered: Delivered[];
  readonly failures: object[];
  /** What the outside says next, instead of taking the message. */
  readonly answers: Partial<Outcome>[];
  readonly worker: NotificationWorker;
  /** Lets time pass in steps of so many seconds, working at each. */
  pass(seconds: number, step?: number): Promise<void>;
  /** Sets the clock, then works. */
  at(moment: string): Promise<void>;
}

export const notifiedBox = secretBox(Buffer.alloc(32, 1));

export function openNotified(
  db: Kysely<Database>,
  start: string,
  deskOf: DeskOf,
  isAllowed: NotificationWorkerDeps['isAllowed'] = async () => true,
): Notified {
  const delivered: Delivered[] = [];
  const failures: object[] = [];
  const answers: Partial<Outcome>[] = [];
  const state = { now: new Date(start) };
  const now = () => state.now;
  const outlets: Outlets = {
    off: null,
    whyOff: () => null,
    checkTarget: async () => null,
    sendMail: async () => ({ state: 'sent', status: '250', message: '' }),
    sendTest: async () => ({ state: 'sent', status: '250', message: '' }),
    subjectOf: ({ kind }) => `Mergelight: ${kind}`,
    async send(to, message) {
      const answer = answers.shift();
      if (answer === undefined || answer.state === 'unknown') delivered.push({ at: now(), to, message });
      return { state: 'sent', status: null, message: '', retryAfter: null, gone: false, ...answer };
    },
  };
  const worker = startNotificationWorker(
    {
      db,
      deskOf,
      now,
      seenBy: () => db,
      isAllowed,
      public_url: PUBLIC_URL,
      address: addressing({ db, box: notifiedBox, now, public_url: PUBLIC_URL, outlets }),
      log: { error: (fields: object) => void failures.push(fields), warn: () => undefined },
      sleep: async () => undefined,
    },
    { poll: null },
  );
  return {
    get now() {
      return state.now;
    },
    set now(to) {
      state.now = to;
    },
    ...{ delivered, failures, answers, worker },
    async pass(seconds, step = 10) {
      for (let passed = 0; passed < seconds; passed += step) {
        state.now = new Date(state.now.getTime() + Math.min(step, seconds - passed) * 1000);
        await worker.workOff();
      }
    },
    async at(moment) {
      state.now = new Date(moment);
      await worker.workOff();
    },
  };
}

/** Subscribes somebody by mail, by direct messages, or by a channel of theirs. */
export async function subscribe<K extends Kind>(
  db: Kysely<Database>,
  to: { readonly user_id: number; readonly channel?: PersonChannel; readonly channel_id?: number },
  kind: K,
  options: OptionsOf[K],
  since: string,
): Promise<void> {
  const channel_id = to.channel_id ?? null;
  await db
    .insertInto('notification_subscriptions')
    .values({
      ...{ user_id: to.user_id, kind, channel_id, channel: channel_id === null ? (to.channel ?? 'mail') : null },
      ...{ options: JSON.stringify(options), since: new Date(since) },
    })
    .execute();
}

export async function setQuietHours(db: Kysely<Database>, user_id: number, hours: QuietHours): Promise<void> {
  const quiet_hours = JSON.stringify(hours);
  await db
    .insertInto('notification_settings')
    .values({ user_id, quiet_hours, paused: false })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ quiet_hours }))
    .execute();
}

/** Makes a user the host's account of this login, with a mail address. */
export async function named(db: Kysely<Database>, user_id: number, login: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ host_id: login, login, email: `${login}@example.org` })
    .where('id', '=', user_id)
    .execute();
}

/** History is complete, and something changed: whoever looks for changes finds one. */
export async function touched(db: Kysely<Database>, repository_id: number, completed_at: string): Promise<void> {
  await sql`update repositories set history_completed_at = ${new Date(completed_at)}, last_synced_at = ${new Date('2100-01-01')}
    where id = ${repository_id}`.execute(db);
}

/** Each message as its kind and its pull requests: `turn 1 2`. */
export const told = (delivered: readonly Delivered[]) =>
  delivered.map(({ message }) => [message.kind, ...message.items.map(({ pr_number }) => pr_number)].join(' '));

/** What lies on somebody's desk, as compose-notifications.ts has it. */
export function deskIn(db: Kysely<Database>): DeskOf {
  return (to, now, within) =>
    to.team === null ? personDesk(db, to.user_id, now, within) : channelDesk(db, to, now, within);
}
