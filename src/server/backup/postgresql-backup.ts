import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { environmentWith } from '../config.ts';
import type { OpenDatabase } from '../db/open.ts';
import { isOfTitleIndex } from '../db/title-index.ts';
import { StartError } from '../start-error.ts';
import type { TarEntry } from './tar.ts';

/** How much of the dump one entry of the archive holds: its size has to be known before it is written. */
const PIECE = 4 * 2 ** 20;
/** No table of contents is longer, in bytes. */
const LONGEST_CONTENTS = 64 * PIECE;

/** @throws StartError where the database is reached through a pooler alone */
export function refusePooler({ pooled }: OpenDatabase, work: 'backup' | 'restore'): void {
  if (!pooled) return;
  const program = work === 'backup' ? 'pg_dump' : 'pg_restore';
  throw new StartError(
    `DATABASE_DIRECT_URL: is needed for a ${work}; DATABASE_URL leads to a connection pooler, whose connections ${program} would spoil for others.`,
  );
}

/**
 * The `pg_dump` that makes backups of a database.
 * @throws StartError where there is none as new as the server, or a pooler is in between
 */
export async function dumpProgram(database: OpenDatabase): Promise<string> {
  refusePooler(database, 'backup');
  const [program] = toolsAsNewAs('pg_dump', await serverVersion(database));
  return program;
}

/**
 * The dump that `pg_dump` makes of a database, in pieces.
 * @throws StartError where there is no `pg_dump` as new as the server
 */
export async function* postgresqlDump(database: OpenDatabase, url: string): AsyncGenerator<TarEntry> {
  const program = await dumpProgram(database);
  const options = ['--format=custom', '--compress=0', '--no-owner', '--no-privileges'];
  const { args, env } = libpqConnection(url);
  const child = spawn(program, [...options, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = endOf(child, 'pg_dump');
  ended.catch(() => undefined);
  try {
    let number = 0;
    for await (const piece of piecesOf(child.stdout)) {
      number += 1;
      yield { name: `dump/${String(number).padStart(8, '0')}`, size: piece.length, content: [piece] };
    }
    await ended;
  } finally {
    child.kill();
  }
}

/**
 * Restores such a dump into an empty database, without extensions, which this server may not have and most roles may not make, and without the
 * index of titles, which needs one: the next start makes both.
 * @throws StartError where it is not empty, there is no `pg_restore` as new as the dump, or that fails; the database stays empty then
 */
export async function restorePostgresql(
  database: OpenDatabase,
  url: string,
  madeBy: number,
  entries: AsyncIterable<TarEntry>,
): Promise<void> {
  refusePooler(database, 'restore');
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
  const programs = toolsAsNewAs('pg_restore', madeBy);
  const folder = mkdtempSync(join(tmpdir(), 'mergelight-restore-'));
  try {
    const { program, contents, dump } = await withContents(programs, entries);
    const list = join(folder, 'list');
    writeFileSync(list, contents);
    await restoreDump({ program, list, dump, url, settings: await settingsOf(database) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * What `pg_restore` is to restore of a dump, all of it, and the oldest program that can read it: that of a newer version than the server's
 * `pg_dump` writes what older ones cannot read. The dump begins with its table of contents, whose length is not said: it is read on until
 * `pg_restore` finds that whole, megabytes where tables are split into many parts.
 * @throws StartError where no `pg_restore` can read it
 */
async function withContents(
  programs: readonly string[],
  entries: AsyncIterable<TarEntry>,
): Promise<{ program: string; contents: string; dump: AsyncIterable<Uint8Array> }> {
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
    const input = Buffer.concat(first);
    let reason = '';
    for (const program of programs) {
      // It reads no further than it has to, so that not all can be written to it.
      const { status, stdout, stderr } = spawnSync(program, ['--list'], { input, maxBuffer: 2 ** 28 });
      if (status === 0) return { program, contents: listOf(String(stdout)), dump: all(first, chunks) };
      reason = String(stderr).trim();
    }
    if (isAll || enough >= LONGEST_CONTENTS) throw new StartError(`pg_restore failed: ${reason}`);
  }
}

async function* all(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* first;
  yield* rest;
}

/** A line of the contents of a dump: what kind of thing it is, and its schema, name and owner. */
const CONTENT = /^\d+; \d+ \d+ (TABLE DATA|TABLE|SEQUENCE SET|SEQUENCE|(?:COMMENT - )?EXTENSION) (.*)/;

/** The contents of a dump without what is not to be restored: extensions with the rows of their own tables, and the index of titles. */
function listOf(contents: string): string {
  const lines = contents.split('\n').map((line) => {
    const [, kind = '', name = ''] = CONTENT.exec(line) ?? [];
    return { line, kind, name };
  });
  const made = new Set(lines.map(({ kind, name }) => `${kind} ${name}`));
  return lines
    .filter(({ line, kind, name }) => {
      if (kind === 'TABLE DATA') return made.has(`TABLE ${name}`);
      if (kind === 'SEQUENCE SET') return made.has(`SEQUENCE ${name}`);
      return !kind.endsWith('EXTENSION') && !isOfTitleIndex(line);
    })
    .map(({ line }) => line)
    .join('\n');
}

/**
 * Positions in the log of the server that was dumped say nothing of this one's (`db/replica.ts`): a read replica would be held for one that
 * is behind. Older dumps have none.
 */
const forgetPositions = `
do $$ begin
  if exists (select from pg_attribute
    where attrelid = to_regclass('public.users') and attname = 'written_lsn' and not attisdropped) then
    update public.users set written_lsn = null where written_lsn is not null;
  end if;
end $$;
`;

/**
 * Has `psql` run what `pg_restore` writes, in one transaction that ends when all of it was read and written: by itself a newer `pg_restore`
 * sets what an older server does not know, and gives up there.
 */
async function restoreDump({
  program,
  list,
  dump,
  url,
  settings,
}: {
  program: string;
  list: string;
  dump: AsyncIterable<Uint8Array>;
  url: string;
  settings: ReadonlySet<string>;
}): Promise<void> {
  const { args, env } = libpqConnection(url);
  const options = ['--file=-', `--use-list=${list}`, '--exit-on-error', '--no-owner', '--no-privileges'];
  const writer = spawn(program, options, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  // The one that came with it: each version understands what its own programs write.
  const runner = spawn(join(dirname(program), 'psql'), ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', ...args], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const written = endOf(writer, 'pg_restore');
  const run = endOf(runner, 'psql');
  const read = pipeline(Readable.from(dump, { objectMode: false }), writer.stdin);
  for (const end of [written, run, read]) end.catch(() => undefined);
  const script = async function* () {
    yield 'begin;\n';
    yield* withKnownSettings(writer.stdout, settings);
    await taken(read, written);
    yield `${forgetPositions}commit;\n`;
  };
  try {
    await taken(pipeline(script, runner.stdin), run);
  } finally {
    writer.kill();
    runner.kill();
  }
}

/** Waits until a program has taken its input, and ended. One that gave up reads no further: why is what it says. */
async function taken(input: Promise<void>, ended: Promise<void>): Promise<void> {
  try {
    await input;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)) await ended;
    throw error;
  }
  await ended;
}

/** What begins the first line of a script that is not a setting, comment, command of `psql` or blank. */
const firstStatement = /^(?!SET |--|\\|\n).*\n/m;

/** A script of `pg_restore` without the settings at its head that the server does not know; what follows may be anybody's text. */
async function* withKnownSettings(
  script: AsyncIterable<Buffer>,
  settings: ReadonlySet<string>,
): AsyncGenerator<Buffer> {
  let head: string | null = '';
  for await (const chunk of script) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head += chunk.toString('latin1');
    const end = head.search(firstStatement);
    if (end === -1) continue;
    const known = head
      .slice(0, end)
      .replace(/^SET (\w+) = .*\n/gm, (line, name: string) => (settings.has(name) ? line : ''));
    yield Buffer.from(known + head.slice(end), 'latin1');
    head = null;
  }
}

async function settingsOf({ pool }: OpenDatabase): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>('select name from pg_settings');
  return new Set(rows.map(({ name }) => name));
}

async function serverVersion({ pool }: OpenDatabase): Promise<number> {
  const { rows } = await pool.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
}

/** The major version of the database, for the header of its backup. */
export const postgresqlVersion = serverVersion;

/**
 * The programs of that name which are as new as `version`, the oldest first, on the PATH and where Debian keeps those of each version.
 * @throws StartError where there is none
 */
function toolsAsNewAs(name: 'pg_dump' | 'pg_restore', version: number): [string, ...string[]] {
  const debian = '/usr/lib/postgresql';
  const places = [
    name,
    ...(existsSync(debian) ? readdirSync(debian).map((one) => join(debian, one, 'bin', name)) : []),
  ];
  const found = places
    .flatMap((place) => {
      const its = versionOf(place);
      return its === null ? [] : [{ place, version: its }];
    })
    .sort((one, other) => one.version - other.version);
  const [oldest, ...newer] = found.filter((one) => one.version >= version).map(({ place }) => place);
  if (oldest !== undefined) return [oldest, ...newer];
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

/** What may follow an address for libpq, beside what `pg` finds in it; others end its programs, and `pg` ignores them. */
const LIBPQ_PARAMETERS: ReadonlySet<string> = new Set([
  ...['application_name', 'client_encoding', 'connect_timeout', 'options', 'passfile', 'target_session_attrs'],
  ...['keepalives', 'keepalives_count', 'keepalives_idle', 'keepalives_interval', 'tcp_user_timeout'],
  ...['channel_binding', 'gssencmode', 'krbsrvname', 'requirepeer'],
  ...['sslmode', 'sslnegotiation', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslcrl', 'sslcrldir', 'sslsni'],
  ...['ssl_min_protocol_version', 'ssl_max_protocol_version'],
]);

/**
 * An address for PostgreSQL's own programs, where they find what `pg` finds by it. The password goes by the environment: arguments can be
 * read by everybody on the machine.
 */
export function libpqConnection(url: string): { args: string[]; env: NodeJS.ProcessEnv } {
  const { host, port, user, database, password } = new pg.Client({ connectionString: url });
  const query = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  const parameters = new Map(Object.entries({ host, port, user, dbname: database }));
  for (const [name, value] of query) if (LIBPQ_PARAMETERS.has(name)) parameters.set(name, value);
  const ssl = query.get('ssl');
  const sslmode = query.get('sslmode') ?? (ssl && (ssl === '0' ? 'disable' : 'require'));
  // Of `pg` alone: TLS, whoever the server is.
  parameters.set('sslmode', (sslmode === 'no-verify' ? 'require' : sslmode) ?? '');
  const words = [...parameters]
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}='${String(value).replaceAll(/[\\']/g, '\\$&')}'`);
  return {
    args: [`--dbname=${words.join(' ')}`],
    env: environmentWith({ ...(password && { PGPASSWORD: password }), LC_MESSAGES: 'C' }),
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
