/*
 * How fast a delivery is answered, and how soon what it hints at is seen through the API, while a large repository is being imported
 * beside it, on both databases, the embedded one with and without fsync in turns: the host allows ten seconds for an answer, we promise 100 ms, and 3 s until it is seen in the median.
 * `npm run bench webhooks [-- COUNT]`, COUNT deliveries (200 by default). Leaves `bench/webhooks.md`.
 */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgresql } from '../test/support/postgresql.ts';
import { startProduct } from '../test/support/product.ts';
import { isRecorded, recordingsFolder } from '../test/support/recordings.ts';

interface Times {
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
}

/** In milliseconds, one value for each delivery. */
interface Measured {
  readonly answers: readonly number[];
  readonly seen: readonly number[];
  /** Whether the import went on to the end of the measurement. */
  readonly importing: boolean;
}

/** Deliveries on their way at the same time. */
const LANES = 3;
const PAUSE = 400;

const count = Number(process.argv[2] ?? 200);
if (!Number.isInteger(count) || count < LANES) {
  console.error(`Usage: npm run bench webhooks [-- COUNT], COUNT deliveries from ${LANES} up`);
  process.exit(1);
}

const world = isRecorded
  ? { world: 'recorded' as const, data: recordingsFolder, login: 'hebasto', name: 'rust-lang/cargo' }
  : { world: 'generated' as const, more: ['--count', '8000'], login: 'dev-1', name: 'load/big' };

async function measure(count: number, settings: Record<string, string>): Promise<Measured> {
  const product = await startProduct(world, settings);
  const { host, url } = product;
  const headers: Record<string, string> = { 'content-type': 'application/json', origin: url };
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok && answer.status !== 404)
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  try {
    const signedIn = await ask('POST', '/auth/token', { token: `ghp_${world.login}` });
    headers.cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    const [owner, name] = world.name.split('/');
    const added = (await (await ask('POST', '/api/repos', { owner, name })).json()) as {
      id: number;
      webhook_url: string;
      webhook_secret: string;
    };
    await ask('POST', '/api/sync-repo-complete', { repoId: added.id, mode: 'full' });
    const sync = async () =>
      (await (await ask('GET', `/api/sync-repo-complete?repoId=${added.id}`)).json()) as {
        status: string;
        progress: { processed_prs: number };
      };
    while ((await sync()).progress.processed_prs === 0) await pause(100);

    const { repositories } = (await host.control('state')) as {
      repositories: { full_name: string; pull_requests: number }[];
    };
    const newest = repositories.find(({ full_name }) => full_name === world.name)!.pull_requests;
    const answers: number[] = [];
    const seen: number[] = [];
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < count; index = next++) {
        const title = `Seen ${index}`;
        const { number } = (await host.control(`repos/${world.name}/pulls`, {
          ...{ title, author: world.login, number: 1_000_000 + newest + index },
        })) as { number: number };
        const body = JSON.stringify({ action: 'opened', pull_request: { number } });
        const signature = createHmac('sha256', added.webhook_secret).update(body).digest('hex');
        const begin = performance.now();
        const answer = await fetch(added.webhook_url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'pull_request',
            'x-hub-signature-256': `sha256=${signature}`,
          },
          body,
        });
        if (answer.status !== 202) throw new Error(`The delivery was answered ${answer.status}.`);
        answers.push(performance.now() - begin);
        while ((await ask('GET', `/api/pr/${world.name}/${number}`)).status === 404) await pause(50);
        seen.push(performance.now() - begin);
        await pause(PAUSE);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return { answers, seen, importing: (await sync()).status === 'running' };
  } finally {
    await product.stop();
  }
}

function timesOf(values: readonly number[]): Times {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1]!);
  return { median: at(0.5), p95: at(0.95), longest: at(1) };
}

/** Half of the deliveries, then the other half: what else the machine does meanwhile concerns both ways. */
async function inTurns(ways: readonly Record<string, string>[]): Promise<Measured[]> {
  const parts: Measured[][] = ways.map(() => []);
  for (const order of [ways.keys(), [...ways.keys()].reverse()])
    for (const way of order) parts[way]!.push(await measure(Math.ceil(count / 2), ways[way]!));
  return parts.map((of) => ({
    answers: of.flatMap(({ answers }) => answers),
    seen: of.flatMap(({ seen }) => seen),
    importing: of.every(({ importing }) => importing),
  }));
}

function rowOf(kind: string, { answers, seen, importing }: Measured): string {
  const [answer, look] = [timesOf(answers), timesOf(seen)];
  const row = [kind, answer.median, answer.p95, answer.longest, look.median, look.p95, look.longest];
  return `| ${row.join(' | ')} | ${importing ? 'the whole time' : 'part of the time'} |`;
}

const [synced, relaxed] = (await inTurns([{}, { DURABILITY: 'relaxed' }])) as [Measured, Measured];
const rows = [rowOf('embedded', synced), rowOf('embedded, without fsync', relaxed)];
console.log(rows.join('\n'));
const times = (of: readonly number[], others: readonly number[], value: 'median' | 'p95') =>
  (timesOf(of)[value] / timesOf(others)[value]).toFixed(2);
const price = `With fsync a delivery is answered in ${times(synced.answers, relaxed.answers, 'median')} times the time in the median (p95
${times(synced.answers, relaxed.answers, 'p95')}), and seen in ${times(synced.seen, relaxed.seen, 'median')} times (p95 ${times(synced.seen, relaxed.seen, 'p95')}).`;
console.log(price);

const server = await startPostgresql();
if (server === null)
  console.error('PostgreSQL is not installed on this machine: only the embedded database is measured.');
else {
  try {
    const key = { SECRET_KEY: Buffer.alloc(32, 1).toString('base64') };
    rows.push(rowOf('postgresql', await measure(count, { DATABASE_URL: server.url, ...key })));
    console.log(rows.at(-1));
  } finally {
    await server.stop();
  }
}

const text = `# How fast deliveries are answered and seen

${count} deliveries of ${world.name}, ${LANES} at a time, while its history is imported; each is about a pull request of its own, and is seen when
\`GET /api/pr\` shows it (asked every 50 ms). On ${cpus().length} cores (${cpus()[0]!.model.trim()}), Node ${process.versions.node}; the simulated host runs on the
same machine. \`npm run bench webhooks\`. Milliseconds. PostgreSQL runs without fsync, the embedded database with it unless said.

| database | answered, median | p95 | longest | seen, median | p95 | longest | import beside it |
| --- | --: | --: | --: | --: | --: | --: | --- |
${rows.join('\n')}

${price}
`;
writeFileSync(join(import.meta.dirname, 'webhooks.md'), text);
process.exit(0);
