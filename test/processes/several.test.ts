import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { makeBackup } from '../../src/server/backup/make-backup.ts';
import { restorePostgresql } from '../../src/server/backup/postgresql-backup.ts';
import { type OpenDatabase, openDatabase, sessionSettings } from '../../src/server/db/open.ts';
import { secretBox } from '../../src/server/secret-box.ts';
import { type Balancer, startBalancer } from '../support/balancer.ts';
import { openTestDatabase } from '../support/database.ts';
import { findPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { type ServerProcess, spawnServer } from '../support/server-process.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/** Of each process: `DATABASE_CONNECTIONS`. */
const CONNECTIONS = 4;
/** Of PgBouncer to the server, for all of them together. */
const POOLED = 5;

let simulator: RunningSimulator;
let database: OpenDatabase;
const hasPgbouncer = findPgbouncer() !== null;
if (!hasPgbouncer)
  console.error(
    `\n${'!'.repeat(80)}\nPgBouncer is not installed: what goes through it is LEFT OUT.\n${'!'.repeat(80)}\n`,
  );

let balancer: Balancer;
let pgbouncer: Pgbouncer;
let admin: pg.Client;
let webs: ServerProcess[] = [];
let workers: ServerProcess[] = [];
const running = new Set<ServerProcess>();
let octo: string;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  database = await openTestDatabase();
  balancer = await startBalancer();
  if (hasPgbouncer) pgbouncer = await startPgbouncer(directUrl(), POOLED, sessionSettings());
  admin = new pg.Client({ connectionString: inject('postgresql').url });
  await admin.connect();
  for (const name of ['plans', 'later', 'last']) {
    await simulator.control('repos', { owner: 'octo', name, private: true, readers: ['octo'] });
    await simulator.control(`repos/octo/${name}/pulls`, { title: `Of ${name}`, author: 'octo' });
  }
  [webs, workers] = await Promise.all([
    Promise.all([start('web'), start('web')]),
    Promise.all([start('worker'), start('worker')]),
  ]);
  for (const { url } of webs) balancer.add(url);
  await vi.waitFor(() => expect(webs.every(({ url }) => balancer.passesTo(url))).toBe(true), 60_000);
  octo = await signIn(webs[0]!.url);
});
afterAll(async () => {
  await Promise.all([...running].map((server) => server.kill().catch(() => undefined)));
  await balancer?.stop();
  await pgbouncer?.stop();
  await database?.close();
  await admin?.end();
  await simulator?.stop();
});

const directUrl = () => String(database.pool.options.connectionString);

async function start(role: 'web' | 'worker', more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await spawnServer({
    ...{ ROLE: role, PUBLIC_URL: balancer.url, GITHUB_URL: simulator.url, SHUTDOWN_DELAY: role === 'web' ? '60' : '0' },
    ...{ DATABASE_URL: directUrl(), DATABASE_CONNECTIONS: String(CONNECTIONS) },
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    ...more,
  });
  running.add(server);
  await server.ready();
  return server;
}

/** As in production, save that the delay is over as soon as nobody passes requests on to it: a second signal, a second later, ends that. */
async function stopWeb(server: ServerProcess): Promise<void> {
  server.tellToStop();
  await pause(1100);
  const turnedAway = () => !balancer.passesTo(server.url) && balancer.pending(server.url) === 0;
  await vi.waitFor(() => expect(turnedAway()).toBe(true), 60_000);
  await stop(server);
}

async function stop(server: ServerProcess): Promise<void> {
  await server.stop();
  running.delete(server);
}

async function ask(
  at: string,
  method: string,
  path: string,
  { as, body }: { as?: string; body?: object } = {},
): Promise<{ status: number; body: unknown; cookie: string }> {
  const answer = await fetch(`${at}${path}`, {
    method,
    headers: {
      origin: balancer.url,
      ...(as !== undefined && { cookie: as }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: answer.status,
    body: json ? JSON.parse(text) : text,
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
}

async function signIn(at: string): Promise<string> {
  const { status, cookie } = await ask(at, 'POST', '/auth/token', { body: { token: 'ghp_octo' } });
  expect(status).toBe(200);
  return cookie;
}

/** What a stream has said so far. */
async function openStream(at: string, as: string): Promise<{ text: string; ended: Promise<void>; leave: () => void }> {
  const gone = new AbortController();
  const answer = await fetch(`${at}/api/sync-events`, { headers: { cookie: as }, signal: gone.signal });
  expect(answer.status).toBe(200);
  const stream = { text: '', ended: Promise.resolve(), leave: () => gone.abort() };
  stream.ended = (async () => {
    for await (const chunk of answer.body!) stream.text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return stream;
}

/** Signs in at one, imports by it, hears of that at the other, sees it there, and is signed out there at once. */
async function round(one: string, other: string, name: string): Promise<void> {
  const session = await signIn(one);
  const stream = await openStream(other, session);
  const body = { owner: 'octo', name };
  const added = await ask(one, 'POST', '/api/repos', { as: session, body });
  const { id } = added.body as { id: number };
  const sync = async () =>
    (await ask(one, 'POST', '/api/sync-repo-complete', { as: session, body: { repoId: id } })).status;
  expect(await sync()).toBe(202);
  // What was over before the stream took its first look is not told: the next one is.
  const completed = new RegExp(`"type":"progress","repository_id":${id},.*"status":"completed"`);
  for (let tries = 0; tries < 20 && !completed.test(stream.text); tries += 1) {
    await vi.waitFor(async () => {
      const { body: state } = await ask(one, 'GET', `/api/sync-repo-complete?repoId=${id}`, { as: session });
      expect(state).toMatchObject({ status: 'completed' });
    }, 60_000);
    await vi.waitFor(() => expect(stream.text).toMatch(completed), 3000).catch(sync);
  }
  expect(stream.text).toMatch(completed);
  const { prs } = (await ask(other, 'GET', `/api/prs?repository=${id}`, { as: session })).body as {
    prs: { title: string }[];
  };
  expect(prs.map(({ title }) => title)).toEqual([`Of ${name}`]);
  await ask(one, 'POST', '/auth/logout', { as: session, body: { background: true } });
  expect((await ask(other, 'GET', '/api/prs', { as: session })).status).toBe(401);
  await stream.ended;
}

/** How many connections the server has for the processes, PgBouncer's for them among these. */
async function connections(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "select count(*)::int as count from pg_stat_activity where datname = $1 and application_name = 'mergelight'",
    [new URL(directUrl()).pathname.slice(1)],
  );
  return rows[0]!.count - database.pool.totalCount;
}

test('who signs in at one process is signed in at all, hears there of what any worker did, and is signed out everywhere at once', async () => {
  await round(webs[0]!.url, webs[1]!.url, 'plans');
});

test('with all that people and workers do at once, processes have no more connections than the budget says', async () => {
  let over = false;
  let most = 0;
  const streams = await Promise.all(webs.map(({ url }) => openStream(url, octo)));
  const readers = Array.from({ length: 16 }, async (_, at) => {
    while (!over) await ask(webs[at % 2]!.url, 'GET', '/api/team-stats', { as: octo });
  });
  let before = 0;
  for (let tries = 0; tries < 30; tries += 1, await pause(50)) {
    const now = await connections();
    // One that ends, here or there, is the server's for a moment longer.
    most = Math.max(most, Math.min(before, now));
    before = now;
  }
  over = true;
  await Promise.all(readers);
  for (const stream of streams) stream.leave();

  const budget = webs.length * (CONNECTIONS + 1) + workers.length * CONNECTIONS;
  expect(most).toBeLessThanOrEqual(budget);
  expect(most).toBeGreaterThan(webs.length * CONNECTIONS);
});

test.runIf(hasPgbouncer)(
  'processes are replaced one by one under load, by such that go through PgBouncer, and no request fails',
  async () => {
    const { db } = database;
    const built = readdirSync(join(import.meta.dirname, '../../dist/web/assets')).filter((name) =>
      /\.(js|css)$/.test(name),
    );
    const kept = await db.selectFrom('front_end_files').select('name').execute();
    expect(kept.map(({ name }) => name).sort()).toEqual(built.sort());
    await db
      .insertInto('front_end_files')
      .values({ name: 'index-another.js', body: brotliCompressSync('another();'), kept_at: new Date() })
      .execute();
    const wrong: string[] = [];
    let asked = 0;
    let over = false;
    const note = (what: string, status: number) => {
      asked += 1;
      if (status >= 400) wrong.push(`${what}: ${status}`);
    };
    const loads = [
      // The last is loaded by pages of another version alone.
      ...['/api/prs', '/api/team-stats', '/api/repos', '/auth/me', '/', '/assets/index-another.js'].map(
        async (path) => {
          while (!over) {
            note(path, (await ask(balancer.url, 'GET', path, { as: octo })).status);
            await pause(30);
          }
        },
      ),
      (async () => {
        while (!over) {
          const body = { time_zone: 'Europe/Berlin' };
          note('PATCH /auth/me', (await ask(balancer.url, 'PATCH', '/auth/me', { as: octo, body })).status);
          await pause(50);
        }
      })(),
      (async () => {
        while (!over) {
          const stream = await openStream(balancer.url, octo);
          const leave = setInterval(() => over && stream.leave(), 50);
          await stream.ended;
          clearInterval(leave);
          note('the stream', 200);
        }
      })(),
    ];
    await vi.waitFor(() => expect(asked).toBeGreaterThan(20), 20_000);
    const pooled = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: directUrl() };
    for (const [at, before] of webs.entries()) {
      const [web, worker] = await Promise.all([start('web', pooled), start('worker', pooled)]);
      balancer.add(web.url);
      await vi.waitFor(() => expect(balancer.passesTo(web.url)).toBe(true), 60_000);
      await Promise.all([stopWeb(before), stop(workers[at]!)]);
      balancer.remove(before.url);
      [webs[at], workers[at]] = [web, worker];
    }
    over = true;
    await Promise.all(loads);

    expect(balancer.failures.filter((failure) => !failure.includes('sync-events'))).toEqual([]);
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  },
);

test.runIf(hasPgbouncer)(
  'without an address past PgBouncer it says so, hears of changes all the same, and makes and restores no backup',
  async () => {
    const said: string[] = [];
    const pooled = await openDatabase(
      { kind: 'postgresql', url: pgbouncer.url },
      () => undefined,
      (sentence) => said.push(sentence),
    );
    const source = {
      database: pooled,
      database_url: pgbouncer.url,
      box: secretBox(Buffer.alloc(32, 5)),
      now: () => new Date(),
      notice: () => undefined,
    };

    expect(said).toEqual([expect.stringContaining('set DATABASE_DIRECT_URL')]);
    expect(pooled.listen).toBeNull();
    await expect(makeBackup(source)).rejects.toThrow('DATABASE_DIRECT_URL: is needed for a backup');
    const restoring = restorePostgresql(pooled, pgbouncer.url, 15, (async function* () {})());
    await expect(restoring).rejects.toThrow('DATABASE_DIRECT_URL: is needed for a restore');
    await pooled.close();
  },
);

test.runIf(hasPgbouncer)(
  'through PgBouncer, by the transaction, everything is as it was, on few connections',
  async () => {
    await round(webs[0]!.url, webs[1]!.url, 'later');
    await round(webs[1]!.url, webs[0]!.url, 'last');

    expect(await connections()).toBeLessThanOrEqual(POOLED + webs.length);
  },
);
