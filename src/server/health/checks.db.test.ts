import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultHealthSettings } from '#domain/signals.ts';
import {
  aPerson,
  aPullRequest,
  checked,
  type Happening,
  hour,
  merged,
  pushed,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, fromTo } from '../metrics/asked.ts';
import { scopeOf } from '../metrics/scope.ts';
import { healthViewOf } from '../metrics/signals.ts';
import { checkWaits, rerunsOf } from './checks.ts';
import type { AskedHealth } from './view.ts';

let database: OpenDatabase;
let user: number;
let one: number;
let other: number;
let repositories = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  repositories += 1;
  user = await aUser(db);
  one = await aRepository(db, `acme/one-${repositories}`, [user]);
  other = await aRepository(db, `acme/other-${repositories}`, [user]);
  await sql`update repositories set default_branch = 'main'`.execute(db);
});

/** One of the window of 100 hours, unless `more` says otherwise. */
const aPull = (number: number, happenings: readonly Happening[], more = {}) =>
  aPullRequest({ number, ...more }, pushed(1), ...happenings);

async function asked(): Promise<AskedHealth> {
  const window = { from: hour(0), to: hour(100) };
  const health = healthViewOf(defaultHealthSettings, {});
  const scope = await scopeOf(database.db, user);
  return {
    asked: asking(scope, new Date(hour(100)), 'UTC', { window: fromTo(window.from, window.to), health }),
    window: { ...window, span: fromTo(window.from, window.to) } as AskedHealth['window'],
    settings: defaultHealthSettings,
  };
}
const storeIn = (id: number, ...pulls: ReturnType<typeof aPullRequest>[]) => store(database.db, id, hour(100), pulls);

describe('waiting for checks', () => {
  test('is told by repository and by the name of the check, of what was merged in the window by people', async () => {
    await storeIn(
      one,
      aPull(1, [checked(2, 'success', 1, 'build'), checked(5, 'success', 1, 'e2e'), merged(50)]),
      aPull(2, [
        checked(3, 'success', 1, 'build'),
        checked(9, 'failure', 1, 'e2e'),
        checked(7, 'success', 1, 'e2e'),
        merged(50),
      ]),
      // None of these counts: open, merged later, a bot's, into another branch, checks that run, none.
      aPull(3, [checked(40, 'success', 1, 'build')]),
      aPull(4, [checked(40, 'success', 1, 'build'), merged(100.5)]),
      aPull(5, [checked(40, 'success', 1, 'build'), merged(50)], { author: aPerson('bot', { kind: 'bot' }) }),
      aPull(6, [checked(40, 'success', 1, 'build'), merged(50)], { baseRef: 'release' }),
      aPull(7, [
        checked(40, 'success', 1, 'build'),
        ({ checks }) => checks.push({ id: 'x', name: 'e2e', outcome: null, completedAt: null, startedAt: hour(1) }),
        merged(50),
      ]),
      aPull(8, [merged(50)]),
    );
    await storeIn(other, aPull(1, [checked(4, 'success', 1, 'build'), merged(50)]));

    const { repositories: byRepository, checks } = await checkWaits(database.db, await asked());

    expect(byRepository).toEqual([
      { repository: `acme/one-${repositories}`, median: 6, p90: expect.closeTo(7.6), n: 2 },
      { repository: `acme/other-${repositories}`, median: 3, p90: 3, n: 1 },
    ]);
    expect(checks).toEqual([
      { name: 'build', median: 2, p90: expect.closeTo(2.8), n: 3 },
      { name: 'e2e', median: 6, p90: expect.closeTo(7.6), n: 2 },
    ]);
  });

  test('is told of nobody where nothing has checks', async () => {
    await storeIn(one, aPull(1, [merged(50)]));

    expect(await checkWaits(database.db, await asked())).toEqual({ repositories: [], checks: [] });
  });
});

interface Run {
  readonly id: string;
  readonly pulls: readonly number[];
  readonly jobs?: Readonly<Record<string, boolean>>;
  readonly reruns?: number | null;
  readonly wait?: number;
  readonly due?: boolean;
  readonly by_head?: boolean;
}

async function allow(id: number, allowed: boolean | null, known = true): Promise<void> {
  await sql`
    insert into workflow_reads (repository_id, due_at, read_at, allowed, known_from)
    values (${id}, now(), now(), ${allowed}, ${known ? new Date(0) : null})`.execute(database.db);
}

async function storeRuns(repository_id: number, ...runs: readonly Run[]): Promise<void> {
  const { db } = database;
  for (const { id, pulls, jobs = {}, reruns = 0, wait = null, due = false, by_head = false } of runs) {
    await sql`
      insert into workflow_runs (repository_id, run_id, workflow, head_sha, created_at, attempts, outcome, jobs_due, jobs_attempt, reruns, rerun_wait_hours)
      values (${repository_id}, ${id}, 'CI', 'a', now(), 1, 'succeeded', ${due}, ${reruns === null ? null : 1}, ${reruns}, ${wait})`.execute(
      db,
    );
    for (const number of pulls)
      await sql`insert into workflow_run_pull_requests values (${repository_id}, ${number}, ${id}, ${by_head})`.execute(
        db,
      );
    for (const [name, flaky] of Object.entries(jobs))
      await sql`insert into workflow_jobs values (${repository_id}, ${id}, ${name}, ${flaky})`.execute(db);
  }
}

describe('what was run again', () => {
  test('is told of the runs of what was merged, each once, with the share of runs in which a job was flaky', async () => {
    await storeIn(one, ...[1, 2, 3].map((number) => aPull(number, [merged(50)])), aPull(4, []));
    await storeIn(other, aPull(1, [merged(50)]));
    await allow(one, true);
    await allow(other, true);
    await storeRuns(
      one,
      { id: '1', pulls: [1], jobs: { e2e: true, build: false }, reruns: 1, wait: 2 },
      { id: '2', pulls: [1, 2], jobs: { e2e: false, build: false } },
      { id: '3', pulls: [2], jobs: { e2e: false }, reruns: 2, wait: 4, by_head: true },
      // Of an open one, of none, and one whose jobs the host did not give.
      { id: '4', pulls: [4], jobs: { e2e: true }, reruns: 1, wait: 100 },
      { id: '5', pulls: [], jobs: { e2e: true }, reruns: 1, wait: 100 },
      { id: '6', pulls: [2], reruns: null },
      // The third is left out as long as one of its runs is to be read.
      { id: '7', pulls: [3], jobs: { e2e: true }, reruns: 1, wait: 100 },
      { id: '8', pulls: [3], due: true, reruns: null },
    );
    await storeRuns(other, { id: '1', pulls: [1], jobs: { e2e: true }, reruns: 1, wait: 3 });

    expect(await rerunsOf(database.db, await asked())).toEqual({
      ...{ runs: 4, rerun_share: 0.75, by_head: 1, waiting: 1, may_not_read: [], message: null },
      rerun_wait: { median: 3, p90: expect.closeTo(3.8), n: 3 },
      flaky_jobs: [
        { repository: `acme/other-${repositories}`, workflow: 'CI', job: 'e2e', flaky_share: 1, n: 1 },
        { repository: `acme/one-${repositories}`, workflow: 'CI', job: 'e2e', flaky_share: 1 / 3, n: 3 },
      ],
    });
  });

  test.each([
    ['the token may not read Actions of any', [false, null], 'The token may not read Actions', ['one']],
    ['nothing was read yet', [null, null], 'Workflow runs have not been read yet', []],
    ['nobody’s token may any more', [false, false], 'The token may not read Actions', ['one', 'other']],
  ] as const)('is not told where %s, and why', async (_, [ofOne, ofOther], message, names) => {
    await storeIn(one, aPull(1, [merged(50)]));
    if (ofOne !== null) await allow(one, ofOne);
    if (ofOther !== null) await allow(other, ofOther, false);
    await storeRuns(one, { id: '1', pulls: [1], jobs: { e2e: true }, reruns: 1, wait: 2 });

    expect(await rerunsOf(database.db, await asked())).toEqual({
      ...{ runs: 0, rerun_share: null, rerun_wait: null, flaky_jobs: null, by_head: 0, waiting: 0, message },
      may_not_read: names.map((name) => `acme/${name}-${repositories}`),
    });
  });

  test('of one repository is told where those of another may not be read, which is named', async () => {
    await storeIn(one, aPull(1, [merged(50)]));
    await storeIn(other, aPull(1, [merged(50)]));
    await allow(one, true);
    await allow(other, false);
    await storeRuns(one, { id: '1', pulls: [1], jobs: { e2e: false } });
    await storeRuns(other, { id: '1', pulls: [1], jobs: { e2e: true }, reruns: 1, wait: 2 });

    expect(await rerunsOf(database.db, await asked())).toMatchObject({
      ...{ runs: 1, rerun_share: 0, flaky_jobs: [], message: null },
      rerun_wait: { median: null, p90: null, n: 0 },
      may_not_read: [`acme/other-${repositories}`],
    });
  });
});
