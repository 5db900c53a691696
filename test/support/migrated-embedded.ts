import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase } from '../../src/server/db/open.ts';
import { startFirst } from './first-start.ts';

export interface MigratedEmbedded {
  readonly folder: string;
  /** A file that says the same. */
  readonly copyOf: string;
  /** Does nothing but for whoever asked first. */
  remove(): Promise<void>;
}

/** An embedded database as a first start leaves it, made once a run for the projects that copy it. */
export async function migratedEmbedded(): Promise<MigratedEmbedded> {
  const made = process.env.TEST_EMBEDDED_FOLDER;
  const parent = made ?? mkdtempSync(join(tmpdir(), 'mergelight-embedded-'));
  const folder = join(parent, 'database');
  const copyOf = join(parent, 'database.tar');
  if (made !== undefined) return { folder, copyOf, remove: async () => undefined };
  const database = await openDatabase({ kind: 'embedded', folder }, console.error);
  await startFirst(database);
  await database.close();
  const pglite = await PGlite.create(folder);
  // A copy takes a quarter less time without those that new databases would be made of.
  await pglite.exec('update pg_database set datistemplate = false, datallowconn = true');
  for (const template of ['template0', 'template1']) await pglite.exec(`drop database ${template}`);
  await pglite.exec('checkpoint');
  await writeFile(copyOf, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  await pglite.close();
  // The next project of the same run finds it there.
  process.env.TEST_EMBEDDED_FOLDER = parent;
  return {
    ...{ folder, copyOf },
    remove: async () => {
      delete process.env.TEST_EMBEDDED_FOLDER;
      await rm(parent, { recursive: true, force: true });
    },
  };
}
