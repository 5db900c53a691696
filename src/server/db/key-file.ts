import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../error-code.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { isMade } from './open.ts';

/** The bytes of a key (AES-256). */
const KEY_BYTES = 32;
const NAME = 'secret-key';

/**
 * A key of 32 bytes in base64, in either alphabet, with or without its padding; null of any other text, of which `Buffer.from` would take the
 * beginning.
 */
export function keyIn(text: string): Buffer | null {
  const key = text.trim();
  return /^[\w+/-]{43}=?$/.test(key) ? Buffer.from(key, 'base64') : null;
}

/**
 * The keys in a text of one key a line, 32 bytes in base64 each; the first seals. Empty lines don't count.
 * @throws StartError that names `place` and the line, never what stands there
 */
export function keysIn(text: string, place: string): Buffer[] {
  const keys: Buffer[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const key = keyIn(line);
    if (key === null)
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
 * The keys of a process with the embedded database: those that are set, else those of its folder. The folder's open what they sealed in
 * any case.
 */
export async function keysAt(
  folder: string,
  set: { readonly secret_keys: readonly Buffer[] | null; readonly previous_keys: readonly Buffer[] },
): Promise<Buffer[]> {
  if (set.secret_keys === null) return [...(await keysOfFolder(folder)), ...set.previous_keys];
  return [...set.secret_keys, ...((await keptKeys(folder)) ?? [])];
}

/**
 * The keys that the data folder keeps in `secret-key` (mode 600); null where it keeps none. More than one stand there while stored secrets
 * are sealed again.
 * @throws StartError when they cannot be read, or one is not 32 bytes of base64
 */
export async function keptKeys(folder: string): Promise<Buffer[] | null> {
  const file = join(folder, NAME);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartError(`DATA_DIR: ${file} cannot be read (${reasonOf(error)}).`, error);
  });
  return text === null ? null : keysIn(text, `DATA_DIR: ${file}`);
}

/**
 * The same, of which one is made at the first start.
 * @throws StartError also when there is none beside a database, whose secrets another one would not open
 */
export async function keysOfFolder(folder: string): Promise<Buffer[]> {
  const known = await keptKeys(folder);
  if (known !== null) return known;
  const file = join(folder, NAME);
  if (await isMade(join(folder, 'database')))
    throw new StartError(
      `DATA_DIR: ${folder} has a database and no ${NAME}, the key that opens what is stored in it. Put that file back, or set SECRET_KEY to the key that was used. If it is lost, put a new one there ("openssl rand -base64 32" makes one): then everybody has to sign in again.`,
    );
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
