import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../error-code.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { type Lease, type LeaseClock, takeLease } from './lease.ts';

/** `DATA_DIR` in the hands of one process: the embedded database is a single-user one, two of them on a folder destroy it. */
export interface DataFolder {
  readonly path: string;
  readonly lease: Lease;
}

/**
 * Creates the folder where it is missing and takes its lease for this process. A process that died is succeeded.
 * The folder is its owner's alone: what others than owner and group may do in it is taken away, and told to `onNotice`.
 * @throws StartError when the folder cannot be written, belongs to another user, or a living process holds it
 */
export async function takeDataFolder(
  path: string,
  clock?: LeaseClock,
  onNotice: (sentence: string) => void = () => undefined,
): Promise<DataFolder> {
  try {
    await makeFolder(path);
    const notices: string[] = [];
    await ownIt(path, (notice) => notices.push(notice));
    const lease = await takeLease(path, clock);
    for (const notice of notices) onNotice(notice);
    return { path, lease };
  } catch (error) {
    throw folderError(path, error);
  }
}

/** What the system says of the folder, as a reason not to start. */
export function folderError(path: string, error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError(`DATA_DIR: the folder ${path} cannot be written (${reasonOf(error)}).`, error);
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

/** Permissions of everybody who is neither the owner nor in the group, and of the group. */
const OTHERS = 0o007;
const GROUP = 0o070;

/** Takes every permission of others away from the folder and all that lies in it; Windows has no such permissions. */
async function ownIt(path: string, onNotice: (sentence: string) => void): Promise<void> {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const { uid: owner, mode } = await stat(path);
  if (owner !== uid)
    throw new StartError(
      `DATA_DIR: ${path} belongs to another user (${owner}, this process is ${uid}). Give it to this one: sudo chown -R ${uid} ${quoted(path)}`,
    );
  let closed = 0;
  const close = async (file: string) => {
    const found = await lstat(file).catch(unlessGone);
    if (found === undefined || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return;
    await chmod(file, found.mode & 0o7777 & ~OTHERS).catch(unlessGone);
    closed += 1;
  };
  const closeBelow = async (folder: string): Promise<void> => {
    for (const entry of (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []) {
      const file = join(folder, entry.name);
      // What is another user's, such as lost+found of a volume, is theirs to close: nobody gets there through this folder.
      if ((await lstat(file).catch(unlessGone))?.uid !== uid) continue;
      await close(file);
      if (entry.isDirectory()) await closeBelow(file);
    }
  };
  await close(path);
  await closeBelow(path);
  // In a folder that nobody else could enter nothing was open: the database makes its files readable for all.
  if (closed > 0 && (mode & OTHERS) !== 0)
    onNotice(`DATA_DIR: ${path}: permissions of other users were taken away from ${closed} files and folders.`);
  if ((mode & GROUP) !== 0)
    onNotice(`DATA_DIR: the group of ${path} may open it. If that is not meant: chmod -R g-rwx ${quoted(path)}`);
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
}
