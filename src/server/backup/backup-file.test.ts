import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LEAST_FREE } from '../db/disk-space.ts';
import { type BackupHeader, backupStream, writeBackup } from './backup-file.ts';
import type { TarEntry } from './tar.ts';

const MEGABYTE = 2 ** 20;

test('a backup is given up before it takes the room that has to stay free, and leaves what was there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-room-'));
  try {
    const file = join(folder, 'backup.tar.gz');
    await writeFile(file, 'the one before');
    let left = LEAST_FREE + 20 * MEGABYTE;
    let least = left;
    const backup = Readable.from(
      (async function* () {
        for (let megabytes = 0; megabytes < 40; megabytes += 1) {
          left -= MEGABYTE;
          least = Math.min(least, left);
          yield randomBytes(MEGABYTE);
        }
      })(),
    );

    await expect(writeBackup(file, backup, async () => left)).rejects.toThrow(
      `There is no room for the backup in ${folder}: 64 MB have to stay free.`,
    );

    expect(least).toBeGreaterThanOrEqual(LEAST_FREE);
    expect(least).toBeLessThan(LEAST_FREE + 10 * MEGABYTE);
    expect(backup.destroyed).toBe(true);
    expect(await readdir(folder)).toEqual(['backup.tar.gz']);
    expect((await stat(file)).size).toBe('the one before'.length);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a backup that cannot begin fails before its first byte', async () => {
  const header: BackupHeader = {
    ...{ format: 1, database: 'embedded', postgresql: 17 },
    ...{ created_at: '2030-01-01T00:00:00Z', key_fingerprint: 'x' },
  };
  async function* entries(): AsyncGenerator<TarEntry> {
    // As a checkpoint takes its time.
    await sleep(100);
    yield* await Promise.reject<TarEntry[]>(new Error('no checkpoint'));
  }

  await expect(once(backupStream(header, entries()), 'readable')).rejects.toThrow('no checkpoint');
});
