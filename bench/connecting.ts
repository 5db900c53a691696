/*
 * How long it takes until a person who connects 300 repositories of a company at once sees the current month of all of them on the
 * dashboard, and until everything is there, on both databases: once as fast as the simulated host answers, which is what the server can
 * do, and once with a host that takes as long for an answer as GitHub does. `npm run bench connecting [-- COUNT]`, COUNT pull requests
 * over all (60,000 by default). Leaves `bench/connecting.md`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportEstimate, RepositoryImport } from '../src/contract/connecting.ts';
import { IMPORTER, startCompany } from '../test/support/company.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import { spawnServer } from '../test/support/server-process.ts';

interface Measured {
  /** Seconds from the click to the answer, to the current month of all, and to the end. */
  readonly answered: number;
  readonly month: number;
  readonly all: number;
  readonly estimate: ImportEstimate;
  readonly points: number;
  readonly requests: number;
}

const DAY = 86_400_000;
/** A request for a page of GitHub takes about so long, in milliseconds. */
const SLOW = 500;

const count = Number(process.argv[2] ?? 60_000);
if (!Number.isInteger(count) || count < 300) {
  console.error('Usage: npm run bench connecting [-- COUNT], COUNT pull requests from 300 up');
  process.exit(1);
}

async function measure(database: Record<string, string>, latency: number): Promise<Measured> {
  const { simulator, busy } = await startCompany(count);
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-bench-'));
  const server = await spawnServer({
    ...{ GITHUB_URL: simulator.url, DATA_DIR: folder, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    ...database,
  });
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    let answer = await server.ask(method, path, body);
    // A busy server asks for some patience, which browsers have, too.
    while (method === 'GET' && answer.status === 503) {
      await pause(5_000);
      answer = await server.ask(method, path, body);
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    server.cookie = answer.cookie ?? server.cookie;
    return answer.body as T;
  };
  try {
    await server.ready();
    await ask('POST', '/auth/token', { token: `ghp_${IMPORTER}` });
    await ask('GET', '/api/repositories/available');
    const repositories = busy.map((full_name) => {
      const [owner, name] = full_name.split('/');
      return { owner, name };
    });
    const estimate = await ask<ImportEstimate>('POST', '/api/repos/estimate', { repositories });
    await simulator.control('faults', {
      match: { kind: 'graphql' },
      effect: { name: 'latency', milliseconds: latency },
    });
    await simulator.control('counters', undefined, 'DELETE');
    const begin = Date.now();
    const since = () => (Date.now() - begin) / 1000;
    const [from, to] = [begin - 30 * DAY, begin].map((at) => new Date(at).toISOString());
    await ask('POST', '/api/repos/bulk', { repositories });
    const answered = since();
    /** What the dashboard said of the 30 days before the click, and when it said so first. */
    let shown = '';
    let month = 0;
    for (;;) {
      const [one] = await ask<RepositoryImport[]>('GET', '/api/repos/bulk');
      const { merged_prs } = await ask<{ merged_prs: number }>('GET', `/api/team-stats?from=${from}&to=${to}`);
      if (String(merged_prs) !== shown) [shown, month] = [String(merged_prs), since()];
      if (one!.failed.length > 0) throw new Error(JSON.stringify(one!.failed[0]));
      if (one!.state === 'done') break;
      await pause(500);
    }
    const { kinds } = (await simulator.control('counters')) as {
      kinds: Record<string, { points: number; requests: number }>;
    };
    const { points, requests } = kinds.graphql!;
    return { answered, month, all: since(), estimate, points, requests };
  } finally {
    await server.stop();
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rows: string[] = [];
let estimated = '';
for (const [kind, latency] of [
  ['PostgreSQL', 0],
  ['embedded', 0],
  ['PostgreSQL', SLOW],
] as const) {
  const postgresql = kind === 'PostgreSQL' ? await startPostgresql() : null;
  if (kind === 'PostgreSQL' && postgresql === null) {
    console.error('PostgreSQL is not installed: it is LEFT OUT.');
    continue;
  }
  const of = await measure(postgresql === null ? {} : { DATABASE_URL: postgresql.url }, latency);
  await postgresql?.stop();
  const host = latency === 0 ? 'answers at once' : `takes ${latency} ms`;
  const cells = [kind, host, of.answered.toFixed(1), of.month.toFixed(0), of.all.toFixed(0), of.requests, of.points];
  rows.push(`| ${[...cells, (count / of.all).toFixed(0)].join(' | ')} |`);
  estimated = `${of.estimate.pull_requests.toLocaleString('en')} pull requests, ${of.estimate.points.toLocaleString('en')} points`;
  console.log(rows.at(-1));
  report();
}

function report(): void {
  const load = (loadavg()[0] ?? 0) / cpus().length;
  writeFileSync(
    join(import.meta.dirname, 'connecting.md'),
    `# How long it takes to connect a company

A person connects 300 repositories at once, which have ${count.toLocaleString('en')} pull requests over two years. The current month is there when the dashboard's
merged pull requests of the last 30 days are what they are at the end. On ${cpus().length} cores (${cpus()[0]?.model}), Node ${process.versions.node},
${load < 1 ? 'idle otherwise' : `which others used too (${load.toFixed(1)} processes per core): its seconds tell little`}; the simulated host runs on the same machine. \`npm run bench connecting\`. The estimate said: ${estimated}.
PostgreSQL runs without fsync, the embedded database with it.

| database | the host | connected, s | the current month of all, s | all of it, s | requests | points | pull requests/s |
| --- | --- | --: | --: | --: | --: | --: | --: |
${rows.join('\n')}
`,
  );
}
