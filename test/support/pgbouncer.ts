import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { userFor } from './postgresql.ts';

export interface Pgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where its program lies; null where it is not installed. */
export function findPgbouncer(): string | null {
  const places = [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].map((folder) => join(folder, 'pgbouncer'));
  return places.find((path) => existsSync(path)) ?? null;
}

/**
 * Starts PgBouncer in front of a server's database, by the transaction, over a folder of its own. `connect_query` is what it says on each
 * connection that it makes.
 * @throws Error where it is not installed or does not start
 */
export async function startPgbouncer(target: string, connections: number, connect_query: string): Promise<Pgbouncer> {
  const program = findPgbouncer();
  if (program === null) throw new Error('PgBouncer is not installed on this machine: npm test installs it.');
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-pgbouncer-'));
  const user = userFor(folder);
  const port = await freePort();
  const { hostname, port: server, pathname } = new URL(target);
  writeFileSync(join(folder, 'users.txt'), '"postgres" ""\n', { mode: 0o644 });
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${server} user=postgres connect_query='${connect_query.replaceAll("'", "''")}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = ${connections}
`,
    { mode: 0o644 },
  );
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGINT');
    const late = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `postgresql://postgres@127.0.0.1:${port}${pathname}`;
  for (const deadline = Date.now() + 20_000; ; ) {
    const client = new pg.Client({ connectionString: url });
    const connected = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (connected) return { url, stop };
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`PgBouncer did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
