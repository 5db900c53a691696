import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import { forgetUnconnected } from '../../src/server/repositories/forget.ts';
import { readWorkflowRuns } from '../../src/server/sync/workflow-runs.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { openSyncing, type Syncing } from '../support/syncing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
/** The host's moment; it never goes back. */
let time = Math.floor(Date.now() / 1000) * 1000;
/** By login, in front of their client. */
let inFront: (client: HostClient, login: string) => HostClient = (client) => client;
let repositories = 0;

beforeAll(async () => {
  [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  for (const login of ['reader', 'second']) await simulator.control('accounts', { login });
});
beforeEach(async () => {
  await pass(2 * HOUR);
  inFront = (client) => client;
  syncing = openSyncing(database.db, simulator, {
    now: () => new Date(time),
    client: (client, login) => inFront(client, login),
  });
});
afterEach(async () => {
  await syncing.stop();
  await simulator.control('faults', undefined, 'DELETE');
  await simulator.control('limits', { core: 5000 }, 'PATCH');
  await simulator.control('limits', undefined, 'DELETE');
  await simulator.control('permissions', { actions: false }, 'PATCH');
  await database.db.deleteFrom('repositories').execute();
  await database.db.deleteFrom('hint_quotas').execute();
});
afterAll(async () => {
  await database.close();
  await simulator.stop();
});

async function pass(milliseconds: number): Promise<void> {
  time += milliseconds;
  await simulator.control('clock', { set: time, frozen: true });
}

type Outcome = 'SUCCESS' | 'FAILURE' | 'CANCELLED' | 'SKIPPED';
type Attempt = Readonly<Record<string, Outcome>>;

/** A run with one attempt an hour, each job of which takes ten minutes. */
function aRun(id: number, createdAt: number, attempts: readonly Attempt[], more: object = {}) {
  return {
    ...{
      id,
      workflow: 'CI',
      event: 'pull_request',
      createdAt,
      headRef: 'change-1',
      headSha: sha(1),
      pullRequests: [1],
    },
    attempts: attempts.map((jobs, at) => ({
      startedAt: createdAt + at * HOUR,
      jobs: Object.entries(jobs).map(([name, outcome], job) => ({
        ...{ id: id * 100 + at * 10 + job, name, outcome },
        startedAt: createdAt + at * HOUR,
        completedAt: createdAt + at * HOUR + 10 * MINUTE,
      })),
    })),
    ...more,
  };
}
const sha = (number: number) => `${number}`.repeat(40).slice(0, 40);
const ok: Attempt = { build: 'SUCCESS' };

interface Connected {
  readonly id: number;
  readonly name: string;
  readonly user: number;
}

/** A private repository with open pull requests 1 to 3, opened ten days ago, and a fourth that was merged five days ago; with its history read. */
async function connected(login = 'reader', readers = ['reader', 'second']): Promise<Connected> {
  repositories += 1;
  const name = `runs-${repositories}`;
  const opened = time - 10 * DAY;
  const pullRequests = [1, 2, 3, 4].map((number) => ({
    ...{
      id: 7_000_000 + repositories * 10 + number,
      number,
      title: `Change ${number}`,
      author: 'mona',
      createdAt: opened,
    },
    ...{ openedAsDraft: false, baseRef: 'main', headRef: `change-${number}`, bodyLength: 1 },
    commits: [
      {
        ...{ sha: sha(number), account: 'mona', authorName: 'Mona', authorEmail: 'mona@mail.example' },
        ...{ authoredAt: opened, committedAt: opened, message: 'Change' },
      },
    ],
    size: { additions: 1, deletions: 1, files: [{ path: 'a.ts', additions: 1, deletions: 1 }] },
    entries: number === 4 ? [{ kind: 'merged', at: time - 5 * DAY, by: 'octo', commit: 'f'.repeat(40) }] : [],
  }));
  await simulator.control('repos', {
    ...{ owner: 'octo-org', name, private: true, readers, admins: [], createdAt: opened - DAY, pullRequests },
  });
  const user = await syncing.user(login);
  const id = await syncing.connect(user, `octo-org/${name}`);
  await syncing.run(user, id, 'full');
  return { id, name, user };
}

const addRuns = ({ name }: Connected, ...runs: object[]) => simulator.control(`repos/octo-org/${name}/runs`, runs);
const read = async (signal = new AbortController().signal, pause = { until: null as Date | null }) => {
  await readWorkflowRuns(syncing.context, pause, signal);
  return pause;
};
const requests = async (): Promise<Record<string, number>> => {
  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  return operations;
};
const LIST = 'GET /repos/:owner/:repo/actions/runs';
const JOBS = 'GET /repos/:owner/:repo/actions/runs/:run/jobs';
const ATTEMPT = 'GET /repos/:owner/:repo/actions/runs/:run/attempts/:attempt';
const forget = () => simulator.control('counters', undefined, 'DELETE');
const stateOf = ({ id }: Connected) =>
  database.db.selectFrom('workflow_reads').selectAll().where('repository_id', '=', id).executeTakeFirst();
const runsOf = ({ id }: Connected) =>
  database.db.selectFrom('workflow_runs').selectAll().where('repository_id', '=', id).orderBy('run_id').execute();
const jobsOf = async ({ id }: Connected) =>
  await database.db
    .selectFrom('workflow_jobs')
    .select(['run_id', 'name', 'flaky'])
    .where('repository_id', '=', id)
    .orderBy('run_id')
    .orderBy('name')
    .execute();
const tiesOf = async ({ id }: Connected) =>
  await database.db
    .selectFrom('workflow_run_pull_requests')
    .select(['run_id', 'number', 'by_head'])
    .where('repository_id', '=', id)
    .orderBy('run_id')
    .orderBy('number')
    .execute();

describe('workflow runs', () => {
  it('are read with their jobs: what was run again, which job is flaky, and how long that took', async () => {
    const repository = await connected();
    const at = time - 8 * HOUR;
    await addRuns(
      repository,
      aRun(11, at, [ok]),
      aRun(12, at, [{ build: 'SUCCESS', e2e: 'FAILURE' }, { e2e: 'SUCCESS' }]),
      aRun(13, at, [{ build: 'FAILURE' }, { build: 'FAILURE' }]),
      aRun(14, at, [{ build: 'SKIPPED', lint: 'SUCCESS' }]),
      aRun(15, at, [ok], { event: 'push' }),
    );

    await read();

    expect(
      (await runsOf(repository)).map(({ run_id, reruns, rerun_wait_hours }) => [run_id, reruns, rerun_wait_hours]),
    ).toEqual([
      ['11', 0, null],
      ['12', 1, 1],
      ['13', 1, null],
      ['14', 0, null],
    ]);
    expect(await jobsOf(repository)).toEqual([
      { run_id: '11', name: 'build', flaky: false },
      { run_id: '12', name: 'build', flaky: false },
      { run_id: '12', name: 'e2e', flaky: true },
      { run_id: '13', name: 'build', flaky: false },
      { run_id: '14', name: 'lint', flaky: false },
    ]);
    expect(await stateOf(repository)).toMatchObject({ allowed: true, until_at: null });
  });

  it('are tied by the numbers that the host names, else by branch and commit while the pull request was open', async () => {
    const repository = await connected();
    const fork = { pullRequests: [], headRef: 'change-2', headSha: sha(2) };
    const merged = { pullRequests: [4], headRef: 'change-4', headSha: sha(4) };
    await addRuns(
      repository,
      aRun(21, time - DAY, [ok]),
      aRun(22, time - DAY, [ok], fork),
      aRun(23, time - DAY, [ok], { ...fork, headSha: sha(9) }),
      aRun(24, time - DAY, [ok], { ...fork, headRef: 'change-9' }),
      aRun(25, time - 11 * DAY, [ok], fork),
      // The host names no pull request that has ended.
      aRun(26, time - 6 * DAY, [ok], merged),
      aRun(27, time - 4 * DAY, [ok], merged),
    );
    await forget();

    await read();

    expect(await tiesOf(repository)).toEqual([
      { run_id: '21', number: 1, by_head: false },
      { run_id: '22', number: 2, by_head: true },
      { run_id: '26', number: 4, by_head: true },
    ]);
    // What belongs to no pull request costs nothing.
    expect((await requests())[JOBS]).toBe(3);
  });

  it('of a branch that is used again are those of the pull request of then', async () => {
    const repository = await connected();
    const release = { headRef: 'change-4', headSha: sha(4) };
    await simulator.control(`repos/octo-org/${repository.name}/pulls`, {
      ...{ number: 5, title: 'The next release', author: 'mona', createdAt: time - 3 * DAY },
      ...{ openedAsDraft: false, baseRef: 'main', headRef: 'change-4', bodyLength: 1, commits: [], entries: [] },
    });
    await syncing.run(repository.user, repository.id, 'incremental');
    await addRuns(
      repository,
      aRun(35, time - 6 * DAY, [ok], { ...release, pullRequests: [4] }),
      aRun(36, time - 4 * DAY, [ok], { ...release, pullRequests: [4] }),
      aRun(37, time - DAY, [ok], { ...release, pullRequests: [5] }),
    );

    await read();

    expect(await tiesOf(repository)).toEqual([
      { run_id: '35', number: 4, by_head: true },
      { run_id: '37', number: 5, by_head: false },
    ]);
  });

  it('stay tied to a pull request whose end makes the host name it no more', async () => {
    const repository = await connected();
    await addRuns(repository, aRun(31, time - DAY, [ok], { headRef: 'renamed' }));
    await read();
    await simulator.control(`repos/octo-org/${repository.name}/pulls/1/entries`, { kind: 'closed' });
    await syncing.run(repository.user, repository.id, 'incremental');
    await pass(25 * HOUR);

    await read();

    expect(await tiesOf(repository)).toEqual([{ run_id: '31', number: 1, by_head: false }]);
  });

  it('count attempts that somebody stopped neither as failed nor as run again', async () => {
    const repository = await connected();
    const at = time - 8 * HOUR;
    const stopped = (run: ReturnType<typeof aRun>, ...which: number[]) => ({
      ...run,
      attempts: run.attempts.map((attempt, index) => ({ ...attempt, cancelled: which.includes(index + 1) })),
    });
    await addRuns(
      repository,
      stopped(aRun(41, at, [{ build: 'CANCELLED' }, ok]), 1),
      // Something had failed before it was stopped.
      stopped(aRun(42, at, [{ build: 'FAILURE', lint: 'CANCELLED' }, ok]), 1),
      stopped(aRun(43, at, [{ build: 'FAILURE' }, { build: 'CANCELLED' }]), 2),
      // One that failed stopped the other by itself.
      aRun(44, at, [
        { build: 'FAILURE', lint: 'CANCELLED' },
        { build: 'SUCCESS', lint: 'SUCCESS' },
      ]),
      stopped(aRun(45, at, [{ build: 'CANCELLED' }]), 1),
    );
    await forget();

    await read();

    expect(
      (await runsOf(repository)).map(({ run_id, reruns, rerun_wait_hours }) => [run_id, reruns, rerun_wait_hours]),
    ).toEqual([
      ['41', 1, null],
      ['42', 1, null],
      ['43', 0, null],
      ['44', 1, 1],
      ['45', null, null],
    ]);
    expect((await jobsOf(repository)).filter(({ flaky }) => flaky)).toEqual([
      { run_id: '44', name: 'build', flaky: true },
    ]);
    expect(await requests()).toMatchObject({ [LIST]: 1, [JOBS]: 4, [ATTEMPT]: 2 });
  });

  it('are read again a day later: what was run again since, and what had not ended', async () => {
    const repository = await connected();
    const twice = aRun(51, time - 6 * HOUR, [{ build: 'FAILURE' }, ok]);
    await addRuns(repository, { ...twice, attempts: twice.attempts.slice(0, 1) }, aRun(52, time - MINUTE, [ok]));
    await read();
    const before = await jobsOf(repository);
    await forget();
    await read();
    const meanwhile = await requests();
    await addRuns(repository, twice);
    await pass(25 * HOUR);

    await read();

    expect(before).toEqual([{ run_id: '51', name: 'build', flaky: false }]);
    expect(meanwhile).toEqual({});
    expect(await jobsOf(repository)).toEqual([
      { run_id: '51', name: 'build', flaky: true },
      { run_id: '52', name: 'build', flaky: false },
    ]);
  });

  it('are read by the hundred, more than a search gives, and go on where a process was killed', async () => {
    const repository = await connected();
    const runs = Array.from({ length: 1150 }, (_, index) =>
      aRun(100_000 + index, time - DAY - Math.floor(index / 3) * MINUTE, [ok], { pullRequests: [], headRef: 'other' }),
    );
    await addRuns(
      repository,
      ...runs,
      ...runs.slice(0, 120).map((run, index) => ({ ...run, id: 900_000 + index, createdAt: time - DAY })),
    );
    const stop = new AbortController();
    let pages = 0;
    const { clientForSync } = syncing.context;
    const dying = {
      ...syncing.context,
      clientForSync: async (user_id: number, repository_id: number) => {
        const personal = await clientForSync(user_id, repository_id);
        return (
          personal && {
            ...personal,
            client: new Proxy(personal.client, {
              get: (client, key: keyof HostClient) =>
                key === 'workflowRuns'
                  ? async (...given: Parameters<HostClient['workflowRuns']>) => {
                      pages += 1;
                      if (pages === 5) stop.abort();
                      return await client.workflowRuns(...given);
                    }
                  : client[key],
            }),
          }
        );
      },
    };
    await forget();

    await readWorkflowRuns(dying, { until: null }, stop.signal).catch(() => undefined);
    const then = await runsOf(repository);
    await read();

    expect(then.length).toBeGreaterThan(290);
    expect(then.length).toBeLessThan(600);
    expect(await runsOf(repository)).toHaveLength(1270);
    expect((await requests())[LIST]).toBeLessThan(20);
    expect((await stateOf(repository))?.known_from?.getTime()).toBeLessThan(time - 89 * DAY);
  });

  it('take less than a tenth of anybody’s hourly quota, then the next person’s, and go on in the next hour', async () => {
    const repository = await connected();
    await syncing.connect(await syncing.user('second'), `octo-org/${repository.name}`);
    await addRuns(
      repository,
      ...Array.from({ length: 70 }, (_, index) => aRun(600 + index, time - DAY + index * MINUTE, [ok])),
    );
    await pass(HOUR);
    await simulator.control('limits', { core: 300 }, 'PATCH');
    await forget();

    await read();
    const { accounts } = (await simulator.control('counters')) as { accounts: Record<string, { points: number }> };
    const soFar = await jobsOf(repository);
    await pass(HOUR + MINUTE);
    await read();

    for (const login of ['reader', 'second']) {
      expect(accounts[`${login}/rest`]?.points).toBeLessThan(30);
      expect(accounts[`${login}/rest`]?.points).toBeGreaterThan(20);
    }
    expect(soFar.length).toBeLessThan(70);
    expect(await jobsOf(repository)).toHaveLength(70);
    // The newest come first.
    expect(soFar.map(({ run_id }) => run_id)).toContain('669');
  });

  it('of one that makes no sense, or whose jobs the host does not give, stop no other', async () => {
    const repository = await connected();
    const at = time - 8 * HOUR;
    const long = { ['x\0'.repeat(5000)]: 'SUCCESS' } as const;
    await addRuns(
      repository,
      aRun(71, at, [ok], { instead: { created_at: 'yesterday' } }),
      aRun(72, at, [ok], { instead: { head_sha: null } }),
      aRun(73, at + MINUTE, [ok], { workflow: `${'w'.repeat(10_000)}\0` }),
      aRun(74, at, [long]),
      aRun(75, at, [ok], { instead: { pull_requests: [{ number: 2 ** 40 }] } }),
      aRun(76, at, [ok], { instead: { id: '76', node_id: 5 } }),
      aRun(77, at, [ok], { instead: { id: 4711 } }),
      aRun(78, at - MINUTE, [ok]),
    );
    await simulator.control('faults', {
      match: { operation: JOBS, after: 1, next: 1 },
      effect: { name: 'cut_in_body' },
    });

    const pause = await read();
    expect(pause.until).not.toBeNull();
    await pass(HOUR);
    await read(undefined, pause);
    await read(undefined, pause);
    const stored = await runsOf(repository);

    expect(stored.map(({ run_id }) => run_id).sort()).toEqual(['4711', '73', '74', '78']);
    expect(stored.find(({ run_id }) => run_id === '73')?.workflow).toHaveLength(200);
    expect((await jobsOf(repository)).map(({ run_id }) => run_id)).toEqual(['73', '74', '78']);
    expect((await jobsOf(repository))[1]?.name).toBe('x'.repeat(200));
    // The host has no run 4711: it is asked for a few times, then left.
    expect(stored.find(({ run_id }) => run_id === '4711')).toMatchObject({ jobs_due: false, jobs_attempt: null });
    expect(syncing.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that nobody’s token may read are asked for once a day, and the repository stays in sight', async () => {
    inFront = () => syncing.host.as('github_pat_reader');
    const repository = await connected();
    await addRuns(repository, aRun(81, time - DAY, [ok]));
    await forget();

    await read();
    await read();
    const first = await requests();
    const state = await stateOf(repository);
    await simulator.control('permissions', { actions: true }, 'PATCH');
    await read();
    const meanwhile = await runsOf(repository);
    await pass(25 * HOUR);
    await read();

    expect(first[LIST]).toBe(1);
    expect(state).toMatchObject({ allowed: false, until_at: null });
    const connection = await database.db
      .selectFrom('connections')
      .select('readable')
      .where('repository_id', '=', repository.id)
      .execute();
    expect(connection).toEqual([{ readable: true }]);
    expect(meanwhile).toEqual([]);
    expect(await jobsOf(repository)).toEqual([{ run_id: '81', name: 'build', flaky: false }]);
    expect((await stateOf(repository))?.allowed).toBe(true);
  });

  it('that one person’s token may not read are read with the next person’s', async () => {
    inFront = (client, login) => (login === 'second' ? syncing.host.as('github_pat_second') : client);
    const repository = await connected();
    await pass(MINUTE);
    const second = await syncing.user('second');
    await database.db
      .updateTable('users')
      .set({ signed_in_at: new Date(time) })
      .where('id', '=', second)
      .execute();
    await syncing.connect(second, `octo-org/${repository.name}`);
    await addRuns(repository, aRun(91, time - DAY, [ok]));

    await read();

    expect(await jobsOf(repository)).toHaveLength(1);
    expect((await stateOf(repository))?.allowed).toBe(true);
  });

  it('are asked for under the repository’s new name, and never of another that took the old one', async () => {
    const repository = await connected();
    await addRuns(repository, aRun(95, time - DAY, [ok]));
    await simulator.control(
      `repos/octo-org/${repository.name}`,
      { name: `${repository.name}-new`, redirect: false },
      'PATCH',
    );
    await simulator.control('repos', {
      owner: 'octo-org',
      name: repository.name,
      private: true,
      readers: ['reader'],
      id: 990_000 + repository.id,
    });
    await addRuns(repository, aRun(96, time - DAY, [ok]));

    await read();

    expect((await runsOf(repository)).map(({ run_id }) => run_id)).toEqual(['95']);
  });

  it('go with the repository that nobody has connected any more', async () => {
    const repository = await connected();
    await addRuns(repository, aRun(97, time - DAY, [ok]));
    await read();
    await database.db.deleteFrom('connections').where('repository_id', '=', repository.id).execute();

    await forgetUnconnected(database.db, new AbortController().signal);

    const { rows } = await sql<{ left: number }>`
      select (select count(*) from workflow_runs)::int + (select count(*) from workflow_jobs)::int
        + (select count(*) from workflow_run_pull_requests)::int + (select count(*) from workflow_reads)::int as left`.execute(
      database.db,
    );
    expect(rows).toEqual([{ left: 0 }]);
  });
});
