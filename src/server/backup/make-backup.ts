import type { Readable } from 'node:stream';
import type { OpenDatabase } from '../db/open.ts';
import { keysInUse } from '../sealed-secrets.ts';
import type { SecretBox } from '../secret-box.ts';
import { StartError } from '../start-error.ts';
import { backupStream, keyFingerprint } from './backup-file.ts';
import { embeddedFiles } from './embedded-backup.ts';
import { postgresqlDump, postgresqlVersion, refusePooler } from './postgresql-backup.ts';
import type { TarEntry } from './tar.ts';

/** What a backup is made of. */
export interface BackupSource {
  readonly database: OpenDatabase;
  /** Of a PostgreSQL server, for `pg_dump`. */
  readonly database_url: string | null;
  /** The keys of the server; none of them goes into a backup. */
  readonly box: SecretBox;
  readonly now: () => Date;
  /** Told what whoever makes the backup should know of it. */
  readonly notice: (sentence: string) => void;
}

/**
 * A backup of the database as bytes, from one moment of it, while it is used. It fails, as a stream does, where that cannot be had.
 * @throws StartError where the keys are not those of the database: the backup would name keys that open nothing in it
 */
export async function makeBackup({ database, database_url, box, now, notice }: BackupSource): Promise<Readable> {
  refusePooler(database, 'backup');
  // Before anything is copied: what is sealed meanwhile is sealed with the first.
  const { keys, readable, unreadable } = await keysInUse(database.db, box);
  // What was sealed with a key that is lost can stay for long, beside what opens.
  if (unreadable > 0 && readable === 0)
    throw new StartError(
      `SECRET_KEY: none of the ${unreadable} stored secrets opens with the key that is set. Set that of the server; if it is lost, make the backup once somebody has signed in again.`,
    );
  if (unreadable > 0)
    notice(
      `${unreadable} of ${readable + unreadable} stored secrets open with none of the keys, nor will they in the backup.`,
    );
  const [first, ...others] = keys.map(keyFingerprint);
  const header = {
    format: 1,
    database: database.kind,
    postgresql: await postgresqlVersion(database),
    created_at: now().toISOString(),
    key_fingerprint: first!,
    key_fingerprints: [first!, ...others],
  } as const;
  const entries = database_url === null ? embeddedFiles(database) : postgresqlDump(database, database_url);
  return backupStream(
    header,
    unlessRotated(entries, () => keyFingerprint(box.keys[0]!) === first),
  );
}

/** What was copied after a new key was made can be sealed with that, which the header does not name. */
async function* unlessRotated(entries: AsyncIterable<TarEntry>, hasFirstKey: () => boolean): AsyncGenerator<TarEntry> {
  yield* entries;
  if (!hasFirstKey()) throw new StartError('The keys were changed while the backup was made: make it again.');
}
