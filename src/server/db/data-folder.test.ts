import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyOf, takeDataFolder } from './data-folder.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mergelight-data-'));
});
afterEach(() => rm(parent, { recursive: true }));

test('a folder that is missing is made, for its owner alone', async () => {
  const folder = await takeDataFolder(join(parent, 'deep', 'data'));

  expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
});

test('a folder that a living process holds is refused in one line that names the process', async () => {
  const other = spawn('sleep', ['60']);
  try {
    await writeFile(join(parent, 'lock'), String(other.pid));

    await expect(takeDataFolder(parent)).rejects.toThrow(
      `DATA_DIR: ${parent} is in use by another Mergelight (process ${other.pid}).`,
    );
  } finally {
    other.kill();
  }
});

test('the claim of a process that died is taken over', async () => {
  const other = spawn('true');
  await new Promise((resolve) => other.once('exit', resolve));
  await writeFile(join(parent, 'lock'), `${other.pid} 12345`);

  const folder = await takeDataFolder(parent);

  expect(await readFile(join(folder.path, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid}\\b`));
});

test('a claim whose process id now belongs to another process is taken over', async () => {
  const other = spawn('sleep', ['60']);
  try {
    await writeFile(join(parent, 'lock'), `${other.pid} 1`);

    const taken = takeDataFolder(parent);

    // Only Linux tells when a process started.
    if (process.platform === 'linux') await expect(taken).resolves.toMatchObject({ path: parent });
    else await expect(taken).rejects.toThrow('in use');
  } finally {
    other.kill();
  }
});

test('a folder given back can be taken again', async () => {
  const first = await takeDataFolder(parent);
  await first.release();

  await expect(stat(join(parent, 'lock'))).rejects.toThrow('ENOENT');
});

test('a folder that cannot be written is named in one line', async () => {
  await writeFile(join(parent, 'file'), '');

  await expect(takeDataFolder(join(parent, 'file', 'data'))).rejects.toThrow(
    /^DATA_DIR: the folder .+ cannot be written \(.+\)\.$/,
  );
});

test.runIf(process.platform === 'linux')('a folder that the file system will not make is named, too', async () => {
  await expect(takeDataFolder('/proc/nowhere/data')).rejects.toThrow(
    'DATA_DIR: the folder /proc/nowhere/data cannot be written',
  );
});

test('the key is made once, 32 bytes, readable by its owner alone', async () => {
  const folder = await takeDataFolder(parent);

  const first = await keyOf(folder);
  const second = await keyOf(folder);

  expect(first).toHaveLength(32);
  expect(second).toEqual(first);
  expect((await stat(join(parent, 'secret-key'))).mode & 0o777).toBe(0o600);
});

test('a damaged key stops the start instead of making tokens unreadable', async () => {
  const folder = await takeDataFolder(parent);
  await writeFile(join(parent, 'secret-key'), 'c2hvcnQ=');

  await expect(keyOf(folder)).rejects.toThrow('does not hold a key of 32 bytes');
});
