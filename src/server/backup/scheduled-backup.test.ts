import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLog } from '../log.ts';
import { backUpWhenDue, readyBackupFolder } from './scheduled-backup.ts';

const goesOn = new AbortController().signal;

test('a backup is made once a day, the newest are kept, and one that fails removes none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-daily-'));
  try {
    await writeFile(join(folder, 'notes.txt'), 'not a backup');
    let at = new Date();
    const settings = {
      ...{ folder, keep: 2, now: () => at, log: openLog('silent') },
      make: async () => Readable.from(['content']),
    };
    const moments = ['01T03:17', '01T04:17', '02T03:17', '03T03:17', '03T23:17'];
    for (const moment of moments) {
      at = new Date(`2030-01-${moment}:00Z`);
      await backUpWhenDue(settings, goesOn);
    }
    const kept = ['mergelight-2030-01-02T03-17-00Z.tar.gz', 'mergelight-2030-01-03T03-17-00Z.tar.gz', 'notes.txt'];
    expect((await readdir(folder)).sort()).toEqual(kept);

    at = new Date('2030-01-04T03:17:00Z');
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield 'half';
          throw new Error('no room');
        })(),
      );
    await expect(backUpWhenDue({ ...settings, make: broken }, goesOn)).rejects.toThrow('no room');
    expect((await readdir(folder)).sort()).toEqual(kept);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a backup of a clock that was ahead keeps none back, and what a killed process left goes a day later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-daily-'));
  try {
    const ahead = 'mergelight-2035-01-01T03-17-00Z.tar.gz';
    const left = (when: string) => `mergelight-2030-01-0${when}T03-17-00Z.tar.gz.0123abcd.unfinished`;
    for (const name of [ahead, left('1'), left('2')]) await writeFile(join(folder, name), 'something');
    for (const [name, at] of [
      [left('1'), '2030-01-01T02:17:00Z'],
      [left('2'), '2030-01-02T03:16:00Z'],
    ] as const)
      await utimes(join(folder, name), new Date(at), new Date(at));
    await backUpWhenDue(
      {
        ...{ folder, keep: 7, now: () => new Date('2030-01-02T03:17:00Z'), log: openLog('silent') },
        make: async () => Readable.from(['content']),
      },
      goesOn,
    );

    expect((await readdir(folder)).sort()).toEqual(['mergelight-2030-01-02T03-17-00Z.tar.gz', left('2'), ahead]);
    await backUpWhenDue(
      {
        ...{ folder, keep: 1, now: () => new Date('2030-01-03T03:17:00Z'), log: openLog('silent') },
        make: async () => Readable.from(['content']),
      },
      goesOn,
    );
    expect((await readdir(folder)).sort()).toEqual(['mergelight-2030-01-03T03-17-00Z.tar.gz']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('whatever makes a backup ends with it where its folder cannot be made, which a start says, and where the process stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-daily-'));
  try {
    // As where a disk is not there.
    await symlink('nowhere/backups', join(folder, 'gone'));
    const gone = join(folder, 'gone');
    const making: Readable[] = [];
    const settings = {
      ...{ keep: 7, now: () => new Date('2030-01-02T03:17:00Z'), log: openLog('silent') },
      // It has begun, and never ends by itself.
      async make() {
        const backup = new Readable({ read: () => undefined });
        backup.push('begun');
        making.push(backup);
        return backup;
      },
    };

    await expect(readyBackupFolder(gone)).rejects.toThrow(
      /^BACKUP_DIR: no backup can be written to .+gone \(ENOENT[^\n]+\)\.$/,
    );
    await expect(backUpWhenDue({ ...settings, folder: gone }, goesOn)).rejects.toThrow('ENOENT');
    const stop = new AbortController();
    await readyBackupFolder(join(folder, 'new'));
    const stopped = backUpWhenDue({ ...settings, folder: join(folder, 'new') }, stop.signal);
    await expect.poll(() => readdir(join(folder, 'new'))).toEqual([expect.stringMatching(/\.unfinished$/)]);
    stop.abort();
    await expect(stopped).rejects.toThrow('aborted');

    expect(making.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(await readdir(join(folder, 'new'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
