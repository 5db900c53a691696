import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aCredential } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf } from './scope.ts';

const now = new Date('2026-03-01T12:00:00Z');
let database: OpenDatabase;
let ada: number;
let bo: number;
let readable: number;
let lost: number;
let foreign: number;

beforeAll(async () => {
  database = await openTestDatabase();
  ada = await aUser('ada');
  bo = await aUser('bo');
  readable = await aRepository('readable');
  lost = await aRepository('lost');
  foreign = await aRepository('foreign');
  await connect(ada, readable, true);
  await connect(ada, lost, false);
  await connect(bo, foreign, true);
});
afterAll(() => database.close());

test('a user sees what they connected and the host still lets them read', async () => {
  expect(await scopeOf(database.db, ada)).toMatchObject({ user_id: ada, repository_ids: [readable] });
});

test('a user without repositories sees nothing', async () => {
  const newcomer = await aUser('cy');

  expect(await scopeOf(database.db, newcomer)).toMatchObject({ repository_ids: [] });
});

test('a repository narrows the view, as a number or as the text of a query', async () => {
  expect(await scopeOf(database.db, ada, readable)).toMatchObject({ repository_ids: [readable] });
  expect(await scopeOf(database.db, ada, String(readable))).toMatchObject({ repository_ids: [readable] });
});

test('a part of what a user sees is never more than that', async () => {
  const scope = await scopeOf(database.db, ada);

  expect(scope.within([readable, foreign, lost])).toMatchObject({ user_id: ada, repository_ids: [readable] });
  expect(scope.within([foreign])).toMatchObject({ repository_ids: [] });
});

test('one that is unknown, someone else’s or no longer readable is not found, all three alike', async () => {
  for (const repository of [2_147_483_647, foreign, lost])
    await expect(scopeOf(database.db, ada, repository)).rejects.toMatchObject({
      status: 404,
      message: 'Repository not found',
    });
});

test('one that is no id is a mistake of the caller', async () => {
  for (const repository of ['', 'abc', '1.5', '-1', 0, 2_147_483_648, '1 or 1=1', Number.NaN])
    await expect(scopeOf(database.db, ada, repository)).rejects.toMatchObject({ status: 400 });
});

test('what was checked with another credential than the one stored now is not seen, nor anything once the host rejects it', async () => {
  const dee = await aUser('dee');
  await connect(dee, readable, true);
  const stored = database.db.updateTable('credentials').where('user_id', '=', dee);
  const seen = async () => (await scopeOf(database.db, dee)).repository_ids;

  const before = await seen();
  await stored.set({ rejected_at: now }).execute();
  const rejected = await seen();
  await stored.set({ rejected_at: null, grant_id: sql`nextval('grants')` }).execute();
  const replaced = await seen();

  expect([before, rejected, replaced]).toEqual([[readable], [], []]);
});

async function aUser(login: string): Promise<number> {
  const row = await database.db
    .insertInto('users')
    .values({ host: 'h', host_id: login, login, created_at: now, signed_in_at: now, seen_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await aCredential(database.db, row.id);
  return row.id;
}

async function aRepository(name: string): Promise<number> {
  const row = await database.db
    .insertInto('repositories')
    .values({
      host: 'h',
      host_id: name,
      owner: 'team',
      name,
      url: `https://h/team/${name}`,
      private: true,
      archived: false,
      webhook_key: name,
      webhook_secret_encrypted: '',
      changed_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function connect(user_id: number, repository_id: number, readable: boolean): Promise<void> {
  await aConnection(database.db, user_id, repository_id, now);
  await database.db
    .updateTable('connections')
    .set({ readable })
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .execute();
}
