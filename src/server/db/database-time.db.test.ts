import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Database } from './database.ts';
import { DatabaseTimeSpent, dialectOver, withinDatabaseTime } from './database-time.ts';
import { lensOf } from './lens.ts';
import type { OpenDatabase } from './open.ts';

let database: OpenDatabase;
let db: Kysely<Database>;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ db } = database);
  await sql`create table written (what text not null)`.execute(db);
});
afterAll(async () => {
  await database?.close();
});

const count = (to: number, on = db) => sql`select count(*) from generate_series(1, ${sql.lit(to)})`.execute(on);
const LONG = 12_000_000;

test('a statement that takes too long ends the work, and whoever comes next is not held to its time', async () => {
  await expect(withinDatabaseTime(150, () => count(LONG))).rejects.toBeInstanceOf(DatabaseTimeSpent);
  await expect(withinDatabaseTime(150, () => count(LONG, lensOf(database.pool, 1)))).rejects.toBeInstanceOf(
    DatabaseTimeSpent,
  );

  const { rows } = await sql<{ limit: string; lock: string }>`
    select current_setting('statement_timeout') as limit, current_setting('lock_timeout') as lock`.execute(db);
  const outside = await withinDatabaseTime(5000, () => count(10));
  expect(outside.rows).toEqual([{ count: 10 }]);
  expect(rows[0]!.limit).not.toBe('150ms');
});

test('the time is that of all statements together, and no more begins once it is spent', async () => {
  const begun: number[] = [];
  const work = async () => {
    for (let n = 0; n < 1000; n += 1) {
      begun.push(n);
      await count(300_000);
    }
  };
  await expect(withinDatabaseTime(300, work)).rejects.toBeInstanceOf(DatabaseTimeSpent);
  expect(begun.length).toBeGreaterThan(1);
  expect(begun.length).toBeLessThan(1000);
});

test('what is written within the time stays, and what a transaction took back does not', async () => {
  await withinDatabaseTime(20_000, async () => {
    await sql`insert into written values ('alone')`.execute(db);
    await db.transaction().execute(async (within) => {
      await sql`insert into written values ('together')`.execute(within);
    });
    await expect(
      db.transaction().execute(async (within) => {
        await sql`insert into written values ('never')`.execute(within);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await expect(sql`select * from nowhere`.execute(db)).rejects.toThrow('nowhere');
  });

  const { rows } = await sql<{ what: string }>`select what from written order by what`.execute(db);
  expect(rows.map(({ what }) => what)).toEqual(['alone', 'together']);
});

test('a connection whose settings fail is left as it was to whoever has it next', async () => {
  const failing = new Kysely<Database>({ dialect: dialectOver(database.pool, 'select 1 / 0') });
  const everyConnection = Array.from({ length: database.pool.options.max });

  const refused = await Promise.allSettled(everyConnection.map(() => count(10, failing)));
  const answered = await Promise.all(everyConnection.map(() => count(10)));

  expect(refused.map(({ status }) => status)).toEqual(everyConnection.map(() => 'rejected'));
  expect(answered.map(({ rows }) => rows)).toEqual(everyConnection.map(() => [{ count: 10 }]));
});

test('wherever in a statement the time ends, it is that that ends the work, and the connection is as it was', async () => {
  const work = async () => {
    for (;;) await count(5_000);
  };
  for (let round = 0; round < 300; round += 1) {
    await expect(withinDatabaseTime(1 + (round % 7), work)).rejects.toBeInstanceOf(DatabaseTimeSpent);
    expect((await count(10)).rows).toEqual([{ count: 10 }]);
  }
});
