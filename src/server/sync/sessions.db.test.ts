import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { openSyncing, type Syncing } from '../../../test/support/syncing.ts';
import type { OpenDatabase } from '../db/open.ts';
import { sleep } from '../sleep.ts';
import { claimSession, heartbeat, resumeSession, sessionById, startSession } from './sessions.ts';

const WORKER = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';

describe('the signs of life of a sync session', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  beforeAll(async () => {
    [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  });
  afterEach(async () => {
    await syncing.stop();
    await database.db.deleteFrom('repositories').execute();
  });
  afterAll(async () => {
    await database.close();
    await simulator.stop();
  });

  const silent = () => sql`update sync_sessions set heartbeat_at = now() - interval '1 minute'`.execute(database.db);
  const claim = (worker: string) => claimSession(database.db, worker, 5, new Date());
  /** Two sessions, running by the same worker. */
  async function twoRunning(): Promise<string[]> {
    syncing = openSyncing(database.db, simulator, { working: false });
    const user_id = await syncing.user('octo');
    const ids: string[] = [];
    for (const full_name of ['octo-org/hello', 'octo-org/secret']) {
      const repository_id = await syncing.connect(user_id, full_name);
      const asked = { repository_id, user_id, mode: 'full', asked_by: 'person', page_size_limit: null } as const;
      await startSession(database.db, asked, new Date());
      ids.push((await claim(WORKER))!.id);
    }
    return ids;
  }

  it('tell what is still a worker’s own', async () => {
    const [one, other] = await twoRunning();
    await sql`update sync_sessions set worker = ${OTHER} where id = ${other}`.execute(database.db);
    expect(await heartbeat(database.db, WORKER, [one!, other!])).toEqual(new Set([one]));
  });

  it('are only of those that the worker is at: what it lost sight of comes free with its lease', async () => {
    const [one, other] = await twoRunning();
    await silent();
    expect(await heartbeat(database.db, WORKER, [one!])).toEqual(new Set([one]));
    expect((await claim(OTHER))?.id).toBe(other);
  });

  // The embedded database has one connection, and one process.
  it.runIf(process.env.TEST_DATABASE === 'postgresql')(
    'do not wait for one whose page is being stored, which stays its worker’s own',
    async () => {
      const [stored, other] = await twoRunning();
      await silent();
      await database.db.transaction().execute(async (page) => {
        await page.selectFrom('sync_sessions').select('id').where('id', '=', stored!).forUpdate().execute();
        expect(await heartbeat(database.db, WORKER, [stored!, other!])).toEqual(new Set([stored, other]));
        expect(await claim(OTHER)).toBeNull();
      });
    },
  );

  // The embedded database has one connection.
  it.runIf(process.env.TEST_DATABASE === 'postgresql')(
    'end in a session that is not resumed beside one which begins in the same moment',
    async () => {
      const [stopped] = await twoRunning();
      await database.db.updateTable('sync_sessions').set({ status: 'failed' }).where('id', '=', stopped!).execute();
      const { user_id, repository_id } = (await sessionById(database.db, stopped!))!;
      const resume = () => resumeSession(database.db, stopped!, user_id, 'person', new Date());
      let resuming: ReturnType<typeof resume> | undefined;
      await database.db.transaction().execute(async (beginning) => {
        await sql`select from repositories where id = ${repository_id} for no key update`.execute(beginning);
        await sql`
          insert into sync_sessions (id, repository_id, user_id, asked_by, mode, status, phase, stage, created_at, updated_at)
          values (gen_random_uuid(), ${repository_id}, ${user_id}, 'person', 'full', 'queued', 'starting', 'history', now(), now())`.execute(
          beginning,
        );
        resuming = resume();
        resuming.catch(() => undefined);
        await sleep(300);
      });

      expect(await resuming).toBeNull();
      expect((await sessionById(database.db, stopped!))?.status).toBe('failed');
    },
  );

  it('come with each page, so that one which was stored for long is not taken for abandoned', async () => {
    const long_ago = new Date(Date.now() - 10_000);
    syncing = openSyncing(database.db, simulator, {
      // As in the product: no other sign of life comes between.
      faster: 1,
      client: (client) => ({
        ...client,
        async pullRequests(...asked) {
          const page = await client.pullRequests(...asked);
          await database.db.updateTable('sync_sessions').set({ heartbeat_at: long_ago }).execute();
          return page;
        },
      }),
    });
    const user_id = await syncing.user('octo');
    const id = await syncing.start(user_id, await syncing.connect(user_id, 'octo-org/hello'), 'full');
    await syncing.until(id);
    const { heartbeat_at } = (await sessionById(database.db, id))!;
    expect(heartbeat_at!.getTime()).toBeGreaterThan(long_ago.getTime());
  });
});
