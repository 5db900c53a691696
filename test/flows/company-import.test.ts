import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { AvailableRepositories, RepositoryImport } from '../../src/contract/connecting.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { IMPORTER, listedAtHost, startCompany } from '../support/company.ts';
import { casesOf, openTestDatabase, putMigrated } from '../support/database.ts';
import { type ServerProcess, spawnServer } from '../support/server-process.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { asked, everythingStored, forget, openSyncing } from '../support/syncing.ts';

const onPostgresql = process.env.TEST_DATABASE === 'postgresql';
/** Of the company's 300 busy repositories. The size that is promised: `COMPANY_PULL_REQUESTS=60000`. */
const PULL_REQUESTS = Number(process.env.COMPANY_PULL_REQUESTS ?? 3000);
const isFull = PULL_REQUESTS >= 60_000;
const REPOSITORIES = isFull ? 300 : casesOf(300, 6);
const KILLS = isFull ? 12 : 4;
/** A pause that is longer than what is slept through with the session in hand parks it (docs/server.md), in seconds. */
const SECONDS_WITHOUT_QUOTA = isFull ? 90 : 4;
/** The most pages that so many pull requests take: one where all fit, else what was measured (`bench/sync.md`), and one begun in vain. */
const pagesOf = (count: number) => (count <= 74 ? 1 : 2 + Math.ceil(0.023 * count));
/** Pages that a worker has asked for of a person's repositories when it is killed. */
const UNDER_WAY = 2 * 4;
const SECOND = 'dev-2';
/** An import that does not move for so long sticks, in milliseconds. */
const STALLED = 180_000;
/** How often the host is asked how far it is, in milliseconds. */
const LOOK = 400;
/** How often the product is: each look costs as much as some pull requests. */
const LONG_LOOK = 5000;

describe(`${REPOSITORIES} repositories connected together`, () => {
  /** The repositories that are connected. */
  let busy: readonly string[];
  let simulator: RunningSimulator;
  let database: OpenDatabase | null = null;
  let server: ServerProcess | null = null;
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-company-'));

  afterEach(async () => {
    await server?.kill().catch(() => undefined);
    await database?.close();
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(cookie: string | null): Promise<ServerProcess> {
    const place = database === null ? {} : { DATABASE_URL: database.pool.options.connectionString! };
    const started = await spawnServer({
      ...{ GITHUB_URL: simulator.url, DATA_DIR: folder, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
      ...place,
    });
    started.cookie = cookie;
    await started.ready();
    // Whoever is dead is known to be after 15 s without a sign of life: here at once.
    await database?.pool.query("update sync_sessions set heartbeat_at = now() - interval '1 minute'");
    server = started;
    return started;
  }

  async function get<T>(path: string, cookie: string): Promise<T> {
    const { status, body } = await server!.ask('GET', path, undefined, cookie);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  async function signIn(login: string): Promise<string> {
    const { status, cookie } = await server!.ask('POST', '/auth/token', { token: `ghp_${login}` }, null);
    if (status !== 200 || cookie === null) throw new Error(`${login} cannot sign in: ${status}`);
    return cookie;
  }

  /** Which of them somebody can choose, in the order in which they are imported. */
  async function everyAvailable(cookie: string): Promise<string[]> {
    const wanted = new Set(busy);
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AvailableRepositories = await get(
        `/api/repositories/available?forks=true&archived=true${cursor && `&cursor=${cursor}`}`,
        cookie,
      );
      names.push(...page.items.map(({ full_name }) => full_name).filter((full_name) => wanted.has(full_name)));
      cursor = page.next_cursor;
    }
    return names;
  }

  async function connect(cookie: string, names: readonly string[]) {
    const repositories = names.map((full_name) => {
      const [owner, name] = full_name.split('/');
      return { owner, name };
    });
    const { status, body } = await server!.ask('POST', '/api/repos/bulk', { repositories }, cookie);
    expect(status).toBe(202);
    return body as {
      bulk_id: string;
      results: { owner: string; name: string; id: number | null; status: string; reason: string | null }[];
      sessions: { repository_id: number; session_id: string }[];
    };
  }

  const importOf = async (cookie: string) => (await get<RepositoryImport[]>('/api/repos/bulk', cookie))[0]!;
  const pagesAsked = async () => (await asked(simulator)).operations.PullRequests ?? 0;

  async function until(isReached: () => Promise<boolean>, moved: () => Promise<unknown>, look = LOOK): Promise<void> {
    let [before, since, looked] = ['', Date.now(), Date.now()];
    for (; !(await isReached()); await pause(look)) {
      if (Date.now() - looked < LONG_LOOK) continue;
      const current = JSON.stringify(await moved());
      looked = Date.now();
      if (current !== before) [before, since] = [current, looked];
      if (looked - since > STALLED) throw new Error(`Nothing moves: ${current}`);
    }
  }

  it('lose nothing and double nothing, whatever happens meanwhile, and a second person imports none again', {
    timeout: 3_600_000,
  }, async () => {
    const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 1e9));
    console.info(`The moments of the kills come from KILL_SEED=${seed}.`);
    const random = createRandom(seed);
    const company = await startCompany(PULL_REQUESTS, [SECOND], ['--seed', String(seed)]);
    simulator = company.simulator;
    busy = company.busy.slice(0, REPOSITORIES);
    const truth = new Map<string, string[]>();
    for (const full_name of busy) truth.set(full_name, await listedAtHost(simulator, SECOND, full_name));
    const pages = [...truth.values()].reduce((sum, { length }) => sum + pagesOf(length), 0);
    // A private one of somebody else.
    const hidden = 'atlas/plans';
    await simulator.control('repos', { owner: 'atlas', name: 'plans', private: true, readers: ['dev-1'] });
    if (onPostgresql) database = await openTestDatabase();
    else await putMigrated(join(folder, 'database'));
    const first = await signInOn(await start(null));
    const listed = await everyAvailable(first);
    // What nobody has pushed to for long comes last: it is still waiting when these happen to it.
    const [deleted, lost] = listed.slice(-2) as [string, string];
    await forget(simulator);
    const began = performance.now();
    const connected = await connect(first, [hidden, ...listed]);
    const answered = performance.now();

    // What the host takes away is taken from connections, not from a list that is believed for five minutes.
    await until(
      async () => (await get<unknown[]>('/api/repos', first)).length === REPOSITORIES,
      () => importOf(first),
    );

    const moments = Array.from({ length: KILLS }, () => random.between(3, Math.floor(pages * 0.6)));
    const running = new Set<string>();
    let second = '';
    for (const [kills, moment] of moments.sort((a, b) => a - b).entries()) {
      await until(
        async () => (await pagesAsked()) >= moment,
        () => importOf(first),
      );
      if (kills === 1) {
        await simulator.control(`repos/${deleted}`, { deleted: true }, 'PATCH');
        await simulator.control(`repos/${lost}`, { readers: [SECOND] }, 'PATCH');
      }
      if (kills === 2) {
        second = await signIn(SECOND);
        await connect(second, [...(await everyAvailable(second)).filter((name) => name !== deleted), deleted]);
      }
      if (kills === 3)
        await simulator.control('limits/spend', {
          ...{ login: IMPORTER, resource: 'graphql', remaining: 0, resetInSeconds: SECONDS_WITHOUT_QUOTA },
        });
      await pause(random.next() * 150);
      await server!.kill();
      server = null;
      for (const name of await runningNow()) running.add(name);
      await start(first);
    }
    await until(
      async () => (await importOf(first)).state !== 'running' && (await importOf(second)).state !== 'running',
      async () => [await importOf(first), await importOf(second)],
      1000,
    );
    const ended = performance.now();

    const ofFirst = await importOf(first);
    const ofSecond = await importOf(second);
    const { operations, accounts } = (await simulator.control('counters')) as {
      operations: Record<string, number>;
      accounts: Record<string, { requests: number }>;
    };
    const totals = await Promise.all(
      [first, second].map(async (cookie) => (await get<{ total: number }>('/api/prs?limit=1', cookie)).total),
    );
    await server!.stop();
    server = null;
    database ??= await openDatabase({ kind: 'embedded', folder: join(folder, 'database') }, () => undefined);
    const stored = await everyPullRequest(database);
    const sum = [...truth].reduce((so, [name, { length }]) => so + (name === deleted ? 0 : length), 0);
    console.info(
      `${sum} pull requests of ${REPOSITORIES} repositories: connected after ${seconds(answered - began)} s, all there after ${seconds(ended - began)} s with ${KILLS} kills; ${operations.PullRequests} pages asked for, of ${pages}.`,
    );

    // What is not known within 15 s is told in the progress.
    expect(connected.results.filter(({ status }) => status === 'already' || status === 'refused')).toEqual(
      connected.results[0]!.status === 'pending' ? [] : [expect.objectContaining({ name: 'plans', id: null })],
    );
    expect(ofFirst).toMatchObject({
      state: 'done',
      total: REPOSITORIES + 1,
      done: REPOSITORIES - 2,
      running: 0,
      waiting: 0,
    });
    expect(ofFirst.failed.map(({ full_name }) => full_name)).toEqual([hidden, ...listed.slice(-2)]);
    expect(ofSecond).toMatchObject({
      state: 'done',
      total: REPOSITORIES,
      done: REPOSITORIES - 1,
      running: 0,
      waiting: 0,
    });
    expect(ofSecond.failed.map(({ full_name }) => full_name)).toEqual([deleted]);
    for (const [full_name, lines] of truth)
      if (full_name !== deleted) expect([full_name, stored.get(full_name)]).toEqual([full_name, lines]);
    expect(totals).toEqual([sum - truth.get(lost)!.length, sum]);
    // Each kill throws away what was on its way, and nothing else is asked for twice.
    expect(operations.PullRequests).toBeLessThanOrEqual(pages + KILLS * UNDER_WAY);
    // The second person's: their list and its counts, the names that are not in it, and the one repository that the first lost.
    expect(accounts[`${SECOND}/graphql`]!.requests).toBeLessThan(30);
    await expectUndisturbed([...running].filter((name) => name !== deleted && name !== lost));
  });

  async function signInOn(started: ServerProcess): Promise<string> {
    started.cookie = await signIn(IMPORTER);
    return started.cookie;
  }

  /** The repositories whose syncs the killed process left. */
  async function runningNow(): Promise<string[]> {
    const opened =
      database ?? (await openDatabase({ kind: 'embedded', folder: join(folder, 'database') }, () => undefined));
    const { rows } = await sql<{ full_name: string }>`
      select r.owner || '/' || r.name as full_name from sync_sessions s join repositories r on r.id = s.repository_id
      where s.status = 'running'`.execute(opened.db);
    if (opened !== database) await opened.close();
    return rows.map(({ full_name }) => full_name);
  }

  /** Everything stored of them, row by row, against what an undisturbed import stores. */
  async function expectUndisturbed(names: readonly string[]): Promise<void> {
    const { db } = database!;
    const disturbed = new Map<string, unknown>();
    for (const name of names) disturbed.set(name, await everythingStored(db, await idOf(name)));
    await db.deleteFrom('repositories').execute();
    const calm = openSyncing(db, simulator);
    const user = await calm.user(SECOND);
    for (const name of names) {
      const again = await calm.connect(user, name);
      await calm.run(user, again, 'full');
      expect([name, disturbed.get(name)]).toEqual([name, await everythingStored(db, again)]);
    }
    await calm.stop();
  }

  async function idOf(full_name: string): Promise<number> {
    const { id } = await database!.db
      .selectFrom('repositories')
      .select('id')
      .where(sql<boolean>`owner || '/' || name = ${full_name}`)
      .executeTakeFirstOrThrow();
    return id;
  }
});

const seconds = (milliseconds: number) => Math.round(milliseconds / 1000);

/** What is stored of each repository's pull requests, as `listedAtHost` says it. */
async function everyPullRequest({ db }: OpenDatabase): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ full_name: string }>`
    select r.owner || '/' || r.name as full_name, p.number, p.title, p.state, a.login, p.created_at, p.merged_at, p.closed_at,
      p.additions, p.deletions,
      (select count(*)::int from reviews v where v.repository_id = p.repository_id and v.number = p.number) as reviews,
      (select count(*)::int from comments c where c.repository_id = p.repository_id and c.number = p.number and c.kind = 'general') as comments,
      (select count(*)::int from commits c where c.repository_id = p.repository_id and c.number = p.number) as commits
    from pull_requests p join repositories r on r.id = p.repository_id left join people a on a.id = p.author_id
    order by p.repository_id, p.created_at, p.number`.execute(db);
  const stored = new Map<string, string[]>();
  for (const { full_name, ...row } of rows)
    stored.set(full_name, [...(stored.get(full_name) ?? []), JSON.stringify(Object.values(row))]);
  return stored;
}
