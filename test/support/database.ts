import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { inject, type ProvidedContext } from 'vitest';
import type { Database } from '../../src/server/db/database.ts';
import { type OpenDatabase, openDatabase } from '../../src/server/db/open.ts';
import { recordStatements } from './recorded-statements.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, and the migrated database there that others are copied from; to the browser's tests, only where PostgreSQL is installed. */
    postgresql: { url: string; template: string };
    /** A file to copy a migrated embedded database from: several times faster than making one. */
    embedded: { copyOf: string };
  }
}

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

/**
 * Deletes all rows of these tables, and of all that refer to them, like `truncate … cascade`, which replaces their files and those of their
 * indexes, 400 in all, and takes as long as many a test. Identities go on where they were.
 */
export async function empty(db: Kysely<Database>, ...tables: (keyof Database)[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ statements: string }>`
      with recursive emptied (id) as (
        select to_regclass(name)::oid from unnest(${tables}::text[]) name
        union
        select conrelid from pg_constraint join emptied on confrelid = id where contype = 'f' and conparentid = 0
      )
      select string_agg(format('delete from %s', id::regclass), ';') as statements from emptied`.execute(trx);
    // Without triggers: nothing that refers to them is left.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql.raw(rows[0]!.statements).execute(trx);
  });
}

/**
 * Deletes what an app that has stopped, and the people who used it, left in a database: the next test of its file has one like new. A job that
 * was running would keep the next of its queue away.
 */
export async function emptyAfterApp({ db, pool }: OpenDatabase, ...more: (keyof Database)[]): Promise<void> {
  await empty(db, 'repositories', 'users', 'people', ...more);
  await pool.query('delete from jobs.job');
}

/** Which cases the embedded database is given where a law is tried with a part of them there: all, those from a place, or from any (null). PostgreSQL is given all. */
const casesWanted = () => (process.env.TEST_DATABASE === 'embedded' ? (process.env.EMBEDDED_CASES ?? null) : 'all');

/** How many random cases a test tries: `usual` on PostgreSQL, one of `part` on the embedded database, which is sent the same SQL and is slower. */
export function casesOf(usual: number, part = 3): number {
  return casesWanted() === 'all' ? usual : Math.ceil(usual / part);
}

/**
 * Which of these cases of a law a test tries: all on PostgreSQL, one of `part` on the embedded database, from a place that changes from run to
 * run and is printed.
 */
export function casesHere<Case>(all: readonly Case[], part = 3): readonly Case[] {
  const wanted = casesWanted();
  if (wanted === 'all') return all;
  const first = wanted === null ? Math.floor(Math.random() * part) : Number(wanted) % part;
  const cases = all.filter((_, place) => place % part === first);
  if (cases.length === 0) throw new Error(`None of ${all.length} cases is left by EMBEDDED_CASES=${first}.`);
  console.info(`Of ${all.length} cases ${cases.length} are tried, those of EMBEDDED_CASES=${first}.`);
  return cases;
}

async function copyOfTemplate(): Promise<OpenDatabase> {
  const { url, drop } = await newPostgresqlDatabase(inject('postgresql'));
  // Dropping the database can cut a connection that is just saying goodbye.
  let closing = false;
  const database = await openDatabase({ kind: 'postgresql', url }, (error) => {
    if (!closing) fail(error);
  });
  return {
    ...database,
    async close() {
      closing = true;
      await database.close();
      await drop();
    },
  };
}

/** A database of its own with the newest schema, on the PostgreSQL server of this run. */
export async function newPostgresqlDatabase({
  url,
  template,
}: ProvidedContext['postgresql']): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(url, `create database ${name} template ${template}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return { url: address.href, drop: () => asAdmin(url, `drop database ${name} with (force)`) };
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
