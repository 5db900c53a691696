import { describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { resumeSession } from '../../src/server/sync/sessions.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { asked, forget, openSyncing, type Syncing, stateOf } from '../support/syncing.ts';

const everything = { kind: 'graphql' };

describe('a host that fails everything', () => {
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
});
