import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { WorkItem } from '../../src/contract/my-work.ts';
import { FACTS_VERSION } from '../../src/domain/facts.ts';
import type { Message } from '../../src/domain/notifications/message.ts';
import { defaultQuietHours } from '../../src/domain/notifications/subscriptions.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { openTestDatabase } from '../support/database.ts';
import { named, setQuietHours, subscribe, touched } from '../support/notified.ts';
import { aRepository, aUser } from '../support/stored.ts';

const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
/** `NOTIFICATION_KILLS=1000 npm test -- test/flows/notifications-killed` takes some twenty minutes. */
const KILLS = Number(process.env.NOTIFICATION_KILLS ?? 8);
const PEOPLE = 40;
const EARLY = '2026-02-01T00:00:00Z';

describe('processes that are killed while they tell people of things', () => {
  let database: OpenDatabase | null = null;
  let outside: Server;
  let folder: string | null = null;
  const processes = new Set<ChildProcess>();

  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    processes.clear();
    await database?.close();
    outside.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });

  it(`${KILLS} times tell nothing twice, and of each message it is known what became of it`, {
    timeout: KILLS * 20_000 + 300_000,
  }, async () => {
    const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 1e9));
    console.info(`The moments of the kills come from KILL_SEED=${seed}.`);
    const random = createRandom(seed);
    const arrived: { to: string; message: Message<WorkItem> }[] = [];
    outside = createServer(async (request, response) => {
      const message = JSON.parse(await text(request)) as Message<WorkItem>;
      const fate = random.next();
      if (fate < 0.1) return void response.writeHead(503).end();
      arrived.push({ to: request.url!, message });
      if (fate < 0.15) return void request.socket.destroy();
      await pause(random.next() * 120);
      response.writeHead(200).end();
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    const { port } = outside.address() as AddressInfo;

    folder = mkdtempSync(join(tmpdir(), 'mergelight-told-'));
    database = onPostgresql ? await openTestDatabase() : await openEmbedded(folder);
    await prepareWorld(database);
    const place = onPostgresql ? database.pool.options.connectionString! : folder;
    if (!onPostgresql) await close();

    const began = Date.now();
    let lives = 0;
    const prepare = () => {
      lives += 1;
      const more = [place, `http://127.0.0.1:${port}`, String(began), String(seed + lives)];
      const child = spawn(process.execPath, ['test/flows/notification-worker-process.ts', ...more], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      processes.add(child);
      return child;
    };
    // On a server two of them are at work, and one is killed after the other.
    const alive: ChildProcess[] = onPostgresql ? [await begin(prepare())] : [];
    let next = prepare();
    let during = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      alive.push(await begin(next));
      next = prepare();
      const before = arrived.length;
      await pause(random.next() * 700);
      const waits = random.next() < 0.9;
      // Most fall just when something has arrived, and is not answered yet.
      for (let waited = 0; waits && arrived.length === before && waited < 5000; waited += 5) await pause(5);
      if (arrived.length > before) during += 1;
      await end(alive.shift()!);
    }
    const last = alive.shift() ?? (await begin(next));
    last.stdin!.write('calm\n');
    const done = new Promise<void>((resolve) => {
      last.stdout!.on('data', (data) => String(data).includes('done') && resolve());
    });
    await done;
    database ??= await openEmbedded(folder);
    const { db } = database;
    const { rows } = await sql<{ id: string; state: string; keys: number }>`
      select n.id, n.state, count(k.key)::int as keys from notifications n left join notification_keys k on k.notification_id = n.id
      group by n.id`.execute(db);
    const copies = Map.groupBy(arrived, ({ message }) => message.id);
    const tellings = Map.groupBy(
      arrived.flatMap(({ to, message }) => message.items.map(({ pr_number, since }) => `${to} ${pr_number} ${since}`)),
      (one) => one,
    );
    const of = (state: string) => rows.filter((row) => row.state === state);
    console.info(
      `${arrived.length} messages with ${tellings.size} tellings arrived around ${during} of ${KILLS} kills:`,
      Object.fromEntries(['sent', 'unknown', 'dropped', 'failed'].map((state) => [state, of(state).length])),
    );

    expect([...tellings].filter(([, { length }]) => length > 1)).toEqual([]);
    expect(rows.filter(({ state }) => !['sent', 'unknown', 'dropped', 'failed'].includes(state))).toEqual([]);
    expect(of('sent').filter(({ id }) => copies.get(id)?.length !== 1)).toEqual([]);
    expect(of('unknown').filter(({ id }) => (copies.get(id)?.length ?? 0) > 1)).toEqual([]);
    expect([...of('dropped'), ...of('failed')].filter(({ id }) => copies.has(id))).toEqual([]);
    expect(rows.filter(({ keys }) => keys === 0)).toEqual([]);
    expect(of('sent').length).toBeGreaterThan(KILLS / 2);
    expect(of('unknown').length).toBeGreaterThan(0);
  });

  async function begin(child: ChildProcess): Promise<ChildProcess> {
    child.stdin!.write('begin\n');
    await once(child.stdout!, 'data');
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    processes.delete(child);
  }

  async function openEmbedded(at: string): Promise<OpenDatabase> {
    const opened = await openDatabase({ kind: 'embedded', folder: at, sync: false }, () => undefined);
    await migrate(opened.db);
    return opened;
  }

  async function close(): Promise<void> {
    await database?.close();
    database = null;
  }
});

/** Forty people who want to know at once when it is their turn, at any hour. */
async function prepareWorld({ db }: OpenDatabase): Promise<void> {
  const people: number[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    const user_id = await aUser(db);
    await named(db, user_id, `p${index}`);
    await setQuietHours(db, user_id, { ...defaultQuietHours, mode: 'off' });
    await subscribe(db, { user_id }, 'turn', { delay: 0, team_review: false }, EARLY);
    people.push(user_id);
  }
  const repository = await aRepository(db, 'acme/app', people);
  await touched(db, repository, EARLY);
  await db
    .insertInto('notification_facts')
    .values({ id: 1, version: FACTS_VERSION, since: new Date(EARLY) })
    .execute();
}
