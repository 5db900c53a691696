import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/** The bytes of a key (AES-256). */
const KEY_BYTES = 32;
const NAME = 'secret-key';

/**
 * The keys in a text of one key a line, 32 bytes in base64 each; the first seals. Empty lines don't count.
 * @throws StartError that names `place` and the line, never what stands there
 */
export function keysIn(text: string, place: string): Buffer[] {
  const keys: Buffer[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const key = Buffer.from(line.trim(), 'base64');
    if (key.length !== KEY_BYTES)
      throw new StartError(
        `${place} does not hold a key of 32 bytes in base64 in line ${at + 1}. Restore it from a backup.`,
      );
    keys.push(key);
  }
  if (keys.length === 0)
    throw new StartError(`${place} does not hold a key of 32 bytes in base64. Restore it from a backup.`);
  return keys;
}

/**
 * The keys that the data folder keeps in `secret-key` (mode 600), of which one is made at the first start. More than one stand there
 * while stored secrets are sealed again.
 * @throws StartError when one is not 32 bytes of base64
 */
export async function keysOfFolder(folder: string): Promise<Buffer[]> {
  const file = join(folder, NAME);
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (known !== null) return keysIn(known, `DATA_DIR: ${file}`);
  const fresh = await written(folder, [randomBytes(KEY_BYTES)]);
  // Another process may have made one meanwhile: the first one counts.
  await link(fresh, file).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await rm(fresh);
  await syncFolder(folder);
  return keysIn(await readFile(file, 'utf8'), `DATA_DIR: ${file}`);
}

/** Replaces the keys that the folder keeps, the first seals. A process or machine that dies leaves either those before or these. */
export async function storeKeys(folder: string, keys: readonly Buffer[]): Promise<void> {
  await rename(await written(folder, keys), join(folder, NAME));
  await syncFolder(folder);
}

/** A file of these keys beside the real one, that is on the disk. */
async function written(folder: string, keys: readonly Buffer[]): Promise<string> {
  const path = join(folder, `${NAME}.${process.pid}.new`);
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(keys.map((key) => `${key.toString('base64')}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}

/** A new or renamed file is on the disk when its folder is; Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
