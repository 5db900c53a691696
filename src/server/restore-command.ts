/* `npm run restore -- FILE`: makes the database of a backup, in an empty DATA_DIR or an empty PostgreSQL database. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type BackupHeader, keyFingerprint, readBackup } from './backup/backup-file.ts';
import { countRows } from './backup/count-rows.ts';
import { writeFiles } from './backup/embedded-backup.ts';
import { restorePostgresql } from './backup/postgresql-backup.ts';
import { type Config, directAddress, readConfig } from './config.ts';
import { takeDataFolder } from './db/data-folder.ts';
import { keptKeys, keysAt, storeKeys } from './db/key-file.ts';
import { type DatabasePlace, type OpenDatabase, openDatabase, restoreEmbedded } from './db/open.ts';
import { keysInUse } from './sealed-secrets.ts';
import { KEY_BYTES } from './secret-box.ts';
import { reasonOf, StartError } from './start-error.ts';

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'without-key': { type: 'boolean' }, 'end-access': { type: 'boolean' } },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new StartError('Usage: npm run restore -- FILE [--without-key] [--end-access]');
  const config = readConfig();
  await readBackup(file, async (header, entries) => {
    const address = directAddress(config);
    const options = { withoutKey: values['without-key'] === true, endsAccess: values['end-access'] === true };
    if (address === null) await intoFolder(config, header, entries, options);
    else await intoServer(config, address, header, entries, options);
  });
} catch (error) {
  const sentence =
    error instanceof StartError ? error.message : `The backup could not be restored (${reasonOf(error)}).`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

type Entries = Parameters<Parameters<typeof readBackup>[1]>[1];

interface Options {
  readonly withoutKey: boolean;
  /** Sessions and personal tokens end, also those that had not been ended or revoked by the time of the backup. */
  readonly endsAccess: boolean;
}

async function intoFolder(
  config: Config,
  header: BackupHeader,
  entries: Entries,
  { withoutKey, endsAccess }: Options,
): Promise<void> {
  if (header.database !== 'embedded')
    throw new StartError('The backup is of a PostgreSQL server: set DATABASE_URL to an empty database there.');
  const place = join(config.data_dir, 'database');
  const folder = await takeDataFolder(config.data_dir);
  try {
    const kept = await keptKeys(folder.path);
    const given = [...(config.secret_keys ?? config.previous_keys), ...(kept ?? [])];
    const keys = await keysFor(header, given.length > 0 ? given : null, withoutKey);
    await restoreEmbedded(place, async () => {
      await writeFiles(place, entries);
      // Before it counts as a database, which no start takes without a key.
      if (config.secret_keys === null && kept === null)
        await storeKeys(folder.path, keys.length > 0 ? keys : [randomBytes(KEY_BYTES)]);
      // A start without settings uses those that the folder keeps alone.
      const lacking = keys.filter((key) => !kept?.some((one) => one.equals(key)));
      if (kept !== null && lacking.length > 0) await storeKeys(folder.path, [...kept, ...lacking]);
    });
    const at = { kind: 'embedded', folder: place, lease: folder.lease.guard } as const;
    await checkAndReport(at, header, keys, await keysAt(folder.path, config), endsAccess);
    if (kept === null && config.secret_keys !== null) sayWhatToSet(keys, config.secret_keys, at.kind);
  } finally {
    folder.lease.release();
  }
}

async function intoServer(
  config: Config,
  address: { url: string; url_setting: string },
  header: BackupHeader,
  entries: Entries,
  { withoutKey, endsAccess }: Options,
): Promise<void> {
  if (header.database !== 'postgresql')
    throw new StartError(
      'The backup is of an embedded database: restore it without DATABASE_URL, into an empty DATA_DIR.',
    );
  const set = config.secret_keys ?? [];
  const keys = await keysFor(header, set, withoutKey);
  const place = { kind: 'postgresql', ...address, connections: 1 } as const;
  const database = await openDatabase(place, ignore);
  try {
    await restorePostgresql(database, address.url, header.postgresql, entries);
  } finally {
    await database.close();
  }
  await checkAndReport(place, header, keys, set, endsAccess);
  sayWhatToSet(keys, set, place.kind);
}

/** Nothing but the settings keeps these keys. */
function sayWhatToSet(keys: readonly Buffer[], [first]: readonly Buffer[], kind: DatabasePlace['kind']): void {
  const earlier = keys.filter((key) => first === undefined || !key.equals(first));
  if (earlier.length > 0)
    process.stdout.write(
      `Go on setting SECRET_KEY_PREVIOUS beside SECRET_KEY (or both in SECRET_KEY_FILE) until npm run rotate-key has sealed everything with the first: stored secrets need the earlier ${earlier.length === 1 ? 'key' : 'keys'} ${earlier.map(keyFingerprint).join(', ')} (fingerprint).\n`,
    );
  else if (keys.length > 0 && kind === 'embedded')
    process.stdout.write(
      'Go on setting SECRET_KEY (or SECRET_KEY_FILE): the key is not kept in DATA_DIR, and a start without it is refused.\n',
    );
}

/**
 * The keys of the backup, in its order, as far as they are given: all of them, unless it is to be restored without.
 * @throws StartError naming those that are missing
 */
async function keysFor(
  header: BackupHeader,
  given: readonly Buffer[] | null,
  withoutKey: boolean,
): Promise<readonly Buffer[]> {
  const needed = header.key_fingerprints ?? [header.key_fingerprint];
  const found = new Map<string, Buffer>();
  for (const key of given ?? []) if (key.length === 32) found.set(keyFingerprint(key), key);
  const missing = needed.filter((fingerprint) => !found.has(fingerprint));
  const keys = () => needed.flatMap((fingerprint) => found.get(fingerprint) ?? []);
  if (missing.length === 0 || withoutKey) return keys();
  if (given !== null || !process.stdin.isTTY) throw new StartError(missingKeys(needed, missing, given !== null));
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    for (const fingerprint of missing) {
      for (;;) {
        const which =
          needed.length === 1
            ? 'The key of this backup'
            : `Key ${needed.indexOf(fingerprint) + 1} of ${needed.length} of this backup`;
        const answer = await terminal.question(
          `${which}, in base64 (fingerprint ${fingerprint}).\nEnter alone goes on without it: then whoever it concerns has to sign in again.\nKey: `,
        );
        if (answer.trim() === '') break;
        const key = Buffer.from(answer.trim(), 'base64');
        if (key.length === 32 && keyFingerprint(key) === fingerprint) {
          found.set(fingerprint, key);
          break;
        }
        process.stdout.write('That is not this key.\n\n');
      }
    }
  } finally {
    terminal.close();
  }
  return keys();
}

function missingKeys(needed: readonly string[], missing: readonly string[], someGiven: boolean): string {
  const [first] = needed;
  const orWithout = 'or restore with --without-key: then everybody has to sign in again.';
  if (needed.length === 1)
    return someGiven
      ? `SECRET_KEY: is not the key of this backup, whose fingerprint is ${first}. Set that one, ${orWithout}`
      : `SECRET_KEY: set it to the key of this backup (fingerprint ${first}), ${orWithout}`;
  return (
    `SECRET_KEY: this backup was made while keys were changed and needs ${needed.length} of them, with the fingerprints ${needed.join(', ')}; ` +
    `${missing.length === needed.length ? 'all' : missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. ` +
    `Set SECRET_KEY to the first and SECRET_KEY_PREVIOUS to the others, or restore with --without-key: then whoever a missing one concerns has to sign in again.`
  );
}

/** `known`: the keys that a start would have. */
async function checkAndReport(
  place: DatabasePlace,
  header: BackupHeader,
  keys: readonly Buffer[],
  known: readonly Buffer[],
  endsAccess: boolean,
): Promise<void> {
  const needed = header.key_fingerprints?.length ?? 1;
  const database = await openDatabase(place, ignore);
  try {
    const { rows, tables } = await countRows(database);
    if (keys.length === 0 || endsAccess) await database.db.deleteFrom('sessions').execute();
    const tokensInForce = tables.has('api_tokens') ? await personalTokensIn(database, endsAccess) : 0;
    const { unreadable } = await keysInUse(database.db, { keys: known });
    const of = (name: string) => (tables.get(name) ?? 0).toLocaleString('en');
    process.stdout.write(
      `Restored the backup of ${header.created_at}: it opens, ${rows.toLocaleString('en')} rows were read in ${tables.size} tables; ` +
        `${of('pull_requests')} pull requests in ${of('repositories')} repositories, ${of('users')} people who signed in.\n` +
        (keys.length === 0
          ? 'Without its key: everybody has to sign in again, and webhooks need their new secrets (see the settings).\n'
          : keys.length < needed
            ? 'Without one of its keys: whoever it concerns has to sign in again, and some webhooks need their new secrets (see the settings).\n'
            : '') +
        (keys.length > 0 && unreadable > 0
          ? `${unreadable} stored secrets open with none of the keys: the people concerned sign in again, webhooks get a new secret. Where you have the key that sealed them, set it in SECRET_KEY_PREVIOUS before the start.\n`
          : '') +
        (endsAccess
          ? 'All sessions and personal tokens have ended: everybody signs in again and makes new tokens. Accounts deleted since the backup are back.\n'
          : `Accounts deleted since the backup are back. Personal tokens in force: ${tokensInForce}, those revoked since among them. A restore with --end-access ends them, and all sessions.\n`) +
        'Start Mergelight with npm start.\n',
    );
  } finally {
    await database.close();
  }
}

/** How many are in force, once all have ended where that is wanted. */
async function personalTokensIn({ db }: OpenDatabase, end: boolean): Promise<number> {
  if (end) await db.deleteFrom('api_tokens').execute();
  const { count } = await db
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return count;
}

/** What breaks a connection breaks the query, too, which says so. */
function ignore(): void {}
