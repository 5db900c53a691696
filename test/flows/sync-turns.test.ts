import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { cancelSession, resumeSession, startSession } from '../../src/server/sync/sessions.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { everythingStored, openSyncing, type Syncing, stateOf } from '../support/syncing.ts';

const onPostgresql = process.env.TEST_DATABASE === 'postgresql';

describe('sync sessions', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'generated', more: ['--count', '60'] });
    database = await openTestDatabase();
  });
  afterEach(async () => {
    await syncing.stop();
    await simulator.control('faults', undefined, 'DELETE');
    await database.db.deleteFrom('repositories').execute();
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  const slowly = () =>
    simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 60 } });
  async function repositories(prefix: string, count: number, user: number, login: string): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) {
      const name = `${prefix}-${index}`;
      await simulator.control('repos', { owner: 'load', name, readers: [login] });
      await simulator.control(`repos/load/${name}/pulls`, { title: 'One', author: login });
      ids.push(await syncing.connect(user, `load/${name}`));
    }
    return ids;
  }

  it('are one per repository: starting a second one answers the first', async () => {
    syncing = openSyncing(database.db, simulator, { working: false });
    const [one, other] = [await syncing.user('dev-1'), await syncing.user('dev-2')];
    const repository = await syncing.connect(one, 'load/big');
    await syncing.connect(other, 'load/big');

    const ids = await Promise.all([
      syncing.start(one, repository, 'full'),
      syncing.start(other, repository, 'smart'),
      syncing.start(one, repository, 'incremental'),
    ]);

    expect(new Set(ids).size).toBe(1);
  });

  it('of a person go before those of the schedule, and replace one that would not read everything', async () => {
    syncing = openSyncing(database.db, simulator, { working: false });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const moment = new Date();
    await database.db
      .updateTable('repositories')
      .set({ watermark: moment, history_completed_at: moment, last_synced_at: moment })
      .execute();
    const scheduled = await startSession(
      database.db,
      { repository_id: repository, user_id: user, mode: 'smart', asked_by: 'schedule', page_size_limit: null },
      moment,
    );

    const same = await syncing.start(user, repository, 'smart');
    const afterTakingOver = await database.db.selectFrom('sync_sessions').select('asked_by').executeTakeFirst();
    await database.db.updateTable('sync_sessions').set({ asked_by: 'schedule' }).execute();
    const full = await syncing.start(user, repository, 'full');

    expect(same).toBe(scheduled?.id);
    expect(afterTakingOver?.asked_by).toBe('person');
    expect(full).not.toBe(scheduled?.id);
    expect((await syncing.until(same, 'cancelled')).status).toBe('cancelled');
  });

  it('stop at the next checkpoint when cancelled, keep what is stored, and go on from there', async () => {
    syncing = openSyncing(database.db, simulator);
    await slowly();
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const id = await syncing.start(user, repository, 'full', 5);
    for (let stored = 0; stored < 10; await pause(10)) {
      const rows = await database.db.selectFrom('pull_requests').select('number').execute();
      stored = rows.length;
    }

    await cancelSession(database.db, id, new Date());
    const cancelled = await stateOf(database.db, repository);
    await pause(300);
    const before = (await database.db.selectFrom('pull_requests').select('number').execute()).length;
    await pause(300);
    const still = (await database.db.selectFrom('pull_requests').select('number').execute()).length;
    const resumed = await resumeSession(database.db, id, user, 'person', new Date());
    await simulator.control('counters', undefined, 'DELETE');
    syncing.nudge();
    const end = await syncing.until(id);

    expect(cancelled).toMatchObject({ status: 'cancelled', can_resume: true, has_more: true, resume_session_id: id });
    expect(still).toBe(before);
    expect(before).toBeLessThan(60);
    expect(resumed?.id).toBe(id);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    expect(operations.PullRequests).toBe((60 - before) / 5);
  });

  it('have nothing to resume once completed', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const end = await syncing.run(user, repository, 'full');

    expect(await resumeSession(database.db, end.session_id!, user, 'person', new Date())).toBeNull();
  });

  it('go on from the cursor when smart would read everything after an interrupted import', async () => {
    syncing = openSyncing(database.db, simulator, { working: false });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const id = await syncing.start(user, repository, 'full');
    await cancelSession(database.db, id, new Date());

    expect(await syncing.start(user, repository, 'smart')).toBe(id);
    await cancelSession(database.db, id, new Date());
    expect(await syncing.start(user, repository, 'full')).not.toBe(id);
  });

  it('give everybody a turn: many repositories of one user do not starve the one of another', async () => {
    syncing = openSyncing(database.db, simulator, { at_once: 2 });
    await slowly();
    const [busy, patient] = [await syncing.user('dev-1'), await syncing.user('dev-2')];
    const many = await repositories('many', 12, busy, 'dev-1');
    const [single] = await repositories('single', 1, patient, 'dev-2');
    const ids = await Promise.all(many.map((repository) => syncing.start(busy, repository, 'full')));

    await syncing.run(patient, single!, 'full');

    const ended = await database.db
      .selectFrom('sync_sessions')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', 'completed')
      .execute();
    expect(ended.length).toBeLessThan(6);
    for (const id of ids) expect((await syncing.until(id)).status).toBe('completed');
  });

  it('make room within a long import for somebody who waits', async () => {
    syncing = openSyncing(database.db, simulator, { at_once: 1, turn: 0 });
    await slowly();
    const [busy, patient] = [await syncing.user('dev-1'), await syncing.user('dev-2')];
    const long = await syncing.connect(busy, 'load/big');
    const [short] = await repositories('short', 1, patient, 'dev-2');
    const first = await syncing.start(busy, long, 'full', 2);
    await syncing.until(first, 'running');

    await syncing.run(patient, short!, 'full');

    const meanwhile = await stateOf(database.db, long);
    expect(meanwhile.is_complete).toBe(false);
    expect(await syncing.until(first)).toMatchObject({ status: 'completed', imported_prs: 60 });
  });
});

describe('a process that is killed while it syncs', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let folder: string | null = null;
  const processes = new Set<ChildProcess>();

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'generated', more: ['--count', '60'] });
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 40 } });
  });
  afterEach(async () => {
    for (const child of processes) child.kill('SIGKILL');
    processes.clear();
    await database.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    await simulator.stop();
  });

  async function begin(place: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['test/flows/sync-worker-process.ts', place, simulator.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    processes.add(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return child;
  }
  const ended = (child: ChildProcess) =>
    new Promise((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', resolve) : resolve(null),
    );
  async function kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    await ended(child);
  }

  it.runIf(onPostgresql)('is replaced by another within 30 seconds, and nothing is lost or doubled', async () => {
    database = await openTestDatabase();
    const place = (await databaseUrl(database)).href;
    const watching = openSyncing(database.db, simulator, { working: false });
    const user = await watching.user('dev-1');
    const repository = await watching.connect(user, 'load/big');
    const id = await watching.start(user, repository, 'full', 3);
    const first = await begin(place);
    for (let stored = 0; stored < 12; await pause(20))
      stored = (await database.db.selectFrom('pull_requests').select('number').execute()).length;

    const second = await begin(place);
    await kill(first);
    const killed_at = Date.now();
    const before = (await stateOf(database.db, repository)).imported_prs;
    while ((await stateOf(database.db, repository)).imported_prs === before && Date.now() - killed_at < 40_000)
      await pause(100);
    const takenOver = Date.now() - killed_at;
    const end = await watching.until(id);
    await kill(second);

    expect(takenOver).toBeLessThan(30_000);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
    await expectUndisturbed(repository, user);
  });

  it.runIf(onPostgresql)('hands its sessions over at once when it is told to stop', async () => {
    database = await openTestDatabase();
    const place = (await databaseUrl(database)).href;
    const watching = openSyncing(database.db, simulator, { working: false });
    const user = await watching.user('dev-1');
    const repository = await watching.connect(user, 'load/big');
    const id = await watching.start(user, repository, 'full', 3);
    const first = await begin(place);
    await watching.until(id, 'running');

    const told = Date.now();
    first.kill('SIGTERM');
    await ended(first);
    const stopping = Date.now() - told;
    const { status } = await stateOf(database.db, repository);
    await begin(place);
    const end = await watching.until(id);

    expect(first.exitCode).toBe(0);
    expect(stopping).toBeLessThan(5000);
    expect(status).toBe('queued');
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
  });

  it.runIf(!onPostgresql)('goes on after its restart, and nothing is lost or doubled', async () => {
    folder = mkdtempSync(join(tmpdir(), 'mergelight-killed-'));
    database = await openDatabase({ kind: 'embedded', folder }, () => undefined);
    await migrate(database.db);
    const watching = openSyncing(database.db, simulator, { working: false });
    const user = await watching.user('dev-1');
    const repository = await watching.connect(user, 'load/big');
    await watching.start(user, repository, 'full', 3);
    await database.close();

    // Each one lives a little longer than the one before, so that the kills fall at different moments.
    for (const life of [150, 350, 550]) {
      const child = await begin(folder);
      await pause(life);
      await kill(child);
    }
    database = await openDatabase({ kind: 'embedded', folder }, () => undefined);
    const last = openSyncing(database.db, simulator);
    await last.user('dev-1');
    const [session] = await database.db.selectFrom('sync_sessions').select('id').execute();
    const end = await last.until(session!.id);
    await last.stop();

    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
    await expectUndisturbed(repository, user);
  });

  async function expectUndisturbed(repository: number, user: number): Promise<void> {
    const disturbed = await everythingStored(database.db, repository);
    await database.db.deleteFrom('repositories').execute();
    const calm = openSyncing(database.db, simulator);
    expect(await calm.user('dev-1')).toBe(user);
    const again = await calm.connect(user, 'load/big');
    await calm.run(user, again, 'full');
    await calm.stop();
    expect(disturbed).toEqual(await everythingStored(database.db, again));
  }
});

async function databaseUrl({ pool }: OpenDatabase): Promise<URL> {
  return new URL(pool.options.connectionString ?? '');
}
