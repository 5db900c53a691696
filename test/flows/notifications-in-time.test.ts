import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FACTS_VERSION } from '../../src/domain/facts.ts';
import { defaultQuietHours } from '../../src/domain/notifications/subscriptions.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { addressing } from '../../src/server/notifications/addressing.ts';
import { outletsOf } from '../../src/server/notifications/configured-outlets.ts';
import { type NotificationWorker, startNotificationWorker } from '../../src/server/notifications/worker.ts';
import { PUBLIC_URL } from '../support/app.ts';
import { aPullRequest, asks, hour, OPENED_AT, pending } from '../support/builders.ts';
import { openTestDatabase } from '../support/database.ts';
import { deskIn, named, notifiedBox, setQuietHours, subscribe, touched } from '../support/notified.ts';
import { type MailReceiver, startMailReceiver } from '../support/receivers.ts';
import { aRepository, aUser, store } from '../support/stored.ts';

const EARLY = '2026-02-01T00:00:00Z';

let database: OpenDatabase;
let mail: MailReceiver;
let worker: NotificationWorker;
let bea: number;
let repository: number;
/** The clock runs as the system's does, from a minute after pull requests of these tests were opened. */
const offset = OPENED_AT + 60_000 - Date.now();
const now = () => new Date(Date.now() + offset);

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  mail = await startMailReceiver();
  bea = await aUser(db);
  await named(db, bea, 'bea');
  await setQuietHours(db, bea, { ...defaultQuietHours, mode: 'off' });
  repository = await aRepository(db, 'acme/app', [bea]);
  await touched(db, repository, EARLY);
  await db
    .insertInto('notification_facts')
    .values({ id: 1, version: FACTS_VERSION, since: new Date(EARLY) })
    .execute();
  const config = { mail: mail.settings, slack: null, allow_private_webhooks: false, notifications: true };
  const outlets = outletsOf({ config: { ...config, public_url: PUBLIC_URL }, now });
  worker = startNotificationWorker({
    ...{ db, now, public_url: PUBLIC_URL },
    deskOf: deskIn(db),
    seenBy: () => db,
    isAllowed: async () => true,
    address: addressing({ db, box: notifiedBox, now, public_url: PUBLIC_URL, outlets }),
    log: { error: (fields: object) => console.error(fields), warn: () => undefined },
    sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }).catch(() => undefined),
  });
  await db
    .updateTable('notification_facts')
    .set({ since: new Date(EARLY) })
    .execute();
});
afterAll(async () => {
  await worker?.stop(10_000);
  await mail?.stop();
  await database?.close();
});

it('a change reaches the mail server within 15 seconds and the delay, and a wait that passes its limit within 75', async () => {
  const { db } = database;
  const since = new Date(OPENED_AT + 30_000).toISOString();
  await subscribe(db, { user_id: bea }, 'turn', { delay: 0, team_review: false }, since);
  const opened = Math.floor(now().getTime() / 1000) * 1000;
  const hours = (opened - OPENED_AT) / 3_600_000;
  const changed = performance.now();
  await change(opened, aPullRequest({ number: 1, createdAt: hour(hours) }, asks(hours, 'bea'), pending('bea')));
  const took = (await arrival(1)) - changed;
  await db.deleteFrom('notifications').execute();
  await db.deleteFrom('notification_subscriptions').execute();
  // An hour's limit is passed in ten seconds from now.
  await db
    .updateTable('connections')
    .set({ connected_at: new Date(0) })
    .execute();
  await subscribe(db, { user_id: bea }, 'stuck', { after: 1, repeat: null, mine: false }, since);
  const passes = now().getTime() + 10_000;
  const waits = (passes - 3_600_000 - OPENED_AT) / 3_600_000;
  await change(
    now().getTime(),
    aPullRequest({ number: 2, createdAt: hour(waits) }, asks(waits, 'bea'), pending('bea')),
  );
  await arrival(2);
  const late = now().getTime() - passes;
  console.info(`A change arrived after ${Math.round(took)} ms, a limit ${Math.round(late)} ms after it was passed.`);

  expect(took).toBeLessThan(15_000);
  expect(took).toBeGreaterThan(9_000);
  expect(late).toBeLessThan(75_000);
  expect(mail.mails.map(({ to }) => to)).toEqual([['bea@example.org'], ['bea@example.org']]);
  expect(mail.mails[0]!.raw).toContain('acme/app#1');
  expect(mail.mails[1]!.raw).toContain('acme/app#2');
});

async function change(at: number, pull: ReturnType<typeof aPullRequest>): Promise<void> {
  const { db } = database;
  await store(db, repository, at, [pull]);
  await db
    .updateTable('repositories')
    .set({ changed_at: new Date(at) })
    .where('id', '=', repository)
    .execute();
}

/** When this many mails have arrived, on the clock of `performance`. */
async function arrival(count: number): Promise<number> {
  const deadline = performance.now() + 90_000;
  while (mail.mails.length < count && performance.now() < deadline) await pause(20);
  return performance.now();
}
