/* `npm run backup -- FILE`: asks the running server for a backup; where none is running, opens the database itself. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeBackup } from './backup/backup-file.ts';
import { type BackupSource, makeBackup } from './backup/make-backup.ts';
import { now } from './clock.ts';
import { type Config, directAddress, readConfig } from './config.ts';
import { runInServer } from './control-socket.ts';
import { type DataFolder, takeDataFolder } from './db/data-folder.ts';
import { keysAt } from './db/key-file.ts';
import { openDatabase } from './db/open.ts';
import { secretBox } from './secret-box.ts';
import { reasonOf, StartError } from './start-error.ts';

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new StartError('Usage: npm run backup -- FILE');
  const bytes = await backUp(readConfig(), file);
  process.stdout.write(
    `The backup is in ${file} (${(bytes / 1e6).toFixed(1)} MB).\nThe key is not in it: keep that elsewhere, without it everybody has to sign in again.\n`,
  );
} catch (error) {
  const sentence = error instanceof StartError ? error.message : `The backup failed (${reasonOf(error)}).`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

async function backUp(config: Config, file: string): Promise<number> {
  const address = directAddress(config);
  if (address !== null) {
    const database = await openDatabase({ kind: 'postgresql', ...address, connections: 1 }, ignore);
    return await written(file, {
      database,
      database_url: address.url,
      box: secretBox(config.secret_keys ?? []),
      now,
      notice,
    });
  }
  const { data_dir } = config;
  const place = join(data_dir, 'database');
  const fromServer = () => runInServer(data_dir, 'backup');
  let running = await fromServer();
  if (running === null) {
    if (!existsSync(place))
      throw new StartError(`DATA_DIR: there is no database in ${data_dir}, so nothing to back up.`);
    const folder = await takeDataFolder(data_dir).catch(async (error: unknown) => {
      // A server that was just starting.
      running = await fromServer();
      if (running === null) throw error;
      return null;
    });
    if (folder !== null) return await fromFolder(config, folder, place, file);
  }
  return await writeBackup(file, running as NonNullable<typeof running>).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error;
    throw new StartError('The running Mergelight broke the backup off; its log says why.', error);
  });
}

async function fromFolder(config: Config, folder: DataFolder, place: string, file: string): Promise<number> {
  try {
    const keys = await keysAt(folder.path, config);
    const database = await openDatabase({ kind: 'embedded', folder: place, lease: folder.lease.guard }, ignore);
    return await written(file, { database, database_url: null, box: secretBox(keys), now, notice });
  } finally {
    folder.lease.release();
  }
}

async function written(file: string, source: BackupSource): Promise<number> {
  try {
    return await writeBackup(file, await makeBackup(source));
  } finally {
    await source.database.close();
  }
}

function notice(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** What breaks a connection breaks the query, too, which says so. */
function ignore(): void {}
