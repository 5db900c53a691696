import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
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
    // The look, the two pull requests and their inline comments.
    expect(points).toBe(3);
    // The checks of the first come in turn within three hours, and are then known.
    for (let hour = 0; hour < 3; hour += 1) await anHour();
    expect((await anHour()).get(100)).toEqual({ points: 1, requests: 1 });
  });
});

function commentOf(open: number, number: number): number {
  return open * 100_000 + number * 100 + 1;
}

function aRepository(open: number, reader: string): object {
  const at = (days: number) => Date.now() - days * 24 * HOUR;
  return {
    owner: 'octo-org',
    name: `quiet-${open}`,
    readers: [reader],
    admins: [reader],
    createdAt: at(100),
    pullRequests: Array.from({ length: open }, (_, index) => ({
      id: open * 1000 + index,
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
          sha: `${open}`.padStart(20, '0') + `${index}`.padStart(20, '0'),
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
          id: open * 1000 + index,
          state: 'COMMENTED',
          bodyLength: 0,
          commit: null,
          comments: [
            { id: commentOf(open, index + 1), at: at(80), author: 'octo', path: 'src/main.ts', inReplyTo: null },
          ],
        },
        {
          kind: 'check',
          at: at(79),
          by: null,
          id: open * 1000 + index,
          name: 'build',
          app: 'CI',
          startedAt: at(79),
          outcome: 'SUCCESS',
        },
      ],
    })),
  };
}
