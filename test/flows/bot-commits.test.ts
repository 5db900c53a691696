import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';

/** The host tells the accounts of commits for users alone; a bot's is known by its address. */
let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
let repository: number;
let octo: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  database = await openTestDatabase();
  syncing = openSyncing(database.db, simulator);
  octo = await syncing.user('octo');
  repository = await syncing.connect(octo, 'octo-org/hello');
  await syncing.run(octo, repository, 'full');
});
afterAll(async () => {
  await syncing?.stop();
  await database?.close();
  await simulator?.stop();
});

const person = async (login: string) =>
  await database.db.selectFrom('people').selectAll().where('login', '=', login).executeTakeFirst();

/** Pushes commits with these addresses to an open pull request, syncs, and returns the account of each. */
async function authorsOf(...addresses: string[]): Promise<(string | null)[]> {
  const at = Date.now();
  const commits = addresses.map((authorEmail, index) => ({
    ...{ sha: `${at}${index}`.padStart(40, '0'), account: null, authorName: authorEmail.split(/[+@]/)[1], authorEmail },
    ...{ authoredAt: at, committedAt: at, message: 'Bump left-pad' },
  }));
  await simulator.control('repos/octo-org/hello/pulls/3/entries', { kind: 'commits', commits });
  const { status } = await syncing.run(octo, repository, 'incremental');
  expect(status).toBe('completed');
  const rows = await database.db
    .selectFrom('commits as c')
    .leftJoin('people as p', 'p.id', 'c.author_id')
    .select(['c.sha', 'p.login'])
    .where('c.number', '=', 3)
    .execute();
  return commits.map(({ sha }) => rows.find((row) => row.sha === sha)?.login ?? null);
}

test('a commit by a bot belongs to that account and counts as its activity', async () => {
  const before = await person('dependabot[bot]');

  const authors = await authorsOf('49699333+dependabot[bot]@users.noreply.github.com');

  expect(authors).toEqual(['dependabot[bot]']);
  const { db } = database;
  const done = await db
    .selectFrom('participations')
    .select('contributions')
    .where('number', '=', 3)
    .where('person_id', '=', before!.id)
    .execute();
  const moments = await db
    .selectFrom('timeline_moments')
    .selectAll()
    .where('number', '=', 3)
    .where('person_id', '=', before!.id)
    .execute();
  expect(done).toEqual([{ contributions: 1 }]);
  expect(moments).toHaveLength(1);
  expect(await person('dependabot[bot]')).toEqual(before);
});

test('a bot that nobody has heard of is met by its commit, and is a bot', async () => {
  expect(await authorsOf('7654321+new-helper[bot]@users.noreply.git.example.com')).toEqual(['new-helper[bot]']);
  expect(await person('new-helper[bot]')).toMatchObject({ type: 'bot', kind: 'bot', host_id: '7654321' });
});

test('an address that claims to be a bot’s with somebody’s number changes nobody and is nobody’s', async () => {
  const mona = await person('mona');

  const authors = await authorsOf(
    `${mona!.host_id}+mona[bot]@users.noreply.github.com`,
    '0+x[bot@users.noreply.github.com',
    `1+${'x'.repeat(200)}[bot]@users.noreply.github.com`,
    'renovate[bot]@mail.example',
  );

  expect(authors).toEqual([null, null, null, null]);
  expect(await person('mona')).toEqual(mona);
});
