import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { noteUntold } from '../../src/server/sync/unread.ts';
import { upkeep } from '../../src/server/sync/upkeep.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';

const HOUR = 3_600_000;
/** Open pull requests, each with a thread and a check, and what an hourly look may then cost in points. */
const repositories = [
  { open: 0, most: 1 },
  { open: 60, most: 1 },
  { open: 100, most: 1 },
  { open: 101, most: 2 },
];

describe('a quiet repository', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let ahead = 0;
  const ids = new Map<number, number>();

  beforeAll(async () => {
    [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
    await database.db.deleteFrom('repositories').execute();
    syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + ahead) });
    for (const { open } of repositories) {
      const login = `reader-${open}`;
      await simulator.control('accounts', { login });
      await simulator.control('repos', aRepository(open, login));
      const user = await syncing.user(login);
      ids.set(open, await syncing.connect(user, `octo-org/quiet-${open}`));
      await syncing.run(user, ids.get(open)!, 'full');
    }
    // What is read for the first time is remembered, of a hundred with checks all within three hours; from then on only what
    // changes is fetched.
    for (let hour = 0; hour < 3; hour += 1) await anHour();
  });
  afterAll(async () => {
    await syncing.stop();
    await database.close();
    await simulator.stop();
  });

  /** An hour passes and the schedule looks. Answers points and requests by the number of open pull requests. */
  async function anHour(): Promise<Map<number, { points: number; requests: number }>> {
    ahead += HOUR;
    await simulator.control('counters', undefined, 'DELETE');
    await upkeep(syncing.context, new AbortController().signal);
    const sessions = await database.db
      .selectFrom('sync_sessions')
      .select('id')
      .where('status', 'in', ['queued', 'running', 'waiting'])
      .execute();
    syncing.nudge();
    for (const { id } of sessions) expect(await syncing.until(id)).toMatchObject({ status: 'completed' });
    const { accounts } = (await simulator.control('counters')) as {
      accounts: Record<string, { points: number; requests: number }>;
    };
    return new Map(
      repositories.map(({ open }) => {
        const tallies = Object.entries(accounts).filter(([name]) => name.startsWith(`reader-${open}/`));
        const sum = (field: 'points' | 'requests') => tallies.reduce((total, [, tally]) => total + tally[field], 0);
        return [open, { points: sum('points'), requests: sum('requests') }];
      }),
    );
  }
  const silently = (number: number, entry: object) =>
    simulator.control(`repos/octo-org/quiet-100/pulls/${number}/entries`, entry);

  it('costs one point an hour, and one more for each further hundred of open pull requests', async () => {
    const hours = [];
    for (let hour = 0; hour < 5; hour += 1) hours.push(await anHour());

    for (const { open, most } of repositories) {
      const costs = hours.map((hour) => hour.get(open));
      expect(costs, `${open} open`).toEqual(costs.map(() => ({ points: most, requests: most })));
    }
  });

  it('is seen within the hour when a check ends or a thread is resolved, which the update date does not tell', async () => {
    const fetched = async (number: number) =>
      await database.db
        .selectFrom('pull_requests')
        .select(['fetched_at', 'updated_at'])
        .where('repository_id', '=', ids.get(100)!)
        .where('number', '=', number)
        .executeTakeFirstOrThrow();
    const before = [await fetched(7), await fetched(93), await fetched(50)];
    await silently(7, { kind: 'check', name: 'late', outcome: 'FAILURE' });
    await silently(93, { kind: 'thread_resolved', by: 'mona', comment: commentOf(100, 93) });

    const { points } = (await anHour()).get(100)!;
    const after = [await fetched(7), await fetched(93), await fetched(50)];

    expect(after.map((one) => one.updated_at)).toEqual(before.map((one) => one.updated_at));
    expect(after.map((one, index) => one.fetched_at > before[index]!.fetched_at)).toEqual([true, true, false]);
    // The look, and the two pull requests with all that they hold.
    expect(points).toBe(2);
    // The checks of the first come in turn within three hours, and are then known.
    for (let hour = 0; hour < 3; hour += 1) await anHour();
    expect((await anHour()).get(100)).toEqual({ points: 1, requests: 1 });
  });
});

describe('quiet repositories of one person', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let ahead = 0;
  let user: number;
  const MANY = 12;
  const ids: number[] = [];

  beforeAll(async () => {
    [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
    await database.db.deleteFrom('repositories').execute();
    syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + ahead) });
    await simulator.control('accounts', { login: 'reader' });
    user = await syncing.user('reader');
    for (let index = 0; index < MANY; index += 1) {
      const open = index % 4;
      await simulator.control('repos', { ...aRepository(open, 'reader', 10 + index), name: `one-of-${index}` });
      ids.push(await syncing.connect(user, `octo-org/one-of-${index}`));
      await syncing.run(user, ids[index]!, 'full');
    }
    for (let hour = 0; hour < 3; hour += 1) await anHour();
  }, 120_000);
  afterAll(async () => {
    await syncing.stop();
    await database.close();
    await simulator.stop();
  });

  /** An hour passes and the schedule looks. Answers what was asked, and of which repositories a sync ran. */
  async function anHour({ minutes = 60, mayFail = false } = {}) {
    ahead += minutes * 60_000;
    const before = await database.db.selectFrom('sync_sessions').select('id').execute();
    const known = new Set(before.map(({ id }) => id));
    await simulator.control('counters', undefined, 'DELETE');
    await upkeep(syncing.context, new AbortController().signal);
    syncing.nudge();
    const sessions = await database.db.selectFrom('sync_sessions').select(['id', 'repository_id']).execute();
    const begun = sessions.filter(({ id }) => !known.has(id));
    for (const { id } of begun) {
      const { status } = await syncing.until(id);
      if (!mayFail) expect(status).toBe('completed');
    }
    const { kinds } = (await simulator.control('counters')) as {
      kinds: Record<string, { points: number; requests: number }>;
    };
    const { points, requests } = kinds.graphql ?? { points: 0, requests: 0 };
    const synced = begun.map(({ repository_id }) => ids.indexOf(repository_id)).sort((one, other) => one - other);
    return { points, requests, synced };
  }
  const happens = (index: number, number: number, entry: object) =>
    simulator.control(`repos/octo-org/one-of-${index}/pulls/${number}/entries`, entry);

  it('cost one point together, and count as read', async () => {
    expect(await anHour()).toEqual({ points: 1, requests: 1, synced: [] });
    expect(await anHour()).toEqual({ points: 1, requests: 1, synced: [] });
    expect(await anHour({ minutes: 20 })).toMatchObject({ requests: 0 });

    const rows = await database.db.selectFrom('repositories').select(['last_synced_at', 'swept_at']).execute();
    const since = Date.now() + ahead - HOUR;
    expect(rows.every((row) => row.last_synced_at!.getTime() > since && row.swept_at!.getTime() > since)).toBe(true);
  });

  it('are synced where anything changed, and no others', async () => {
    await happens(2, 1, { kind: 'comment', by: 'octo' });
    await happens(3, 2, { kind: 'check', name: 'late', outcome: 'FAILURE' });
    await simulator.control('repos/octo-org/one-of-5/pulls', { title: 'New', author: 'mona' });
    await simulator.control('repos/octo-org/one-of-8', { name: 'renamed' }, 'PATCH');

    const { synced } = await anHour();

    expect(synced).toEqual([2, 3, 5, 8]);
    const comments = await database.db
      .selectFrom('comments')
      .select('number')
      .where('repository_id', '=', ids[2]!)
      .where('kind', '=', 'general')
      .execute();
    expect(comments).toEqual([{ number: 1 }]);
    // Whatever was read twice within two seconds is read once more.
    await anHour();
    expect(await anHour()).toEqual({ points: 1, requests: 1, synced: [] });
  });

  it('see a resolved thread within the hours that their closer looks take', async () => {
    await happens(7, 3, { kind: 'thread_resolved', by: 'mona', comment: commentOf(17, 3) });

    const { synced } = await anHour();

    expect(synced).toEqual([7]);
  });

  it('are synced where changes are to be listed again', async () => {
    const untold = { since: new Date(0), reason: 'Something went wrong.' };
    await noteUntold(database.db, ids[6]!, untold, new Date(Date.now() + ahead));

    expect((await anHour()).synced).toEqual([6]);
    expect((await anHour()).synced).toEqual([]);
  });

  it('are left to their syncs while the host does not answer for many, and lost from sight one by one', async () => {
    await simulator.control('faults', { match: { operation: 'LookAtRepository' }, effect: { name: 'bad_gateway' } });
    const { synced } = await anHour();
    await simulator.control('faults', undefined, 'DELETE');
    expect(synced).toEqual(Array.from({ length: MANY }, (_, index) => index));

    await simulator.control('repos/octo-org/one-of-4', { deleted: true }, 'PATCH');
    await anHour({ mayFail: true });
    const seen = await database.db.selectFrom('connections').select(['repository_id', 'readable']).execute();
    expect(seen.filter(({ readable }) => !readable).map(({ repository_id }) => ids.indexOf(repository_id))).toEqual([
      4,
    ]);
  });
});

function commentOf(key: number, number: number): number {
  return key * 100_000 + number * 100 + 1;
}

function aRepository(open: number, reader: string, key = open): object {
  const at = (days: number) => Date.now() - days * 24 * HOUR;
  return {
    owner: 'octo-org',
    name: `quiet-${open}`,
    readers: [reader],
    admins: [reader],
    createdAt: at(100),
    pullRequests: Array.from({ length: open }, (_, index) => ({
      id: key * 1000 + index,
      number: index + 1,
      title: `Change ${index + 1}`,
      author: 'mona',
      createdAt: at(90) + index * 60_000,
      openedAsDraft: false,
      baseRef: 'main',
      headRef: `change-${index + 1}`,
      bodyLength: 10,
      commits: [
        {
          sha: `${key}`.padStart(20, '0') + `${index}`.padStart(20, '0'),
          account: 'mona',
          authorName: 'mona',
          authorEmail: 'mona@mail.example',
          authoredAt: at(91),
          committedAt: at(91),
          message: 'A change',
        },
      ],
      size: { additions: 10, deletions: 2, files: [{ path: 'src/main.ts', additions: 10, deletions: 2 }] },
      entries: [
        {
          kind: 'review',
          at: at(80) + index * 600_000,
          by: 'octo',
          id: key * 1000 + index,
          state: 'COMMENTED',
          bodyLength: 0,
          commit: null,
          comments: [
            { id: commentOf(key, index + 1), at: at(80), author: 'octo', path: 'src/main.ts', inReplyTo: null },
          ],
        },
        {
          kind: 'check',
          at: at(79),
          by: null,
          id: key * 1000 + index,
          name: 'build',
          app: 'CI',
          startedAt: at(79),
          outcome: 'SUCCESS',
        },
      ],
    })),
  };
}
