import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser, HOST } from '../../../test/support/stored.ts';
import { lensOf } from './lens.ts';
import type { OpenDatabase } from './open.ts';

let database: OpenDatabase;
let user: number;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  user = await aUser(db);
  await sql`
    insert into people (host, host_id, login, type, kind) values (${HOST}, '1', 'ada', 'user', 'human')`.execute(db);
  await db
    .insertInto('own_account_kinds')
    .values({ user_id: user, host: HOST, host_id: '1', kind: 'bot', set_at: new Date(0) })
    .execute();
});
afterAll(() => database.close());

const kindsIn = async (db: OpenDatabase['db']) =>
  (await db.selectFrom('people').select('kind').execute()).map(({ kind }) => kind);

test('every view of a lens has the columns of the table or view that it stands for, of the same types', async () => {
  const columns = async (schema: string) =>
    (
      await sql<{ table_name: string }>`
        select table_name, column_name, udt_name from information_schema.columns
        where table_schema = ${schema} and table_name in (select table_name from information_schema.views
          where table_schema = 'lens')
        order by 1, 2`.execute(database.db)
    ).rows;

  const views = await columns('lens');

  expect(new Set(views.map(({ table_name }) => table_name)).size).toBe(9);
  expect(views).toEqual(await columns('public'));
});

test('what a user sees by their own marks nobody else sees, on the same connections', async () => {
  const lens = lensOf(database.pool, user);
  const stranger = lensOf(database.pool, user + 1);

  for (let round = 0; round < 3; round += 1)
    expect([await kindsIn(lens), await kindsIn(database.db), await kindsIn(stranger)]).toEqual([
      ['bot'],
      ['human'],
      ['human'],
    ]);
  const many = await Promise.all([lens, database.db, stranger, lens, database.db, stranger].map(kindsIn));
  expect(many).toEqual([['bot'], ['human'], ['human'], ['bot'], ['human'], ['human']]);
});

test('a question that fails leaves no trace on its connection', async () => {
  const lens = lensOf(database.pool, user);
  const path = async () => (await sql`select current_setting('search_path') as path`.execute(database.db)).rows;
  const before = await path();

  for (let round = 0; round < 12; round += 1) await expect(sql`select 1 / 0`.execute(lens)).rejects.toThrow('zero');

  expect(await kindsIn(database.db)).toEqual(['human']);
  expect(await kindsIn(lens)).toEqual(['bot']);
  expect(await path()).toEqual(before);
});

test('nothing is written through a lens', async () => {
  await expect(lensOf(database.pool, user).deleteFrom('users').execute()).rejects.toThrow('read-only');
});
