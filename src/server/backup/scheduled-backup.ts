import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Queue } from '../jobs/jobs.ts';
import { writeBackup } from './backup-file.ts';

/** Looks every hour whether a backup is due; one process at a time makes it. */
export const backupQueue: Queue = { name: 'backup', cron: '17 * * * *', time_limit: 6 * 3600 };

/** A backup a day: the newest is due to be followed when it is so old, in milliseconds. */
const DUE_AFTER = 23.5 * 3600 * 1000;

const named = /^mergelight-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})Z\.tar\.gz$/;

/** Makes the day's backup in `folder` where it is due, and removes all of the kind but the newest `keep`. */
export async function backUpWhenDue(settings: {
  readonly folder: string;
  readonly keep: number;
  readonly make: () => Promise<Readable>;
  readonly now: () => Date;
  readonly log: { info(fields: object, message: string): void };
}): Promise<void> {
  const { folder, keep, make, now, log } = settings;
  const newest = (await backupsIn(folder)).at(-1);
  if (newest !== undefined && now().getTime() - momentOf(newest) < DUE_AFTER) return;
  const name = `mergelight-${now().toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`;
  const bytes = await writeBackup(join(folder, name), await make());
  log.info({ file: join(folder, name), bytes }, 'backup written');
  for (const old of (await backupsIn(folder)).slice(0, -keep)) await unlink(join(folder, old));
}

/** Their names, the oldest first; others' files are left alone. */
async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => named.test(name)).sort();
}

function momentOf(name: string): number {
  const [date, time] = (named.exec(name)?.[1] ?? '').split('T');
  return Date.parse(`${date}T${time?.replaceAll('-', ':')}Z`);
}
