import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { migrate } from './migrate.ts';
import type { OpenDatabase } from './open.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a database that is up to date is left as it is, also by several processes at once', async () => {
  await Promise.all([migrate(database.db), migrate(database.db)]);

  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database.db);
  expect(rows).toEqual([{ name: '0001-first-schema' }, { name: '0002-figures-by-month' }]);
});

test('an empty database gets every table', async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);

  await Promise.all([migrate(database.db), migrate(database.db)]);

  expect(await database.db.selectFrom('pull_request_facts').selectAll().execute()).toEqual([]);
  expect(await database.db.selectFrom('sync_sessions').selectAll().execute()).toEqual([]);
});

test('a database of a newer version is refused in one line', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01T00:00:00Z')`.execute(
    database.db,
  );

  await expect(migrate(database.db)).rejects.toThrow(
    'The database was written by a newer Mergelight (it has 9999-from-the-future)',
  );
});
