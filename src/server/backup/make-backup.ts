import type { Readable } from 'node:stream';
import type { OpenDatabase } from '../db/open.ts';
import { keysInUse } from '../sealed-secrets.ts';
import type { SecretBox } from '../secret-box.ts';
import { backupStream, keyFingerprint } from './backup-file.ts';
import { embeddedFiles } from './embedded-backup.ts';
import { postgresqlDump, postgresqlVersion, refusePooler } from './postgresql-backup.ts';

/** What a backup is made of. */
export interface BackupSource {
  readonly database: OpenDatabase;
  /** Of a PostgreSQL server, for `pg_dump`. */
  readonly database_url: string | null;
  /** The keys of the server; none of them goes into a backup. */
  readonly box: SecretBox;
  readonly now: () => Date;
}

/** A backup of the database as bytes, from one moment of it, while it is used. It fails, as a stream does, where that cannot be had. */
export async function makeBackup({ database, database_url, box, now }: BackupSource): Promise<Readable> {
  refusePooler(database, 'backup');
  // Before anything is copied: what is sealed meanwhile is sealed with the first.
  const [first, ...others] = (await keysInUse(database.db, box)).map(keyFingerprint);
  const header = {
    format: 1,
    database: database.kind,
    postgresql: await postgresqlVersion(database),
    created_at: now().toISOString(),
    key_fingerprint: first!,
    key_fingerprints: [first!, ...others],
  } as const;
  return backupStream(header, database_url === null ? embeddedFiles(database) : postgresqlDump(database, database_url));
}
