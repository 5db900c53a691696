import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { type Jobs, openJobs, type Queue } from './jobs.ts';

const letters: Queue<{ letter: string }> = { name: 'letters', keep: 'every', retries: 2 };
const single: Queue<{ letter: string }> = { name: 'single', keep: 'one_at_all', retries: 1 };
const waiting: Queue<{ letter: string }> = { name: 'waiting', keep: 'one_waiting', retries: 1 };

let database: OpenDatabase;
let opened: Jobs[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(async () => {
  for (const jobs of opened) await jobs.stop(1000);
  opened = [];
  await database.pool.query('delete from jobs.job');
});
afterAll(() => database.close());

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'several processes start at once on an empty database',
  async () => {
    const { pool } = database;
    await pool.query('drop schema if exists jobs cascade');
    // Every connection has used its server for the like before, so what that one remembers of the schema does not change by itself.
    const connections = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    const like =
      "create schema jobs; create type jobs.state as enum ('a'); create table jobs.version (id int primary key)";
    for (const connection of connections) await connection.query(`begin; ${like}; rollback`);
    for (const connection of connections) connection.release();

    const [one, , , other] = await Promise.all([open(), open(), open(), open()]);
    const seen = collector();
    await one.work(letters, 1, async ({ letter }) => seen.add(letter));
    await other.send(letters, { letter: 'a' });

    expect(await seen.first(1)).toEqual(['a']);
  },
);

test('a job that is sent starts where somebody listens', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 1, async ({ letter }) => seen.add(letter));
  await jobs.send(letters, { letter: 'a' });

  expect(await seen.first(1)).toEqual(['a']);
});

test('many jobs are all done, two at a time', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 2, async ({ letter }) => seen.add(letter));

  for (const letter of 'abcdefgh') await jobs.send(letters, { letter });

  expect((await seen.first(8)).sort().join('')).toBe('abcdefgh');
});

test('a job that is not due yet starts when it is', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 1, async ({ letter }) => seen.add(letter));

  const due = Date.now() + 1500;
  await jobs.send(letters, { letter: 'later' }, { start_after: new Date(due) });

  expect(await seen.first(1)).toEqual(['later']);
  expect(Date.now()).toBeGreaterThanOrEqual(due - 50);
});

test('the more important job goes first', async () => {
  const jobs = await open();
  await jobs.send(letters, { letter: 'usual' });
  await jobs.send(letters, { letter: 'urgent' }, { priority: 10 });
  const seen = collector();

  await jobs.work(letters, 1, async ({ letter }) => seen.add(letter));

  expect(await seen.first(2)).toEqual(['urgent', 'usual']);
});

test('a job that throws is taken up again, as often as its queue says', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 1, async ({ letter }) => {
    seen.add(letter);
    throw new Error('on purpose');
  });

  await jobs.send(letters, { letter: 'x' });

  expect(await seen.first(3)).toEqual(['x', 'x', 'x']);
  await pause(1500);
  expect(seen.all).toHaveLength(3);
});

test('of one key a second job is dropped while the first waits, and while it runs if the queue says so', async () => {
  const jobs = await open();
  const release = gate();
  const seen = collector();
  for (const queue of [single, waiting])
    await jobs.work(queue, 1, async ({ letter }) => {
      seen.add(letter);
      await release.opened;
    });

  expect(await jobs.send(single, { letter: 'a' }, { key: 'one' })).toBe(true);
  expect(await jobs.send(waiting, { letter: 'b' }, { key: 'one' })).toBe(true);
  await seen.first(2);

  expect(await jobs.send(single, { letter: 'c' }, { key: 'one' })).toBe(false);
  expect(await jobs.send(single, { letter: 'd' }, { key: 'another' })).toBe(true);
  expect(await jobs.send(waiting, { letter: 'e' }, { key: 'one' })).toBe(true);
  expect(await jobs.send(waiting, { letter: 'f' }, { key: 'one' })).toBe(false);
  release.open();
  expect((await seen.first(4)).sort()).toEqual(['a', 'b', 'd', 'e']);
});

test('a job sent within a transaction exists only when that commits', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 1, async ({ letter }) => seen.add(letter));

  await database.db
    .transaction()
    .execute(async (within) => {
      await jobs.send(letters, { letter: 'undone' }, { within });
      throw new Error('roll back');
    })
    .catch(() => undefined);
  await database.db.transaction().execute(async (within) => {
    await jobs.send(letters, { letter: 'done' }, { within });
  });

  expect(await seen.first(1)).toEqual(['done']);
});

test('a process that only sends leaves its jobs to another', async () => {
  const web = await open(false);
  const worker = await open();
  const seen = collector();
  await worker.work(letters, 1, async ({ letter }) => seen.add(letter));

  await web.send(letters, { letter: 'from the web' });

  // On the embedded database nobody else can listen: there one process does both.
  if (database.kind === 'postgresql') expect(await seen.first(1)).toEqual(['from the web']);
  else await worker.send(letters, { letter: 'second' }).then(() => seen.first(2));
});

test('stopping asks running jobs to come to an end and gives them the time', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, 1, async ({ letter }, { stopping }) => {
    seen.add(`${letter} began`);
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    await pause(200);
    seen.add(`${letter} reached its checkpoint`);
  });
  await jobs.send(letters, { letter: 'a' });
  await seen.first(1);

  await jobs.stop(5000);
  opened = [];

  expect(seen.all).toEqual(['a began', 'a reached its checkpoint']);
});

test('a job that did not end in time is taken up by the next process', async () => {
  const first = await open();
  const seen = collector();
  const never = new Promise<void>(() => undefined);
  await first.work(letters, 1, async ({ letter }) => {
    seen.add(`first ${letter}`);
    await never;
  });
  await first.send(letters, { letter: 'a' });
  await seen.first(1);

  await first.stop(100);
  opened = [];
  const second = await open();
  await second.work(letters, 1, async ({ letter }) => seen.add(`second ${letter}`));

  expect(await seen.first(2)).toEqual(['first a', 'second a']);
});

test('what a killed process was doing goes on at once on the embedded database, which only one process can hold', async () => {
  const jobs = await open();
  await jobs.send(letters, { letter: 'a' });
  await database.pool.query("update jobs.job set state = 'active', started_on = now() where name = 'letters'");
  await jobs.stop(100);
  opened = [];

  const next = await open();
  const seen = collector();
  await next.work(letters, 1, async ({ letter }) => seen.add(letter));

  if (database.kind === 'embedded') expect(await seen.first(1)).toEqual(['a']);
  else await pause(1500).then(() => expect(seen.all).toEqual([]));
});

test('the queue says that it answers', async () => {
  const jobs = await open();

  await expect(jobs.check()).resolves.toBeUndefined();
});

async function open(working = true): Promise<Jobs> {
  const jobs = await openJobs(database, [letters, single, waiting], {
    working,
    onWait: () => undefined,
    log: (error) => {
      if (error.message !== 'on purpose') throw error;
    },
  });
  opened.push(jobs);
  return jobs;
}

function collector() {
  const all: string[] = [];
  return {
    all,
    add: (word: string) => void all.push(word),
    async first(count: number): Promise<string[]> {
      const deadline = Date.now() + 60_000;
      while (all.length < count && Date.now() < deadline) await pause(20);
      expect(all.length).toBeGreaterThanOrEqual(count);
      return all.slice(0, count);
    },
  };
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
