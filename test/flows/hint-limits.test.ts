import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetOldLimits } from '../../src/server/db/hint-limits.ts';
import { addHints, type HintSubject, pullRequestSubjects } from '../../src/server/db/hints.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { SyncDeps } from '../../src/server/sync/context.ts';
import { followNextHint } from '../../src/server/sync/hint-follower.ts';
import { startSyncWorker, workerDefaults } from '../../src/server/sync/worker.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';

/** What the holder of a webhook's secret can make this server ask the host for, with other people's quota. */
describe('hints', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  /** Two processes on one database. */
  let syncing: Syncing;
  let other: Syncing;
  let time = Date.now();
  let first: number;
  let second: number;
  let repository: number;

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'generated', more: ['--count', '60'] });
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    // The simulated clock never goes back, and the hour before is over.
    await pass(7200);
    const now = () => new Date(time);
    syncing = openSyncing(database.db, simulator, { working: false, now });
    other = openSyncing(database.db, simulator, { working: false, now });
    first = await syncing.user('dev-1');
    second = await syncing.user('dev-2');
    await other.user('dev-1');
    await other.user('dev-2');
    repository = await syncing.connect(first, 'load/big');
    await syncing.connect(second, 'load/big');
    await simulator.control('limits', { graphql: 5000 }, 'PATCH');
    await simulator.control('counters', undefined, 'DELETE');
  });
  afterEach(async () => {
    await database.db.deleteFrom('repositories').execute();
    await database.db.deleteFrom('hint_quotas').execute();
    await simulator.control('faults', undefined, 'DELETE');
  });
  afterAll(async () => {
    await database?.close();
    await simulator?.stop();
  });

  async function pass(seconds: number): Promise<void> {
    time += seconds * 1000;
    await simulator.control('clock', { set: time, frozen: true });
  }
  const hint = (...subjects: HintSubject[]) => addHints(database.db, repository, subjects, new Date(time));
  const aboutPull = (number: number): HintSubject => ({ kind: 'pull_request', number });
  /** Follows all that is due, by both processes in turn. */
  async function follow(): Promise<void> {
    const signal = new AbortController().signal;
    for (let turn = 0; await followNextHint((turn % 2 === 0 ? syncing : other).context, signal); turn += 1) {
      // The next one.
    }
  }
  const lookUps = async () => {
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    return operations.PullRequestByNumber ?? 0;
  };
  const spent = async (login: string): Promise<number> => {
    const { accounts } = (await simulator.control('counters')) as { accounts: Record<string, { points: number }> };
    return accounts[`${login}/graphql`]?.points ?? 0;
  };
  const waiting = async () => {
    const rows = await database.db.selectFrom('hints').select('subject').where('due_at', 'is not', null).execute();
    return rows.map(({ subject }) => subject);
  };
  const sessions = () =>
    database.db.selectFrom('sync_sessions').select(['mode', 'status', 'asked_by']).orderBy('created_at').execute();
  const imported = () =>
    database.db
      .updateTable('repositories')
      .set({ watermark: new Date(time), history_completed_at: new Date(time), swept_at: new Date(time) })
      .execute();
  const endSessions = () =>
    database.db
      .updateTable('sync_sessions')
      .set({ status: 'completed', finished_at: new Date(time) })
      .execute();
  const looked = (looks: number) =>
    database.db
      .insertInto('hint_limits')
      .values({ repository_id: repository, window_from: new Date(time), looks })
      .execute();

  it('of one delivery name a hundred pull requests at most; everything that changed stands for the rest', () => {
    const numbers = Array.from({ length: 100_000 }, (_, index) => index + 1);

    const subjects = pullRequestSubjects(numbers);

    expect(subjects).toHaveLength(101);
    expect(subjects.at(-1)).toEqual({ kind: 'changes' });
    expect(pullRequestSubjects(numbers.slice(0, 100))).toHaveLength(100);
    expect(pullRequestSubjects([7, 7, 7])).toEqual([aboutPull(7)]);
  });

  it('of a repository wait by the hundreds at most, however many deliveries come', async () => {
    for (let delivery = 0; delivery < 10; delivery += 1)
      await hint(...Array.from({ length: 100 }, (_, index) => aboutPull(delivery * 100 + index + 1)));
    await hint({ kind: 'repository' });

    const left = await waiting();
    expect(left.length).toBeLessThanOrEqual(302);
    expect(left).toEqual(expect.arrayContaining(['changes', 'repository', 'pull request 1']));
  });

  it('lead to 300 look-ups an hour; more become one incremental sync and one sweep, and nothing is forgotten', async () => {
    await imported();
    await looked(298);

    for (let index = 0; index < 20; index += 1) {
      await hint(aboutPull(1 + (index % 5)));
      await follow();
      await pass(6);
    }
    const during = { lookUps: await lookUps(), sessions: await sessions(), waiting: await waiting() };
    const { swept_at } = await database.db.selectFrom('repositories').select('swept_at').executeTakeFirstOrThrow();
    await endSessions();
    await follow();
    const after = { sessions: await sessions(), waiting: await waiting() };
    await pass(3600);
    await follow();

    expect(during.lookUps).toBe(2);
    expect(during.sessions).toEqual([{ mode: 'incremental', status: 'queued', asked_by: 'schedule' }]);
    expect(swept_at).toBeNull();
    // What was hinted at since waits for the next hour.
    expect(during.waiting).toEqual(['changes']);
    expect(after).toEqual({ sessions: [expect.objectContaining({ status: 'completed' })], waiting: ['changes'] });
    expect(await sessions()).toHaveLength(2);
    await hint(aboutPull(1));
    await follow();
    expect(await lookUps()).toBe(3);
  });

  it('that ask for everything wait for a sync that runs, and for the first import', async () => {
    await hint({ kind: 'changes' });
    await follow();
    expect([await sessions(), await waiting()]).toEqual([[], []]);

    await imported();
    await syncing.start(first, repository, 'incremental');
    await hint({ kind: 'changes' });
    await follow();
    expect([await sessions(), await waiting()]).toEqual([
      [expect.objectContaining({ asked_by: 'person' })],
      ['changes'],
    ]);

    await endSessions();
    await pass(16);
    await follow();
    expect(await sessions()).toHaveLength(2);
  });

  it('about a number far above all known ones are looked up once, and within an hour never again', async () => {
    for (let times = 0; times < 5; times += 1) {
      await hint(aboutPull(4711));
      await follow();
      await pass(10);
    }
    expect(await lookUps()).toBe(1);
    await pass(3600);
    await hint(aboutPull(4711));
    await follow();
    expect(await lookUps()).toBe(2);

    // A number that may be given next is looked up each time: it may have come since.
    for (let times = 0; times < 2; times += 1) {
      await hint(aboutPull(50));
      await follow();
      await pass(10);
    }
    await hint(aboutPull(61));
    await follow();
    await pass(10);
    await hint(aboutPull(61));
    await follow();
    expect(await lookUps()).toBe(6);
  });

  it('about a number that was absent before the clock was set back by a day are looked up', async () => {
    const { db } = database;
    const looked_at = new Date(time + 86_400_000);
    const absent = [4711, 4712].map((number) => ({ repository_id: repository, number, looked_at }));
    await db.insertInto('absent_numbers').values(absent).execute();

    await hint(aboutPull(4711));
    await follow();
    await forgetOldLimits(db, new Date(time));

    expect(await lookUps()).toBe(1);
    const left = await db.selectFrom('absent_numbers').select(['number', 'looked_at']).execute();
    expect(left).toEqual([{ number: 4711, looked_at: new Date(time) }]);
  });

  it('use less than a tenth of anybody’s hourly quota, then the next person’s, and the rest waits for the next hour', async () => {
    await simulator.control('limits', { graphql: 300 }, 'PATCH');
    const names = Array.from({ length: 60 }, (_, index) => aboutPull(index + 1));

    await hint(...names);
    await follow();
    const [one, two] = [await spent('dev-1'), await spent('dev-2')];
    const [soFar, left] = [await lookUps(), await waiting()];
    await pass(1800);
    await follow();
    const halfway = await lookUps();
    await pass(1801);
    await follow();

    expect(Math.max(one, two)).toBeLessThan(30);
    expect(Math.min(one, two)).toBeGreaterThan(20);
    expect(left).toHaveLength(60 - soFar);
    expect(halfway).toBe(soFar);
    expect(await lookUps()).toBe(60);
    expect(await waiting()).toEqual([]);
  });

  it('about who may read a repository are paid within the same tenth', async () => {
    await simulator.control('limits', { graphql: 300 }, 'PATCH');
    await hint(aboutPull(1));
    await follow();
    await hint(...[aboutPull(2), aboutPull(3)]);
    for (let times = 0; times < 40; times += 1) {
      await hint({ kind: 'repository' });
      await follow();
      await pass(60);
    }

    expect(Math.max(await spent('dev-1'), await spent('dev-2'))).toBeLessThan(2 * 30);
    expect(await waiting()).toEqual(['repository']);
  });

  it('about who may read a repository are followed although look-ups have had their part of that tenth', async () => {
    await simulator.control('limits', { graphql: 300 }, 'PATCH');
    await hint(...Array.from({ length: 60 }, (_, index) => aboutPull(index + 1)));
    await follow();
    const lookedUp = await lookUps();
    await hint({ kind: 'repository' });
    await follow();

    const checks = (await simulator.control('counters')) as { operations: Record<string, number> };
    expect(checks.operations['GET /repos/:owner/:repo']).toBe(2);
    expect(await waiting()).toHaveLength(60 - lookedUp);
    expect(await waiting()).not.toContain('repository');
    expect(Math.max(await spent('dev-1'), await spent('dev-2'))).toBeLessThan(30);
  });

  it('about who may read a repository are followed at once, however many look-ups are under way and wait', async () => {
    const checked: number[] = [];
    const gate = Promise.withResolvers<null>();
    const context: SyncDeps = {
      ...syncing.context,
      clientForSync: async () => await gate.promise,
      checkAccess: async (user_id, ...about) => {
        checked.push(user_id);
        return await syncing.context.checkAccess(user_id, ...about);
      },
    };
    await hint(...Array.from({ length: 20 }, (_, index) => aboutPull(index + 1)));
    const worker = startSyncWorker(context);
    const underWay = async () => {
      const rows = await database.db
        .selectFrom('hints')
        .select('subject')
        .where('leased_until', 'is not', null)
        .execute();
      return rows.length;
    };
    try {
      await expect.poll(underWay).toBe(workerDefaults.hints_at_once);

      await hint({ kind: 'repository' });
      worker.nudge();
      await expect.poll(() => checked.toSorted()).toEqual([first, second].toSorted());
    } finally {
      gate.resolve(null);
      await worker.stop(100);
    }
  });

  it('about who may read a repository keep nothing else waiting, and are followed once however long that takes', async () => {
    const gate = Promise.withResolvers<null>();
    const context: SyncDeps = { ...syncing.context, checkAccess: async () => await gate.promise };
    const leases = async () => {
      const rows = await database.db
        .selectFrom('hints')
        .select('leased_until')
        .where('subject', 'in', ['repository', 'deleted'])
        .execute();
      return rows.map(({ leased_until }) => leased_until?.getTime() ?? 0);
    };
    await hint({ kind: 'repository' }, { kind: 'deleted' });
    const worker = startSyncWorker(context);
    try {
      await expect.poll(async () => Math.min(...(await leases())), { timeout: 10_000 }).toBeGreaterThan(0);
      const taken = Math.max(...(await leases()));

      await hint(aboutPull(1));
      worker.nudge();
      await expect.poll(waiting, { timeout: 10_000 }).not.toContain('pull request 1');
      await expect.poll(async () => Math.min(...(await leases())), { timeout: 10_000 }).toBeGreaterThan(taken);
    } finally {
      gate.resolve(null);
      await worker.stop(100);
    }
  });

  it('about who may read a repository are followed at once, then once a minute whatever comes, and counted', async () => {
    const may = (readers: string[]) => simulator.control('repos/load/big', { private: true, readers }, 'PATCH');
    await may(['dev-1', 'dev-2']);
    const sees = async () =>
      await database.db.selectFrom('connections').select('readable').where('user_id', '=', second).executeTakeFirst();
    const seen: unknown[] = [];

    for (let times = 0; times < 24; times += 1) {
      if (times === 6) await may(['dev-1']);
      await hint({ kind: 'repository' });
      await follow();
      seen.push((await sees())?.readable);
      await pass(5);
    }
    await may(['dev-1', 'dev-2']);

    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    expect(operations['GET /repos/:owner/:repo']).toBe(2 * 2);
    expect([seen[0], seen[6], seen[12]]).toEqual([true, true, false]);
    const { looks } = await database.db.selectFrom('hint_limits').select('looks').executeTakeFirstOrThrow();
    expect(looks).toBe(2);
  });

  it('that arrive while people are checked are followed a minute later, also where somebody’s share is used up', async () => {
    const window_ends_at = new Date(time + 3_000_000);
    const usedUp = { user_id: first, purpose: 'hints', quota: 300, points: 30, window_ends_at } as const;
    await database.db.insertInto('hint_quotas').values(usedUp).execute();
    const checked: number[] = [];
    const context: SyncDeps = {
      ...syncing.context,
      checkAccess: async (user_id, ...about) => {
        if (checked.push(user_id) === 1) await hint({ kind: 'repository' });
        return await syncing.context.checkAccess(user_id, ...about);
      },
    };
    const followOne = () => followNextHint(context, new AbortController().signal);

    await hint({ kind: 'repository' });
    await followOne();
    const atOnce = checked.length;
    await pass(59);
    const tooSoon = await followOne();
    await pass(1);
    await followOne();
    await pass(60);
    const again = await followOne();

    expect([atOnce, tooSoon, checked]).toEqual([1, false, [second, second]]);
    // Nothing has arrived since: whose share is used up is checked when it is not.
    expect([again, await waiting()]).toEqual([false, ['repository']]);
  });

  const spend = async () => {
    for (const login of ['dev-1', 'dev-2'])
      await simulator.control('limits/spend', { login, remaining: 0, resetInSeconds: 1800 });
  };
  const wantPause = (retryAfter: number) =>
    simulator.control('faults', { match: {}, effect: { name: 'secondary_limit_403', retryAfter } });

  it.each([
    ['whose quota is spent, until its hour ends', spend, 1801],
    ['of whom the host wants a pause, until it is over', () => wantPause(1800), 1801],
    ['of whom the host wants a pause of a day, for an hour', () => wantPause(86_400), 3661],
  ])('ask nothing more in the name of somebody %s', async (_of, refuse, seconds) => {
    await refuse();
    await hint(...Array.from({ length: 20 }, (_, index) => aboutPull(index + 1)));
    await follow();
    const atOnce = await lookUps();
    await pass(900);
    await hint(aboutPull(21));
    await follow();
    const meanwhile = await lookUps();
    await simulator.control('faults', undefined, 'DELETE');
    await pass(seconds - 900);
    await follow();

    expect([atOnce, meanwhile]).toEqual([2, 2]);
    expect(await lookUps()).toBe(2 + 21);
    expect(await waiting()).toEqual([]);
  });

  it('use less than a tenth of anybody’s hourly quota also where the host wanted a pause in between', async () => {
    await simulator.control('limits', { graphql: 300 }, 'PATCH');
    await hint(...Array.from({ length: 40 }, (_, index) => aboutPull(index + 1)));
    await follow();
    await wantPause(60);
    await hint(aboutPull(41));
    await follow();
    await simulator.control('faults', undefined, 'DELETE');
    await pass(61);
    await hint(...Array.from({ length: 60 }, (_, index) => aboutPull(index + 1)));
    await follow();

    expect(Math.max(await spent('dev-1'), await spent('dev-2'))).toBeLessThan(30);
  });

  it.each([
    ['ahead', 86_400_000],
    ['behind', -86_400_000],
  ])('use less than a tenth of anybody’s hourly quota where our clock is a day %s', async (_way, moved) => {
    const now = () => new Date(time + moved);
    const skewed = openSyncing(database.db, simulator, { working: false, now });
    for (const login of ['dev-1', 'dev-2']) await skewed.user(login);
    await simulator.control('limits', { graphql: 300 }, 'PATCH');

    const names = Array.from({ length: 60 }, (_, index) => aboutPull(index + 1));
    await addHints(database.db, repository, names, now());
    while (await followNextHint(skewed.context, new AbortController().signal)) {
      // The next one.
    }

    expect(Math.max(await spent('dev-1'), await spent('dev-2'))).toBeLessThan(30);
    expect(Math.min(await spent('dev-1'), await spent('dev-2'))).toBeGreaterThan(20);
  });

  it('that cannot be paid count as no look-ups', async () => {
    await simulator.control('limits', { graphql: 300 }, 'PATCH');
    await hint(...Array.from({ length: 60 }, (_, index) => aboutPull(index + 1)));
    await follow();

    const { looks } = await database.db.selectFrom('hint_limits').select('looks').executeTakeFirstOrThrow();
    expect(looks).toBe(await lookUps());
  });

  it('find no limit where the host has none', async () => {
    await simulator.control('limits', { graphql: null }, 'PATCH');
    await hint(...Array.from({ length: 60 }, (_, index) => aboutPull(index + 1)));
    await follow();

    expect(await lookUps()).toBe(60);
  });
});
