import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { openSyncing, type Syncing } from '../../../test/support/syncing.ts';
import type { OpenDatabase } from '../db/open.ts';
import { checkDueAccess } from './check-access.ts';
import { type SyncSession, startSession } from './sessions.ts';
import { upkeep } from './upkeep.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

describe('the upkeep of repositories', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let clock: Date;
  let octo: number;
  let mona: number;

  beforeAll(async () => {
    [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  });
  beforeEach(async () => {
    await database.db.deleteFrom('repositories').execute();
    await database.db.deleteFrom('credentials').execute();
    clock = new Date('2026-11-20T12:00:00Z');
    syncing = openSyncing(database.db, simulator, { now: () => clock, working: false });
    octo = await syncing.user('octo');
    mona = await syncing.user('mona');
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  const elapse = (milliseconds: number) => {
    clock = new Date(clock.getTime() + milliseconds);
  };
  const look = () => upkeep(syncing.context, new AbortController().signal);
  const check = () => checkDueAccess(syncing.context, new AbortController().signal);
  const sessions = () => database.db.selectFrom('sync_sessions').selectAll().orderBy('created_at').execute();
  /** A session that began and reached this status now. */
  async function aSession(
    user_id: number,
    repository_id: number,
    status: SyncSession['status'],
    asked_by: SyncSession['asked_by'] = 'person',
  ): Promise<string> {
    const request = { repository_id, user_id, mode: 'full', asked_by, page_size_limit: null } as const;
    const session = await startSession(database.db, request, clock);
    const ended = ['completed', 'failed', 'cancelled'].includes(status);
    await database.db
      .updateTable('sync_sessions')
      .set({ status, finished_at: ended ? clock : null })
      .where('id', '=', session!.id)
      .execute();
    return session!.id;
  }
  const sightOf = (user_id: number) =>
    database.db
      .selectFrom('connections')
      .select(['readable', 'checked_at'])
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();

  it('neither syncs nor checks what is of a host that is not served', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    await aSession(octo, repository, 'completed');
    const { checked_at } = await sightOf(octo);
    elapse(2 * DAY);
    const elsewhere = { ...syncing.context, served: ['https://before.example.com'] };

    await upkeep(elsewhere, new AbortController().signal);
    await checkDueAccess(elsewhere, new AbortController().signal);

    expect(await sessions()).toHaveLength(1);
    expect(await sightOf(octo)).toMatchObject({ checked_at });
    await look();
    await check();
    expect(await sessions()).toHaveLength(2);
    expect((await sightOf(octo)).checked_at).not.toEqual(checked_at);
  });

  it('reads a repository again an hour after its last sync ended, not sooner', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    const first = await aSession(octo, repository, 'completed');

    elapse(HOUR - SECOND);
    await look();
    const sooner = await sessions();
    elapse(SECOND);
    await look();

    expect(sooner.map(({ id }) => id)).toEqual([first]);
    expect(await sessions()).toMatchObject([
      { id: first },
      { repository_id: repository, user_id: octo, asked_by: 'schedule', status: 'queued' },
    ]);
  });

  it('reads an archived repository once a day', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    await database.db.updateTable('repositories').set({ archived: true }).execute();
    await aSession(octo, repository, 'completed');

    elapse(DAY - SECOND);
    await look();
    const sooner = await sessions();
    elapse(SECOND);
    await look();

    expect(sooner).toHaveLength(1);
    expect(await sessions()).toHaveLength(2);
  });

  it('reads a repository that nobody ever synced, an hour after it was connected', async () => {
    await syncing.connect(octo, 'octo-org/hello');

    await look();
    const atOnce = await sessions();
    elapse(HOUR);
    await look();

    expect(atOnce).toEqual([]);
    expect(await sessions()).toMatchObject([{ mode: 'full', asked_by: 'schedule' }]);
  });

  it.each(['queued', 'running', 'waiting'] as const)(
    'starts nothing beside a session that is %s, however long',
    async (status) => {
      const repository = await syncing.connect(octo, 'octo-org/hello');
      const active = await aSession(octo, repository, status);

      elapse(3 * HOUR);
      await look();

      expect(await sessions()).toMatchObject([{ id: active, status, asked_by: 'person' }]);
    },
  );

  it('goes on hourly after a cancelled look at a repository whose history is there', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    await database.db
      .updateTable('repositories')
      .set({ history_completed_at: clock, watermark: clock, last_synced_at: clock })
      .execute();
    const cancelled = await aSession(octo, repository, 'cancelled');

    elapse(HOUR);
    await look();

    expect(await sessions()).toMatchObject([{ id: cancelled }, { asked_by: 'schedule', status: 'queued' }]);
  });

  it('leaves a first import that a person cancelled alone', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    const cancelled = await aSession(octo, repository, 'cancelled');

    elapse(3 * HOUR);
    await look();

    expect(await sessions()).toMatchObject([{ id: cancelled, status: 'cancelled' }]);
  });

  it('goes on with a first import for others whose person cancelled it by removing the repository', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    await syncing.connect(mona, 'octo-org/hello');
    await aSession(octo, repository, 'cancelled');
    await database.db.deleteFrom('connections').where('user_id', '=', octo).execute();

    elapse(HOUR);
    await look();

    expect((await sessions()).at(-1)).toMatchObject({ repository_id: repository, user_id: mona, status: 'queued' });
  });

  it('goes on with a full import that failed, an hour later', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    const failed = await aSession(octo, repository, 'failed');

    elapse(HOUR);
    await look();

    expect(await sessions()).toMatchObject([{ id: failed, status: 'queued', asked_by: 'schedule' }]);
  });

  it('starts one session, however many processes look at once', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    await aSession(octo, repository, 'completed');

    elapse(HOUR);
    await Promise.all([look(), look(), look()]);

    expect(await sessions()).toHaveLength(2);
  });

  it('never reads with a token that the host rejected, but with that of another reader', async () => {
    await syncing.connect(octo, 'octo-org/hello');
    await database.db.updateTable('credentials').set({ rejected_at: clock }).where('user_id', '=', octo).execute();

    elapse(HOUR);
    await look();
    const alone = await sessions();
    await syncing.connect(mona, 'octo-org/hello');
    await look();

    expect(alone).toEqual([]);
    expect(await sessions()).toMatchObject([{ user_id: mona }]);
  });

  it('reads with the quota of a reader who has some left, where there is one', async () => {
    await syncing.connect(octo, 'octo-org/hello');
    await syncing.connect(mona, 'octo-org/hello');
    const elsewhere = await syncing.connect(octo, 'octo-org/secret');
    await aSession(octo, elsewhere, 'waiting');
    const until = new Date(clock.getTime() + 2 * HOUR);
    await database.db.updateTable('sync_sessions').set({ error_kind: 'rate_limited', waiting_until: until }).execute();

    elapse(HOUR);
    await look();
    const spent = (await sessions()).filter(({ asked_by }) => asked_by === 'schedule');
    await database.db.deleteFrom('sync_sessions').where('asked_by', '=', 'schedule').execute();
    elapse(HOUR + SECOND);
    await look();
    const renewed = (await sessions()).filter(({ asked_by }) => asked_by === 'schedule');

    expect(spent).toMatchObject([{ user_id: mona }]);
    expect(renewed).toMatchObject([{ user_id: octo }]);
  });

  it('never reads for somebody who has lost sight of a repository, but for who has not', async () => {
    await syncing.connect(octo, 'octo-org/hello');
    await database.db.updateTable('connections').set({ readable: false }).execute();

    elapse(HOUR);
    await look();
    const alone = await sessions();
    await syncing.connect(mona, 'octo-org/hello');
    await look();

    expect(alone).toEqual([]);
    expect(await sessions()).toMatchObject([{ user_id: mona }]);
  });

  it('asks the host once a day whether a reader still is one', async () => {
    await syncing.connect(octo, 'octo-org/hello');
    const connected = clock;

    elapse(HOUR);
    await check();
    const sameDay = await sightOf(octo);
    elapse(DAY - HOUR);
    await check();

    expect(sameDay).toEqual({ readable: true, checked_at: connected });
    expect(await sightOf(octo)).toEqual({ readable: true, checked_at: clock });
  });

  it('takes a repository out of the sight of whom the host answers that there is none, and of nobody else', async () => {
    await syncing.connect(octo, 'octo-org/secret');
    await syncing.connect(mona, 'octo-org/secret');
    await simulator.control('repos/octo-org/secret', { readers: ['octo'] }, 'PATCH');

    elapse(DAY);
    await check();

    expect(await sightOf(mona)).toEqual({ readable: false, checked_at: clock });
    expect(await sightOf(octo)).toEqual({ readable: true, checked_at: clock });
  });

  it('forgets what the schedule completed a week ago, but neither a person’s session nor the newest', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    const persons = await aSession(octo, repository, 'completed');
    elapse(HOUR);
    await aSession(octo, repository, 'completed', 'schedule');
    elapse(HOUR);
    const newest = await aSession(octo, repository, 'completed', 'schedule');
    await database.db.updateTable('connections').set({ readable: false }).execute();

    elapse(7 * DAY - 2 * HOUR);
    await look();
    const within = await sessions();
    elapse(3 * HOUR);
    await look();

    expect(within).toHaveLength(3);
    expect((await sessions()).map(({ id }) => id)).toEqual([persons, newest]);
  });

  it('goes on for everybody else where one person’s token cannot be looked up, and counts that', async () => {
    await simulator.control('repos/octo-org/secret', { readers: ['octo', 'mona'] }, 'PATCH');
    const broken = await syncing.connect(octo, 'octo-org/hello');
    const fine = await syncing.connect(mona, 'octo-org/secret');
    const ofOcto = (user_id: number) => {
      if (user_id === octo) throw new Error('unable to authenticate data');
    };
    const failed: string[] = [];
    const context: typeof syncing.context = {
      ...syncing.context,
      async clientForSync(user_id, repository_id) {
        ofOcto(user_id);
        return await syncing.context.clientForSync(user_id, repository_id);
      },
      async checkAccess(user_id, repository_id) {
        ofOcto(user_id);
        return await syncing.context.checkAccess(user_id, repository_id);
      },
      stepFailed: (step, _error, fields) => void failed.push(`${step} ${JSON.stringify(fields)}`),
    };

    elapse(DAY);
    await upkeep(context, new AbortController().signal);
    await checkDueAccess(context, new AbortController().signal);

    expect((await sessions()).map(({ repository_id }) => repository_id)).toEqual([fine]);
    expect(await sightOf(mona)).toEqual({ readable: true, checked_at: clock });
    expect(failed).toEqual([
      `find_token {"user_id":${octo}}`,
      `check_access {"user_id":${octo},"repository_id":${broken}}`,
    ]);
  });

  it('keeps of a repository that fails hourly no more than a week of failures', async () => {
    const repository = await syncing.connect(octo, 'octo-org/hello');
    for (let hour = 0; hour < 10; hour += 1) {
      await aSession(octo, repository, 'failed', 'schedule');
      elapse(HOUR);
    }
    const newest = await aSession(octo, repository, 'failed', 'schedule');
    await database.db.updateTable('connections').set({ readable: false }).execute();

    elapse(7 * DAY + HOUR);
    await look();

    expect((await sessions()).map(({ id }) => id)).toEqual([newest]);
  });

  it('starts nothing once its process is to end', async () => {
    await syncing.connect(octo, 'octo-org/hello');

    elapse(HOUR);
    await upkeep(syncing.context, AbortSignal.abort());

    expect(await sessions()).toEqual([]);
  });
});
