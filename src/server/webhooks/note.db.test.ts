import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPullRequest } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, hostPullRequest } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { savePullRequests } from '../sync/save.ts';
import { remember } from './note.ts';

const NOW = new Date('2026-03-04T09:00:00Z');
const HOST = 'https://host.test';
const shaOf = (number: number) => number.toString(16).padStart(40, '0');
let database: OpenDatabase;
let repository: number;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await empty(database.db, 'repositories', 'people', 'hints');
  repository = await aRepository(database.db, 'acme/web');
  await database.db.updateTable('repositories').set({ default_branch: 'main' }).execute();
});

/** Stores open pull requests 1 to `count` of a branch, each with a head of its own. */
async function openOn(branch: string, count: number): Promise<void> {
  const pulls = Array.from({ length: count }, (_, at) => ({
    ...hostPullRequest(aPullRequest({ number: at + 1, headRef: branch })),
    head_sha: shaOf(at + 1),
  }));
  await database.db.transaction().execute(async (transaction) => {
    const fetched = { asked_at: NOW, answered_at: NOW };
    await savePullRequests(transaction, { id: repository, host: HOST }, pulls, fetched);
  });
}
const push = (branch: string, ...heads: string[]) =>
  remember({ db: database.db, now: () => NOW, nudge: () => undefined }, repository, { kind: 'branch', branch, heads });
const hinted = async () =>
  (await database.db.selectFrom('hints').select('subject').execute())
    .map(({ subject }) => Number(/^pull request (\d+)$/.exec(subject)?.[1]))
    .sort((one, other) => one - other);

test.each(['main', null])(
  'a push to the default branch has nothing looked at of 120 forks whose branches are called like it, told as %s',
  async (default_branch) => {
    await database.db.updateTable('repositories').set({ default_branch }).execute();
    await openOn('main', 120);

    await push('main', shaOf(1000), shaOf(1001));

    expect(await hinted()).toEqual([]);
  },
);

test.each(['main', 'topic'])('a push to %s has those looked at whose head it was, or is by now', async (branch) => {
  await openOn(branch, 20);

  await push(branch, shaOf(7), shaOf(8));

  expect(await hinted()).toEqual([7, 8]);
});

test('a push to another branch after one that was missed has ten of its name looked at, the newest', async () => {
  await openOn('patch-1', 12);

  await push('patch-1', shaOf(1000), shaOf(1001));

  expect(await hinted()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

test('checks of a commit of the repository’s own branches are looked for among what is stored', async () => {
  const deps = { db: database.db, now: () => NOW, nudge: () => undefined };
  const of = { kind: 'commit', sha: shaOf(1), numbers: [] } as const;

  await remember(deps, repository, { ...of, on_branch: true });
  await remember(deps, repository, { ...of, sha: shaOf(2), on_branch: false });

  const hints = await database.db.selectFrom('hints').select('subject').orderBy('subject').execute();
  expect(hints.map(({ subject }) => subject)).toEqual([`commit ${shaOf(2)}`, `head ${shaOf(1)}`]);
});
