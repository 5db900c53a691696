import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPullRequest } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, HOST, store } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { HostAccount } from '../host/pull-request.ts';
import { savePeople } from '../sync/people.ts';
import { forgetPeople } from './forget.ts';

const asShown = { login: 'ada', name: 'Ada Quill', avatar_url: 'https://host.test/7.png' };
const ada: HostAccount = { id: '7', type: 'user', ...asShown };
const forgotten = { login: '', name: null, avatar_url: null };

let database: OpenDatabase;
let repository_id: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'people');
  repository_id = await aRepository(db, 'acme/web');
  await store(db, repository_id, 0, [aPullRequest({ number: 1 })]);
  await db.transaction().execute(saved);
});

const saved = async (within: Transaction<Database>) => (await savePeople(within, HOST, [ada])).get(ada.id)!.id;
/** Something that is stored names the person: the thread that they resolved. */
const mentioned = async (within: Transaction<Database>, resolved_by_id: number) =>
  await within
    .insertInto('review_threads')
    .values({ repository_id, number: 1, comment_id: 'c', resolved: true, resolved_by_id })
    .execute();
const shown = async () =>
  await database.db
    .selectFrom('people')
    .select(['login', 'name', 'avatar_url'])
    .where('host_id', '=', ada.id)
    .executeTakeFirstOrThrow();

/** Until this many sessions wait for a lock. */
const waiting = async (sessions: number) =>
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.db,
      );
      return rows.length;
    })
    .toBe(sessions);

test('who is named nowhere loses the name, and has it back when seen again', async () => {
  await forgetPeople(database.db);
  expect(await shown()).toEqual(forgotten);

  await database.db.transaction().execute(saved);
  expect(await shown()).toEqual(asShown);
});

// The embedded database has a single connection.
describe.skipIf(process.env.TEST_DATABASE === 'embedded')('while somebody is stored', () => {
  test('who is known already and about to be named keeps the name', async () => {
    const { db } = database;
    const forgetting = await db.transaction().execute(async (storing) => {
      const id = await saved(storing);
      const beside = forgetPeople(db);
      await waiting(1);
      await mentioned(storing, id);
      return { beside };
    });
    await forgetting.beside;

    expect(await shown()).toEqual(asShown);
  });

  test('who is being forgotten meanwhile is stored with the name again', async () => {
    const { db } = database;
    const both = await db.transaction().execute(async (holding) => {
      // Where names are looked for, so that whoever forgets people waits in the midst of it.
      await sql`lock table clues in access exclusive mode`.execute(holding);
      const forgetting = forgetPeople(db);
      await waiting(1);
      const storing = db.transaction().execute(async (within) => await mentioned(within, await saved(within)));
      await waiting(2);
      return { forgetting, storing };
    });
    await Promise.all([both.forgetting, both.storing]);

    expect(await shown()).toEqual(asShown);
  });
});
