import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aConnection, aCredential } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf, scopeOfSeveral, stillInSight } from './scope.ts';

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

test('several are looked up at once, each counts once, and all of them have to be there', async () => {
  const flo = await aUser('flo');
  const [one, two, three] = [await aRepository('one'), await aRepository('two'), await aRepository('three')] as const;
  for (const id of [one, two, three]) await connect(flo, id, true);
  const asked: string[] = [];
  const listening = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ level, query }) => {
      if (level === 'query') asked.push(query.sql);
    },
  });

  expect(await scopeOfSeveral(listening, flo, [three, one, three, three])).toMatchObject({
    user_id: flo,
    repository_ids: [one, three],
  });
  expect(asked).toHaveLength(1);
  for (const other of [2_147_483_647, foreign, lost])
    await expect(scopeOfSeveral(database.db, flo, [one, other])).rejects.toMatchObject({
      status: 404,
      message: 'Repository not found',
    });
  await expect(scopeOfSeveral(database.db, flo, [one, 0])).rejects.toMatchObject({ status: 400 });
});

test('of several none is left out while it is recounted', async () => {
  const gil = await aUser('gil');
  const [shown, withheld] = [await aRepository('shown'), await aRepository('withheld')] as const;
  for (const id of [shown, withheld]) await connect(gil, id, true);
  await sql`insert into recounts (repository_id, sums, facts, unusable, total) values (${withheld}, true, false, true, 1)`.execute(
    database.db,
  );

  expect(await scopeOf(database.db, gil)).toMatchObject({ repository_ids: [shown] });
  await expect(scopeOfSeveral(database.db, gil, [shown, withheld])).rejects.toMatchObject({
    status: 503,
    code: 'updating',
  });
  expect(await scopeOfSeveral(database.db, gil, [shown])).toMatchObject({ repository_ids: [shown] });
});

test('a list that is read page by page ends where its person loses sight of a part of it', async () => {
  const eve = await aUser('eve');
  await connect(eve, readable, true);
  await connect(eve, foreign, true);
  const begun = await scopeOf(database.db, eve);

  await expect(stillInSight(database.db, begun)).resolves.toBeUndefined();
  await database.db
    .updateTable('connections')
    .set({ readable: false })
    .where('user_id', '=', eve)
    .where('repository_id', '=', foreign)
    .execute();
  await expect(stillInSight(database.db, begun)).rejects.toMatchObject({ status: 404 });
  await expect(stillInSight(database.db, begun.within([readable]))).resolves.toBeUndefined();
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
