import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { resumeSession, type SyncSession, sessionById } from '../../src/server/sync/sessions.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { asked, forget, openSyncing, type Syncing, stateOf } from '../support/syncing.ts';

const everything = { kind: 'graphql' };
const hello = 'repos/octo-org/hello';

describe('a host that is away', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let user: number;
  let repository: number;
  const began = Date.now();
  /** Our time runs so much faster than the real one, waits and clock alike. */
  let faster = 1;
  const now = () => new Date(began + (Date.now() - began) * faster);

  syncEach('tiny', (fresh) => {
    ({ database, simulator } = fresh);
    return () => syncing.stop();
  });

  async function open(times: number): Promise<void> {
    faster = times;
    syncing = openSyncing(database.db, simulator, { now, faster });
    user = await syncing.user('octo');
    repository = await syncing.connect(user, 'octo-org/hello');
  }
  const fails = () => simulator.control('faults', { match: everything, effect: { name: 'bad_gateway' } });
  const state = () => stateOf(database.db, repository, now());
  const sessionOf = async (id: string): Promise<SyncSession> => (await sessionById(database.db, id))!;

  it.each(['full', 'incremental'] as const)(
    'is asked at most 20 times in the first three minutes of a sync, %s, which says that it waits, and why',
    async (mode) => {
      await open(100);
      if (mode === 'incremental') await syncing.run(user, repository, 'full');
      await fails();
      await forget(simulator);

      const start = now().getTime();
      await syncing.start(user, repository, mode);
      let waiting = await state();
      for (; waiting.status !== 'waiting'; waiting = await state())
        await new Promise((resolve) => setTimeout(resolve, 5));
      while (now().getTime() - start < 180_000) await new Promise((resolve) => setTimeout(resolve, 20));
      const { requests } = await asked(simulator);

      expect(waiting).toMatchObject({ success: true, status: 'waiting', can_resume: false });
      expect(waiting.error).toMatch(/^GitHub cannot be reached/);
      expect(waiting.waiting_until).not.toBeNull();
      expect(requests).toBeGreaterThan(1);
      expect(requests).toBeLessThanOrEqual(20);
    },
  );

  it('makes a sync fail after half an hour, which somebody resumes; one that comes back is gone on with', async () => {
    await open(2000);
    await fails();

    const id = await syncing.start(user, repository, 'full');
    const end = await syncing.until(id, 'failed', 'completed');
    const row = await database.db.selectFrom('sync_sessions').selectAll().executeTakeFirstOrThrow();
    await resumeSession(database.db, id, user, 'person', now());
    syncing.nudge();
    await expect.poll(async () => (await state()).status, { interval: 5 }).toBe('waiting');
    await simulator.control('faults', undefined, 'DELETE');
    const resumed = await syncing.until(id, 'failed', 'completed');

    expect(end).toMatchObject({ status: 'failed', can_resume: true, has_more: true });
    expect(end.error).toMatch(/^GitHub cannot be reached/);
    expect(row.waited_seconds).toBe(1800);
    expect(resumed).toMatchObject({ status: 'completed', waiting_until: null, error: null });
    expect(await database.db.selectFrom('sync_sessions').select('waited_seconds').execute()).toEqual([
      { waited_seconds: 0 },
    ]);
  });

  it.each(['server_error', 'cut'])(
    'makes a catch-up fail after half an hour of %s although the host lists what changed',
    async (name) => {
      await open(2000);
      await syncing.run(user, repository, 'full');
      await simulator.control(`${hello}/pulls/1/entries`, { kind: 'comment', by: 'mona' });
      await simulator.control('faults', { match: { operation: 'PullRequestsById' }, effect: { name } });
      await forget(simulator);

      const id = await syncing.start(user, repository, 'incremental');
      const end = await syncing.until(id, 'failed', 'completed');
      const { waited_seconds } = await sessionOf(id);
      const { requests } = await asked(simulator);
      await simulator.control('faults', undefined, 'DELETE');
      await resumeSession(database.db, id, user, 'person', now());
      syncing.nudge();
      const resumed = await syncing.until(id, 'failed', 'completed');

      expect(end).toMatchObject({ status: 'failed', can_resume: true });
      expect(end.error).toMatch(/^GitHub cannot be reached/);
      expect(waited_seconds).toBe(1800);
      expect(requests).toBeLessThan(200);
      expect(resumed).toMatchObject({ status: 'completed', error: null });
      expect(await sessionOf(id)).toMatchObject({ attempts: 0, waited_seconds: 0, error_kind: null });
    },
  );

  it('is asked again after small pauses once it has answered anything', async () => {
    await open(2000);
    await syncing.run(user, repository, 'full');
    await simulator.control(`${hello}/pulls/1/entries`, { kind: 'comment', by: 'mona' });
    for (const operation of ['OpenPullRequests', 'PullRequestsById'])
      await simulator.control('faults', { match: { operation, next: 4 }, effect: { name: 'server_error' } });

    const end = await syncing.run(user, repository, 'incremental');

    const pauses = syncing.logged.flatMap(({ fields }) => ('pause' in fields ? [fields.pause] : []));
    expect(end).toMatchObject({ status: 'completed', error: null });
    expect(pauses).toEqual([1500, 2500, 4500, 8500, 1500, 2500, 4500, 8500]);
  });
});

describe('a failure of our own', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let now: () => Date;

  syncEach('tiny', (fresh) => {
    ({ database, simulator } = fresh);
    const began = Date.now();
    const faster = 100;
    now = () => new Date(began + (Date.now() - began) * faster);
    syncing = openSyncing(database.db, simulator, { now, faster });
    return async () => {
      await sql`drop trigger if exists fails on pull_requests`.execute(database.db);
      await syncing.stop();
    };
  });

  it('is repeated three times while what changed is stored, and the sync fails, to be resumed', async () => {
    const user = await syncing.user('octo');
    const repository = await syncing.connect(user, 'octo-org/hello');
    await syncing.run(user, repository, 'full');
    await simulator.control(`${hello}/pulls/1/entries`, { kind: 'comment', by: 'mona' });
    await sql`
      create or replace function fails() returns trigger language plpgsql as $$ begin
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end $$`.execute(database.db);
    await sql`create trigger fails before insert or update on pull_requests execute function fails()`.execute(
      database.db,
    );
    // What failed otherwise before is none of the repetitions.
    const match = { operation: 'OpenPullRequests', next: 4 };
    await simulator.control('faults', { match, effect: { name: 'server_error' } });
    await forget(simulator);

    const id = await syncing.start(user, repository, 'incremental');
    const end = await syncing.until(id, 'failed', 'completed');
    const { operations } = await asked(simulator);
    await sql`drop trigger fails on pull_requests`.execute(database.db);
    await resumeSession(database.db, id, user, 'person', now());
    syncing.nudge();
    const resumed = await syncing.until(id, 'failed', 'completed');

    expect(end).toMatchObject({ status: 'failed', can_resume: true, error: expect.stringMatching(/on our side/) });
    expect(operations.PullRequestsById).toBe(4);
    expect(resumed).toMatchObject({ status: 'completed', error: null });
  });
});
