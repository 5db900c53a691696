import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { OpenDatabase } from './open.ts';
import { tidy } from './tidy.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a table that has grown is counted for the planner once, and left alone until it has changed again', async () => {
  const { db } = database;
  await sql`
    insert into people (host, host_id, login, type, kind)
    select 'h', n::text, 'person-' || n, 'user', 'human' from generate_series(1, 3000) n`.execute(db);
  const touched = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    return await tidy(db);
  };

  await expect.poll(touched).toContain('people');

  const { rows } = await sql<{ estimated: number }>`
    select reltuples::int as estimated from pg_class where relkind = 'r' and relname = 'people'`.execute(db);
  expect(rows).toEqual([{ estimated: 3000 }]);
  await expect.poll(touched).not.toContain('people');
});
