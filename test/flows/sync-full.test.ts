import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import { savePullRequests } from '../../src/server/sync/save.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { asked, everythingStored, forget, openSyncing, type Syncing } from '../support/syncing.ts';

describe('a full sync', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'generated', more: ['--count', '130'] });
    database = await openTestDatabase();
  });
  afterEach(async () => {
    await syncing.stop();
    await simulator.control('drift', { perPage: 0 });
    await database.db.deleteFrom('repositories').execute();
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  it('stores every pull request of the repository and says so', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');

    const end = await syncing.run(user, repository, 'smart');

    const stored = await database.db.selectFrom('pull_requests').select('number').execute();
    const { count } = await database.db
      .selectFrom('reviews')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(stored.length).toBe(130);
    expect(end).toMatchObject({
      success: true,
      status: 'completed',
      is_complete: true,
      has_more: false,
      can_resume: false,
      imported_prs: 130,
      imported_reviews: count,
      error: null,
      skipped: [],
    });
    expect(end.progress).toMatchObject({
      percentage: 100,
      current_phase: 'completed',
      message: 'Sync completed',
      processed_prs: 130,
      total_prs: 130,
      total_reviews: count,
      estimated_time_remaining: null,
    });
  });

  it('reads the newest pull requests first, page after page, and never counts backwards', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const seen: { percentage: number; lowest: number | null }[] = [];

    const id = await syncing.start(user, repository, 'full', 10);
    for (let status = ''; status !== 'completed'; ) {
      const current = await syncing.until(id, 'queued', 'running', 'completed');
      const { lowest } = await database.db
        .selectFrom('pull_requests')
        .select((select) => select.fn.min('number').as('lowest'))
        .executeTakeFirstOrThrow();
      seen.push({ percentage: current.progress.percentage, lowest });
      status = current.status;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    const percentages = seen.map((one) => one.percentage);
    expect(percentages).toEqual(percentages.toSorted((a, b) => a - b));
    const lowest = seen.flatMap((one) => (one.lowest === null ? [] : [one.lowest]));
    expect(lowest).toEqual(lowest.toSorted((a, b) => b - a));
    expect(new Set(percentages).size).toBeGreaterThan(3);
  });

  it('asks for pages no larger than the caller wants, which says nothing of what the host can compute', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    await forget(simulator);

    await syncing.run(user, repository, 'full', 10);

    const { operations } = await asked(simulator);
    const { page_size } = await database.db.selectFrom('repositories').select('page_size').executeTakeFirstOrThrow();
    expect(operations.PullRequests).toBe(13);
    expect(page_size).toBeNull();
  });

  it.each([
    ['in a moment', 0],
    ['for hours', 600],
  ])('misses nothing of a repository that changes while it is read %s', async (_long, seconds) => {
    let ahead = 0;
    // Our clock follows the host's, which goes on with every page that is read.
    const followed = async <T>(answer: Promise<T>): Promise<T> => {
      await answer;
      const { now } = (await simulator.control('clock', {})) as { now: string };
      // Its answer takes a moment, which must not turn ours back.
      ahead = Math.max(ahead, Date.parse(now) - Date.now());
      return await answer;
    };
    syncing = openSyncing(database.db, simulator, {
      now: () => new Date(Date.now() + ahead),
      client: (client) => ({
        ...client,
        pullRequests: (...asked) => followed(client.pullRequests(...asked)),
        pullRequestsById: (...asked) => followed(client.pullRequestsById(...asked)),
        changes: (...asked) => followed(client.changes(...asked)),
      }),
    });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    await simulator.control('drift', { perPage: 3, advanceSeconds: seconds, seed: 7 });

    await syncing.run(user, repository, 'full', 10);
    await simulator.control('drift', { perPage: 0 });
    await syncing.run(user, repository, 'incremental');

    const afterDrift = await everythingStored(database.db, repository);
    await database.db.deleteFrom('pull_requests').execute();
    await database.db.deleteFrom('participations').execute();
    await database.db.deleteFrom('contributor_totals').execute();
    await database.db.deleteFrom('contributor_months').execute();
    await syncing.run(user, repository, 'full');
    expect(afterDrift).toEqual(await everythingStored(database.db, repository));
  });

  it('finds pull requests that are opened while history is read', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const id = await syncing.start(user, repository, 'full', 5);
    await syncing.until(id, 'running');

    const { number } = (await simulator.control('repos/load/big/pulls', { title: 'Late', author: 'dev-1' })) as {
      number: number;
    };
    const end = await syncing.until(id);

    const late = await database.db.selectFrom('pull_requests').select('title').where('number', '=', number).execute();
    expect(late).toEqual([{ title: 'Late' }]);
    expect(end.imported_prs).toBe(number);
  });

  it('forgets what was stored and the host no longer has, and goes on with that after a stop', async () => {
    const { db } = database;
    const isGone = (key: string) => key.startsWith('PR_gone');
    const [second, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const gone = async () => {
      const rows = await db.selectFrom('pull_requests').select('node_id').execute();
      return rows.filter(({ node_id }) => isGone(node_id)).length;
    };
    /** How many were left when the first batch was stored, and how many of them the second asks for. */
    let held = { left: 25, asked: 0 };
    const client = (real: HostClient): HostClient => ({
      ...real,
      pullRequestsById: async (of, ids, signal) => {
        const left = held.asked === 0 && ids.some(isGone) ? await gone() : 25;
        if (left < 25) {
          held = { left, asked: ids.length };
          second.resolve();
          await goOn.promise;
        }
        return await real.pullRequestsById(of, ids, signal);
      },
    });
    syncing = openSyncing(db, simulator, { client });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    await syncing.run(user, repository, 'full');
    // After other tests the host's clock is ahead of ours: facts of what has not come yet depend on when they are computed.
    const stored = async () => ({ ...(await everythingStored(db, repository)), pull_request_facts: [] });
    const imported = await stored();
    const { client: personal } = (await syncing.context.clientFor(user))!;
    const { pull } = await personal.pullRequest({ owner: 'load', name: 'big' }, 1);
    const removed = Array.from({ length: 25 }, (_, index) => {
      const number = 1001 + index;
      const key = { id: `gone ${number}`, node_id: `PR_gone ${number}`, number };
      return { ...pull!, ...key, commits: [], events: [], reviews: [], comments: [], checks: [] };
    });
    const at = new Date(Date.now() - 1000);
    await db.transaction().execute((transaction) =>
      savePullRequests(transaction, { id: repository, host: syncing.host.key }, removed, {
        asked_at: at,
        answered_at: at,
      }),
    );

    const id = await syncing.start(user, repository, 'full', 10);
    await Promise.race([second.promise, syncing.until(id)]);
    const stopped = syncing.stop();
    goOn.resolve();
    await stopped;
    const left = await gone();
    syncing = openSyncing(db, simulator);
    const end = await syncing.until(id);

    // A stop waits for the batch under way, but not for ever.
    expect(held.left - held.asked).toBeGreaterThan(0);
    expect([held.left, held.left - held.asked]).toContain(left);
    expect(end).toMatchObject({ status: 'completed', skipped: [] });
    expect(await stored()).toEqual(imported);
  });

  it('reads a repository without any pull request', async () => {
    syncing = openSyncing(database.db, simulator);
    await simulator.control('repos', { owner: 'load', name: 'empty', readers: ['dev-1'] });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/empty');

    const end = await syncing.run(user, repository, 'smart');
    await simulator.control('repos/load/empty/pulls', { title: 'First', author: 'dev-1' });
    const next = await syncing.run(user, repository, 'smart');

    expect(end).toMatchObject({ status: 'completed', imported_prs: 0 });
    expect(next).toMatchObject({ status: 'completed', imported_prs: 1 });
  });

  it('reads with half the page where the host cannot compute a whole one, remembers the size, and grows again', async () => {
    syncing = openSyncing(database.db, simulator);
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const { id } = (await simulator.control('faults', {
      match: { kind: 'graphql', operation: 'PullRequests', pullRequestsOver: 20 },
      effect: { name: 'bad_gateway' },
    })) as { id: number };

    const end = await syncing.run(user, repository, 'full');

    await simulator.control(`faults/${id}`, undefined, 'DELETE');
    const { page_size } = await database.db.selectFrom('repositories').select('page_size').executeTakeFirstOrThrow();
    const stored = await database.db.selectFrom('pull_requests').select('number').execute();
    // Ten pages of this size are not all there is yet.
    await database.db.updateTable('repositories').set({ page_size: 12 }).execute();
    await forget(simulator);
    await syncing.run(user, repository, 'full');
    const { operations } = await asked(simulator);
    const later = await database.db.selectFrom('repositories').select('page_size').executeTakeFirstOrThrow();
    expect(end.status).toBe('completed');
    expect(stored.length).toBe(end.progress.total_prs);
    expect(operations.PullRequests).toBe(10 + Math.ceil((stored.length - 120) / 15));
    expect(later.page_size).toBe(15);
    expect(page_size).toBeLessThanOrEqual(20);
    expect(page_size).toBeGreaterThanOrEqual(5);
  });

  it('reads with less where a page takes the host longer than it is waited for', { timeout: 60_000 }, async () => {
    syncing = openSyncing(database.db, simulator, { timeout: 500 });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const { id } = (await simulator.control('faults', {
      match: { kind: 'graphql', pullRequestsOver: 12 },
      effect: { name: 'latency', milliseconds: 1000 },
    })) as { id: number };

    const end = await syncing.run(user, repository, 'full');

    await simulator.control(`faults/${id}`, undefined, 'DELETE');
    const { page_size } = await database.db.selectFrom('repositories').select('page_size').executeTakeFirstOrThrow();
    expect(end).toMatchObject({ status: 'completed', skipped: [], imported_prs: end.progress.total_prs });
    expect(page_size).toBeLessThanOrEqual(15);
  });

  it('begins its catch-up at what the first page named at first, whatever was read again since', async () => {
    const two = 'repos/load/two';
    const comment = (number: number) =>
      simulator.control(`${two}/pulls/${number}/entries`, { kind: 'comment', by: 'dev-1' });
    const pass = (minutes: number) => simulator.control('clock', { advanceSeconds: minutes * 60 });
    await simulator.control('repos', { owner: 'load', name: 'two', readers: ['dev-1'] });
    for (const title of ['First', 'Second']) await simulator.control(`${two}/pulls`, { title, author: 'dev-1' });
    await comment(1);
    await pass(10);
    let isAway = false;
    syncing = openSyncing(database.db, simulator, {
      client: (client) => ({
        ...client,
        pullRequests: (...asked) =>
          client.pullRequests(...asked).catch(async (error: unknown) => {
            isAway = true;
            for (const [minutes, number] of [
              [1, 2],
              [6, 1],
            ] as const) {
              await pass(minutes);
              await comment(number);
            }
            throw error;
          }),
      }),
    });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/two');
    // The second one of the page comes cut, is read again by itself, and meanwhile the host is away.
    for (const [operation, name] of [
      ['PullRequests', 'silent_truncation'],
      ['PullRequestsById', 'server_error'],
    ])
      await simulator.control('faults', { match: { operation, next: 1 }, effect: { name } });

    await syncing.run(user, repository, 'full');

    const comments = await database.db.selectFrom('comments').select('number').orderBy('number').execute();
    expect(isAway).toBe(true);
    expect(comments.map(({ number }) => number)).toEqual([1, 1, 2]);
  });
});
