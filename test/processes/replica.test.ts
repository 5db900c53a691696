import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { migrate } from '../../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { fromReplica } from '../../src/server/db/replica.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type FrozenProxy, startFrozenProxy } from '../support/frozen-proxy.ts';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aUser } from '../support/stored.ts';

/** How old answers may be, in milliseconds: of the web processes here, and of a process that takes it strictly. */
const MAX_LAG = { lenient: 600_000, strict: 2000 };
/** In milliseconds: time enough for several servers on a small and busy machine. It ends what hangs. */
const PATIENCE = 120_000;

let simulator: RunningSimulator;
let primary: PostgresqlServer;
let standby: PostgresqlServer;
let proxy: FrozenProxy;
/** Two web processes, each with connections of its own, and a worker. */
let webs: TestApp[];
let strict: OpenDatabase;
let worker: TestApp;
let atStandby: pg.Client;
let octo: string;
let mona: string;
let repository: number;
/** Somebody whose position is of another server, which the data was moved from. */
let moved: number;
const notices: string[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  // What is committed is in the log, as in production; and what a standby has not fetched yet stays, though a copy for another one is made.
  primary = (await startPostgresql(['synchronous_commit=on', 'wal_keep_size=256MB']))!;
  await withDatabase(async ({ db }) => {
    await migrate(db);
    moved = await aUser(db);
    await sql`update users set written_lsn = 'FFFFFF/0' where id = ${moved}`.execute(db);
  });
  standby = await primary.standby(['max_standby_streaming_delay=0']);
  proxy = await startFrozenProxy(Number(new URL(standby.url).port));
  atStandby = new pg.Client({ connectionString: standby.url });
  atStandby.on('error', () => undefined);
  await atStandby.connect();
  webs = [
    await openTestApp({
      host_url: simulator.url,
      role: 'web',
      database: await withStandby(),
      config: { metrics: true },
    }),
    await openTestApp({ host_url: simulator.url, role: 'web', database: await withStandby() }),
  ];
  strict = await withStandby(MAX_LAG.strict);
  worker = await openTestApp({ host_url: simulator.url, role: 'worker', database: await plain() });
  const [first] = webs as [TestApp];
  await simulator.control('repos', { owner: 'octo', name: 'plans', private: true, readers: ['octo', 'mona'] });
  await simulator.control('repos/octo/plans/pulls', { title: 'As it was', author: 'octo' });
  octo = await first.signIn('octo');
  mona = await first.signIn('mona');
  const body = { owner: 'octo', name: 'plans' };
  repository = ((await first.ask('POST', '/api/repos', { as: octo, body })).body as { id: number }).id;
  await first.ask('POST', '/api/repos', { as: mona, body });
  await first.ask('POST', '/api/sync-repo-complete', { as: octo, body: { repoId: repository } });
  await vi.waitFor(async () => {
    const sync = await first.ask('GET', `/api/sync-repo-complete?repoId=${repository}`, { as: octo });
    expect(sync.body).toMatchObject({ status: 'completed' });
  }, PATIENCE);
});
afterEach(async () => {
  await atStandby.query('select pg_wal_replay_resume()').catch(() => undefined);
});
afterAll(async () => {
  await worker?.server.stop(2000);
  for (const web of webs ?? []) await web.server.stop(2000);
  for (const opened of [...(webs ?? []), worker].map((app) => app?.database)) await opened?.close();
  await strict?.close();
  await atStandby?.end().catch(() => undefined);
  await proxy?.stop();
  await standby?.stop().catch(() => undefined);
  await primary?.stop();
  await simulator?.stop();
});

const plain = () => openDatabase({ kind: 'postgresql', url: primary.url, connections: 5 }, () => undefined);

/** Reaches the standby through the proxy. */
function withStandby(max_lag = MAX_LAG.lenient): Promise<OpenDatabase> {
  const through = new URL(standby.url);
  through.port = String(proxy.port);
  return openDatabase(
    { kind: 'postgresql', url: primary.url, connections: 5, replica: { url: through.href, max_lag } },
    () => undefined,
    (sentence) => notices.push(sentence),
  );
}

async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await plain();
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Until both processes have found that the standby has everything. */
async function caughtUp(): Promise<void> {
  const { rows } = await sql<{ position: string }>`select pg_current_wal_insert_lsn()::text as position`.execute(
    worker.database.db,
  );
  await sql`select pg_logical_emit_message(false, 'test', 'so that there is something behind it')`.execute(
    worker.database.db,
  );
  await vi.waitFor(() => {
    for (const { replica } of [...webs.map((web) => web.database), strict])
      expect(replica?.has(rows[0]!.position)).toBe(true);
  }, PATIENCE);
}

/** From here on nothing that happens reaches the standby. */
async function pauseReplay(): Promise<void> {
  await caughtUp();
  await atStandby.query('select pg_wal_replay_pause()');
  await vi.waitFor(async () => {
    const { rows } = await atStandby.query('select pg_get_wal_replay_pause_state() as state');
    expect(rows[0].state).toBe('paused');
  }, PATIENCE);
}

async function rename(title: string): Promise<void> {
  await sql`update pull_requests set title = ${title} where repository_id = ${repository}`.execute(worker.database.db);
}

async function titleFor(as: string, process: 0 | 1): Promise<string | undefined> {
  const { status, body } = await webs[process]!.ask('GET', '/api/prs', { as });
  expect(status).toBe(200);
  return (body as { prs: { title: string }[] }).prs[0]?.title;
}

test('the standby answers, as old as is allowed and no older', async () => {
  await rename('Before');
  await pauseReplay();
  await rename('After');
  const renamed = performance.now();
  const answers: { title: string | undefined; asked: number }[] = [];
  do {
    const asked = performance.now();
    const { rows } = await fromReplica(() =>
      sql<{ title: string }>`select title from pull_requests`.execute(strict.reading),
    );
    answers.push({ title: rows[0]?.title, asked });
    await pause(50);
  } while (answers.at(-1)?.title === 'Before');
  const old = answers.filter(({ title }) => title === 'Before').map(({ asked }) => asked - renamed);

  expect(Math.max(0, ...old)).toBeLessThan(MAX_LAG.strict);
  expect(answers.at(-1)?.title).toBe('After');
  expect([await titleFor(mona, 0), await titleFor(mona, 1)]).toEqual(['Before', 'Before']);
});

test('how far the standby is behind is told, exactly also when it may not answer any more', async () => {
  await pauseReplay();
  await rename('Not replayed');
  const renamed = performance.now();
  const lagOf = async () => {
    const [web] = webs as [TestApp];
    const metrics = String((await web.ask('GET', '/metrics')).body);
    return Number(/^mergelight_replica_lag_seconds (.+)$/m.exec(metrics)?.[1]);
  };
  await vi.waitFor(async () => {
    const elapsed = (performance.now() - renamed) / 1000;
    const lag = await lagOf();
    expect(lag).toBeGreaterThan(MAX_LAG.strict / 1000);
    // A look was at most so long before the change, and what is told is read again after some seconds.
    expect(lag).toBeLessThan(elapsed + 5);
  }, PATIENCE);
  await atStandby.query('select pg_wal_replay_resume()');
  await vi.waitFor(async () => expect(await lagOf()).toBeLessThan(MAX_LAG.strict / 1000), PATIENCE);
});

test('whoever changed something is answered with it at once by every process, others when the standby has it', async () => {
  await rename('Before the change');
  await pauseReplay();
  await rename('With the change');
  const note = { at: '2026-01-01', text: 'A change of octo’s' };
  const { status } = await webs[0]!.ask('POST', '/api/notes', { as: octo, body: note });

  expect(status).toBe(201);
  expect([await titleFor(octo, 0), await titleFor(octo, 1)]).toEqual(['With the change', 'With the change']);
  expect(await titleFor(mona, 1)).toBe('Before the change');
  await atStandby.query('select pg_wal_replay_resume()');
  await caughtUp();
  expect(await fromStandby(1, octo)).toBe(true);
});

test('positions of a server that the data was moved from are forgotten at the start', async () => {
  const { rows } = await sql<{ written_lsn: string | null }>`
    select written_lsn from users where id = ${moved}`.execute(worker.database.db);
  expect(rows).toEqual([{ written_lsn: null }]);
});

test('a change that was stored is answered as stored, also where nobody can note that its person has to see it', async () => {
  const { db } = worker.database;
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse before update of written_lsn on users for each row execute function refuse()`.execute(
    db,
  );
  const body = { at: '2026-01-02', text: 'Stored all the same' };
  const { status } = await webs[0]!.ask('POST', '/api/notes', { as: octo, body });
  await sql`drop function refuse cascade`.execute(db);

  expect(status).toBe(201);
  expect(webs[0]!.logged.join()).toContain('failed to note what a person has to see at once');
});

test('sessions and who sees what are never as old as the standby', async () => {
  const left = await webs[0]!.signIn('mona');
  await caughtUp();
  await pauseReplay();

  const paths = ['/api/contributors', '/api/trends?figure=opened&split=repository'];
  const asMona = async (path: string) => {
    const { status, body } = await webs[1]!.ask('GET', path, { as: mona });
    expect(status, path).toBe(200);
    return JSON.stringify(body);
  };
  expect(await titleFor(mona, 1)).toBeDefined();
  for (const path of paths) expect(await asMona(path), path).toContain('octo');
  await sql`update connections set readable = false where user_id = (select id from users where login = 'mona')`.execute(
    worker.database.db,
  );
  expect(await titleFor(mona, 1)).toBeUndefined();
  for (const path of paths) expect(await asMona(path), path).not.toContain('octo');
  expect((await webs[1]!.ask('GET', `/api/team-stats?repository=${repository}`, { as: mona })).status).toBe(404);
  await webs[0]!.ask('POST', '/auth/logout', { as: left, body: { background: true } });
  expect((await webs[1]!.ask('GET', '/api/prs', { as: left })).status).toBe(401);
});

test('a question that gives way to the replay, and one whose connection breaks, is answered by the primary', async () => {
  const { reading, db } = webs[0]!.database;
  /** It takes its time at the standby alone. */
  const slow = () =>
    fromReplica(() =>
      sql<{ standby: boolean }>`
        select pg_is_in_recovery() as standby, case when pg_is_in_recovery() then pg_sleep(60) end, (select count(*) from pull_requests)`.execute(
        reading,
      ),
    );
  const underWay = () =>
    vi.waitFor(async () => {
      const { rows } = await atStandby.query(
        "select pid from pg_stat_activity where state = 'active' and query like $1",
        ['%then pg_sleep%'],
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
  await caughtUp();
  const cancelled = slow();
  let settled = false;
  void cancelled.finally(() => {
    settled = true;
  });
  await underWay();
  while (!settled) {
    await rename(`Anew ${performance.now()}`);
    await sql`vacuum pull_requests`.execute(db);
    await pause(100);
  }
  expect((await cancelled).rows[0]?.standby).toBe(false);

  await caughtUp();
  const broken = slow();
  await underWay();
  await atStandby.query('select pg_terminate_backend(pid) from pg_stat_activity where query like $1', [
    '%then pg_sleep%',
  ]);
  expect((await broken).rows[0]?.standby).toBe(false);
  await caughtUp();
});

test('where the standby has no connection left for a question, the primary answers that one, and the standby all others', async () => {
  const { reading, replica } = webs[0]!.database;
  const where = (seconds: number) =>
    fromReplica(() =>
      sql<{ standby: boolean }>`select pg_is_in_recovery() as standby, pg_sleep(${seconds}::float8)`.execute(reading),
    );
  await caughtUp();
  // Longer than a question waits for one.
  const all = Array.from({ length: 5 }, () => where(3));
  await vi.waitFor(() => expect(replica!.pool.totalCount - replica!.pool.idleCount).toBe(5), PATIENCE);
  const oneMore = await where(0);

  expect(oneMore.rows[0]?.standby).toBe(false);
  for (const { rows } of await Promise.all(all)) expect(rows[0]?.standby).toBe(true);
});

test('where all connections to the primary are busy, the standby goes on answering', async () => {
  // A pool that nothing else uses, so that only looks can wait for a connection.
  const own = await withStandby();
  const { reading, replica, pool } = own;
  const where = (seconds: number) =>
    fromReplica(() =>
      sql<{ standby: boolean }>`select pg_is_in_recovery() as standby, pg_sleep(${seconds}::float8)`.execute(reading),
    );
  await vi.waitFor(() => expect(replica!.staleness()).not.toBeNull(), PATIENCE);
  const busy = Array.from({ length: 5 }, () => pool.query('select pg_sleep(4)'));
  const underWay = where(3);
  await pause(3500);

  expect(replica!.staleness()).not.toBeNull();
  expect([(await underWay).rows[0]?.standby, (await where(0)).rows[0]?.standby]).toEqual([true, true]);
  // No more than one look waits for a connection.
  expect(pool.waitingCount).toBeLessThan(2);
  await Promise.all(busy);
  await own.close();
});

test('nobody notices that the standby hangs, comes back and dies, but whoever reads the log', async () => {
  await sql`update connections set readable = true`.execute(worker.database.db);
  const statuses = new Map<number, number>();
  let slowest = 0;
  let over = false;
  const reader = async (as: string, process: 0 | 1) => {
    while (!over) {
      const began = performance.now();
      const { status } = await webs[process]!.ask('GET', '/api/prs', { as });
      slowest = Math.max(slowest, performance.now() - began);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await caughtUp();
  const readers = [reader(octo, 0), reader(mona, 1), reader(mona, 0)];
  const isUsed = (used: boolean) =>
    vi.waitFor(() => {
      for (const { database } of webs) expect(database.replica!.staleness() !== null).toBe(used);
    }, PATIENCE);
  proxy.freeze();
  await isUsed(false);
  proxy.thaw();
  await isUsed(true);
  await standby.kill();
  await isUsed(false);
  over = true;
  await Promise.all(readers);

  expect([...statuses.keys()]).toEqual([200]);
  // A statement without an answer would be given up after 32 s.
  expect(slowest).toBeLessThan(25_000);
  expect(notices).toContain('The read replica answers questions.');
  // A statement may have noticed before the next look, which tells.
  await vi.waitFor(() => expect(notices.at(-1)).toMatch(/^The read replica is not asked: /), PATIENCE);
});

test('after a failover the standby of the new primary answers, and for the one before it is nothing', async () => {
  const promoted = await primary.standby();
  let follower: PostgresqlServer | null = null;
  try {
    follower = await primary.standby([`primary_conninfo=${promoted.url}`]);
    // Both stream: one that was behind would begin its own history before what the other has already.
    await withClient(primary.url, async (atPrimary) => {
      const { rows } = await atPrimary.query("select pg_logical_emit_message(true, 'test', 'before') as position");
      await withClient(follower!.url, (atFollower) =>
        vi.waitFor(async () => {
          const behind = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
          expect((await atFollower.query(behind, [rows[0].position])).rows).toEqual([{ has: true }]);
        }, PATIENCE),
      );
    });
    const open = (url: string, told: (sentence: string) => void) =>
      openDatabase(
        { kind: 'postgresql', url, connections: 2, replica: { url: follower!.url, max_lag: MAX_LAG.lenient } },
        () => undefined,
        told,
      );
    const saidOfNew: string[] = [];
    const saidOfOld: string[] = [];
    const atNew = await open(promoted.url, (sentence) => saidOfNew.push(sentence));
    try {
      await atNew.pool.query('select pg_promote()').catch(() => undefined);
      await vi.waitFor(() => expect(saidOfNew.at(-1)).toBe('The read replica answers questions.'), PATIENCE);
      // More than the former primary has written.
      await atNew.pool.query('select pg_switch_wal()');
      const position = await atNew.pool.query("select pg_logical_emit_message(false, 'test', 'there') as position");
      await vi.waitFor(() => expect(atNew.replica!.has(position.rows[0].position)).toBe(true), PATIENCE);
    } finally {
      await atNew.close();
    }
    const atOld = await open(primary.url, (sentence) => saidOfOld.push(sentence));
    try {
      await vi.waitFor(() => expect(saidOfOld).not.toEqual([]), PATIENCE);
      expect(saidOfOld).toEqual([
        'The read replica is not asked: it follows another history (timeline 2, the primary 1).',
      ]);
      expect(atOld.replica!.staleness()).toBeNull();
    } finally {
      await atOld.close();
    }
  } finally {
    await follower?.stop();
    await promoted.stop();
  }
});

async function withClient(connectionString: string, act: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

/** Whether the standby would answer this person. */
async function fromStandby(process: 0 | 1, as: string): Promise<boolean> {
  await pauseReplay();
  await rename(`Unknown to it ${as}`);
  return (await titleFor(as, process)) !== `Unknown to it ${as}`;
}
