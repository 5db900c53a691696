import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { recordStatements } from './recorded-statements.ts';

/**
 * An empty database with the newest schema, for the test file that opens it: on PostgreSQL or the embedded one, as
 * TEST_DATABASE says (each `*.db.test.ts` and flow runs on both). Close it in `afterAll`.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  recordStatements();
  if (process.env.TEST_DATABASE === 'postgresql') return await copyOfTemplate();
  return await openDatabase({ kind: 'embedded', folder: null, ...inject('embedded') }, fail);
}

/** Puts a migrated embedded database into a folder: many times faster than migrating an empty one. */
export async function putMigrated(folder: string): Promise<void> {
  await cp(inject('migratedFolder'), folder, { recursive: true });
}

/** How many random cases a test tries: `usual` on PostgreSQL, a third of it on the embedded database, which is sent the same SQL and is slower. */
export function casesOf(usual: number): number {
  return process.env.TEST_DATABASE === 'embedded' ? Math.ceil(usual / 3) : usual;
}

async function copyOfTemplate(): Promise<OpenDatabase> {
  const { url, template } = inject('postgresql');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(url, `create database ${name} template ${template}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  // Dropping the database can cut a connection that is just saying goodbye.
  let closing = false;
  const database = await openDatabase({ kind: 'postgresql', url: address.href }, (error) => {
    if (!closing) fail(error);
  });
  return {
    ...database,
    async close() {
      closing = true;
      await database.close();
      await asAdmin(url, `drop database ${name} with (force)`);
    },
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function fail(error: Error): never {
  throw error;
}
