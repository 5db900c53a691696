import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { findPgbouncer, startPgbouncer } from '../../../test/support/pgbouncer.ts';
import { type OpenDatabase, openDatabase, sessionSettings } from '../db/open.ts';
import { type Jobs, openJobs, type Queue } from './jobs.ts';

/** Nothing is sent by itself but at midnight of a year's first day. */
const yearly = { cron: '0 0 1 1 *', time_limit: 60 };
const letters: Queue = { name: 'letters', ...yearly };
const parcels: Queue = { name: 'parcels', ...yearly };
const papers: Queue = { name: 'papers', ...yearly, daily: true };

let database: OpenDatabase;
let opened: Jobs[] = [];
/** The queues of jobs that were logged. */
let failed: (string | undefined)[] = [];

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
    await one.work(letters, async () => seen.add('a'));
    await other.send(letters);

    expect(await seen.first(1)).toEqual(['a']);
  },
);

test.runIf(process.env.TEST_DATABASE === 'postgresql' && findPgbouncer() !== null)(
  'processes that start at once behind a pooler with fewer connections than there are of them wait for each other, and not for ever',
  async () => {
    const pgbouncer = await startPgbouncer(String(database.pool.options.connectionString), 2, sessionSettings());
    onTestFinished(() => pgbouncer.stop());
    const processes = await Promise.all(
      Array.from({ length: 5 }, () =>
        openDatabase({ kind: 'postgresql', url: pgbouncer.url, connections: 4 }, (error) => {
          throw error;
        }),
      ),
    );
    const started = await Promise.allSettled(processes.map((own) => open(true, own)));
    await Promise.all(opened.map((jobs) => jobs.stop(1000)));
    opened = [];
    await Promise.all(processes.map((own) => own.close()));

    expect(started.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
  },
);

test('a job that is sent starts where somebody listens', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, async () => seen.add('a'));
  await jobs.send(letters);

  expect(await seen.first(1)).toEqual(['a']);
});

test('a job that throws is logged with the name of its queue and not repeated, and the next one runs', async () => {
  failed = [];
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, async () => {
    seen.add('x');
    throw new Error('on purpose');
  });

  await jobs.send(letters);
  await seen.first(1);
  await pause(1500);
  const once = [...seen.all];
  await jobs.send(letters);

  expect(once).toEqual(['x']);
  expect(await seen.first(2)).toEqual(['x', 'x']);
  await expect.poll(() => failed).toEqual(['letters', 'letters']);
});

test('of one queue a second job is dropped while the first waits or runs, and other queues go on', async () => {
  const jobs = await open();
  const release = gate();
  const seen = collector();
  await jobs.send(letters);
  await jobs.send(letters);
  for (const queue of [letters, parcels])
    await jobs.work(queue, async () => {
      seen.add(queue.name);
      await release.opened;
    });
  await seen.first(1);
  await jobs.send(letters);
  await jobs.send(parcels);

  expect(await seen.first(2)).toEqual(['letters', 'parcels']);
  release.open();
  await pause(1500);
  expect(seen.all).toHaveLength(2);
});

test('a process that only sends leaves its jobs to another', async () => {
  const web = await open(false);
  const worker = await open();
  const seen = collector();
  await worker.work(letters, async () => seen.add('done'));

  await web.send(letters);

  // On the embedded database nobody else can listen: there one process does both, and this one looks every 15 seconds.
  expect(await seen.first(1)).toEqual(['done']);
});

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'a schedule that fires has one job, however many processes run',
  { timeout: 120_000 },
  async () => {
    const everyMinute: Queue = { ...letters, cron: '* * * * *' };
    const seen = collector();
    for (const jobs of await Promise.all([open(), open(), open()]))
      await jobs.work(everyMinute, async () => seen.add('fired'));

    await seen.first(1, 100_000);
    await pause(3000);

    expect(seen.all).toEqual(['fired']);
  },
);

/** As when the schedule of the daily queue fires. */
const fire = () =>
  database.pool.query(`
    insert into jobs.job (name, data)
    select '__pgboss__send-it', jsonb_build_object('name', name, 'data', data, 'options', options)
    from jobs.schedule where name = 'papers'`);
const papersSent = async () => {
  const { rows } = await database.pool.query<{ state: string; in_an_hour: boolean; created_on: Date }>(`
    select state::text, start_after between now() + interval '50 minutes' and now() + interval '70 minutes' as in_an_hour, created_on
    from jobs.job where name = 'papers'`);
  return rows;
};

test('of a daily queue one job a day runs, whenever its schedule fires first', { timeout: 120_000 }, async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(papers, async () => seen.add('read'));
  await fire();
  await seen.first(1);
  await expect.poll(papersSent).toMatchObject([{ state: 'completed' }]);

  await jobs.send(papers);
  const same_day = (await papersSent()).length;
  await database.pool.query("update jobs.job set singleton_on = singleton_on - interval '1 day' where name = 'papers'");
  await jobs.send(papers);

  expect(same_day).toBe(1);
  expect(await seen.first(2)).toEqual(['read', 'read']);
});

test.each(['fails', 'is stopped', 'dies with its process'])(
  'a job of a daily queue that %s is retried an hour later, and is told when it was sent',
  { timeout: 120_000 },
  async (how) => {
    const first = await open();
    const began = collector();
    const sent: Date[] = [];
    await first.work(papers, async (stopping, sent_at) => {
      sent.push(sent_at);
      began.add('began');
      if (how === 'fails') throw new Error('on purpose');
      if (how === 'is stopped') await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      else await new Promise(() => undefined);
    });
    await first.send(papers);
    await began.first(1);
    if (how !== 'fails') {
      await first.stop(how === 'is stopped' ? 5000 : 100);
      opened = [];
    }
    await expect.poll(papersSent).toMatchObject([{ state: 'retry', in_an_hour: true }]);

    const second = how === 'fails' ? first : await open();
    const again = how === 'fails' ? began : collector();
    if (how !== 'fails')
      await second.work(papers, async (_stopping, sent_at) => {
        sent.push(sent_at);
        again.add('began');
      });
    await database.pool.query("update jobs.job set start_after = now() where name = 'papers'");
    await again.first(how === 'fails' ? 2 : 1);

    const created = Number((await papersSent())[0]?.created_on);
    expect(sent.map(Number)).toEqual([created, created]);
  },
);

test('stopping asks running jobs to come to an end and gives them the time', async () => {
  const jobs = await open();
  const seen = collector();
  await jobs.work(letters, async (stopping) => {
    seen.add('began');
    await new Promise((resolve) => stopping.addEventListener('abort', resolve));
    await pause(200);
    seen.add('reached its checkpoint');
  });
  await jobs.send(letters);
  await seen.first(1);

  await jobs.stop(5000);
  opened = [];

  expect(seen.all).toEqual(['began', 'reached its checkpoint']);
});

test('a job that did not end in time leaves its place to one of the next process', async () => {
  const first = await open();
  const seen = collector();
  const never = new Promise<void>(() => undefined);
  await first.work(letters, async () => {
    seen.add('first');
    await never;
  });
  await first.send(letters);
  await seen.first(1);

  await first.stop(100);
  opened = [];
  const second = await open();
  await second.work(letters, async () => seen.add('second'));
  await second.send(letters);

  expect(await seen.first(2)).toEqual(['first', 'second']);
});

test('what a killed process was doing leaves its place at once on the embedded database, which only one process can hold', async () => {
  const jobs = await open();
  await jobs.send(letters);
  await database.pool.query("update jobs.job set state = 'active', started_on = now() where name = 'letters'");
  await jobs.stop(100);
  opened = [];

  const next = await open();
  const seen = collector();
  await next.work(letters, async () => seen.add('next'));
  await next.send(letters);

  if (database.kind === 'embedded') expect(await seen.first(1)).toEqual(['next']);
  else await pause(1500).then(() => expect(seen.all).toEqual([]));
});

test('schedules fire, and what a dead process ran leaves its place, after the clock was set back by a year', {
  timeout: 300_000,
}, async () => {
  const { pool } = database;
  const hasDatesAhead = async () => {
    const { rows } = await pool.query(`
      select exists (select from jobs.version where cron_on > now())
        or exists (select from jobs.queue where monitor_claim_on > now() or maintain_on > now())
        or exists (select from jobs.job where singleton_on > now() at time zone 'UTC'
          or greatest(created_on, start_after, started_on, heartbeat_on) > now()) as ahead`);
    return rows[0].ahead as boolean;
  };
  const setBack = async () => {
    await pool.query('delete from jobs.job');
    await pool.query("update jobs.version set cron_on = now() + interval '1 year'");
    await pool.query(
      "update jobs.queue set monitor_claim_on = now() + interval '1 year', maintain_on = now() + interval '1 year'",
    );
    // Of a daily queue: what failed by the clock of then would be retried in a year.
    await pool.query(`
      insert into jobs.job (name, policy, state, retry_limit, retry_delay, created_on, start_after)
      values ('papers', 'exclusive', 'retry', 23, 3600, now() - interval '1 hour', now() + interval '1 year')`);
    await pool.query(`
      insert into jobs.job (name, policy, state, created_on, start_after, started_on, heartbeat_on, heartbeat_seconds)
      select 'parcels', 'exclusive', 'active', ahead, ahead, ahead, ahead, 10 from (select now() + interval '1 year' as ahead) a`);
    // The minutes that come have been once before.
    await pool.query(`
      insert into jobs.job (name, state, singleton_key, singleton_on, completed_on)
      select '__pgboss__send-it', 'completed', 'letters__', date_trunc('minute', now() at time zone 'UTC') + make_interval(mins => at), now()
      from generate_series(1, 5) at`);
  };
  await open();
  await setBack();
  for (const jobs of opened.splice(0)) await jobs.stop(100);
  const jobs = await open();
  const afterStart = await hasDatesAhead();

  const seen = collector();
  await setBack();
  await jobs.work({ ...letters, cron: '* * * * *' }, async () => seen.add('fired'));
  // Dates are pulled back within 30 s, the schedule looks every 30 s, fires by the minute, and two workers look every 20 and 15 s.
  await seen.first(1, 240_000);

  expect(afterStart).toBe(false);
  expect(await hasDatesAhead()).toBe(false);
  const deadOnes = async () =>
    (await pool.query("select from jobs.job where name = 'parcels' and state = 'active'")).rows.length;
  // On the embedded database it leaves its place at the next start at the latest.
  if (database.kind === 'postgresql') await expect.poll(deadOnes, { timeout: 45_000 }).toBe(0);
});

test('whoever works on a queue takes the next job although the clock was set back during the last one', {
  timeout: 120_000,
}, async () => {
  const jobs = await open();
  const release = gate();
  const seen = collector();
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
    await jobs.work(letters, async () => {
      seen.add('a');
      await release.opened;
    });
    await jobs.send(letters);
    await seen.first(1);
  } finally {
    vi.useRealTimers();
  }

  release.open();
  // As the schedule sends it: nobody tells the worker.
  const send = async () => {
    const { rows } = await database.pool.query(
      "insert into jobs.job (name, policy) values ('letters', 'exclusive') on conflict do nothing returning id",
    );
    return rows.length;
  };
  await expect.poll(send).toBe(1);

  expect(await seen.first(2, 90_000)).toEqual(['a', 'a']);
});

test('a queue that an earlier version made with another time limit gets that of this one', async () => {
  const limit = async () =>
    (await database.pool.query("select expire_seconds from jobs.queue where name = 'letters'")).rows[0]?.expire_seconds;
  await open();
  await database.pool.query("update jobs.queue set expire_seconds = 7200 where name = 'letters'");
  const before = await limit();
  await open();

  expect([before, await limit()]).toEqual([7200, letters.time_limit]);
});

test('the queue says that it answers', async () => {
  const jobs = await open();

  await expect(jobs.check()).resolves.toBeUndefined();
});

async function open(working = true, on = database): Promise<Jobs> {
  const jobs = await openJobs(on, [letters, parcels, papers], {
    working,
    onWait: () => undefined,
    log: (error, queue) => {
      if (error.message !== 'on purpose') throw error;
      failed.push(queue);
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
    async first(count: number, patience = 60_000): Promise<string[]> {
      const deadline = Date.now() + patience;
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
