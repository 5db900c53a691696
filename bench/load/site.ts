import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBalancer } from '../../test/support/balancer.ts';
import { startPostgresql } from '../../test/support/postgresql.ts';
import { type ServerProcess, spawnServer } from '../../test/support/server-process.ts';

export interface SiteProcess {
  readonly name: string;
  readonly server: ServerProcess;
}

/** A running installation. */
export interface Site {
  /** Where people reach it. */
  readonly url: string;
  readonly processes: readonly SiteProcess[];
  /** The process of the PostgreSQL server; null where the database is embedded. */
  readonly database_pid: number | null;
  /** What failed on the way to a process, as the balancer saw it. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** What the server's memory hangs on and `npm run bench` has set for this process, as `npm start` does for a server. */
const sparing = Object.fromEntries(
  ['MALLOC_MMAP_THRESHOLD_', 'NODE_OPTIONS'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** How often the balancer asks whether a process is ready, in milliseconds. */
const READY_EVERY = 1000;

/** Two web and two worker processes behind a balancer, on a PostgreSQL server that writes as in production. @throws without PostgreSQL */
export async function startSeveral(host_url: string): Promise<Site> {
  const postgresql = await startPostgresql(['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']);
  if (postgresql === null) throw new Error('PostgreSQL is not installed on this machine.');
  const balancer = await startBalancer(READY_EVERY);
  const servers: ServerProcess[] = [];
  process.once('exit', () => {
    for (const server of servers) server.killNow();
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await balancer.stop();
    await postgresql.stop();
  };
  const start = async (name: string): Promise<SiteProcess> => {
    const env = {
      ...{ ROLE: name.split(' ')[0]!, PUBLIC_URL: balancer.url, GITHUB_URL: host_url, DATABASE_URL: postgresql.url },
      ...{ SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), LOG_LEVEL: 'error', ...sparing },
    };
    // PostgreSQL's processes have a group of their own each, in which the system shares out the processor; so has a service.
    const server = await spawnServer(env, undefined, { detached: true });
    servers.push(server);
    await server.ready();
    return { name, server };
  };
  try {
    const processes = [await start('web 1'), await start('web 2'), await start('worker 1'), await start('worker 2')];
    const webs = processes.slice(0, 2).map(({ server }) => server.url);
    for (const url of webs) balancer.add(url);
    while (!webs.every((url) => balancer.passesTo(url))) await pause(50);
    return { url: balancer.url, processes, database_pid: postgresql.pid, failures: balancer.failures, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One process with the embedded database. */
export async function startEmbedded(host_url: string): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-load-'));
  const server = await spawnServer({ GITHUB_URL: host_url, DATA_DIR: folder, LOG_LEVEL: 'error', ...sparing });
  await server.ready();
  return {
    url: server.url,
    processes: [{ name: 'all in one', server }],
    database_pid: null,
    failures: [],
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
