import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

export interface PostgresqlServer {
  readonly url: string;
  /** Of the process that the others of the server belong to. */
  readonly pid: number;
  /** Starts a standby that streams from this server; both have to be stopped. */
  standby(settings?: readonly string[]): Promise<PostgresqlServer>;
  /** As a loss of power does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a temporary server, with all its files in a temporary folder and more settings, `name=value`; null where PostgreSQL is not installed. */
export async function startPostgresql(more: readonly string[] = []): Promise<PostgresqlServer | null> {
  const bin = binaries();
  if (bin === null) return null;
  return await runServer(
    bin,
    (data, options) => {
      const made = spawnSync(
        join(bin, 'initdb'),
        ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'],
        { ...options, encoding: 'utf8' },
      );
      if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
    },
    more,
  );
}

/** Starts a server on the data that `make` puts into a new folder. */
async function runServer(
  bin: string,
  make: (data: string, options: { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv }) => void,
  more: readonly string[] = [],
): Promise<PostgresqlServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-postgresql-'));
  const user = userFor(folder);
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const data = join(folder, 'data');
  make(data, options);
  const port = await freePort();
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'listen_addresses=127.0.0.1',
    ...more,
  ];
  // A question over all repositories locks every part of every table that it reads (docs/scaling.md).
  if (process.env.MERGELIGHT_TEST_PARTITIONS) settings.push('max_locks_per_transaction=1024');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    server.kill(signal);
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const stop = () => end('SIGINT');
  const kill = () => end('SIGQUIT');
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const standby: PostgresqlServer['standby'] = (more = []) =>
    runServer(
      bin,
      (copy, as) => {
        const copied = spawnSync(
          join(bin, 'pg_basebackup'),
          ['-D', copy, '-d', url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'],
          { ...as, encoding: 'utf8' },
        );
        if (copied.status !== 0) throw new Error(`pg_basebackup failed: ${copied.stderr || copied.error?.message}`);
      },
      more,
    );
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (await answers(url)) return { url, pid: server.pid!, standby, kill, stop };
    if (server.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`PostgreSQL did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** The folder that holds initdb and postgres: the newest of the packaged ones, else where PATH leads. */
function binaries(): string | null {
  const packaged = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr']
    .flatMap((root) => (existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : []))
    .filter((folder) => /(postgresql\/\d+|postgresql@\d+|pgsql-\d+)$/.test(folder))
    .sort((one, other) => Number(other.match(/\d+$/)) - Number(one.match(/\d+$/)))
    .map((folder) => join(folder, 'bin'));
  const path = (process.env.PATH ?? '').split(':');
  return (
    [...packaged, ...path].find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ??
    null
  );
}

/** PostgreSQL refuses to run as root: there it runs as `postgres` or `nobody`, who then owns the folder. */
export function userFor(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const uid = Number(spawnSync('id', ['-u', name], { encoding: 'utf8' }).stdout);
    const gid = Number(spawnSync('id', ['-g', name], { encoding: 'utf8' }).stdout);
    if (!uid || !gid) continue;
    chownSync(folder, uid, gid);
    return { uid, gid };
  }
  throw new Error('PostgreSQL cannot run as root, and neither the user postgres nor nobody exists.');
}
