/*
 * What a full sync costs, in points, requests and bytes of the host, in time and memory here, per 1,000 pull requests, beside two
 * yardsticks: the arithmetic minimum of one request per 100 pull requests, and the naive way over REST, one pull request after the
 * other, measured against the same simulated host. `npm run bench sync [-- COUNT…]`: recorded data where they are at hand, and generated
 * repositories of so many pull requests. Leaves `bench/sync.md`. Each measurement runs in a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/server/db/open.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { type RunningSimulator, startSimulator } from '../test/support/simulator.ts';
import { openSyncing } from '../test/support/syncing.ts';

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
  /** Above what the process held before it began, in MB; null where it was not measured. */
  readonly memory: number | null;
}

type Way = 'embedded' | 'postgresql' | 'rest';

const DATA = join(import.meta.dirname, '../../shared/data');
/** The naive way is measured on so many pull requests and multiplied up: it is the same for each of them. */
const NAIVE_SAMPLE = 200;

const [first, ...rest] = process.argv.slice(2);
if (first === '--measure') {
  const [world, way] = rest.map((text) => JSON.parse(text)) as [World, Way];
  process.stdout.write(JSON.stringify(way === 'rest' ? await naively(world) : await synced(world, way)));
  process.exit(0);
}

const counts = [first, ...rest].filter((text) => text !== undefined).map(Number);
if (counts.some((count) => !Number.isInteger(count) || count < 100)) {
  console.error('Usage: npm run bench sync [-- COUNT…], each count a number of pull requests from 100 up');
  process.exit(1);
}
const worlds: World[] = (counts.length === 0 ? [1000, 10_000] : counts).map((count) => ({
  title: `generated, ${count.toLocaleString('en')} pull requests`,
  world: 'generated',
  repository: 'load/big',
  login: 'dev-1',
  count,
}));
if (existsSync(join(DATA, 'bitcoin-core-gui.ndjson.gz'))) {
  const recorded = { world: 'recorded', count: 0 } as const;
  worlds.unshift(
    { ...recorded, title: 'bitcoin-core/gui, recorded', repository: 'bitcoin-core/gui', login: 'hebasto' },
    { ...recorded, title: 'rust-lang/cargo, from its git history', repository: 'rust-lang/cargo', login: 'epage' },
  );
} else console.error('The recorded repositories are not at hand: they are LEFT OUT.');

const lines = [
  '# What a full sync costs',
  '',
  `Per 1,000 pull requests, on ${cpus().length} cores (${cpus()[0]?.model}), Node ${process.versions.node}; \`npm run bench sync\`.`,
  'The simulated host runs on the same machine and charges points by GitHub’s published formula. "Minimum" is arithmetic: one request per 100',
  'pull requests, each as dear as a query for 100 of them with the eight lists that are read (8 points). "REST" asks for each pull request and its',
  'reviews, comments, inline comments, commits, files and timeline, as one would at first. Memory is the growth of the process over the import.',
];
for (const world of worlds) {
  lines.push(
    '',
    `## ${world.title}`,
    '',
    '| way | points | requests | MB received | seconds | pull requests/s | memory, MB |',
    '| --- | --: | --: | --: | --: | --: | --: |',
  );
  lines.push('| minimum | 80 | 10 | | | | |');
  for (const way of ['postgresql', 'embedded', 'rest'] as const) {
    const cost = measured(world, way);
    if (cost !== null) lines.push(row(way, cost));
    console.log(world.title, way, cost === null ? 'left out' : row(way, cost));
  }
}
writeFileSync(join(import.meta.dirname, 'sync.md'), `${lines.join('\n')}\n`);

function measured(world: World, way: Way): Cost | null {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [import.meta.filename, '--measure', JSON.stringify(world), JSON.stringify(way)],
    { encoding: 'utf8', timeout: 900_000 },
  );
  if (status === 0) return stdout === 'null' ? null : (JSON.parse(stdout) as Cost);
  throw new Error(`${world.title}, ${way}: ${stderr}`);
}

function row(way: Way, cost: Cost): string {
  const names = { postgresql: 'Mergelight, PostgreSQL', embedded: 'Mergelight, embedded', rest: 'REST, naively' };
  const per = (value: number, digits: number) => ((value * 1000) / cost.pull_requests).toFixed(digits);
  const cells = [
    names[way],
    per(cost.points, 0),
    per(cost.requests, 0),
    per(cost.bytes / 1e6, 1),
    per(cost.seconds, 1),
    Math.round(cost.pull_requests / cost.seconds),
    cost.memory ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}

async function hostOf({ world, count }: World): Promise<RunningSimulator> {
  const settings =
    world === 'recorded' ? { data: DATA, more: ['--no-limits'] } : { more: ['--no-limits', '--count', String(count)] };
  const simulator = await startSimulator({ world, ...settings });
  // Loading a large world comes before the measurement.
  await simulator.control('state');
  return simulator;
}

async function synced(world: World, way: 'embedded' | 'postgresql'): Promise<Cost | null> {
  const server = way === 'postgresql' ? await startPostgresql() : null;
  if (way === 'postgresql' && server === null) return null;
  const database = await openDatabase(
    server === null ? { kind: 'embedded', folder: null } : { kind: 'postgresql', url: server.url },
    console.error,
  );
  try {
    await migrate(database.db);
    return await syncedInto(database, world);
  } finally {
    await database.close();
    await server?.stop();
  }
}

async function syncedInto(database: OpenDatabase, world: World): Promise<Cost> {
  const simulator = await hostOf(world);
  const syncing = openSyncing(database.db, simulator);
  const user = await syncing.user(world.login);
  const repository = await syncing.connect(user, world.repository);
  await simulator.control('counters', undefined, 'DELETE');
  const before = process.memoryUsage.rss();
  let peak = before;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const begin = performance.now();
  const end = await syncing.until(await syncing.start(user, repository, 'full'));
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(watching);
  if (end.status !== 'completed') throw new Error(`The sync ended ${end.status}: ${end.error}`);
  const cost = {
    ...(await counted(simulator)),
    pull_requests: end.imported_prs,
    seconds,
    memory: Math.round((peak - before) / 1e6),
  };
  await syncing.stop();
  await simulator.stop();
  return cost;
}

async function naively(world: World): Promise<Cost> {
  const simulator = await hostOf(world);
  await simulator.control('counters', undefined, 'DELETE');
  const headers = {
    authorization: `Bearer ghp_${world.login}`,
    'user-agent': 'bench',
    accept: 'application/vnd.github+json',
  };
  const all = async (path: string): Promise<unknown[]> => {
    const items: unknown[] = [];
    let url: string | undefined = `${simulator.url}/api/v3/repos/${world.repository}/${path}`;
    while (url !== undefined && items.length < NAIVE_SAMPLE) {
      const answer: Response = await fetch(url, { headers });
      const body = (await answer.json()) as unknown;
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`);
      items.push(...(Array.isArray(body) ? body : [body]));
      url = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return items;
  };
  const begin = performance.now();
  const pulls = (await all('pulls?state=all&per_page=100')) as { number: number }[];
  for (const { number } of pulls) {
    for (const path of [
      `pulls/${number}`,
      `pulls/${number}/reviews`,
      `pulls/${number}/comments`,
      `issues/${number}/comments`,
      `pulls/${number}/commits`,
      `pulls/${number}/files`,
      `issues/${number}/timeline`,
    ])
      await all(`${path}?per_page=100`);
  }
  const seconds = (performance.now() - begin) / 1000;
  const cost = { ...(await counted(simulator)), pull_requests: pulls.length, seconds, memory: null };
  await simulator.stop();
  return cost;
}

async function counted(simulator: RunningSimulator): Promise<{ points: number; requests: number; bytes: number }> {
  const { kinds } = (await simulator.control('counters')) as {
    kinds: Record<string, { points: number; requests: number; bytes: number }>;
  };
  const sum = (field: 'points' | 'requests' | 'bytes') =>
    Object.values(kinds).reduce((total, kind) => total + kind[field], 0);
  return { points: sum('points'), requests: sum('requests'), bytes: sum('bytes') };
}
