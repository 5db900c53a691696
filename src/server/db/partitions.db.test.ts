import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPullRequest, approves, comments, hour, merged } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { countRows } from '../backup/count-rows.ts';
import { forgetUnconnected } from '../repositories/forget.ts';
import type { Database } from './database.ts';
import { partitionedTables, placements } from './distribution.ts';
import type { OpenDatabase } from './open.ts';
import { convertPartitions, partitionCounts } from './partitions.ts';

const PARTS = 2;
let database: OpenDatabase;
let db: Kysely<Database>;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
  // Where all tests run on tables that are split already.
  await convertPartitions(db, null);
});
afterAll(() => database.close());

test('the tables that grow are split by their repository and become one again, with all that they hold and all that holds them', async () => {
  const before = await schema();
  const ids = await fill();
  const stored = await contents();
  const counted = await countRows(database);
  await convertPartitions(db, PARTS);
  expect([...(await partitionCounts(db))].sort()).toEqual(partitionedTables.map((table) => [table, PARTS]).sort());
  expect(await contents()).toEqual(stored);
  // A restore reports pull requests, whether they lie in parts or not.
  expect(counted.tables.get('pull_requests')).toBe(ids.length * 12);
  expect(await countRows(database)).toEqual(counted);
  // Everything but the tables' own kind is as it was.
  expect(await schema()).toEqual(before);

  const again: string[] = [];
  await convertPartitions(db, PARTS, ({ table }) => again.push(table));
  expect(again).toEqual([]);

  // What is stored again replaces what was there, and what a repository had goes with it alone.
  await storeSome(ids[0]!, 12);
  expect(await contents()).toEqual(stored);
  await db.deleteFrom('connections').where('repository_id', '=', ids[1]!).execute();
  await forgetUnconnected(db, new AbortController().signal);
  const left = await contents();
  expect(Object.keys(left).length).toBeGreaterThan(5);
  for (const [table, byRepository] of Object.entries(left)) {
    const { [ids[1]!]: gone, ...others } = stored[table]!;
    expect(gone, table).toBeGreaterThan(0);
    expect(byRepository, table).toEqual(others);
  }

  await convertPartitions(db, PARTS + 1);
  expect(new Set((await partitionCounts(db)).values())).toEqual(new Set([PARTS + 1]));
  expect(await contents()).toEqual(left);

  await convertPartitions(db, null);
  expect((await partitionCounts(db)).size).toBe(0);
  expect(await contents()).toEqual(left);
  expect(await schema()).toEqual(before);
});

test('whatever is split has its repository in every key, so that a key is unique in all of it', async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select c.conrelid::regclass::text as table, array_agg(a.attname::text) as columns
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype in ('p', 'u') and c.connamespace = 'public'::regnamespace group by c.oid`.execute(db);
  for (const { table, columns } of rows)
    if (placements[table as keyof typeof placements]?.kind === 'distributed')
      expect(columns, table).toContain('repository_id');
});

test.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'the command refuses while anybody is connected, also as a role whose connections are hidden from it',
  async () => {
    const address = new URL(String(database.pool.options.connectionString));
    const role = `splitter_${randomUUID().replaceAll('-', '')}`;
    await sql`create role ${sql.id(role)} login`.execute(db);
    try {
      address.username = role;
      const env = { ...process.env, DATABASE_URL: address.href, SECRET_KEY: Buffer.alloc(32, 5).toString('base64') };
      const { stderr } = spawnSync(process.execPath, ['src/server/partition-command.ts', '2'], {
        env,
        encoding: 'utf8',
      });

      expect(stderr).toMatch(/^[1-9]\d* other connections use this database: stop every process of Mergelight/);
    } finally {
      await sql`drop role ${sql.id(role)}`.execute(db);
    }
  },
);

async function fill(): Promise<number[]> {
  const ids = [];
  for (const name of ['one', 'two', 'three', 'four']) ids.push(await aRepository(db, `acme/${name}`));
  await aScope(db, ids);
  for (const id of ids) await storeSome(id, 12);
  return ids;
}

async function storeSome(repository_id: number, count: number): Promise<void> {
  const pulls = Array.from({ length: count }, (_, index) =>
    aPullRequest({ number: index + 1 }, comments(2, 'ana'), approves(5, 'ben'), merged(6)),
  );
  await store(db, repository_id, hour(24), pulls);
}

/** How many rows of each repository there are, of the tables that have any. */
async function contents(): Promise<Record<string, Record<number, number>>> {
  const found: Record<string, Record<number, number>> = {};
  for (const table of partitionedTables) {
    const { rows } = await sql<{ repository_id: number; count: number }>`
      select repository_id, count(*)::int from ${sql.table(table)} group by repository_id order by 1`.execute(db);
    if (rows.length > 0) found[table] = Object.fromEntries(rows.map((row) => [row.repository_id, row.count]));
  }
  return found;
}

/** Columns, keys, indexes, triggers and views, as text, without the parts themselves. */
async function schema(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with own as (select oid, relname from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = 'public'::regnamespace)
    select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
      (select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum)) as line
      from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
    union all select concat_ws(' ', relname, conname, pg_get_constraintdef(c.oid))
      from own join pg_constraint c on conrelid = own.oid and conparentid = 0
    union all select replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') from own join pg_index on indrelid = own.oid
    union all select pg_get_triggerdef(t.oid) from own join pg_trigger t on tgrelid = own.oid and not tgisinternal
    union all select schemaname || ' ' || viewname || definition from pg_views where schemaname in ('public', 'lens')
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}
