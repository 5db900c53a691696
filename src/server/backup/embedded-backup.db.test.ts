import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putMigrated } from '../../../test/support/database.ts';
import { type OpenDatabase, openDatabase, restoreEmbedded } from '../db/open.ts';
import { embeddedFiles, writeFiles } from './embedded-backup.ts';

const unexpected = (error: Error) => {
  throw error;
};

describe.runIf(process.env.TEST_DATABASE === 'embedded')('a backup of the embedded database', () => {
  let folder: string;
  let database: OpenDatabase;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mergelight-embedded-backup-'));
    await putMigrated(join(folder, 'from'));
    database = await openDatabase({ kind: 'embedded', folder: join(folder, 'from') }, unexpected);
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  it('is whole, also where another one is made while it is', async () => {
    await sql`create table kept as select n, repeat(md5(n::text), 8) as text from generate_series(1, 100000) n`.execute(
      database.db,
    );
    const files = embeddedFiles(database);
    const begun = await files.next();
    // More than a file of the log, so that a checkpoint would take away those of before.
    await sql`update kept set text = text || n`.execute(database.db);
    await sql`update kept set text = text || n`.execute(database.db);
    for await (const { content } of embeddedFiles(database)) for await (const _ of content);

    async function* all() {
      if (!begun.done) yield begun.value;
      yield* files;
    }
    const to = join(folder, 'to');
    await restoreEmbedded(to, () => writeFiles(to, all()));
    const restored = await openDatabase({ kind: 'embedded', folder: to }, unexpected);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from kept`.execute(restored.db);
    await restored.close();
    expect(rows).toEqual([{ n: 100_000 }]);
  });
});
