import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { readAgain } from '../../src/server/sync/read-again.ts';
import { openTestDatabase } from '../support/database.ts';
import { randomFrom } from '../support/random-reviewed.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { asked, forget, openSyncing, type Syncing } from '../support/syncing.ts';

/*
 * What collecting costs of the host's quota (docs/server.md#what-is-read-again), counted by the simulated host.
 */

const COUNT = 2000;
const REPOSITORY = 'octo-org/reviewed';
const HOUR = 3_600_000;

let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
let user: number;

beforeAll(async () => {
  [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  syncing = openSyncing(database.db, simulator);
  await simulator.control('accounts', { login: 'reader' });
  await simulator.control('accounts', { login: 'coderabbitai[bot]', type: 'Bot' });
  await simulator.control('repos', aRepository());
  user = await syncing.user('reader');
});
afterAll(async () => {
  await syncing.stop();
  await database.close();
  await simulator.stop();
});

/** How many threads each has in turn: few have many, and some none. */
const random = randomFrom(7);
const threads = Array.from({ length: COUNT }, () => Math.floor(8 * random.next() ** 3) + random.below(2));

describe(`of ${COUNT.toLocaleString('en')} pull requests that an agent reviewed`, () => {
  it('an import costs at most 45 points per 1,000', async () => {
    await forget(simulator);

    const id = await syncing.connect(user, REPOSITORY);
    const { status } = await syncing.run(user, id, 'full');

    expect(status).toBe('completed');
    expect((await asked(simulator)).points).toBeLessThanOrEqual((45 * COUNT) / 1000);
  });

  it('threads cost a hundredth of a point each and one for their pull request, once', async () => {
    const { db } = database;
    await forget(simulator);
    await readAgain(syncing.context, { until: null }, new AbortController().signal);
    const { points } = await asked(simulator);
    await readAgain(syncing.context, { until: null }, new AbortController().signal);
    const { points: altogether } = await asked(simulator);

    const read = await db.selectFrom('review_threads').select(['comment_id', 'resolved']).execute();
    const due = threads.filter((count) => count > 0).reduce((sum, count) => sum + 1 + count, 0) / 100;
    expect(read).toHaveLength(threads.reduce((sum, count) => sum + count, 0));
    expect(points).toBeLessThanOrEqual(due);
    expect(altogether).toBe(points);
  });
});

function aRepository() {
  const start = Math.floor(Date.now() / 1000) * 1000 - 400 * 24 * HOUR;
  const pullRequests = threads.map((count, index) => {
    const createdAt = start + index * HOUR;
    const id = 5_000_000 + index * 100;
    const remark = (place: number) => ({
      ...{ id: id + 1 + place, at: createdAt + HOUR, author: 'coderabbitai[bot]', path: 'a.ts', inReplyTo: null },
    });
    return {
      ...{ id, number: index + 1, title: `Change ${index + 1}`, author: 'mona', createdAt, openedAsDraft: false },
      ...{ baseRef: 'main', headRef: `change-${index}`, bodyLength: 40 },
      commits: [],
      size: { additions: 1, deletions: 1, files: [{ path: 'a.ts', additions: 1, deletions: 1 }] },
      entries: [
        {
          ...{ kind: 'review', at: createdAt + HOUR, by: 'coderabbitai[bot]', id: id + 50, state: 'COMMENTED' },
          ...{ bodyLength: 10, commit: null, comments: Array.from({ length: count }, (_, place) => remark(place)) },
        },
        { kind: 'merged', at: createdAt + 2 * HOUR, by: 'octo', commit: `${id}`.padStart(40, '0') },
      ],
    };
  });
  return {
    ...{ id: 77_002, owner: 'octo-org', name: 'reviewed', private: true, readers: ['reader'], admins: [] },
    ...{ archived: false, defaultBranch: 'main', createdAt: start, pullRequests },
  };
}
