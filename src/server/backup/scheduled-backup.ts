import { randomUUID } from 'node:crypto';
import { readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { makeFolder } from '../db/data-folder.ts';
import type { Queue } from '../jobs/jobs.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { writeBackup } from './backup-file.ts';

/** Looks every hour whether a backup is due; one process at a time makes it. */
export const backupQueue: Queue = { name: 'backup', cron: '17 * * * *', time_limit: 24 * 3600 };

/** A backup a day: the newest is due to be followed when it is so old, in milliseconds. */
const DUE_AFTER = 23.5 * 3600 * 1000;

const DAY = 24 * 3600 * 1000;

const named = /^mergelight-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z\.tar\.gz$/;
/** As `writeBackup` calls one that it writes. */
const unfinished = /^mergelight-.+Z\.tar\.gz\.[0-9a-f]{8}\.unfinished$/;

/**
 * Makes the folder of backups where it is missing, and tries whether something can be written there.
 * @throws StartError where it cannot
 */
export async function readyBackupFolder(folder: string): Promise<void> {
  const probe = join(folder, `${randomUUID()}.probe`);
  try {
    await makeFolder(folder);
    await writeFile(probe, '', { flag: 'wx', mode: 0o600 });
    await unlink(probe);
  } catch (error) {
    throw new StartError(`BACKUP_DIR: no backup can be written to ${folder} (${reasonOf(error)}).`, error);
  }
}

/**
 * Makes the day's backup in `folder` where it is due, and removes all of the kind but the newest `keep`. One that is being made when
 * `stopping` is aborted is given up.
 */
export async function backUpWhenDue(
  settings: {
    readonly folder: string;
    readonly keep: number;
    readonly make: () => Promise<Readable>;
    readonly now: () => Date;
    readonly log: { info(fields: object, message: string): void };
  },
  stopping: AbortSignal,
): Promise<void> {
  const { folder, keep, make, now, log } = settings;
  const at = now().getTime();
  // One of a later moment is of before the clock was set back.
  const newest = (await backupsIn(folder)).findLast((name) => momentOf(name) <= at);
  if (newest !== undefined && at - momentOf(newest) < DUE_AFTER) return;
  await removeUnfinished(folder, at - DAY);
  const name = `mergelight-${now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`;
  const bytes = await writeBackup(join(folder, name), addAbortSignal(stopping, await make()));
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
