import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type Config, directAddress, readConfig } from './config.ts';
import { runInServer } from './control-socket.ts';
import { takeDataFolder } from './db/data-folder.ts';
import { keysAt, storeKeys } from './db/key-file.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { keyChanges, type Resealed, resealSecrets, rotateKey } from './sealed-secrets.ts';
import { secretBox } from './secret-box.ts';
import { StartError } from './start-error.ts';

/* `npm run rotate-key`: seals every stored secret again, in the running server where one owns the data folder. */

const ownSentence =
  'Once every process has this key as its first, the earlier ones can be taken out of SECRET_KEY_PREVIOUS or SECRET_KEY_FILE.';
const oneKeySentence =
  'Nothing was changed: only one key is set. Set the new one as SECRET_KEY and the one before as SECRET_KEY_PREVIOUS, by the steps of "Changing the key" in docs/operating.md, then run this again.';

try {
  await run(readConfig());
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const address = directAddress(config);
  if (address !== null) return await onPostgresql(address, config);
  const answer = await runInServer(config.data_dir, 'rotate-key');
  if (answer === null) return await inFolder(config);
  const result = (await json(answer)) as Resealed & { made: boolean; keys: number };
  say(result, result.keys, result.made ? madeSentence(config, 'within a few minutes') : ownSentence);
}

async function onPostgresql(address: { url: string; url_setting: string }, config: Config): Promise<void> {
  const database = await openDatabase({ kind: 'postgresql', ...address }, () => undefined);
  try {
    const box = secretBox(config.secret_keys ?? []);
    say(await resealSecrets(database.db, box), box.keys.length, ownSentence);
  } finally {
    await database.close();
  }
}

/** No server is running: the next one takes the key before out of the folder (`dropOldKeys`). */
async function inFolder(config: Config): Promise<void> {
  const place = join(config.data_dir, 'database');
  if (!existsSync(place))
    throw new StartError(`DATA_DIR: there is no database in ${config.data_dir}, so no stored secrets.`);
  const { path, lease } = await takeDataFolder(config.data_dir);
  try {
    const keys = await keysAt(path, config);
    const database = await openDatabase({ kind: 'embedded', folder: place, lease: lease.guard }, () => undefined);
    try {
      await migrate(database.db);
      const box = secretBox(keys);
      const change = config.secret_keys === null ? keyChanges(box, { store: (all) => storeKeys(path, all) }) : null;
      const result = await rotateKey(database.db, box, change);
      const next = change === null ? ownSentence : madeSentence(config, 'a few minutes after the next start');
      say(result, box.keys.length, next);
    } finally {
      await database.close();
    }
  } finally {
    await lease.release();
  }
}

function madeSentence(config: Config, when: string): string {
  return `The new key is in ${join(config.data_dir, 'secret-key')}, in front of the one before, which is taken out ${when}. Copy the file now: backups from before need the earlier key.`;
}

/** Ends as failed where there is no other key that anything could have been sealed with: whoever ran it wanted the key changed. */
function say({ resealed, unreadable }: Resealed, keys: number, next: string): void {
  if (keys === 1) process.exitCode = 1;
  process.stdout.write(
    keys === 1 ? `${oneKeySentence}\n` : `${resealed} stored secrets were sealed again with the first key. ${next}\n`,
  );
  if (unreadable > 0)
    process.stdout.write(
      `${unreadable} open with none of the keys and were left: the people concerned sign in again, webhooks get a new secret.\n`,
    );
}
