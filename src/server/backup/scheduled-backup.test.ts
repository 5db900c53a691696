import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLog } from '../log.ts';
import { backUpWhenDue } from './scheduled-backup.ts';

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
      await backUpWhenDue(settings);
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
    await expect(backUpWhenDue({ ...settings, make: broken })).rejects.toThrow('no room');
    expect((await readdir(folder)).sort()).toEqual(kept);
  } finally {
    await rm(folder, { recursive: true });
  }
});
