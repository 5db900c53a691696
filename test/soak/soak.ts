/*
 * `npm run test:soak -- --kills COUNT [--database embedded|postgresql] [--older CHECKOUT] [--seed NUMBER] [--fresh]`: kills the server
 * with SIGKILL at random moments while it imports, refreshes, migrates, backs up and upgrades, and holds it to its promises: nothing that
 * was acknowledged is lost, nothing is there twice, and it starts within ten seconds. With the checkout of an older version (and its
 * node_modules) that one makes every place and begins the import, and the upgrade from it is killed too. Goes on from where an earlier
 * run ended, until COUNT kills (1,000) are reached over both databases; leaves `bench/soak.md`. Ends with 1 at the first broken promise,
 * and keeps the folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { entriesOf } from '../../src/server/backup/tar.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { startPostgresql } from '../support/postgresql.ts';
import { type ServerProcess, spawnServer } from '../support/server-process.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { everythingStored, openSyncing } from '../support/syncing.ts';

type Kind = 'embedded' | 'postgresql';
type Activity = 'import' | 'refresh' | 'migration' | 'backup' | 'upgrade';

interface Tally {
  kills: Record<Activity, number>;
  starts: number[];
  acknowledged: number;
  backups: number;
  seconds: number;
}

const root = resolve(import.meta.dirname, '../..');
const memory = join(root, 'node_modules/.cache/soak.json');
const WORLD = 120;
const zones = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Africa/Lagos', 'Australia/Sydney'];
/** After so many kills the import may end, and everything stored is compared with what an undisturbed one stores. */
const ROUND = 25;
/** So many starts over what the older version left are killed before one is let through. */
const UPGRADES_KILLED = 3;
const SLOWEST_START = 10_000;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    database: { type: 'string' },
    older: { type: 'string' },
    seed: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    /** Leaves no result: for the tests. */
    rehearsal: { type: 'boolean', default: false },
  },
});
const goal = Number(values.kills);
const kinds: Kind[] = values.database === undefined ? ['embedded', 'postgresql'] : [values.database as Kind];
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const random = createRandom(seed);
console.log(`The moments come from --seed ${seed}.`);

const fresh = (): Tally => ({
  kills: { import: 0, refresh: 0, migration: 0, backup: 0, upgrade: 0 },
  starts: [],
  acknowledged: 0,
  backups: 0,
  seconds: 0,
});
const tallies: Record<Kind, Tally> =
  existsSync(memory) && !values.fresh && !values.rehearsal
    ? JSON.parse(readFileSync(memory, 'utf8'))
    : { embedded: fresh(), postgresql: fresh() };
const killsOf = (kind: Kind) => Object.values(tallies[kind].kills).reduce((sum, count) => sum + count, 0);
const kills = () => killsOf('embedded') + killsOf('postgresql');

/** A new place, so many kills, and at the end the comparison. Returns 0 where the database is not installed. */
async function round(kind: Kind, count: number): Promise<number> {
  const postgresql = kind === 'postgresql' ? await startPostgresql() : null;
  if (kind === 'postgresql' && postgresql === null) {
    console.error('PostgreSQL is not installed: it is LEFT OUT.');
    return 0;
  }
  const simulator = await startSimulator({ world: 'generated', more: ['--count', String(WORLD), '--no-limits'] });
  await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'latency', milliseconds: 20 } });
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-soak-'));
  try {
    const place = new Place(kind, folder, simulator, postgresql?.url ?? null);
    if (values.older !== undefined) await place.liveAsBefore(resolve(values.older));
    for (let done = 0; done < count; done += 1) {
      const upgrading = values.older !== undefined && done < UPGRADES_KILLED;
      const activity = upgrading ? 'upgrade' : chosen();
      await (upgrading ? place.startAndKill() : place.live(activity));
      tallies[kind].kills[activity] += 1;
      if (done % 10 === 9) console.log(`${kind}: ${killsOf(kind)} kills`);
    }
    await place.compare();
  } catch (error) {
    console.error(`BROKEN after ${kills()} kills on ${kind} (--seed ${seed}); the folder is kept: ${folder}`);
    console.error(error);
    process.exit(1);
  }
  await simulator.stop();
  await postgresql?.stop();
  rmSync(folder, { recursive: true, force: true });
  return count;
}

function chosen(): Activity {
  const at = random.next();
  if (at < 0.55) return 'import';
  if (at < 0.8) return 'refresh';
  if (at < 0.9) return 'backup';
  return at < 0.96 ? 'upgrade' : 'migration';
}

/** One installation over its many lives, and what was acknowledged to its user. */
class Place {
  readonly kind: Kind;
  readonly folder: string;
  readonly simulator: RunningSimulator;
  readonly server: string | null;
  #cookie: string | null = null;
  #repository: number | null = null;
  /** The time zone that was acknowledged, and those that were asked for since: one of them has to be there. */
  #zones: string[] = [];
  #pullRequests = 0;
  #places = 0;

  constructor(kind: Kind, folder: string, simulator: RunningSimulator, server: string | null) {
    this.kind = kind;
    this.folder = folder;
    this.simulator = simulator;
    this.server = server;
  }

  /** The older version makes the place, begins the import, and is stopped in order. */
  async liveAsBefore(checkout: string): Promise<void> {
    const life = await this.#start(this.#home(), checkout);
    await life.ready();
    await this.#check(life);
    let over = false;
    const work = this.#work(life, 'import', () => over);
    await pause(500 + random.next() * 2500);
    over = true;
    await work;
    await life.stop();
  }

  /** A start that is killed on its way. */
  async startAndKill(): Promise<void> {
    const life = await this.#start(this.#home());
    await pause(random.next() * 4000);
    await life.kill();
  }

  /** From a start to a kill. */
  async live(activity: Activity): Promise<void> {
    if (activity === 'migration') return await this.#migrate();
    if (activity === 'upgrade') await this.#age();
    if (random.next() < 0.35) return await this.startAndKill();
    const life = await this.#start(this.#home());
    await life.ready();
    await this.#check(life);
    const ending = pause(random.next() * 1500);
    let over = false;
    const work = this.#work(life, activity, () => over);
    work.catch(() => undefined);
    await ending;
    await life.kill();
    over = true;
    await work.catch((error: unknown) => {
      // What was under way when it was killed.
      if (!(error instanceof TypeError) && !String(error).includes('fetch failed')) throw error;
    });
  }

  async #work(life: ServerProcess, activity: Activity, over: () => boolean): Promise<void> {
    const tally = tallies[this.kind];
    const { status, has_more } = (await life.ask('GET', `/api/sync-repo-complete?repoId=${this.#repository}`)).body as {
      status: string;
      has_more: boolean;
    };
    if (!['queued', 'running', 'waiting'].includes(status) || has_more) {
      const body = { repoId: this.#repository, mode: 'full', featureOverrides: { MAX_CHUNK_SIZE: 5 } };
      await life.ask('POST', '/api/sync-repo-complete', body);
    }
    const backup = activity === 'backup' ? this.#backUp() : null;
    try {
      for (let _step = 0; !over(); _step += 1) {
        const zone = zones[random.between(0, zones.length - 1)] as string;
        this.#zones.push(zone);
        const { status } = await life.ask('PATCH', '/auth/me', { time_zone: zone });
        if (status !== 200) throw new Error(`PATCH /auth/me: ${status}`);
        this.#zones = [zone];
        tally.acknowledged += 1;
        if (activity === 'refresh') {
          const number = random.between(1, WORLD);
          const answer = await life.ask('POST', `/api/pr/load/big/${number}/refresh`);
          if (![200, 404].includes(answer.status))
            throw new Error(`refresh: ${answer.status} ${JSON.stringify(answer.body)}`);
        }
        const { total } = (await life.ask('GET', '/api/prs?limit=1')).body as { total: number };
        this.#pullRequests = Math.max(this.#pullRequests, total);
        await pause(20);
      }
    } finally {
      // It ends by itself when the server is killed, or opens the folder then, which the next start has to find free.
      await backup;
    }
  }

  /** What was acknowledged is there, once. */
  async #check(life: ServerProcess): Promise<void> {
    if (this.#cookie === null) await this.#signIn(life);
    const me = await life.ask('GET', '/auth/me');
    if (me.status !== 200) throw new Error(`The session is lost: ${me.status} ${JSON.stringify(me.body)}`);
    const { time_zone } = me.body as { time_zone: string };
    if (this.#zones.length > 0 && !this.#zones.includes(time_zone))
      throw new Error(`The time zone is ${time_zone}, acknowledged was ${this.#zones.join(' or ')}.`);
    this.#zones = [time_zone];
    const repositories = (await life.ask('GET', '/api/repos')).body as { id: number }[];
    if (repositories.length !== 1 || repositories[0]?.id !== this.#repository)
      throw new Error(`The repositories are ${JSON.stringify(repositories)}.`);
    const { prs, total } = (await life.ask('GET', '/api/prs?limit=500')).body as {
      prs: { pr_number: number }[];
      total: number;
    };
    if (
      total < this.#pullRequests ||
      total > WORLD ||
      new Set(prs.map(({ pr_number }) => pr_number)).size !== prs.length
    )
      throw new Error(
        `There are ${total} pull requests, ${this.#pullRequests} were seen before, the host has ${WORLD}.`,
      );
    this.#pullRequests = total;
  }

  async #signIn(life: ServerProcess): Promise<void> {
    const signedIn = await life.ask('POST', '/auth/token', { token: 'ghp_dev-1' });
    if (signedIn.status !== 200) throw new Error(`sign-in: ${signedIn.status} ${JSON.stringify(signedIn.body)}`);
    this.#cookie = signedIn.cookie;
    life.cookie = signedIn.cookie;
    const connected = await life.ask('POST', '/api/repos', { owner: 'load', name: 'big' });
    if (connected.status !== 201) throw new Error(`connect: ${connected.status} ${JSON.stringify(connected.body)}`);
    this.#repository = (connected.body as { id: number }).id;
    tallies[this.kind].acknowledged += 2;
  }

  /** A first start on an empty place, killed; the one after it has to make the database. */
  async #migrate(): Promise<void> {
    this.#places += 1;
    const home = await this.#emptyHome(`empty_${this.#places}`);
    const first = await this.#start(home);
    await pause(random.next() * 6000);
    await first.kill();
    const second = await this.#start(home);
    await second.ready();
    await second.kill();
    if (this.kind === 'embedded') rmSync(home.DATA_DIR as string, { recursive: true, force: true });
  }

  /** As an older version would have left it: its facts are to be computed again, behind the running server. */
  async #age(): Promise<void> {
    const database = await this.#open();
    await migrate(database.db);
    await database.pool.query(
      "update pull_request_facts set version = 1; delete from kysely_migration where name like 'facts-version-%'",
    );
    await database.close();
  }

  async #backUp(): Promise<void> {
    this.#places += 1;
    const file = join(this.folder, `backup-${this.#places}.tar.gz`);
    const child = spawn(process.execPath, ['src/server/backup-command.ts', file], {
      cwd: root,
      env: { PATH: process.env.PATH, ...this.#home() },
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    // Without a server it has opened the folder itself; with one that died on the way it has failed, and left nothing.
    if ((code === 0) !== existsSync(file))
      throw new Error(`The backup ended ${code}, and its file does ${code === 0 ? 'not ' : ''}exist.`);
    if (code !== 0) return;
    const names: string[] = [];
    for await (const { name } of entriesOf(createReadStream(file).pipe(createGunzip()))) names.push(name);
    if (names.at(-1) !== 'complete') throw new Error(`${file} is not whole.`);
    tallies[this.kind].backups += 1;
    if (this.#places % 5 === 0) await this.#restore(file);
    rmSync(file);
  }

  async #restore(file: string): Promise<void> {
    const home = await this.#emptyHome(`restored_${this.#places}`);
    const child = spawn(process.execPath, ['src/server/restore-command.ts', file], {
      cwd: root,
      env: { PATH: process.env.PATH, ...home },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${file} could not be restored.`);
    if (this.kind === 'embedded') rmSync(home.DATA_DIR as string, { recursive: true, force: true });
  }

  /** Lets the import end, and compares everything that is stored with what an undisturbed import stores. */
  async compare(): Promise<void> {
    const life = await this.#start(this.#home());
    await life.ready();
    await this.#check(life);
    await life.stop();
    await this.simulator.control('faults', undefined, 'DELETE');
    const database = await this.#open();
    await migrate(database.db);
    await database.pool.query("update sync_sessions set heartbeat_at = now() - interval '1 minute'");
    const last = openSyncing(database.db, this.simulator);
    const user = await last.user('dev-1');
    const repository = this.#repository as number;
    await last.run(user, repository, 'full');
    await last.run(user, repository, 'incremental');
    // Facts of an older version are computed again, too.
    for (let tries = 0; tries < 300; tries += 1) {
      const { rows } = await database.pool.query('select 1 from recounts limit 1');
      if (rows.length === 0) break;
      await pause(200);
    }
    await last.stop();
    const disturbed = await everythingStored(database.db, repository);
    await database.db.deleteFrom('repositories').execute();
    const calm = openSyncing(database.db, this.simulator);
    const again = await calm.connect(await calm.user('dev-1'), 'load/big');
    await calm.run(user, again, 'full');
    await calm.stop();
    const undisturbed = await everythingStored(database.db, again);
    await database.close();
    for (const [table, rows] of Object.entries(undisturbed))
      if (JSON.stringify(rows) !== JSON.stringify(disturbed[table]))
        throw new Error(
          `${table}: ${disturbed[table]?.length} rows are not the ${rows.length} of an undisturbed import.`,
        );
  }

  #home(): Record<string, string> {
    return {
      DATA_DIR: join(this.folder, 'data'),
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...(this.server !== null && { DATABASE_URL: this.server }),
    };
  }

  async #emptyHome(name: string): Promise<Record<string, string>> {
    const home = { ...this.#home(), DATA_DIR: join(this.folder, name) };
    if (this.server === null) return home;
    const admin = new pg.Client({ connectionString: this.server });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    const address = new URL(this.server);
    address.pathname = `/${name}`;
    return { ...home, DATABASE_URL: address.href };
  }

  async #open(): Promise<OpenDatabase> {
    const { DATA_DIR, DATABASE_URL } = this.#home();
    return await openDatabase(
      DATABASE_URL === undefined
        ? { kind: 'embedded', folder: join(DATA_DIR as string, 'database') }
        : { kind: 'postgresql', url: DATABASE_URL },
      () => undefined,
    );
  }

  async #start(home: Record<string, string>, checkout = root): Promise<ServerProcess> {
    const server = await spawnServer({ GITHUB_URL: this.simulator.url, ...home }, checkout);
    server.cookie = this.#cookie;
    server.onReady = (ms) => {
      if (checkout === root) tallies[this.kind].starts.push(ms);
    };
    return server;
  }
}

function report(): void {
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, JSON.stringify(tallies));
  const load = (loadavg()[0] ?? 0) / cpus().length;
  const rows = (['embedded', 'postgresql'] as const).map((kind) => {
    const { kills: of, starts, acknowledged, backups, seconds } = tallies[kind];
    const sorted = starts.toSorted((a, b) => a - b);
    const at = (part: number) => ((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) / 1000).toFixed(1);
    const slow = starts.filter((ms) => ms > SLOWEST_START).length;
    return [
      ...[kind, killsOf(kind), of.import, of.refresh, of.backup, of.upgrade, of.migration],
      ...[acknowledged, backups, at(0.5), at(0.95), at(1), slow, Math.round(seconds / 60)],
    ].join(' | ');
  });
  const lines = [
    '# Kills',
    '',
    `The server was killed ${kills().toLocaleString('en')} times with SIGKILL at random moments (\`npm run test:soak\`), on ${cpus().length} cores, ${load < 0.6 ? 'idle otherwise' : `which others used too (${load.toFixed(1)} processes per core): the seconds of the starts are those of a busy machine`}.`,
    'After each kill: the session, the last acknowledged change and every pull request seen before were there, none of them twice. After every',
    `${ROUND} kills: everything stored was equal, row by row, to what an undisturbed import stores. Backups that were acknowledged were whole; every`,
    'fifth was restored. An upgrade is a start over what an older version left, or whose facts are to be computed again.',
    '',
    '| database | kills | import | refresh | backup | upgrade | migration | acknowledged changes | whole backups | start, median s | 95 % | longest | starts over 10 s | minutes |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
    ...rows.map((row) => `| ${row} |`),
  ];
  writeFileSync(join(root, 'bench/soak.md'), `${lines.join('\n')}\n`);
  console.log(rows.join('\n'));
}

while (kills() < goal) {
  // The one that has had fewer; one at a time.
  const kind = kinds.toSorted((a, b) => killsOf(a) - killsOf(b))[0] as Kind;
  const began = performance.now();
  const count = await round(kind, Math.min(ROUND, goal - kills()));
  tallies[kind].seconds += (performance.now() - began) / 1000;
  if (!values.rehearsal) report();
  if (count === 0) kinds.splice(kinds.indexOf(kind), 1);
  if (kinds.length === 0) break;
}
if (!values.rehearsal) report();
console.log(`${kills()} kills: nothing acknowledged was lost, nothing doubled.`);
process.exit(0);
