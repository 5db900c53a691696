import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import type { HostPullRequest } from '../../src/server/host/pull-request.ts';
import { follow } from '../../src/server/sync/refresh.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { asked, forget, openSyncing, type Syncing } from '../support/syncing.ts';

const hello = 'repos/octo-org/hello';
const DAY = 24 * 3_600_000;
/** Such as no database can shorten. */
const long = (characters: number) => randomBytes(characters).toString('hex');

describe('a pull request that cannot be stored', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let user: number;
  let repository: number;
  /** What is wrong with the second one of the host. */
  let spoil: (pull: HostPullRequest) => HostPullRequest;
  /** Whether the host tells its second one when pages of history are read. */
  let isTold: boolean;
  /** Which one is kept with part of its comments when pages of history are read. */
  let partly: number | null;
  let elapsed: number;

  syncEach('tiny', async (fresh) => {
    ({ database, simulator } = fresh);
    spoil = (pull) => pull;
    [isTold, partly, elapsed] = [true, null, 0];
    const spoiled = (pull: HostPullRequest) => (pull.number === 2 ? spoil(pull) : pull);
    const client = (real: HostClient): HostClient => ({
      ...real,
      pullRequests: async (of, page) => {
        const answer = await real.pullRequests(of, page);
        const told = answer.pull_requests.filter(({ number }) => isTold || number !== 2);
        const skipped = isTold ? [] : [{ number: 2, reason: 'Something went wrong' }];
        if (told.some(({ number }) => number === partly)) skipped.push({ number: partly!, reason: 'kept in part' });
        return { ...answer, pull_requests: told.map(spoiled), skipped: [...answer.skipped, ...skipped] };
      },
      pullRequestsById: async (of, ids, signal) => {
        const answer = await real.pullRequestsById(of, ids, signal);
        return { ...answer, pull_requests: answer.pull_requests.map(spoiled) };
      },
      pullRequest: async (of, number, signal) => {
        const { repository, pull } = await real.pullRequest(of, number, signal);
        return { repository, pull: pull && spoiled(pull) };
      },
    });
    syncing = openSyncing(database.db, simulator, { client, now: () => new Date(Date.now() + elapsed) });
    user = await syncing.user('octo');
    repository = await syncing.connect(user, 'octo-org/hello');
    return () => syncing.stop();
  });

  const numbers = async () =>
    (await database.db.selectFrom('pull_requests').select('number').orderBy('number').execute()).map(
      (row) => row.number,
    );
  const remembered = () => database.db.selectFrom('unstorable_pull_requests').select(['number', 'reason']).execute();
  const tooLong = 'could not be stored: one of its texts is too long';

  it.each<[string, (pull: HostPullRequest) => HostPullRequest, string]>([
    ['a title of 20 kB', (pull) => ({ ...pull, title: long(10_000) }), tooLong],
    ['a path of 12 kB', (pull) => ({ ...pull, files: [{ path: long(6000), additions: 1, deletions: 1 }] }), tooLong],
    [
      'more changed lines than a number holds',
      (pull) => ({ ...pull, additions: 2 ** 31 - 1, deletions: 2 ** 31 - 1 }),
      'could not be stored: one of its numbers is too large',
    ],
  ])(
    'because of %s is skipped and named, all others of its page are stored, and it is not tried again unchanged',
    async (_name, wrong, reason) => {
      spoil = wrong;

      const full = await syncing.run(user, repository, 'full');
      await forget(simulator);
      const again = await syncing.run(user, repository, 'incremental');

      expect(full).toMatchObject({ status: 'completed', skipped: [{ number: 2, reason }] });
      expect(await numbers()).toContain(1);
      expect(await numbers()).not.toContain(2);
      expect(full.imported_prs).toBe((await numbers()).length);
      expect(await remembered()).toEqual([{ number: 2, reason }]);
      expect(again).toMatchObject({ status: 'completed', skipped: [] });
      expect(JSON.stringify(syncing.logged)).toContain('skipped a pull request');
    },
  );

  it('is tried again when it changes, and stored then', async () => {
    spoil = (pull) => ({ ...pull, title: long(10_000) });
    await syncing.run(user, repository, 'full');

    await simulator.control(`${hello}/pulls/2/entries`, { kind: 'comment', by: 'mona' });
    const same = await syncing.run(user, repository, 'incremental');
    spoil = (pull) => pull;
    await simulator.control(`${hello}/pulls/2/entries`, { kind: 'comment', by: 'mona' });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await simulator.control(`${hello}/pulls/2/entries`, { kind: 'comment', by: 'mona' });
    const mended = await syncing.run(user, repository, 'incremental');

    expect(same.skipped).toEqual([{ number: 2, reason: tooLong }]);
    expect(mended).toMatchObject({ status: 'completed', skipped: [] });
    expect(await numbers()).toContain(2);
    expect(await remembered()).toEqual([]);
  });

  it('is asked for again after a day where the host could not tell it, closed or not, until it is there', async () => {
    isTold = false;
    await syncing.run(user, repository, 'full');
    isTold = true;
    const before = await numbers();
    elapsed = 23 * 3_600_000;
    await syncing.run(user, repository, 'incremental');
    const tooSoon = await numbers();
    elapsed = 25 * 3_600_000;
    await simulator.control('faults', {
      match: { kind: 'graphql', operation: 'PullRequestByNumber' },
      effect: { name: 'nonsense' },
    });
    const inVain = await syncing.run(user, repository, 'incremental');
    await simulator.control('faults', undefined, 'DELETE');
    elapsed = 50 * 3_600_000;
    const there = await syncing.run(user, repository, 'incremental');

    expect([before, tooSoon]).not.toContainEqual(expect.arrayContaining([2]));
    expect([inVain.status, there.status]).toEqual(['completed', 'completed']);
    expect(await numbers()).toContain(2);
    expect(await remembered()).toEqual([]);
  });

  const lost = 'Something went wrong inside this pull request.';
  const watermark = async () =>
    (await database.db.selectFrom('repositories').select('watermark').executeTakeFirstOrThrow()).watermark!;
  /** The host gives null for the first pull request that such a request asks for. */
  const lose = (operation: string, more: object = {}) =>
    simulator.control('faults', { match: { kind: 'graphql', operation, ...more }, effect: { name: 'lost_node' } });
  const comment = (number: number) =>
    simulator.control(`${hello}/pulls/${number}/entries`, { kind: 'comment', by: 'mona' });

  it.each<[string, (pull: HostPullRequest) => HostPullRequest]>([
    ['was stored as it had been', (pull) => pull],
    ['could not be stored as it had been', (pull) => ({ ...pull, title: long(10_000) })],
  ])(
    'is asked for again after a day where the host told nothing of it when it had changed and %s, however long ago it ended',
    async (_name, earlier) => {
      spoil = earlier;
      await syncing.run(user, repository, 'full');
      spoil = (pull) => pull;
      await comment(2);
      // Only of the last two weeks those that ended are looked at again by themselves.
      elapsed = 30 * DAY;
      await lose('PullRequestsById');
      const without = await syncing.run(user, repository, 'incremental');
      const noted = await remembered();
      await simulator.control('faults', undefined, 'DELETE');
      elapsed = 31 * DAY + 60_000;
      const there = await syncing.run(user, repository, 'incremental');

      expect(without).toMatchObject({ status: 'completed', skipped: [{ number: 2, reason: lost }] });
      expect(noted).toEqual([{ number: 2, reason: lost }]);
      expect(there).toMatchObject({ status: 'completed', skipped: [] });
      const comments = await database.db.selectFrom('comments').select('number').where('number', '=', 2).execute();
      expect(comments).toHaveLength(2);
      expect(await remembered()).toEqual([]);
    },
  );

  it('is found in the catch-up where the host told nothing of it when history was read', async () => {
    // Another one changed after it: by its update date alone it is not looked at.
    await comment(1);
    await lose('PullRequests', { next: 1 });

    const end = await syncing.run(user, repository, 'full');

    expect(end).toMatchObject({ status: 'completed', imported_prs: 4, skipped: [] });
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    expect(Date.now() - (await watermark()).getTime()).toBeLessThan(DAY);
  });

  it.each([
    ['its page', null],
    ['an earlier page than the last', 2],
  ])('is found in the catch-up although another one on %s was kept in part', async (_where, size) => {
    await comment(3);
    partly = 3;
    await lose('PullRequests', { next: 1 });

    const end = await syncing.run(user, repository, 'full', size);

    expect(end).toMatchObject({ status: 'completed', imported_prs: 4 });
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it('is found in the catch-up where the list of history ended before it', async () => {
    const early = { match: { kind: 'graphql', operation: 'PullRequests', next: 1 }, effect: { name: 'ends_early' } };
    await simulator.control('faults', early);
    await forget(simulator);

    const end = await syncing.run(user, repository, 'full');

    const { operations } = await asked(simulator);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 4, progress: { total_prs: 4 }, skipped: [] });
    expect(await numbers()).toEqual([1, 2, 3, 4]);
    // Those that were read are not read a second time.
    expect(operations).toMatchObject({ PullRequests: 1, Changes: 1, PullRequestsById: 1 });
  });

  it.each([
    ['beside the open ones', [['OpenPullRequests', 'lost_node']]],
    [
      'by itself',
      [
        ['OpenPullRequests', 'went_wrong'],
        ['Changes', 'lost_node'],
      ],
    ],
  ] as const)(
    'is found by the next sync where the host told nothing of it in the list of what changed, read %s',
    async (_name, faults) => {
      await syncing.run(user, repository, 'full');
      await comment(2);
      // Another one changed later, which is told.
      await simulator.control('clock', { advanceSeconds: 300 });
      await comment(1);
      elapsed = 30 * DAY;
      for (const [operation, name] of faults)
        await simulator.control('faults', { match: { operation }, effect: { name, index: 1 } });
      const without = await syncing.run(user, repository, 'incremental');
      await simulator.control('faults', undefined, 'DELETE');
      await syncing.run(user, repository, 'incremental');

      const comments = await database.db.selectFrom('comments').select('number').where('number', '=', 2).execute();
      expect(without).toMatchObject({ status: 'completed', skipped: [{ number: null, reason: lost }] });
      expect(comments).toHaveLength(2);
      expect(Date.now() - (await watermark()).getTime()).toBeLessThan(DAY);
      expect(await remembered()).toEqual([]);
    },
  );

  it('is named and looked for once a day, for a week, where the host never tells it, and holds up nothing', async () => {
    await comment(4);
    await simulator.control('clock', { advanceSeconds: 300 });
    await comment(1);
    // What changed is two pages: 1, 4 and 3; 2.
    for (const [operation, pullRequestsOver] of [
      ['OpenPullRequests', 6],
      ['Changes', 5],
    ])
      await simulator.control('faults', { match: { operation, pullRequestsOver }, effect: { name: 'bad_gateway' } });
    await lose('PullRequests');
    for (const operation of ['OpenPullRequests', 'Changes'])
      await simulator.control('faults', { match: { operation }, effect: { name: 'lost_node', index: 1 } });
    const named = [{ number: null, reason: lost }];
    const full = await syncing.run(user, repository, 'full');
    const mark = await watermark();

    const operations: Record<string, number>[] = [];
    for (const days of [0, 0, 1, 1, 8, 8]) {
      elapsed = days * DAY + (1 + operations.length) * 3000;
      await forget(simulator);
      const end = await syncing.run(user, repository, 'incremental');
      expect(end).toMatchObject({ status: 'completed', skipped: named });
      operations.push((await asked(simulator)).operations);
    }

    expect(full).toMatchObject({ status: 'completed', imported_prs: 3, skipped: named });
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(Date.now() - mark.getTime()).toBeLessThan(DAY);
    expect(operations[1]).toEqual({ OpenPullRequests: 1 });
    expect(operations.map(({ Changes = 0 }) => Changes)).toEqual([0, 0, 1, 0, 1, 0]);
    expect(syncing.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { repository, reason: lost } }),
    );
  });

  it('is looked for another day where what changed could not be listed', async () => {
    await lose('PullRequests');
    await simulator.control('faults', { match: { operation: 'Changes' }, effect: { name: 'went_wrong' } });

    await syncing.until(await syncing.start(user, repository, 'full'), 'waiting');

    const noted = await database.db
      .selectFrom('unstorable_pull_requests')
      .select(['number', 'again_at'])
      .where('repository_id', '=', repository)
      .executeTakeFirstOrThrow();
    expect(noted.number).toBe(0);
    expect(noted.again_at!.getTime()).toBeGreaterThan(Date.now() + 20 * 3_600_000);
  });

  it('holds up nothing where null stands for it behind what changed', async () => {
    await syncing.run(user, repository, 'full');
    const before = await watermark();
    await comment(3);
    const match = { operation: 'OpenPullRequests' };
    await simulator.control('faults', { match, effect: { name: 'lost_node', index: 3 } });

    const end = await syncing.run(user, repository, 'incremental');

    expect(end).toMatchObject({ status: 'completed', skipped: [] });
    expect(await watermark()).not.toEqual(before);
    expect(await remembered()).toEqual([]);
  });

  it.each(['went_wrong', 'nonsense'])(
    'is named and asked for again where its key is dead and a look by its number ends in %s, and stays as it is stored',
    async (name) => {
      await syncing.run(user, repository, 'full');
      await database.db.updateTable('pull_requests').set({ node_id: 'PR_dead' }).where('number', '=', 3).execute();
      const [before] = [await numbers()];
      // Open, and not listed as such under its key.
      await lose('OpenPullRequests');
      await simulator.control('faults', { match: { operation: 'PullRequestByNumber' }, effect: { name } });

      const end = await syncing.run(user, repository, 'incremental');

      // Null stands for another one in the list of changes beside.
      const skipped = [
        { number: 3, reason: expect.any(String) },
        { number: null, reason: lost },
      ];
      expect(end).toMatchObject({ status: 'completed', skipped });
      expect(await numbers()).toEqual(before);
      expect((await remembered()).map(({ number }) => number).sort()).toEqual([0, 3]);
    },
  );

  it('keeps what was stored of it before, also when a hint names it', async () => {
    await syncing.run(user, repository, 'full');
    const before = await database.db.selectFrom('pull_requests').selectAll().where('number', '=', 2).execute();
    spoil = (pull) => ({ ...pull, title: long(10_000) });

    await follow(syncing.context, repository, { kind: 'pull_request', number: 2 }, new AbortController().signal);

    expect(await database.db.selectFrom('pull_requests').selectAll().where('number', '=', 2).execute()).toEqual(before);
    expect(await remembered()).toEqual([{ number: 2, reason: tooLong }]);
    expect((await asked(simulator)).requests).toBeGreaterThan(0);
  });
});
