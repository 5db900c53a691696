import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../test/support/app.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../test/support/simulator.ts';
import { migrate } from './db/migrate.ts';
import { type OpenDatabase, openDatabase } from './db/open.ts';

/** The embedded database hangs only with its process. */
const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
/** What the product waits for an answer, made short. */
const ANSWER_LIMIT = 1500;

let simulator: RunningSimulator;
let real: OpenDatabase;
let database: OpenDatabase;
let app: TestApp;
let wire: Wire;

beforeAll(async () => {
  if (!onPostgresql) return;
  simulator = await startSimulator({ world: 'tiny' });
  real = await openTestDatabase();
  const address = new URL(String(real.pool.options.connectionString));
  wire = await openWire(Number(address.port));
  address.port = String(wire.port);
  database = await openDatabase(
    { kind: 'postgresql', url: address.href, connections: 3, answer_limit: ANSWER_LIMIT },
    () => undefined,
  );
  await migrate(database.db);
  app = await openTestApp({ host_url: simulator.url, database });
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
  await wire?.close();
  await real?.close();
  await simulator?.stop();
});

test.runIf(onPostgresql)(
  'a database that hangs: the probe says so within three seconds, calls are 503 in time and never 500, and it comes back by itself',
  async () => {
    const mona = await app.signIn('mona');
    const ready = () => app.ask('GET', '/readyz');
    expect((await ready()).status).toBe(200);

    wire.hang();
    const began = performance.now();
    const calls = Array.from({ length: 8 }, () => app.ask('GET', '/api/prs', { as: mona }));
    let probe = await ready();
    // What was found before it hung is told again for a moment.
    while (probe.status === 200) probe = await ready();
    const probed = performance.now() - began;
    const answers = await Promise.all(calls);
    const answered = performance.now() - began;
    wire.goOn();

    expect(probe.status).toBe(503);
    expect(probed).toBeLessThan(3000);
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([503]);
    expect(answers[0]?.body).toMatchObject({ code: 'database_unavailable' });
    expect(answers[0]?.headers['retry-after']).toBe('5');
    expect(answered).toBeLessThan(20_000);
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect((await app.ask('GET', '/api/prs', { as: mona })).status).toBe(200);
  },
);

test.runIf(onPostgresql)('a connection on which the pool itself asked is given up in time, too', async () => {
  await database.pool.query('select 1');
  wire.hang();
  const asked = database.pool.query('select 1').then(
    () => 'an answer',
    (error: Error) => error.message,
  );

  expect(await asked).toBe(`The database did not answer within ${ANSWER_LIMIT} ms.`);
  wire.goOn();
});

test.runIf(onPostgresql)('statements and locks have a limit on the server, too', async () => {
  const limits = await Promise.all(
    ['statement_timeout', 'lock_timeout'].map(async (name) => (await database.pool.query(`show ${name}`)).rows[0]),
  );

  expect(limits).toEqual([{ statement_timeout: '30s' }, { lock_timeout: '10s' }]);
});

test.runIf(onPostgresql)('a lock that is held too long is 503, not 500', async () => {
  const mona = await app.signIn('mona');
  const holder = await real.pool.connect();
  await holder.query('begin; lock table connections in access exclusive mode');

  const answer = await app.ask('GET', '/api/repos', { as: mona });
  await holder.query('rollback');
  holder.release();

  expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
});

interface Wire {
  readonly port: number;
  /** From now on nothing that is sent arrives, and nobody hears that the other end is gone. */
  hang(): void;
  goOn(): void;
  close(): Promise<void>;
}

/** A way to the database that can be stopped like the database itself. */
async function openWire(to: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let hangs = false;
  const server: Server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => undefined);
      one.on('close', () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
    if (hangs) client.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      hangs = true;
      for (const [client, upstream] of pairs) {
        client.pause();
        upstream.pause();
      }
    },
    goOn() {
      hangs = false;
      for (const [client, upstream] of pairs) {
        client.resume();
        upstream.resume();
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const [client] of pairs) client.destroy();
        server.close(() => resolve());
      }),
  };
}
