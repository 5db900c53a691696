import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Queue } from '../jobs/jobs.ts';
import { writeBackup } from './backup-file.ts';

/** Looks every hour whether a backup is due; one process at a time makes it. */
export const backupQueue: Queue = { name: 'backup', cron: '17 * * * *', time_limit: 6 * 3600 };

/** A backup a day: the newest is due to be followed when it is so old, in milliseconds. */
const DUE_AFTER = 23.5 * 3600 * 1000;

const DAY = 24 * 3600 * 1000;

const named = /^mergelight-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z\.tar\.gz$/;
/** As `writeBackup` calls one that it writes. */
const unfinished = /^mergelight-.+Z\.tar\.gz\.[0-9a-f]{8}\.unfinished$/;

/** Makes the day's backup in `folder` where it is due, and removes all of the kind but the newest `keep`. */
export async function backUpWhenDue(settings: {
  readonly folder: string;
  readonly keep: number;
  readonly make: () => Promise<Readable>;
  readonly now: () => Date;
  readonly log: { info(fields: object, message: string): void };
}): Promise<void> {
  const { folder, keep, make, now, log } = settings;
  const at = now().getTime();
  // One of a later moment is of before the clock was set back.
  const newest = (await backupsIn(folder)).findLast((name) => momentOf(name) <= at);
  if (newest !== undefined && at - momentOf(newest) < DUE_AFTER) return;
  await removeUnfinished(folder, at - DAY);
  const name = `mergelight-${now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`;
  const bytes = await writeBackup(join(folder, name), await make());
  log.info({ file: join(folder, name), bytes }, 'backup written');
  const made = now().getTime();
  const isAhead = (each: string) => momentOf(each) > made;
  const kept = await backupsIn(folder);
  const oldestFirst = [...kept.filter(isAhead), ...kept.filter((each) => !isAhead(each))];
  for (const old of oldestFirst.slice(0, -keep)) await unlink(join(folder, old));
}

/** What processes left that ended while they wrote: nobody has worked on it for a day. */
async function removeUnfinished(folder: string, before: number): Promise<void> {
  const names = await namesIn(folder);
  for (const name of names.filter((each) => unfinished.test(each))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < before) await unlink(join(folder, name));
  }
}

/** Their names, the oldest first; others' files are left alone. */
async function backupsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => named.test(name)).sort();
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function momentOf(name: string): number {
  const [date, time] = (named.exec(name)?.[1] ?? '').split('T');
  return Date.parse(`${date}T${time?.replaceAll('-', ':')}Z`);
}
