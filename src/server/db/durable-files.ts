import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { ensureHeld, type LeaseGuard } from './lease.ts';

/*
 * The files of the embedded database. PGlite's own file system ignores fsync, so that what PostgreSQL takes for stored may be lost with
 * the power; here fsync reaches the kernel, and a new, renamed or removed file is followed by an fsync of its folder.
 */

/** What of Emscripten's NODEFS is replaced. Its functions do not use `this`. */
interface NodeFiles {
  readonly realPath: (node: FsNode) => string;
  readonly stream_ops: {
    fsync?: (stream: { nfd: number }) => number;
    write: (stream: { node: FsNode }, ...rest: unknown[]) => number;
  };
  readonly node_ops: {
    mknod: (parent: FsNode, name: string, mode: number, dev: number) => FsNode;
    rename: (node: FsNode, folder: FsNode, name: string) => void;
    unlink: (parent: FsNode, name: string) => void;
    rmdir: (parent: FsNode, name: string) => void;
    setattr: (node: FsNode, change: unknown) => void;
  };
}

interface FsNode {
  readonly parent: FsNode;
  readonly name: string;
}

/** What is said at the start and by probes. */
export const RELAXED =
  'DURABILITY is relaxed: what was stored last may be lost, or the database broken, when the power fails.';

export interface DurableFilesOptions {
  /** Whether fsync reaches the kernel (the setting `DURABILITY`). */
  readonly sync: boolean;
  /** Made sure of before each write; null where the folder is nobody else's, as in tests. */
  readonly lease: LeaseGuard | null;
  /** Counts the bytes of WAL that were written, in a 64-bit integer of shared memory. */
  readonly wal_written: SharedArrayBuffer;
}

/** Windows has no fsync of folders, and keeps their entries by itself. */
const foldersNeedSync = process.platform !== 'win32';

/** Emscripten's number for ENOSPC. */
const NO_SPACE = 51;

export class DurableFiles extends NodeFS {
  readonly #options: DurableFilesOptions;

  constructor(folder: string, options: DurableFilesOptions) {
    super(folder);
    this.#options = options;
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const replace = (module: object) => makeDurable((module as { NODEFS: NodeFiles }).NODEFS, this.#options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), replace] } };
  }
}

function makeDurable(files: NodeFiles, { sync, lease, wal_written }: DurableFilesOptions): void {
  const { stream_ops, node_ops, realPath } = files;
  const written = new BigInt64Array(wal_written);
  const syncing = (folder: FsNode, name: string) => {
    // What PostgreSQL spills while it sorts is gone after a restart anyway.
    if (sync && foldersNeedSync && !`${folder.name}/${name}`.includes('pgsql_tmp')) syncFolder(realPath(folder));
  };
  const held = () => {
    if (lease === null) return;
    try {
      ensureHeld(lease);
    } catch (error) {
      // Whoever took the folder may be writing already: this process ends here, with nothing that still runs at its end.
      writeSync(2, `Mergelight ends at once: ${(error as Error).message}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
  };

  const { write } = stream_ops;
  stream_ops.write = (stream, ...rest) => {
    held();
    if (stream.node.parent.name !== 'pg_wal') return write(stream, ...rest);
    const bytes = withRoom(() => write(stream, ...rest));
    Atomics.add(written, 0, BigInt(bytes));
    return bytes;
  };
  if (sync) {
    stream_ops.fsync = (stream) => {
      fsyncSync(stream.nfd);
      return 0;
    };
  }

  const { mknod, rename, unlink, rmdir, setattr } = node_ops;
  node_ops.mknod = (parent, name, mode, dev) => {
    held();
    const make = () => mknod(parent, name, mode, dev);
    const node = parent.name === 'pg_wal' ? withRoom(make) : make();
    syncing(parent, name);
    return node;
  };
  node_ops.rename = (node, folder, name) => {
    held();
    const from = node.parent;
    rename(node, folder, name);
    syncing(folder, name);
    if (from !== folder) syncing(from, name);
  };
  node_ops.unlink = (parent, name) => {
    held();
    unlink(parent, name);
    syncing(parent, name);
  };
  node_ops.rmdir = (parent, name) => {
    held();
    rmdir(parent, name);
    syncing(parent, name);
  };
  node_ops.setattr = (node, change) => {
    held();
    setattr(node, change);
  };
}

/**
 * PostgreSQL breaks off where its log cannot be written. On a disk that filled up at one blow the thread waits here until there is room
 * (the process sees a disk that fills up slowly earlier, and stops writing).
 */
function withRoom<T>(write: () => T): T {
  for (;;) {
    try {
      return write();
    } catch (error) {
      if ((error as { errno?: number }).errno !== NO_SPACE) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** So many syncs are asked for at once: the disk makes one write of several, and Node has four threads for them. */
const SYNCS_AT_ONCE = 16;

/** Syncs every file and folder below `path`, and the folder itself. */
export async function syncTree(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const folders = entries.filter((entry) => entry.isDirectory() && foldersNeedSync);
  const paths = [...files, ...folders].map(({ parentPath, name }) => join(parentPath, name)).values();
  await Promise.all(
    Array.from({ length: SYNCS_AT_ONCE }, async () => {
      for (const one of paths) await syncFile(one);
    }),
  );
  await syncEntries(path);
}

/** Syncs which names a folder holds. */
export async function syncEntries(folder: string): Promise<void> {
  if (foldersNeedSync) await syncFile(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
