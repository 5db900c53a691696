import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from './embedded.ts';
import { openDatabase } from './open.ts';

/** Making a database takes seconds where much else is going on. */
const patience = { timeout: 180_000 };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-embedded-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('what was stored when it is closed is there when it is opened again', patience, async () => {
  const place = { kind: 'embedded', folder: join(folder, 'kept') } as const;
  const first = await openDatabase(place, unexpected);
  await first.pool.query("create table notes as select 'kept' as note");
  await first.close();

  const second = await openDatabase(place, unexpected);
  const { rows } = await second.pool.query('select note from notes');
  await second.close();

  expect(rows).toEqual([{ note: 'kept' }]);
});

test.each(['', '4', 'torn'])(
  'a lock file that a killed process left, of “%s”, keeps nobody out',
  patience,
  async (content) => {
    const place = { kind: 'embedded', folder: join(folder, 'kept') } as const;
    await writeFile(join(place.folder, 'postmaster.pid'), content);

    const database = await openDatabase(place, unexpected);
    const { rows } = await database.pool.query('select note from notes');
    await database.close();

    expect(rows).toEqual([{ note: 'kept' }]);
  },
);

test('a folder that holds no database is named in one line', patience, async () => {
  await writeFile(join(folder, 'PG_VERSION'), 'not one');

  const attempt = openDatabase({ kind: 'embedded', folder }, unexpected);

  await expect(attempt).rejects.toThrow(/^DATA_DIR: the embedded database in .+ cannot be opened \(.+\)\.$/);
});

test('one that breaks says so, lets nobody wait for an answer, and can still be closed', patience, async () => {
  const embedded = await startEmbedded({ folder: join(folder, 'kept'), copyOf: null, sync: true, lease: null });
  const waiting = embedded.connect();
  const cut = new Promise((resolve) => waiting.once('close', resolve));

  // A greeting that no client sends, of a version of the protocol that never was.
  waiting.write(Buffer.from([0, 0, 0, 8, 0, 99, 0, 0]));

  expect(await embedded.lost).toBeInstanceOf(Error);
  await cut;
  await embedded.close();
});

function unexpected(error: Error): never {
  throw error;
}
