import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transaction } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/app.ts';
import { putMigrated } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import type { Database } from './database.ts';
import { LEAST_FREE, waitForSpace, watchDiskSpace } from './disk-space.ts';
import { openDatabase } from './open.ts';

const embedded = process.env.TEST_DATABASE === 'embedded';

let folder: string;
let simulator: RunningSimulator;
let app: TestApp;
let free: number;

beforeEach(async () => {
  if (!embedded) return;
  folder = await mkdtemp(join(tmpdir(), 'mergelight-full-'));
  simulator = await startSimulator({ world: 'generated', more: ['--count', '120'] });
  await putMigrated(join(folder, 'database'));
  const database = await openDatabase({ kind: 'embedded', folder: join(folder, 'database') }, () => undefined);
  free = LEAST_FREE;
  app = await openTestApp({
    ...{ host_url: simulator.url, role: 'all', database, freeSpace: async () => free },
    config: { admin_logins: ['dev-1', 'nobody-yet'] },
  });
}, 120_000);
afterEach(async () => {
  if (!embedded) return;
  await app.stop();
  await app.database.close();
  await simulator.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** A promise of the embedded database: a PostgreSQL server looks after its own disk. */
test.runIf(embedded)(
  'on a full disk everything can be read and nothing changed; syncs wait, and go on by themselves when there is room',
  async () => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 60 } });
    const as = await app.signIn('dev-1');
    expect((await app.ask('GET', '/auth/me', { as })).body).toMatchObject({ administrator: true });
    const connected = await app.ask('POST', '/api/repos', { as, body: { owner: 'load', name: 'big' } });
    const repoId = (connected.body as { id: number }).id;
    const body = { repoId, mode: 'full', featureOverrides: { MAX_CHUNK_SIZE: 5 } };
    await app.ask('POST', '/api/sync-repo-complete', { as, body });
    await until(async () => (await stored(as)) > 5);

    free = LEAST_FREE - 1;
    await until(async () => (await app.ask('GET', '/readyz')).status === 503);

    expect((await app.ask('GET', '/readyz')).body).toMatchObject({ error: 'The disk is full', code: 'disk_full' });
    const refused = await app.ask('PATCH', '/auth/me', { as, body: { time_zone: 'Asia/Tokyo' } });
    expect(refused).toMatchObject({ status: 507, body: { error: 'The disk is full', code: 'disk_full' } });
    expect(await app.ask('GET', '/auth/callback?code=a&state=b')).toMatchObject({
      status: 302,
      headers: { location: '/login?error=disk_full' },
    });
    // Last seen an hour ago, and with a message that is due.
    await asIfThereWereRoom(async (within) => {
      const hourAgo = new Date(Date.now() - 3_600_000);
      const { id } = await within
        .updateTable('users')
        .set({ seen_at: hourAgo })
        .returning('id')
        .executeTakeFirstOrThrow();
      await within
        .insertInto('notifications')
        .values({
          ...{ id: randomUUID(), user_id: id, channel: 'mail', kind: 'daily', period: '2026-03-02', state: 'pending' },
          ...{ due_at: hourAgo, next_attempt_at: hourAgo, created_at: hourAgo },
        })
        .execute();
    });
    const me = await app.ask('GET', '/auth/me', { as });
    expect([me.status, me.headers]).toEqual([200, expect.objectContaining({ 'x-disk-full': '1' })]);
    expect(me.body).toMatchObject({ administrator: true });
    await until(async () => (await statusOf(as, repoId)) === 'queued');
    const before = await stored(as);
    await expect(app.database.pool.query('create table more (i int)')).rejects.toThrow('read-only');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await stored(as)).toBe(before);
    // Of whom it is not noted yet that the setting means them.
    await asIfThereWereRoom(async (within) => void (await within.deleteFrom('administrators').execute()));
    expect(await app.ask('GET', '/auth/me', { as })).toMatchObject({ status: 200, body: { administrator: false } });
    expect(app.logged.filter((line) => /notification|to be told/.test(line))).toEqual([]);
    expect(before).toBeLessThan(120);
    const read = { owner: 'load', name: 'big' };
    expect((await app.ask('POST', '/api/test-github-access', { as, body: read })).status).toBe(200);

    free = LEAST_FREE;
    await until(async () => (await app.ask('GET', '/readyz')).status === 200);
    await until(async () => (await stored(as)) === 120);
    await until(
      async () =>
        (await app.database.db.selectFrom('notifications').select('state').executeTakeFirst())?.state !== 'pending',
    );
    expect((await app.ask('PATCH', '/auth/me', { as, body: { time_zone: 'Asia/Tokyo' } })).status).toBe(200);
  },
  120_000,
);

test('a database that could not be told whether it may be written to is told again', async () => {
  const told: string[] = [];
  let isBusy = true;
  const onRoom = vi.fn();
  const query = async (text: string) => {
    if (isBusy) throw new Error('timeout exceeded when trying to connect');
    told.push(text);
  };
  let space = LEAST_FREE - 1;
  const watched = watchDiskSpace({
    ...{ folder: '/', pool: { query } as unknown as pg.Pool, free: async () => space },
    ...{ onFull: async () => undefined, onRoom, onError: () => undefined },
  });
  try {
    await watched.look();
    expect([watched.full, told]).toEqual([true, []]);
    isBusy = false;
    await watched.look();
    expect(told).toEqual(['set default_transaction_read_only = on']);
    isBusy = true;
    space = LEAST_FREE;
    await watched.look();
    expect([watched.full, onRoom.mock.calls.length]).toEqual([true, 0]);
    isBusy = false;
    await watched.look();
    expect([watched.full, onRoom.mock.calls.length, told.at(-1)]).toEqual([
      false,
      1,
      'set default_transaction_read_only = off',
    ]);
  } finally {
    watched.stop();
  }
});

test('a start on a full disk says so once, looks every five seconds, and goes on when there is room', async () => {
  const answers = [LEAST_FREE - 1, 0, LEAST_FREE];
  const slept: number[] = [];
  let told = 0;

  await waitForSpace('/anywhere', {
    free: async () => answers.shift() as number,
    sleep: async (ms) => slept.push(ms),
    onWait: () => {
      told += 1;
    },
  });

  expect({ slept, told }).toEqual({ slept: [5000, 5000], told: 1 });
});

/** Stores something while the disk is full. */
async function asIfThereWereRoom(store: (within: Transaction<Database>) => Promise<void>): Promise<void> {
  await app.database.db.transaction().setAccessMode('read write').execute(store);
}

async function stored(as: string): Promise<number> {
  return ((await app.ask('GET', '/api/prs?limit=1', { as })).body as { total: number }).total;
}

async function statusOf(as: string, repository: number): Promise<string> {
  const { body } = await app.ask('GET', `/api/sync-repo-complete?repoId=${repository}`, { as });
  return (body as { status: string }).status;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to that within 30 s.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
