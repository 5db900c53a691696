import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { environmentWith } from '../config.ts';
import type { OpenDatabase } from '../db/open.ts';
import { isOfTitleIndex } from '../db/title-index.ts';
import { StartError } from '../start-error.ts';
import type { TarEntry } from './tar.ts';

/** How much of the dump one entry of the archive holds: its size has to be known before it is written. */
const PIECE = 4 * 2 ** 20;
/** No table of contents is longer, in bytes. */
const LONGEST_CONTENTS = 64 * PIECE;

/**
 * The dump that `pg_dump` makes of a database, in pieces.
 * @throws StartError where there is no `pg_dump` as new as the server
 */
export async function* postgresqlDump(database: OpenDatabase, url: string): AsyncGenerator<TarEntry> {
  const program = toolAsNewAs('pg_dump', await serverVersion(database));
  const options = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges'];
  const child = spawn(program, [...options, ...connectionOf(url).args], {
    env: connectionOf(url).env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child, 'pg_dump');
  ended.catch(() => undefined);
  try {
    let number = 0;
    for await (const piece of piecesOf(child.stdout as Readable)) {
      number += 1;
      yield { name: `dump/${String(number).padStart(8, '0')}`, size: piece.length, content: [piece] };
    }
    await ended;
  } finally {
    child.kill();
  }
}

/**
 * Restores such a dump into an empty database, without the index of titles, which needs an extension that this server may not have: the next start makes it.
 * @throws StartError where it is not empty, there is no `pg_restore` as new as the dump, or that fails; the database stays empty then
 */
export async function restorePostgresql(
  database: OpenDatabase,
  url: string,
  madeBy: number,
  entries: AsyncIterable<TarEntry>,
): Promise<void> {
  const { rows } = await database.pool.query(`
    select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') limit 1`);
  if (rows.length > 0)
    throw new StartError('DATABASE_URL: the database is not empty. Create a new one and restore into that.');
  const server = await serverVersion(database);
  if (server < madeBy)
    throw new StartError(
      `DATABASE_URL: the backup is of PostgreSQL ${madeBy}, this server is ${server}: take one as new.`,
    );
  const program = toolAsNewAs('pg_restore', madeBy);
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-restore-'));
  try {
    const [contents, dump] = await withContents(program, entries);
    const list = join(folder, 'list');
    writeFileSync(list, contents);
    await restoreDump(program, [`--use-list=${list}`, ...connectionOf(url).args], connectionOf(url).env, dump);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What `pg_restore` is to restore of a dump, and all of it. The dump begins with its table of contents, whose length is not said: it is read on
 * until `pg_restore` finds that whole, megabytes where tables are split into many parts.
 * @throws StartError where `pg_restore` cannot read it
 */
async function withContents(
  program: string,
  entries: AsyncIterable<TarEntry>,
): Promise<[string, AsyncIterable<Uint8Array>]> {
  const chunks = (async function* () {
    for await (const entry of entries) yield* entry.content;
  })();
  const first: Uint8Array[] = [];
  for (let [length, enough] = [0, PIECE]; ; enough *= 2) {
    let isAll = false;
    while (length < enough && !isAll) {
      const { done, value } = await chunks.next();
      isAll = done === true;
      if (value === undefined) continue;
      first.push(value);
      length += value.length;
    }
    // It reads no further than it has to, so that not all can be written to it.
    const { status, stdout, stderr } = spawnSync(program, ['--list'], {
      input: Buffer.concat(first),
      maxBuffer: 2 ** 28,
    });
    if (status === 0) return [listOf(String(stdout)), all(first, chunks)];
    if (isAll || enough >= LONGEST_CONTENTS) throw new StartError(`pg_restore failed: ${String(stderr).trim()}`);
  }
}

async function* all(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* first;
  yield* rest;
}

/** The contents of a dump without what is not to be restored. */
function listOf(contents: string): string {
  return contents
    .split('\n')
    .filter((line) => !isOfTitleIndex(line))
    .join('\n');
}

async function restoreDump(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  dump: AsyncIterable<Uint8Array>,
): Promise<void> {
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
  const child = spawn(program, [...options, ...args], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = endOf(child, 'pg_restore');
  ended.catch(() => undefined);
  try {
    await pipeline(Readable.from(dump, { objectMode: false }), child.stdin as NonNullable<typeof child.stdin>);
  } catch (error) {
    // Where the dump is not whole, it must not commit what it has got.
    child.kill();
    // One that gave up reads no further: why is what it says.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') await ended;
    throw error;
  }
  await ended;
}

async function serverVersion({ pool }: OpenDatabase): Promise<number> {
  const { rows } = await pool.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
}

/** The major version of the database, for the header of its backup. */
export const postgresqlVersion = serverVersion;

/** The program of that name, on the PATH or where Debian keeps those of each version. */
function toolAsNewAs(name: 'pg_dump' | 'pg_restore', version: number): string {
  const debian = '/usr/lib/postgresql';
  const places = [
    name,
    ...(existsSync(debian) ? readdirSync(debian).map((one) => join(debian, one, 'bin', name)) : []),
  ];
  const found = places.map((place) => ({ place, version: versionOf(place) })).filter((one) => one.version !== null);
  const fitting = found.find((one) => (one.version ?? 0) >= version);
  if (fitting !== undefined) return fitting.place;
  throw new StartError(
    found.length === 0
      ? `${name} is not installed: install the client programs of PostgreSQL ${version} or newer.`
      : `${name} ${version} or newer is needed, as new as the server; this machine has ${found.map((one) => one.version).join(', ')}. Install the client programs of PostgreSQL ${version}.`,
  );
}

function versionOf(program: string): number | null {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const version = status === 0 ? /\) (\d+)/.exec(stdout)?.[1] : undefined;
  return version === undefined ? null : Number(version);
}

/** The password goes by the environment: arguments can be read by everybody on the machine. */
function connectionOf(url: string): { args: string[]; env: NodeJS.ProcessEnv } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  return {
    args: [`--dbname=${address.href}`],
    env: environmentWith({ ...(password !== '' && { PGPASSWORD: password }), LC_MESSAGES: 'C' }),
  };
}

async function endOf(child: ChildProcess, name: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new StartError(`${name} failed: ${said.trim().replaceAll(/\s*\n\s*/g, ' ')}`);
}

async function* piecesOf(stream: Readable): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    parts.push(chunk);
    length += chunk.length;
    if (length < PIECE) continue;
    yield Buffer.concat(parts);
    [parts, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(parts);
}
