/*
 * What a full sync costs, in points, requests and bytes of the host, in time and memory here, per 1,000 pull requests, beside two
 * yardsticks of the same run: the arithmetic minimum of pages with the two lists that all pull requests have, and the naive way, a page of pull requests
 * and then one call each for the reviews, comments, commits and events of every one, measured against the same simulated host.
 * `npm run bench sync [-- COUNT…]`: the recorded repositories where they are at hand, and generated ones of so many pull requests;
 * the peak of memory over them shows whether it stays flat. Leaves `bench/sync.md`. Each measurement runs in a process of its own,
 * with a database and a host of its own on free ports, and takes them down again.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/server/db/open.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { isRecorded, recordingsFolder } from '../test/support/recordings.ts';
import { type RunningSimulator, startSimulator } from '../test/support/simulator.ts';
import { openSyncing, stateOf } from '../test/support/syncing.ts';

interface World {
  readonly title: string;
  readonly world: 'recorded' | 'generated';
  readonly repository: string;
  readonly login: string;
  readonly count: number;
}

interface Cost {
  readonly pull_requests: number;
  readonly points: number;
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Of the process in MB: what it held before, at most, and what its heap holds at the end once the garbage is gone. */
  readonly memory: { readonly before: number; readonly peak: number; readonly heap: number } | null;
}

type Way = 'embedded' | 'relaxed' | 'postgresql' | 'naive';

/** The naive way is measured on so many pull requests and multiplied up: it is the same for each of them. */
const NAIVE_SAMPLE = 200;
const NAIVE_CALLS = ['pulls/#/reviews', 'issues/#/comments', 'pulls/#/commits', 'issues/#/timeline'];
/** Per 1,000 pull requests: pages of 74, each a point for a timeline and a list of files of every one. */
const MINIMUM = { requests: 1000 / 74, points: 1000 / 74 };
const LONGEST = 30 * 60_000;
const ways: Readonly<Record<Way, string>> = {
  postgresql: 'Mergelight, PostgreSQL',
  embedded: 'Mergelight, embedded',
  relaxed: 'Mergelight, embedded, without fsync',
  naive: 'naive',
};

const [first, ...rest] = process.argv.slice(2);
if (first === '--measure') {
  const [world, way] = rest.map((text) => JSON.parse(text)) as [World, Way];
  process.stdout.write(JSON.stringify(await measured(world, way)));
  process.exit(0);
}

const counts = [first, ...rest].filter((text) => text !== undefined).map(Number);
if (counts.some((count) => !Number.isInteger(count) || count < 100)) {
  console.error('Usage: npm run bench sync [-- COUNT…], each count a number of pull requests from 100 up');
  process.exit(1);
}
const worlds: World[] = (counts.length === 0 ? [5000, 50_000] : counts).map((count) => ({
  title: `generated, ${count.toLocaleString('en')} pull requests`,
  world: 'generated',
  repository: 'load/big',
  login: 'dev-1',
  count,
}));
if (isRecorded) {
  const recorded = { world: 'recorded', count: 0 } as const;
  worlds.unshift(
    { ...recorded, title: 'bitcoin-core/gui, recorded', repository: 'bitcoin-core/gui', login: 'hebasto' },
    {
      ...recorded,
      title: 'rust-lang/cargo, from its git history, with made-up reviews',
      repository: 'rust-lang/cargo',
      login: 'epage',
    },
  );
} else console.error('The recorded repositories are not at hand: they are LEFT OUT.');

const lines = [
  '# What a full sync costs',
  '',
  `Per 1,000 pull requests, on ${cpus().length} cores (${cpus()[0]?.model}), Node ${process.versions.node}; \`npm run bench sync\`.`,
  `The machine was ${idleness()}. The simulated host runs beside the sync and charges points by GitHub’s published formula. "Minimum" is`,
  'arithmetic: one request per 74 pull requests, a point for the timeline and the files of each, and nothing that few have. "Naive" lists',
  'pull requests and then asks for the reviews, comments, commits and events of each, one call each, at one point: less than what is synced,',
  'which has inline comments, files, checks and sizes too. Both databases write to a temporary folder; PostgreSQL runs without fsync, the',
  'embedded database with it unless said. Memory is the most that the process held.',
];
const peaks: { world: World; cost: Cost; way: Way }[] = [];
for (const world of worlds) {
  const costs = new Map<Way, Cost>();
  for (const way of ['naive', 'postgresql', 'relaxed', 'embedded'] as const) {
    const cost = inAProcess(world, way);
    if (cost === null) console.log(`${world.title}, ${ways[way]}: left out, PostgreSQL is not installed`);
    else costs.set(way, cost);
  }
  const table = [`## ${world.title}`, '', ...tableOf(costs)];
  lines.push('', ...table);
  console.log(`\n${table.join('\n')}`);
  for (const [way, cost] of costs) if (world.world === 'generated' && cost.memory) peaks.push({ world, way, cost });
}
const memory = [
  '## Memory as the repository grows',
  '',
  'MB of the process: before the sync began, the peak during it, and the heap at the end once the garbage is gone. The embedded database is',
  'part of the process and brings most of what is held before.',
  '',
  '| pull requests | way | before | peak | heap at the end |',
  '| --: | --- | --: | --: | --: |',
  ...peaks.map(
    ({ world, way, cost }) =>
      `| ${[world.count.toLocaleString('en'), ways[way], cost.memory?.before, cost.memory?.peak, cost.memory?.heap].join(' | ')} |`,
  ),
];
lines.push('', ...memory);
console.log(`\n${memory.join('\n')}`);
writeFileSync(join(import.meta.dirname, 'sync.md'), `${lines.join('\n')}\n`);

/** What stands in the way of comparing the seconds of two runs. */
function idleness(): string {
  const load = (loadavg()[0] ?? 0) / cpus().length;
  return load < 0.5
    ? 'idle otherwise'
    : `busy otherwise (${load.toFixed(1)} processes per core): its seconds tell little`;
}

function inAProcess(world: World, way: Way): Cost | null {
  console.log(`${world.title}, ${ways[way]} …`);
  const { status, signal, stdout } = spawnSync(
    process.execPath,
    ['--expose-gc', import.meta.filename, '--measure', JSON.stringify(world), JSON.stringify(way)],
    { encoding: 'utf8', timeout: LONGEST, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status === 0) return JSON.parse(stdout) as Cost | null;
  throw new Error(`${world.title}, ${ways[way]}: the measurement ended with ${signal ?? status}.`);
}

function tableOf(costs: ReadonlyMap<Way, Cost>): string[] {
  const naive = costs.get('naive');
  const per = (cost: Cost, field: 'points' | 'requests' | 'bytes' | 'seconds') =>
    (cost[field] * 1000) / cost.pull_requests;
  const rows = [...costs].map(([way, cost]) => [
    ways[way],
    per(cost, 'points').toFixed(1),
    per(cost, 'requests').toFixed(1),
    (per(cost, 'bytes') / 1e6).toFixed(1),
    per(cost, 'seconds').toFixed(1),
    (cost.pull_requests / cost.seconds).toFixed(0),
    cost.memory?.peak ?? '',
    (per(cost, 'points') / MINIMUM.points).toFixed(1),
    (per(cost, 'requests') / MINIMUM.requests).toFixed(1),
    naive === undefined ? '' : (per(naive, 'requests') / per(cost, 'requests')).toFixed(0),
  ]);
  return [
    '| way | points | requests | MB received | seconds | pull requests/s | memory, MB | points ÷ minimum | requests ÷ minimum | naive ÷ requests |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
    `| minimum | ${MINIMUM.points.toFixed(1)} | ${MINIMUM.requests.toFixed(1)} | | | | | 1.0 | 1.0 | |`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ];
}

/** Takes down what it started however it ends: by itself, by a failure, or because the time is up. */
async function measured(world: World, way: Way): Promise<Cost | null> {
  const started: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void end().then(() => process.exit(1)));
  try {
    const simulator = await hostOf(world);
    started.push(() => simulator.stop());
    if (way === 'naive') return await naively(world, simulator);
    const database = await databaseOf(way, started);
    if (database === null) return null;
    await migrate(database.db);
    return await syncedInto(database, world, simulator, started);
  } finally {
    await end();
  }
}

async function hostOf({ world, count }: World): Promise<RunningSimulator> {
  const settings =
    world === 'recorded'
      ? { data: recordingsFolder, more: ['--no-limits'] }
      : { more: ['--no-limits', '--count', String(count)] };
  const simulator = await startSimulator({ world, ...settings });
  // Loading a large world comes before the measurement.
  await simulator.control('state');
  return simulator;
}

async function databaseOf(
  way: Exclude<Way, 'naive'>,
  started: (() => Promise<unknown>)[],
): Promise<OpenDatabase | null> {
  let closing = false;
  const log = (error: Error) => {
    if (!closing) console.error(error.message);
  };
  const open = async (place: Parameters<typeof openDatabase>[0]) => {
    const database = await openDatabase(place, log);
    started.push(async () => {
      closing = true;
      await database.close();
    });
    return database;
  };
  if (way !== 'postgresql') {
    const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
    started.push(async () => rmSync(folder, { recursive: true, force: true }));
    return await open({ kind: 'embedded', folder: join(folder, 'database'), sync: way === 'embedded' });
  }
  const server = await startPostgresql();
  if (server === null) return null;
  started.push(() => server.stop());
  return await open({ kind: 'postgresql', url: server.url });
}

async function syncedInto(
  { db }: OpenDatabase,
  world: World,
  simulator: RunningSimulator,
  started: (() => Promise<unknown>)[],
): Promise<Cost> {
  const syncing = openSyncing(db, simulator, { faster: 1 });
  started.push(() => syncing.stop());
  const user = await syncing.user(world.login);
  const repository = await syncing.connect(user, world.repository);
  await simulator.control('counters', undefined, 'DELETE');
  // What opening the database left behind is not the sync's.
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const begin = performance.now();
  await syncing.start(user, repository, 'full');
  let end = await stateOf(db, repository);
  while (['queued', 'running', 'waiting'].includes(end.status)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    end = await stateOf(db, repository);
  }
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(watching);
  if (end.status !== 'completed') throw new Error(`The sync ended ${end.status}: ${end.error}`);
  globalThis.gc?.();
  const [held, most, heap] = [before, peak, process.memoryUsage().heapUsed].map((bytes) => Math.round(bytes / 1e6));
  const memory = { before: held!, peak: most!, heap: heap! };
  return { ...(await counted(simulator)), pull_requests: end.imported_prs, seconds, memory };
}

async function naively(world: World, simulator: RunningSimulator): Promise<Cost> {
  await simulator.control('counters', undefined, 'DELETE');
  const headers = {
    authorization: `Bearer ghp_${world.login}`,
    'user-agent': 'bench',
    accept: 'application/vnd.github+json',
  };
  const all = async (path: string): Promise<unknown[]> => {
    const items: unknown[] = [];
    let url: string | undefined = `${simulator.url}/api/v3/repos/${world.repository}/${path}?per_page=100&state=all`;
    while (url !== undefined && items.length < NAIVE_SAMPLE) {
      const answer: Response = await fetch(url, { headers });
      const body = (await answer.json()) as unknown[];
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`);
      items.push(...body);
      url = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return items;
  };
  const begin = performance.now();
  const pulls = (await all('pulls')) as { number: number }[];
  for (const { number } of pulls) for (const call of NAIVE_CALLS) await all(call.replace('#', String(number)));
  const seconds = (performance.now() - begin) / 1000;
  return { ...(await counted(simulator)), pull_requests: pulls.length, seconds, memory: null };
}

async function counted(simulator: RunningSimulator): Promise<{ points: number; requests: number; bytes: number }> {
  const { kinds } = (await simulator.control('counters')) as {
    kinds: Record<string, { points: number; requests: number; bytes: number }>;
  };
  const sum = (field: 'points' | 'requests' | 'bytes') =>
    Object.values(kinds).reduce((total, kind) => total + kind[field], 0);
  return { points: sum('points'), requests: sum('requests'), bytes: sum('bytes') };
}
