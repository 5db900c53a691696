import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';

/** What is always left free, in bytes: room for the log of what is under way. */
export const LEAST_FREE = 64 * 2 ** 20;
/** In milliseconds. */
const LOOK_EVERY = 2000;

/** The sentence that everybody reads: calls, probes, pages. */
export const DISK_IS_FULL = 'The disk is full';

/** Free bytes of the disk that a folder is on, for those who aren't root. */
export type FreeSpace = (folder: string) => Promise<number>;

export const freeSpace: FreeSpace = async (folder) => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    // One that is not made yet is made below those that are there.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return await freeSpace(dirname(folder));
  }
};

/** Whether the embedded database stands still because its disk is full: it can be read, and takes no change. */
export interface DiskSpace {
  readonly full: boolean;
  /** Looks now. */
  look(): Promise<void>;
  stop(): void;
}

/** PostgreSQL's codes of a change that it refuses since it may only be read, or since there is no room. */
export function isForLackOfSpace(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === '25006' || code === '53100';
}

/**
 * Looks at the free space every 2 s. While it is short, the database (of one connection) refuses every change. `onFull` may still
 * store, in what is left, what is under way; `onRoom` hears that it goes on.
 */
export function watchDiskSpace(settings: {
  readonly folder: string;
  readonly pool: pg.Pool;
  readonly free: FreeSpace;
  readonly onFull: () => Promise<void>;
  readonly onRoom: () => void;
  readonly onError: (error: unknown) => void;
}): DiskSpace {
  const { folder, pool, free, onFull, onRoom, onError } = settings;
  let full = false;
  /** What the database was told last: where that failed it is told again. */
  let readOnly = false;
  let looking: Promise<void> | null = null;
  const look = async () => {
    try {
      const short = (await free(folder)) < LEAST_FREE;
      if (short === full && short === readOnly) return;
      if (short && !full) {
        full = true;
        await onFull();
      }
      // The one session of the embedded database keeps it, also where its client is replaced.
      await pool.query(`set default_transaction_read_only = ${short ? 'on' : 'off'}`);
      readOnly = short;
      if (short || !full) return;
      full = false;
      onRoom();
    } catch (error) {
      onError(error);
    }
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const timer = setInterval(lookOnce, LOOK_EVERY).unref();
  return {
    get full() {
      return full;
    },
    look: lookOnce,
    stop: () => clearInterval(timer),
  };
}

/** Returns when there is room to open the database; `onWait` hears once that there is none. */
export async function waitForSpace(
  folder: string,
  { free, sleep, onWait }: { free: FreeSpace; sleep: (ms: number) => Promise<unknown>; onWait: () => void },
): Promise<void> {
  for (let told = false; (await free(folder)) < LEAST_FREE; await sleep(5000)) {
    if (!told) onWait();
    told = true;
  }
}
