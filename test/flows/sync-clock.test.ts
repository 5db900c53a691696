import { describe, expect, it } from 'vitest';
import { addHints } from '../../src/server/db/hints.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { COLLECTION, WITHOUT_COMMITS } from '../../src/server/db/stored-records.ts';
import { type Pause, readAgain } from '../../src/server/sync/read-again.ts';
import { newestSession, startSession } from '../../src/server/sync/sessions.ts';
import { repositoriesDue } from '../../src/server/sync/upkeep.ts';
import { readWorkflowRuns } from '../../src/server/sync/workflow-runs.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { everythingStored, openSyncing, type Syncing } from '../support/syncing.ts';

const DAY = 24 * 3_600_000;
const hello = 'repos/octo-org/hello';

describe.each([
  ['back', -DAY],
  ['forward', DAY],
])('our clock set %s by a day', (_way, moved) => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let user: number;
  let repository: number;
  /** Our clock less the real one, in milliseconds. */
  let ahead = 0;

  syncEach('tiny', async (fresh) => {
    ({ database, simulator } = fresh);
    ahead = 0;
    syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + ahead) });
    user = await syncing.user('octo');
    repository = await syncing.connect(user, 'octo-org/hello');
    return () => syncing.stop();
  });

  const comment = (number: number) =>
    simulator.control(`${hello}/pulls/${number}/entries`, { kind: 'comment', by: 'mona' });
  const comments = async (number: number) =>
    (await database.db.selectFrom('comments').select('host_id').where('number', '=', number).execute()).length;
  /** What a server that has always been right has of the host now. */
  async function ofTheHost(): Promise<unknown> {
    const stored = await everythingStored(database.db, repository);
    await database.db.deleteFrom('repositories').execute();
    ahead = 0;
    repository = await syncing.connect(user, 'octo-org/hello');
    await syncing.run(user, repository, 'full');
    expect(stored).toEqual(await everythingStored(database.db, repository));
    return null;
  }

  it('in the middle of an import loses and doubles nothing', async () => {
    const id = await syncing.start(user, repository, 'full', 1);
    await expect
      .poll(async () => (await newestSession(database.db, repository))?.processed_prs ?? 0, { interval: 2 })
      .toBeGreaterThan(0);
    ahead = moved;

    expect(await syncing.until(id)).toMatchObject({ status: 'completed' });
    await ofTheHost();
  });

  it('between two syncs: the next one starts, is the newest, and sees all that changed, also what no date tells', async () => {
    await syncing.run(user, repository, 'full');
    await comment(2);
    ahead = moved;

    const id = await syncing.start(user, repository, 'incremental');
    expect(await syncing.until(id)).toMatchObject({ status: 'completed' });
    expect((await newestSession(database.db, repository))?.id).toBe(id);
    const first = await comments(2);
    await comment(3);
    ahead = 0;
    const last = await syncing.start(user, repository, 'incremental');
    expect(await syncing.until(last)).toMatchObject({ status: 'completed' });

    expect((await newestSession(database.db, repository))?.id).toBe(last);
    expect(first).toBeGreaterThan(0);
    await ofTheHost();
  });

  it('the watermark is the host’s time all the same', async () => {
    ahead = moved;
    await syncing.run(user, repository, 'full');

    const { watermark } = await database.db.selectFrom('repositories').select('watermark').executeTakeFirstOrThrow();
    const newest = await database.db
      .selectFrom('pull_requests')
      .select('updated_at')
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(watermark).toEqual(newest.updated_at);
  });

  it('hints and refreshes go on', async () => {
    await syncing.run(user, repository, 'full');
    await comment(2);
    await addHints(database.db, repository, [{ kind: 'pull_request', number: 2 }], syncing.context.now());
    syncing.nudge();
    await expect.poll(() => comments(2)).toBeGreaterThan(0);
    const before = await comments(2);

    ahead = moved;
    await comment(2);
    await addHints(database.db, repository, [{ kind: 'pull_request', number: 2 }], syncing.context.now());
    syncing.nudge();

    await expect.poll(() => comments(2)).toBeGreaterThan(before);
  });

  it('the hourly syncs go on', async () => {
    await syncing.run(user, repository, 'full');
    ahead = moved;
    expect(await repositoriesDue(syncing.context)).toEqual([repository]);
    const request = { repository_id: repository, user_id: user, mode: 'smart', asked_by: 'schedule' } as const;
    const session = await startSession(database.db, { ...request, page_size_limit: null }, syncing.context.now());
    syncing.nudge();

    expect(await syncing.until(session!.id)).toMatchObject({ status: 'completed' });
    expect(await repositoriesDue(syncing.context)).toEqual([]);
  });

  it('what is read beside goes on, after a pause that is an hour at the longest', async () => {
    const { db } = database;
    const { signal } = new AbortController();
    await syncing.run(user, repository, 'full');
    await readWorkflowRuns(syncing.context, { until: null }, signal);
    await db.updateTable('pull_requests').set({ collection: 0 }).execute();
    const match = { operation: 'PullRequestsById', next: 1 };
    await simulator.control('faults', { match, effect: { name: 'secondary_limit_403', retryAfter: 86_400 } });
    const pause: Pause = { until: null };
    await readAgain(syncing.context, pause, signal);
    const seconds = (pause.until!.getTime() - Date.now()) / 1000;

    ahead = moved;
    await readAgain(syncing.context, { ...pause }, signal);
    await readWorkflowRuns(syncing.context, { ...pause }, signal);

    expect(seconds).toBeGreaterThan(3600);
    expect(seconds).toBeLessThanOrEqual(3660);
    const left = await db.selectFrom('pull_requests').select('number').where('collection', '=', 0).execute();
    expect(left).toEqual([]);
    const { due_at } = await db.selectFrom('workflow_reads').select('due_at').executeTakeFirstOrThrow();
    expect(Math.abs(due_at.getTime() - syncing.context.now().getTime() - DAY)).toBeLessThan(60_000);
  });

  it('what is to be asked about agents’ pull requests is asked', async () => {
    const { db } = database;
    await syncing.run(user, repository, 'full');
    const clue = { repository_id: repository, number: 2, kind: 'issue', due_at: syncing.context.now() } as const;
    await db.insertInto('clues').values(clue).execute();

    ahead = moved;
    await readAgain(syncing.context, { until: null }, new AbortController().signal);

    expect(await db.selectFrom('clues').select(['number', 'due_at']).execute()).toEqual([{ number: 2, due_at: null }]);
  });

  it('what was tried in vain is read again', async () => {
    const { db } = database;
    await syncing.run(user, repository, 'full');
    const tried = { collection: WITHOUT_COMMITS, collection_tried_at: syncing.context.now() };
    await db.updateTable('pull_requests').set(tried).execute();

    ahead = moved;
    await readAgain(syncing.context, { until: null }, new AbortController().signal);

    const left = await db.selectFrom('pull_requests').select('number').where('collection', '<', COLLECTION).execute();
    expect(left).toEqual([]);
  });

  it('one that waits goes on after an hour at the latest', async () => {
    const id = await syncing.start(user, repository, 'full', 1);
    await syncing.until(id);
    await database.db
      .updateTable('sync_sessions')
      .set({ status: 'waiting', waiting_until: new Date(Date.now() + 60_000), stage: 'changes', finished_at: null })
      .execute();
    ahead = moved;
    syncing.nudge();

    expect(await syncing.until(id)).toMatchObject({ status: 'completed' });
  });
});
