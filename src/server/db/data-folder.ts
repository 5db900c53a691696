import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf, StartError } from '../start-error.ts';

/** `DATA_DIR` in the hands of one process: the embedded database is a single-user one, two of them on a folder destroy it. */
export interface DataFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates the folder where it is missing and takes it for this process. The claim of a process that died is taken over.
 * @throws StartError when the folder cannot be written or a living process holds it
 */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  const lock = join(path, 'lock');
  const claim = `${process.pid} ${(await startOf(process.pid)) ?? ''}`.trim();
  try {
    await makeFolder(path);
    for (;;) {
      if (await createdAlone(lock, claim)) break;
      const holder = await livingHolder(lock);
      if (holder !== null)
        throw new StartError(
          `DATA_DIR: ${path} is in use by another Mergelight (process ${holder}). Stop that one, or set DATA_DIR to another folder.`,
        );
      await unlink(lock).catch(unlessMissing);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATA_DIR: the folder ${path} cannot be written (${reasonOf(error)}).`, error);
  }
  return {
    path,
    release: () => unlink(lock).catch(unlessMissing),
  };
}

/**
 * The key that encrypts tokens and webhook secrets: 32 bytes, made at the first start and kept in `secret-key` (mode 600).
 * @throws StartError when the stored one is not 32 bytes of base64
 */
export async function keyOf(folder: DataFolder): Promise<Buffer> {
  const file = join(folder.path, 'secret-key');
  const fresh = randomBytes(32).toString('base64');
  if (await createdAlone(file, `${fresh}\n`)) return Buffer.from(fresh, 'base64');
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
  if (key.length !== 32)
    throw new StartError(`DATA_DIR: ${file} does not hold a key of 32 bytes in base64. Restore it from a backup.`);
  return key;
}

/**
 * Makes a folder, for its owner alone, and those above it where they are missing. Node's own `recursive` tries for ever where the
 * file system answers "no such file" about a new name in a folder that is there, as /proc does.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

async function createdAlone(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock, or null when it is gone. A process id alone comes back after a restart, in containers always. */
async function livingHolder(lock: string): Promise<number | null> {
  const content = await readFile(lock, 'utf8').catch(unlessMissing);
  const [pid, started] = (content ?? '').trim().split(' ');
  const id = Number(pid);
  if (!Number.isInteger(id) || id <= 0 || id === process.pid) return null;
  try {
    process.kill(id, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return null;
  }
  const start = await startOf(id);
  return start !== null && started !== undefined && start !== started ? null : id;
}

/** When a process started, in the kernel's ticks since boot; null where there is no /proc. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(unlessMissing);
  // The command's name is in brackets and may hold spaces: count the fields behind it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ESRCH') throw error;
  return undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
