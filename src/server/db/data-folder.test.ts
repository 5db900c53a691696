import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, takeDataFolder as take } from './data-folder.ts';
import { keysOfFolder } from './key-file.ts';

let parent: string;
const taken: DataFolder[] = [];

async function takeDataFolder(path: string): Promise<DataFolder> {
  const folder = await take(path);
  taken.push(folder);
  return folder;
}

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mergelight-data-'));
});
afterEach(async () => {
  for (const { lease } of taken.splice(0)) lease.release();
  await rm(parent, { recursive: true });
});

test('a folder that is missing is made, for its owner alone', async () => {
  const folder = await takeDataFolder(join(parent, 'deep', 'data'));

  expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
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

  const first = (await keysOfFolder(folder.path))[0]!;
  const second = (await keysOfFolder(folder.path))[0]!;

  expect(first).toHaveLength(32);
  expect(second).toEqual(first);
  expect((await stat(join(parent, 'secret-key'))).mode & 0o777).toBe(0o600);
});

test('a damaged key stops the start instead of making tokens unreadable', async () => {
  const folder = await takeDataFolder(parent);
  const key = Buffer.alloc(32, 7).toString('base64');

  for (const text of ['c2hvcnQ=', `${key},${key}`]) {
    await writeFile(join(parent, 'secret-key'), text);
    await expect(keysOfFolder(folder.path)).rejects.toThrow('does not hold a key of 32 bytes');
  }
});

test('a key that cannot be read is named in one line', async () => {
  const folder = await takeDataFolder(parent);
  await mkdir(join(parent, 'secret-key'));

  await expect(keysOfFolder(folder.path)).rejects.toThrow(/^DATA_DIR: .+secret-key cannot be read \(EISDIR[^\n]+\)\.$/);
});

const onPosix = test.runIf(process.platform !== 'win32');

onPosix('what others may do in the folder is taken away and said, also from the files of the database', async () => {
  await mkdir(join(parent, 'database/base'), { recursive: true });
  await writeFile(join(parent, 'database/base/1234'), 'rows');
  await chmod(join(parent, 'database/base/1234'), 0o666);
  await chmod(join(parent, 'database'), 0o755);
  await chmod(parent, 0o755);
  const said: string[] = [];

  taken.push(await take(parent, undefined, (sentence) => said.push(sentence)));

  const modeOf = async (name: string) => ((await stat(join(parent, name))).mode & 0o7).toString(8);
  expect(await Promise.all(['', 'database', 'database/base/1234'].map(modeOf))).toEqual(['0', '0', '0']);
  expect(said).toEqual([
    expect.stringMatching(/permissions of other users were taken away from \d+ files and folders\.$/),
    expect.stringContaining('group of'),
  ]);
});

onPosix('of files in a folder that nobody else can enter nothing is said', async () => {
  await writeFile(join(parent, 'rows'), '');
  await chmod(join(parent, 'rows'), 0o666);
  await chmod(parent, 0o700);
  const said: string[] = [];

  taken.push(await take(parent, undefined, (sentence) => said.push(sentence)));

  expect((await stat(join(parent, 'rows'))).mode & 0o777).toBe(0o660);
  expect(said).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('a folder of another user is refused with the command that mends it', async () => {
  await chown(parent, 12_345, 12_345);

  await expect(takeDataFolder(parent)).rejects.toThrow(`sudo chown -R 0 '${parent}'`);
  await chown(parent, 0, 0);
});
