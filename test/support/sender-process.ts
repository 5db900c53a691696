import { once } from 'node:events';
import { sql } from 'kysely';
import { openDatabase } from '../../src/server/db/open.ts';
import { addressing } from '../../src/server/notifications/addressing.ts';
import { outletsOf } from '../../src/server/notifications/configured-outlets.ts';
import { startNotificationWorker } from '../../src/server/notifications/worker.ts';
import { rebuild } from '../../src/server/sync/rebuild-facts.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { PUBLIC_URL } from './app.ts';
import { aPerson, aPullRequest, asks, closed, OPENED_AT, pending } from './builders.ts';
import { certificate } from './certificate.ts';
import type { Receivers } from './killed-senders.ts';
import { deskIn, notifiedBox } from './notified.ts';
import { store } from './stored.ts';

/**
 * A process that tells people of changes which it makes itself, for tests that kill it: `node sender-process.ts {postgresql URL
 * or folder} {receivers} {began} {seed}`. Its clock began at the opening of built pull requests when the system's read `began`, and runs 600
 * times as fast. Waits for a line before it opens the database, says `ready` when it has begun; the line `calm` lets it make no more
 * changes, and it says `done` when nothing waits any more. People are `p0 p1 …`.
 */
const [place = '', receivers = '', began = '', seed = ''] = process.argv.slice(2);
const { mail_port, slack_port } = JSON.parse(receivers) as Receivers;
const FASTER = 600;
const now = () => new Date(OPENED_AT + (Date.now() - Number(began)) * FASTER);
const hoursAt = (at: Date) => (at.getTime() - OPENED_AT) / 3_600_000;
const random = createRandom(Number(seed));
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

await once(process.stdin, 'data');
const database = await openDatabase(
  place.startsWith('postgresql:')
    ? { kind: 'postgresql', url: place }
    : { kind: 'embedded', folder: place, sync: false },
  () => undefined,
);
const { db } = database;

const outlets = outletsOf({
  config: {
    mail: {
      ...{ host: '127.0.0.1', port: mail_port, secure: false, require_tls: false, user: null, password: null },
      from: 'Mergelight <mergelight@mail.test>',
    },
    slack: { token: 'xoxb-of-the-bot', api_url: `http://127.0.0.1:${slack_port}/api` },
    ...{ allow_private_webhooks: true, notifications: true, public_url: PUBLIC_URL },
  },
  now,
  network: { ca: certificate },
});
const worker = startNotificationWorker(
  {
    ...{ db, now, outlets, public_url: PUBLIC_URL },
    deskOf: deskIn(db),
    seenBy: () => db,
    isAllowed: async () => true,
    address: addressing({ db, box: notifiedBox, now, public_url: PUBLIC_URL, outlets }),
    log: { error: () => undefined, warn: () => undefined },
    sleep: pause,
  },
  { poll: 20 },
);
process.stdout.write('ready\n');

let calm = false;
process.stdin.on('data', () => {
  calm = true;
});
while (!calm) {
  await changeAlone().catch(() => undefined);
  await pause(15);
}
for (;;) {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from notifications where state in ('pending', 'held', 'sending')`.execute(db);
  if (rows[0]!.left === 0) break;
  await pause(50);
}
await worker.stop(10_000);
await database.close();
process.stdout.write('done\n');
process.stdin.destroy();

/** One process after the other: two at once would open the same pull request, each at a time of its own. */
async function changeAlone(): Promise<void> {
  if (database.kind === 'embedded') return await change();
  const client = await database.pool.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    await change();
  } finally {
    await client.query('select pg_advisory_unlock(1)').catch(() => undefined);
    client.release();
  }
}

/** Something opens, is delivered again, ends, or is computed again. */
async function change(): Promise<void> {
  const { rows } = await sql<{ id: number; newest: number }>`
    select r.id, coalesce(max(p.number), 0)::int as newest from repositories r left join pull_requests p on p.repository_id = r.id
    group by r.id`.execute(db);
  const { id, newest } = rows[0]!;
  const at = now();
  const number = random.next() < 0.6 || newest === 0 ? newest + 1 : random.between(1, newest);
  if (number <= newest && random.next() < 0.3) return await rebuild(db, id, [number], at);
  const stored = await db
    .selectFrom('pull_requests')
    .select(['created_at', 'state'])
    .where('repository_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  const hours = hoursAt(stored?.created_at ?? new Date(Math.floor(at.getTime() / 1000) * 1000));
  // Whom it asks follows from its number: what is delivered again says the same.
  const asked = Array.from({ length: 4 }, (_, index) => `p${(number * 7 + index * 11) % 40}`);
  const ended = stored !== undefined && (stored.state !== 'open' || random.next() < 0.2);
  const pull = aPullRequest(
    { number, createdAt: stored?.created_at.getTime() ?? OPENED_AT + hours * 3_600_000, author: aPerson('author') },
    ...asked.map((login) => asks(hours, login, 'author')),
    pending(...asked),
    ...(ended ? [closed(hours + 0.001, 'author')] : []),
  );
  await store(db, id, at.getTime(), [pull]);
  await db.updateTable('repositories').set({ changed_at: at }).where('id', '=', id).execute();
}
