import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { runSession } from '../../src/server/sync/engine.ts';
import { SessionLost } from '../../src/server/sync/retrying-host-client.ts';
import {
  cancelSession,
  claimSession,
  resumeSession,
  type SyncSession,
  startSession,
} from '../../src/server/sync/sessions.ts';
import { startSyncWorker, workerDefaults } from '../../src/server/sync/worker.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing, stateOf } from '../support/syncing.ts';

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
  async function repositories(
    prefix: string,
    count: number,
    user: number,
    login: string,
    by: Syncing = syncing,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) {
      const name = `${prefix}-${index}`;
      await simulator.control('repos', { owner: 'load', name, readers: [login] });
      await simulator.control(`repos/load/${name}/pulls`, { title: 'One', author: login });
      ids.push(await by.connect(user, `load/${name}`));
    }
    return ids;
  }

  it('read the last month of each of a person’s repositories before the history of any', async () => {
    syncing = openSyncing(database.db, simulator, { at_once: 1 });
    const user = await syncing.user('dev-1');
    const ids: number[] = [];
    for (const name of ['many-0', 'many-1', 'many-2']) {
      await simulator.control('repos', { owner: 'load', name, readers: ['dev-1'] });
      for (let month = 12; month >= 1; month -= 1) {
        const createdAt = Date.now() - month * 30 * 86_400_000;
        await simulator.control(`repos/load/${name}/pulls`, { title: 'One', author: 'dev-1', createdAt });
      }
      ids.push(await syncing.connect(user, `load/${name}`));
    }
    await slowly();
    const sessions: string[] = [];
    for (const id of ids) sessions.push(await syncing.start(user, id, 'full', 2));

    const read = async () => await Promise.all(ids.map(async (id) => (await stateOf(database.db, id)).imported_prs));
    while ((await read()).includes(0)) await pause(5);
    const begun = await read();
    for (const session of sessions) expect(await syncing.until(session)).toMatchObject({ status: 'completed' });

    expect(Math.max(...begun), 'of twelve').toBeLessThanOrEqual(4);
    expect(await read()).toEqual([12, 12, 12]);
  });

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

  it('ask for pages as large as the last start says, whatever session it goes on with', async () => {
    syncing = openSyncing(database.db, simulator, { working: false });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const request = { repository_id: repository, user_id: user, mode: 'smart', page_size_limit: null } as const;
    const { id } = (await startSession(database.db, { ...request, asked_by: 'schedule' }, new Date()))!;
    const stop = () => database.db.updateTable('sync_sessions').set({ status: 'failed' }).execute();
    const limitAfter = async (going: Promise<unknown>) => {
      await going;
      return await database.db.selectFrom('sync_sessions').select(['id', 'page_size_limit']).execute();
    };

    const takenOver = await limitAfter(syncing.start(user, repository, 'smart', 7));
    await stop();
    const goneOn = await limitAfter(syncing.start(user, repository, 'smart', 5));
    await stop();
    const resumed = await limitAfter(resumeSession(database.db, id, user, 'person', new Date()));
    await stop();
    const without = await limitAfter(syncing.start(user, repository, 'smart'));

    expect([takenOver, goneOn, resumed, without]).toEqual(
      [7, 5, 5, null].map((page_size_limit) => [{ id, page_size_limit }]),
    );
  });

  it('of a person go before what the schedule has queued long since', async () => {
    const queued = openSyncing(database.db, simulator, { working: false });
    const user = await queued.user('dev-1');
    const [last, ...earlier] = await repositories('nightly', 4, user, 'dev-1', queued);
    for (const repository_id of earlier) {
      const scheduled = {
        repository_id,
        user_id: user,
        mode: 'full',
        asked_by: 'schedule',
        page_size_limit: null,
      } as const;
      await startSession(database.db, scheduled, new Date());
    }
    const persons = await queued.start(user, last!, 'full');
    syncing = openSyncing(database.db, simulator, { at_once: 1 });
    await syncing.user('dev-1');
    syncing.nudge();

    await expect
      .poll(() => database.db.selectFrom('sync_sessions').select('id').where('status', '!=', 'completed').execute())
      .toEqual([]);
    const first = await database.db
      .selectFrom('sync_sessions')
      .select('id')
      .orderBy('claimed_at')
      .executeTakeFirstOrThrow();

    expect(first.id).toBe(persons);
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
    // A worker may take it up at once.
    await simulator.control('counters', undefined, 'DELETE');
    const resumed = await resumeSession(database.db, id, user, 'person', new Date());
    syncing.nudge();
    const end = await syncing.until(id);

    expect(cancelled).toMatchObject({ status: 'cancelled', can_resume: true, has_more: true, resume_session_id: id });
    expect(still).toBe(before);
    expect(before).toBeLessThan(60);
    expect(resumed?.id).toBe(id);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 60 });
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    // A page that was begun ahead when it was cancelled may still be at hand.
    const pages = (60 - before) / 5;
    expect([pages, pages - 1]).toContain(operations.PullRequests);
  });

  it('are stored in the turn that a worker took last, although it was the one before, too', async () => {
    const worker = randomUUID();
    const claim = () => claimSession(database.db, worker, 2, new Date());
    let again: SyncSession | null = null;
    syncing = openSyncing(database.db, simulator, {
      working: false,
      client: (client) => ({
        ...client,
        async pullRequests(...asked) {
          const page = await client.pullRequests(...asked);
          if (again !== null) return page;
          await sql`update sync_sessions set heartbeat_at = now() - interval '1 minute'`.execute(database.db);
          again = await claim();
          return page;
        },
      }),
    });
    const user = await syncing.user('dev-1');
    const repository = await syncing.connect(user, 'load/big');
    const id = await syncing.start(user, repository, 'full');
    const personal = (await syncing.context.clientFor(user))!;
    const run = (session: SyncSession) =>
      runSession(syncing.context, worker, session, personal, new AbortController().signal, () => false);
    const stored = async () => (await database.db.selectFrom('pull_requests').select('number').execute()).length;

    await expect(run((await claim())!)).rejects.toBeInstanceOf(SessionLost);
    const before = await stored();
    await run(again!);

    expect([before, await stored()]).toEqual([0, 60]);
    expect(await syncing.until(id)).toMatchObject({ status: 'completed', imported_prs: 60 });
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

  it('of one worker have no more statements at the database at a time than it may', async () => {
    syncing = openSyncing(database.db, simulator, { working: false });
    for (const login of ['dev-1', 'dev-2']) {
      const user = await syncing.user(login);
      for (const repository of await repositories(`side-${login}`, 2, user, login))
        await syncing.start(user, repository, 'full');
    }
    const spans: { from: Date; to: Date }[] = [];
    const ask = async () => {
      const { rows } = await sql<{ from: Date; to: Date }>`
        select clock_timestamp() as "from", pg_sleep(0.3), clock_timestamp() as "to"`.execute(database.db);
      spans.push(...rows);
      return null;
    };
    const settings = { ...workerDefaults, statements_at_once: 2 };

    const worker = startSyncWorker({ ...syncing.context, clientForSync: ask }, settings);
    await vi.waitFor(() => expect(spans).toHaveLength(4), 30_000);
    await worker.stop(0);

    const besides = spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length);
    expect(Math.max(...besides)).toBe(database.kind === 'embedded' ? 1 : 2);
  });

  it('come to their end although each turn of theirs ends at the first chance', async () => {
    let ahead = 0;
    const now = () => new Date(Date.now() + ahead);
    syncing = openSyncing(database.db, simulator, { working: false, now });
    const user = await syncing.user('dev-1');
    const repository_id = await syncing.connect(user, 'load/big');
    const long_ago = new Date(0);
    await database.db
      .updateTable('repositories')
      .set({ watermark: long_ago, history_completed_at: long_ago, last_synced_at: now(), page_size: 12 })
      .execute();
    // What the host computes of the list is many pages.
    const match = { operation: 'OpenPullRequests', pullRequestsOver: 40 };
    await simulator.control('faults', { match, effect: { name: 'bad_gateway' } });
    const personal = (await syncing.context.clientForSync(user, repository_id))!;
    const { signal } = new AbortController();
    /** How many pull requests are stored after each turn of a sync. */
    const turns = async () => {
      await syncing.start(user, repository_id, 'incremental');
      const stored: number[] = [];
      for (let status = 'queued'; status !== 'completed' && stored.length < 30; ahead += 10_000) {
        const session = (await claimSession(database.db, 'one', 1, now()))!;
        await runSession(syncing.context, 'one', session, personal, signal, () => true);
        ({ status } = await stateOf(database.db, repository_id));
        stored.push((await database.db.selectFrom('pull_requests').select('number').execute()).length);
      }
      return stored;
    };

    const stored = await turns();
    const unread = { repository_id, updated_at: long_ago, reason: '', noted_at: long_ago, again_at: now() };
    await database.db
      .insertInto('unstorable_pull_requests')
      .values([1, 2, 3].map((number) => ({ ...unread, number })))
      .execute();
    const later = await turns();

    expect(stored[0]).toBeLessThan(60);
    expect(stored.at(-1)).toBe(60);
    expect([stored.length, later.length]).toEqual([expect.toSatisfy((count) => count < 30), 3]);
    expect(await database.db.selectFrom('unstorable_pull_requests').select('number').execute()).toEqual([]);
  });

  it.each([
    ['the same one in turns that end at the first chance', false],
    ['the next one after it was cancelled', true],
  ])(
    'find what history left out although more is opened meanwhile: %s, and fetch nothing twice',
    async (_how, isCancelled) => {
      let ahead = 0;
      const now = () => new Date(Date.now() + ahead);
      syncing = openSyncing(database.db, simulator, { working: false, now });
      const user = await syncing.user('dev-1');
      const name = isCancelled ? 'grows-on' : 'grows';
      await simulator.control('repos', { owner: 'load', name, readers: ['dev-1'] });
      const opened = async (days: number) => {
        const [createdAt, by] = [Date.now() - days * 86_400_000, 'dev-1'];
        const entries = [{ at: createdAt, by, kind: 'closed' }];
        await simulator.control(`repos/load/${name}/pulls`, { title: 'One', author: by, createdAt, entries });
      };
      for (const days of [28, 27, 26, 25, 24, 23, 22, 21]) await opened(days);
      const repository_id = await syncing.connect(user, `load/${name}`);
      const personal = (await syncing.context.clientForSync(user, repository_id))!;
      const { signal } = new AbortController();
      const turn = async () => {
        const session = (await claimSession(database.db, 'one', 1, now()))!;
        await runSession(syncing.context, 'one', session, personal, signal, () => true);
        ahead += 10_000;
        return await stateOf(database.db, repository_id);
      };
      const read = async () =>
        await database.db.selectFrom('pull_requests').select(['number', 'fetched_at']).orderBy('number').execute();
      // Of the second page, which holds 4, 3, 2 and 1.
      const match = { operation: 'PullRequests', after: 1, next: 1 };
      await simulator.control('faults', { match, effect: { name: 'ends_early' } });
      const id = await syncing.start(user, repository_id, 'full', 4);

      await turn();
      for (let index = 0; index < 4; index += 1) await opened(0);
      let state = await turn();
      const before = await read();
      if (isCancelled) {
        await cancelSession(database.db, id, now());
        await database.db.updateTable('repositories').set({ last_synced_at: now() }).execute();
        await syncing.start(user, repository_id, 'smart', 4);
      }
      for (let turns = 0; state.status !== 'completed' && turns < 10; turns += 1) state = await turn();

      const after = await read();
      expect(before.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(state.status).toBe('completed');
      expect(after.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
      expect(after.slice(2, 7)).toEqual(before.slice(0, 5));
    },
  );

  it.each(['person', 'schedule'] as const)('of a %s make room within a long import for who waits', async (asked_by) => {
    syncing = openSyncing(database.db, simulator, { at_once: 1, turn: 0 });
    await slowly();
    const [busy, patient] = [await syncing.user('dev-1'), await syncing.user('dev-2')];
    const long = await syncing.connect(busy, 'load/big');
    const [short] = await repositories(`short-${asked_by}`, 1, patient, 'dev-2');
    const first = await syncing.start(busy, long, 'full', 2);
    await database.db.updateTable('sync_sessions').set({ asked_by }).execute();
    await syncing.until(first, 'running');

    await syncing.run(patient, short!, 'full');

    const meanwhile = await stateOf(database.db, long);
    expect(meanwhile.is_complete).toBe(false);
    expect(await syncing.until(first)).toMatchObject({ status: 'completed', imported_prs: 60 });
  });
});
