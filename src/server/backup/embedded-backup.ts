import { type FileHandle, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { OpenDatabase } from '../db/open.ts';
import type { TarEntry } from './tar.ts';

/*
 * A copy of the embedded database's files while it works. They change meanwhile; what makes one moment of them is PostgreSQL's own
 * recovery: the copy begins at a checkpoint, of which `pg_control` is copied, and holds the whole log (WAL) from there to the end of the
 * copying, which repeats every change since, whole pages at their first one. No other checkpoint is made meanwhile: it would remove log.
 */

const CONTROL = 'global/pg_control';
const LOG = 'pg_wal';
/** What is of no use to another process. */
const leftOut = /(^|\/)(pgsql_tmp[^/]*|postmaster\.(pid|opts)|pg_internal\.init[^/]*)$/;

/** The files of a database that is open in this process, from one moment of it; nobody waits for it. */
export async function* embeddedFiles({ pool, embedded }: OpenDatabase): AsyncGenerator<TarEntry> {
  if (embedded === null) throw new Error('Only an embedded database in a folder has files to copy.');
  const { folder } = embedded;
  const hold = embedded.holdLog();
  try {
    // A newer checkpoint would remove log that a backup under way needs: this one begins at that one's, and waits for it on the one connection.
    await pool.query(hold.first ? 'checkpoint' : 'select');
    const control = await readFile(join(folder, CONTROL));
    const { rows: begin } = await pool.query<{ log: string }>(
      'select pg_walfile_name(redo_lsn) as log from pg_control_checkpoint()',
    );
    for (const { path, isFolder } of await filesIn(folder)) {
      if (leftOut.test(path)) continue;
      if (isFolder) yield { name: `${path}/`, size: 0, content: [] };
      else if (path === CONTROL) yield { name: path, size: control.length, content: [control] };
      else if (dirname(path) !== LOG) yield* fileIn(folder, path);
    }
    // A page reaches its file after its log reached the disk: the log up to here explains all that was copied.
    const { rows: end } = await pool.query<{ log: string }>(
      'select pg_walfile_name(pg_current_wal_flush_lsn()) as log',
    );
    const [first, last] = [begin[0]?.log ?? '', end[0]?.log ?? ''];
    const log = (await readdir(join(folder, LOG)))
      .filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
      .sort();
    if (log[0] !== first) throw new Error('The backup has lost a part of the log that it needs.');
    for (const name of log) yield* fileIn(folder, `${LOG}/${name}`);
    if (hold.broken()) throw new Error('The backup took too long: too much changed meanwhile.');
  } finally {
    hold.release();
  }
}

/** Writes the files of a backup below a folder. */
export async function writeFiles(folder: string, entries: AsyncIterable<TarEntry>): Promise<void> {
  for await (const { name, content } of entries) {
    const path = join(folder, name);
    if (normalize(name) !== name || name.startsWith('/') || name.startsWith('..'))
      throw new Error(`it holds a file of an unexpected name: ${name}`);
    await mkdir(name.endsWith('/') ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (name.endsWith('/')) continue;
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
  }
}

async function filesIn(folder: string, below = ''): Promise<{ path: string; isFolder: boolean }[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const found: { path: string; isFolder: boolean }[] = [];
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && !leftOut.test(path))
      found.push({ path, isFolder: true }, ...(await filesIn(folder, path)));
    else if (entry.isFile()) found.push({ path, isFolder: false });
  }
  return found;
}

/** Nothing where it was removed meanwhile: the log removes it, too. */
async function* fileIn(folder: string, path: string): AsyncGenerator<TarEntry> {
  const file = await open(join(folder, path), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  try {
    const { size } = await file.stat();
    yield { name: path, size, content: chunksOf(file, size) };
  } finally {
    await file.close();
  }
}

async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(Math.min(262_144, size - at)), position: at });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
