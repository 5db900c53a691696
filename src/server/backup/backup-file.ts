import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { makeFolder } from '../db/data-folder.ts';
import { type FreeSpace, freeSpace, LEAST_FREE } from '../db/disk-space.ts';
import { syncEntries } from '../db/durable-files.ts';
import { reasonOf, StartError } from '../start-error.ts';
import { entriesOf, type TarEntry, tarOf } from './tar.ts';

/** What a backup says of itself: its first entry. */
export interface BackupHeader {
  readonly format: 1;
  /** Which of the two databases it was made of; it can be restored into that kind alone. */
  readonly database: 'embedded' | 'postgresql';
  /** The major version of PostgreSQL. */
  readonly postgresql: number;
  readonly created_at: string;
  /** Of the key that seals tokens and webhook secrets (`keyFingerprint`); the key itself is in no backup. */
  readonly key_fingerprint: string;
  /** Of every key that something in the backup can be sealed with, that one first; older backups name it alone. */
  readonly key_fingerprints?: readonly string[];
}

const HEADER = 'mergelight-backup.json';
/** The last entry: without it the backup is not whole. */
const END = 'complete';

/** Tells keys apart and reveals nothing of them: 16 hexadecimal characters. */
export function keyFingerprint(key: Uint8Array): string {
  return createHash('sha256').update('mergelight key fingerprint\0').update(key).digest('hex').slice(0, 16);
}

/** A backup as bytes, a compressed tar archive: its header, and the entries of the database. */
export function backupStream(header: BackupHeader, entries: AsyncIterable<TarEntry>): Readable {
  const all = async function* () {
    let isFirst = true;
    for await (const entry of entries) {
      // What cannot even begin fails before the first byte.
      if (isFirst) yield textEntry(HEADER, `${JSON.stringify(header, null, 2)}\n`);
      isFirst = false;
      yield entry;
    }
    yield textEntry(END, '');
  };
  const compressed = createGzip({ level: 3 });
  // A failure on either side ends both, and reaches whoever reads.
  pipeline(Readable.from(tarOf(all()), { objectMode: false }), compressed).catch(() => undefined);
  return compressed;
}

function textEntry(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, content: [bytes] };
}

/**
 * Stores a backup for its owner alone (mode 600), under another name until all of it is on the disk. Replaces an older one of that
 * name. Returns its length in bytes. Where that fails, `backup` is destroyed, which ends whatever makes it.
 * @throws StartError where it would leave less than `LEAST_FREE`
 */
export async function writeBackup(file: string, backup: Readable, free: FreeSpace = freeSpace): Promise<number> {
  const unfinished = `${file}.${randomUUID().slice(0, 8)}.unfinished`;
  try {
    await makeFolder(dirname(file));
    const out = await open(unfinished, 'wx', 0o600);
    try {
      await out.writeFile(whileThereIsRoom(backup, dirname(file), free));
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(unfinished, file);
    await syncEntries(dirname(file));
  } catch (error) {
    backup.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
  return (await stat(file)).size;
}

/** How much of a backup is written between two looks at the free space, in bytes. */
const LOOK_EVERY = 4 * 2 ** 20;

async function* whileThereIsRoom(backup: Readable, folder: string, free: FreeSpace): AsyncGenerator<Uint8Array> {
  let unwatched = LOOK_EVERY;
  for await (const chunk of backup as AsyncIterable<Uint8Array>) {
    unwatched += chunk.length;
    if (unwatched > LOOK_EVERY) {
      if ((await free(folder)) < LEAST_FREE + LOOK_EVERY)
        throw new StartError(
          `There is no room for the backup in ${folder}: ${LEAST_FREE / 2 ** 20} MB have to stay free.`,
        );
      unwatched = chunk.length;
    }
    yield chunk;
  }
}

/**
 * Reads a backup: hands its header, and then the entries of the database, to `restore`.
 * @throws StartError when it is none, is damaged or not whole
 */
export async function readBackup(
  file: string,
  restore: (header: BackupHeader, entries: AsyncIterable<TarEntry>) => Promise<void>,
): Promise<void> {
  const source = createReadStream(file);
  const plain = createGunzip();
  const reading = pipeline(source, plain).catch((error: unknown) => {
    throw new StartError(`The backup ${file} cannot be read (${reasonOf(error)}).`, error);
  });
  reading.catch(() => undefined);
  const entries = entriesOf(plain);
  try {
    const first = await entries.next();
    if (first.done === true || first.value.name !== HEADER) throw new StartError(`${file} is no backup of Mergelight.`);
    const header = (await json(Readable.from(first.value.content, { objectMode: false }))) as BackupHeader;
    if (header.format !== 1)
      throw new StartError(
        `${file} was made by a newer Mergelight (format ${header.format}): restore it with that version.`,
      );
    let whole = false;
    const ofDatabase = async function* () {
      for await (const entry of { [Symbol.asyncIterator]: () => entries }) {
        if (entry.name === END) whole = true;
        else yield entry;
      }
      // The end of the compressed stream, where its checksum is.
      await reading;
      if (!whole) throw new StartError(`The backup ${file} is not whole: its end is missing.`);
    };
    await restore(header, ofDatabase());
  } catch (error) {
    if (error instanceof StartError) throw error;
    // What broke below is said first: the archive's own complaint follows from it.
    if (source.errored !== null || plain.errored !== null) await reading;
    throw new StartError(`The backup ${file} cannot be restored (${reasonOf(error)}).`, error);
  } finally {
    source.destroy();
    plain.destroy();
  }
}
