import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { casesOf, openTestDatabase, putMigrated } from '../support/database.ts';
import { isRecorded, recordingsFolder } from '../support/recordings.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { asked, everythingStored, openSyncing, stateOf } from '../support/syncing.ts';

const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
/** How often a process is killed while it imports, and while it catches up. */
const KILLS = { importing: casesOf(14), catchingUp: casesOf(6) };

describe('a process that is killed while it syncs', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  /** False while the embedded database belongs to the processes that are killed. */
  let open = false;
  let folder: string | null = null;
  const processes = new Set<ChildProcess>();

  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    processes.clear();
    if (open) await database.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    await simulator.stop();
  });

  /** A worker's process that has loaded what it needs and waits for its turn. */
  function prepare(place: string): ChildProcess {
    const child = spawn(process.execPath, ['test/flows/sync-worker-process.ts', place, simulator.url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    processes.add(child);
    return child;
  }
  async function begin(child: ChildProcess): Promise<ChildProcess> {
    child.stdin!.write('begin\n');
    await once(child.stdout!, 'data');
    return child;
  }
  async function kill(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    processes.delete(child);
  }
  const openEmbedded = (at: string) => openDatabase({ kind: 'embedded', folder: at }, () => undefined);
  const numberStored = async () => (await database.db.selectFrom('pull_requests').select('number').execute()).length;

  /** Everything stored, against what a sync without any disturbance stores of the same host. */
  async function expectUndisturbed(repository: number, login: string, name: string): Promise<void> {
    const disturbed = await everythingStored(database.db, repository);
    await database.db.deleteFrom('repositories').execute();
    const calm = openSyncing(database.db, simulator);
    const user = await calm.user(login);
    const again = await calm.connect(user, name);
    await calm.run(user, again, 'full');
    await calm.stop();
    expect(disturbed).toEqual(await everythingStored(database.db, again));
  }

  /** Many starts of a process on a machine that has other things to do. */
  const patience = { timeout: 600_000 };

  it(
    `${KILLS.importing + KILLS.catchingUp} times at random moments of an import and its catching up, loses nothing and doubles nothing`,
    patience,
    async () => {
      const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 1e9));
      console.info(`The moments of the kills come from KILL_SEED=${seed}.`);
      const random = createRandom(seed);
      const { login, name } = isRecorded
        ? { login: 'hebasto', name: 'bitcoin-core/gui' }
        : { login: 'dev-1', name: 'load/big' };
      simulator = await startSimulator(
        isRecorded ? { world: 'recorded', data: recordingsFolder } : { world: 'generated', more: ['--count', '540'] },
      );
      folder = mkdtempSync(join(tmpdir(), 'mergelight-killed-'));
      if (!onPostgresql) await putMigrated(folder);
      database = onPostgresql ? await openTestDatabase() : await openEmbedded(folder);
      open = true;
      const watching = openSyncing(database.db, simulator, { working: false });
      const user = await watching.user(login);
      const repository = await watching.connect(user, name);
      const session = await watching.start(user, repository, 'full', 9);
      const place = onPostgresql ? database.pool.options.connectionString! : folder;
      if (!onPostgresql) await database.close();
      open = onPostgresql;
      // What is updated meanwhile gives the catching up, in which the last kills fall, something to do.
      await simulator.control('drift', { perPage: 3, seed });
      await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 25 } });
      const pagesAsked = async () => {
        const { operations } = await asked(simulator);
        return (operations.PullRequests ?? 0) + (operations.PullRequestsById ?? 0);
      };
      // History is 60 pages, and what is asked for twice counts twice: each kill falls before the end.
      const moments = [...distinct(random, KILLS.importing, 1, 58), ...distinct(random, KILLS.catchingUp, 62, 72)];

      const kills: { at: number; life: number }[] = [];
      /** How long a page takes from one request to the next, in milliseconds: and storing it is a part of that. */
      let cycle = 100;
      let next = prepare(place);
      for (const moment of moments) {
        const worker = await begin(next);
        next = prepare(place);
        const before = await pagesAsked();
        const deadline = Date.now() + 60_000;
        for (let pages = before, since = 0; pages < Math.max(moment, before + 1); await pause(10)) {
          const asked = await pagesAsked();
          if (asked > pages && pages > before) cycle = (performance.now() - since) / (asked - pages);
          if (asked > pages) since = performance.now();
          pages = asked;
          if (Date.now() > deadline) throw new Error(`No page was asked for after ${kills.length} kills.`);
        }
        await pause(random.next() * cycle);
        await kill(worker);
        const after = await pagesAsked();
        kills.push({ at: after, life: after - before });
        // Whoever is dead is known to be after 15 s without a sign of life: here at once.
        if (onPostgresql)
          await database.pool.query("update sync_sessions set heartbeat_at = now() - interval '1 minute'");
      }
      await kill(next);
      if (!onPostgresql) database = await openEmbedded(folder);
      open = true;
      const afterTheLast = await stateOf(database.db, repository);
      await simulator.control('drift', { perPage: 0 });
      await simulator.control('faults', undefined, 'DELETE');
      const last = openSyncing(database.db, simulator);
      await last.user(login);
      const end = await last.until(session);
      await last.run(user, repository, 'incremental');
      await last.stop();

      expect(kills).toHaveLength(KILLS.importing + KILLS.catchingUp);
      expect(kills.filter(({ life }) => life === 0)).toEqual([]);
      expect(afterTheLast.status, 'the session was still at work when the last process was killed').toBe('running');
      expect(end).toMatchObject({ status: 'completed', skipped: [] });
      await expectUndisturbed(repository, login, name);
    },
  );

  async function sixtyPullRequests() {
    simulator = await startSimulator({ world: 'generated', more: ['--count', '60'] });
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 40 } });
    database = await openTestDatabase();
    open = true;
    const place = database.pool.options.connectionString!;
    const watching = openSyncing(database.db, simulator, { working: false });
    const user = await watching.user('dev-1');
    const repository = await watching.connect(user, 'load/big');
    const id = await watching.start(user, repository, 'full', 3);
    return { place, watching, repository, id };
  }

  it.runIf(onPostgresql)('is replaced by another within 30 seconds, and nothing is lost or doubled', async () => {
    const { place, watching, repository, id } = await sixtyPullRequests();
    const first = await begin(prepare(place));
    while ((await numberStored()) < 12) await pause(20);

    await begin(prepare(place));
    await kill(first);
    const killed_at = Date.now();
    const before = (await stateOf(database.db, repository)).imported_prs;
    while ((await stateOf(database.db, repository)).imported_prs === before && Date.now() - killed_at < 40_000)
      await pause(100);
    const takenOver = Date.now() - killed_at;
    const end = await watching.until(id);

    expect(takenOver).toBeLessThan(30_000);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
    await expectUndisturbed(repository, 'dev-1', 'load/big');
  });

  it.runIf(onPostgresql)('hands its sessions over at once when it is told to stop', async () => {
    const { place, watching, repository, id } = await sixtyPullRequests();
    const first = await begin(prepare(place));
    await watching.until(id, 'running');

    first.kill('SIGTERM');
    await once(first, 'exit');
    const { status } = await stateOf(database.db, repository);
    await begin(prepare(place));
    const end = await watching.until(id);

    expect(first.exitCode).toBe(0);
    expect(status).toBe('queued');
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
  });
});

/** So many different whole numbers from `from` to `to`, in order. */
function distinct(random: ReturnType<typeof createRandom>, count: number, from: number, to: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.between(from, to));
  return [...chosen].sort((a, b) => a - b);
}
