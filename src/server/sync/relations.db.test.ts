import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { type KyselyPlugin, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPullRequest, hour, merged, pushed } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { randomHistory } from '../../../test/support/random-history.ts';
import { aRepository, HOST, hostPullRequest, store } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { deletePullRequests } from './save.ts';
import { saveStorable } from './save-storable.ts';

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
const RUNS = Number(process.env.TWIN_RUNS ?? 4);

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** Who reverts and who sets right whom, by their numbers. */
async function relationsOf(repository: number): Promise<string[]> {
  const { rows } = await sql<{ told: string }>`
    select 'reverts ' || number || ' ' || target as told from reverts where repository_id = ${repository}
    union all select 'follows ' || by_number || ' ' || number from follow_ups where repository_id = ${repository}
    order by 1`.execute(database.db);
  return rows.map(({ told }) => told);
}

test('who reverts and who sets right whom is the same in whatever order pull requests are stored', async () => {
  const { db } = database;
  let seen = 0;
  const property = fc.asyncProperty(
    randomHistory
      .map(({ now, repositories }) => ({ now, pulls: repositories[0]!.pulls }))
      .chain((history) =>
        fc.record({
          history: fc.constant(history),
          order: fc.shuffledSubarray([...history.pulls], { minLength: history.pulls.length }),
          gone: fc.subarray([...history.pulls], { maxLength: 4 }),
        }),
      ),
    async ({ history: { now, pulls }, order, gone }) => {
      await empty(db, 'repositories', 'users', 'people', 'account_kinds');
      const together = await aRepository(db, 'acme/web');
      await store(db, together, now, pulls);
      const apart = await aRepository(db, 'acme/WEB-apart');
      // What names its own repository has to name this one.
      const here = order.map((pull) => ({
        ...pull,
        ...(pull.body && { body: pull.body.replace(/ACME\/WEB#/i, '#') }),
      }));
      for (const pull of here) await store(db, apart, now, [pull]);
      const relations = await relationsOf(together);
      seen += relations.length;
      expect(await relationsOf(apart)).toEqual(relations);

      // What is stored again without having changed changes nothing.
      await store(db, apart, now, here.slice(0, 5));
      expect(await relationsOf(apart)).toEqual(relations);

      await db.transaction().execute((transaction) =>
        deletePullRequests(
          transaction,
          apart,
          gone.map(({ number }) => number),
        ),
      );
      await store(
        db,
        apart,
        now,
        gone.map(({ number }) => here.find((pull) => pull.number === number)!),
      );
      expect(await relationsOf(apart)).toEqual(relations);
    },
  );
  const run = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
  expect(seen).toBeGreaterThan(0);
});

test('a description that names the repository as it was called when it was written reverts after a rename', async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds');
  const repository = await aRepository(db, 'acme/web');
  const saying = (number: number, body: string, createdAt = hour(0)) => ({
    ...aPullRequest({ number, createdAt }, merged(10 + number)),
    body,
  });
  const pulls = [
    aPullRequest({ number: 1 }, merged(1)),
    saying(2, 'Reverts Acme/Web#1'),
    saying(3, 'Reverts acme/site#1'),
    saying(4, 'Reverts acme/else#1'),
    saying(5, 'Reverts acme/web#1', hour(5)),
  ];
  await db
    .updateTable('repositories')
    .set({ name: 'site', former_owner: 'acme', former_name: 'web', renamed_at: new Date(hour(4)) })
    .where('id', '=', repository)
    .execute();

  await store(db, repository, hour(100), pulls);

  expect(await relationsOf(repository)).toEqual(['reverts 2 1', 'reverts 3 1']);
});

test('one that reverts another by its title reverts it no more once that is called otherwise', async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds');
  const repository = await aRepository(db, 'acme/web');
  const titled = (number: number, title: string) => ({ ...aPullRequest({ number }, merged(10 + number)), title });
  await store(db, repository, hour(100), [titled(1, 'Add cache'), titled(2, 'Revert "Add cache"')]);
  expect(await relationsOf(repository)).toEqual(['reverts 2 1']);

  await store(db, repository, hour(100), [titled(1, 'Drop it')]);

  expect(await relationsOf(repository)).toEqual([]);
});

describe('a title in quotes', () => {
  /** Stores pull requests that are merged one after the other, each with its title and the headlines of its commits. */
  async function relationsAmong(...pulls: [title: string, ...headlines: string[]][]): Promise<string[]> {
    const { db } = database;
    await empty(db, 'repositories', 'users', 'people', 'account_kinds');
    const repository = await aRepository(db, 'acme/web');
    await store(
      db,
      repository,
      hour(100),
      pulls.map(([title, ...headlines], at) => titled(at + 1, title, headlines)),
    );
    return await relationsOf(repository);
  }

  const titled = (number: number, title: string, headlines: readonly string[], changes = {}) => ({
    ...aPullRequest(
      { number, files: [], ...changes },
      ...headlines.map((headline, at) =>
        pushed(number, undefined, { headline, sha: `${number}${'abc'[at]}`.padStart(40, '0') }),
      ),
      merged(10 + number),
    ),
    title,
  });

  test('names the only one with that headline where several have that title, or none', async () => {
    const only: [string, string] = ['Keep it', 'Add cache'];
    const several: [string, string, string] = ['Add cache', 'Start', 'End'];
    expect(await relationsAmong(several, several, only, ['Revert "Add cache"'])).toEqual(['reverts 4 3']);
    expect(await relationsAmong(only, several, several, ['Revert "Add cach…'])).toEqual(['reverts 4 1']);
    expect(await relationsAmong(several, several, ['Add cache', 'Add cache'], only, ['Revert "Add cache"'])).toEqual(
      [],
    );
    expect(await relationsAmong(only, several, ['Revert "Add cache"'])).toEqual(['reverts 3 2']);
  });

  test('is not that of what was merged too early, later, into another branch, or is written otherwise', async () => {
    const { db } = database;
    await empty(db, 'repositories', 'users', 'people', 'account_kinds');
    const repository = await aRepository(db, 'acme/web');
    const reverting = titled(9, 'Revert "Add cache"', []);
    const pulls = [
      titled(1, 'Add cache', [], { mergedAt: hour(19 - 180 * 24) - 1000, createdAt: hour(-200 * 24) }),
      titled(2, 'Add cache', [], { baseRef: 'stable' }),
      titled(3, 'add cache', []),
      titled(4, 'Add cache', []),
      titled(10, 'Add cache', []),
    ];

    await store(db, repository, hour(100), [...pulls, reverting]);

    expect(await relationsOf(repository)).toEqual(['reverts 9 4']);
  });

  test('is looked for in few of many that it fits', async () => {
    const { db } = database;
    await empty(db, 'repositories', 'users', 'people', 'account_kinds');
    const repository = await aRepository(db, 'acme/web');
    const fixing = (number: number) => titled(number, `Fix ${number}`, [`Fix ${number}`]);
    await store(
      db,
      repository,
      hour(200),
      Array.from({ length: 80 }, (_, at) => fixing(at + 1)),
    );
    await store(db, repository, hour(200), [titled(90, 'Revert "F…', [])]);
    let loaded = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        for (const { commits } of result.rows) if (Array.isArray(commits)) loaded += commits.length;
        return result;
      },
    };

    await store(db.withPlugin(counting), repository, hour(200), [fixing(81)]);

    // The stored one, and of those with that beginning two by their titles and two by their headlines, which are loaded twice.
    expect(loaded).toBeGreaterThan(1);
    expect(loaded).toBeLessThanOrEqual(1 + 2 + 4);
    expect(await relationsOf(repository)).toEqual([]);
  });
});

// The embedded database has a single connection.
describe.skipIf(process.env.TEST_DATABASE === 'embedded')('of two that are stored at the same time', () => {
  const first = { ...aPullRequest({ number: 1 }, merged(10)), title: 'Add cache' };
  const second = (title: string) => ({ ...aPullRequest({ number: 2 }, merged(12)), title });

  /** Stores the second while the first is stored again and not yet there for others. */
  async function storeAtOnce(title: string): Promise<{ skipped: unknown; relations: string[] }> {
    const { db } = database;
    await empty(db, 'repositories', 'users', 'people', 'account_kinds');
    const id = await aRepository(db, 'acme/web');
    await store(db, id, hour(100), [first, second('Fix cache')]);
    expect(await relationsOf(id)).toEqual(['follows 2 1']);
    const fetched = { asked_at: new Date(hour(101)), answered_at: new Date(hour(101)) };
    const save = (pull: typeof first) => async (transaction: Transaction<Database>) =>
      await saveStorable(transaction, { id, host: HOST }, [hostPullRequest(pull)], fetched);
    const [one, other] = await db.transaction().execute(async (transaction) => {
      const saved = await save(first)(transaction);
      const meanwhile = db.transaction().execute(save(second(title)));
      await setTimeout(500);
      return [saved, { meanwhile }] as const;
    });
    const { skipped } = await other.meanwhile;
    return { skipped: [...one.skipped, ...skipped], relations: await relationsOf(id) };
  }

  test('both are stored, and what one is to the other is kept', async () => {
    expect(await storeAtOnce('Fix cache')).toEqual({ skipped: [], relations: ['follows 2 1'] });
  });

  test('what is over by the later one is over', async () => {
    expect(await storeAtOnce('Cache more')).toEqual({ skipped: [], relations: [] });
  });
});
