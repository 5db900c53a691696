import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPullRequest } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, HOST, store } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import { peopleNamed } from '../db/stored-records.ts';
import type { HostAccount } from '../host/pull-request.ts';
import { savePeople } from '../sync/people.ts';
import { forgetPeople, forgetUnconnected } from './forget.ts';

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

test('whose name was forgotten is not taken for known where a text names them by the host’s id', async () => {
  const named = async () => await peopleNamed(database.db, HOST, [{ id: ada.id, login: 'ada' }]);
  expect(await named()).toMatchObject([{ host_id: ada.id, login: 'ada' }]);
  await forgetPeople(database.db);

  expect(await named()).toEqual([]);
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

  test('whom nothing names is looked for while nobody is locked: who is stored and named then keeps the name', async () => {
    const { db } = database;
    const looking = await db.transaction().execute(async (holding) => {
      // Where names are looked for.
      await sql`lock table clues in access exclusive mode`.execute(holding);
      const forgetting = forgetPeople(db);
      await waiting(1);
      await db.transaction().execute(async (within) => {
        await sql`set local lock_timeout = 500`.execute(within);
        await mentioned(within, await saved(within));
      });
      return { forgetting };
    });
    await looking.forgetting;

    expect(await shown()).toEqual(asShown);
  });

  test('who is being forgotten meanwhile is stored with the name again', async () => {
    const { db } = database;
    const both = await db.transaction().execute(async (holding) => {
      const { forgetting } = await db.transaction().execute(async (storing) => {
        await saved(storing);
        const forgetting = forgetPeople(db);
        await waiting(1);
        // Where it is made sure that nothing names whoever is locked now.
        await sql`lock table clues in access exclusive mode`.execute(holding);
        return { forgetting };
      });
      await waiting(1);
      const storing = db.transaction().execute(async (within) => await mentioned(within, await saved(within)));
      await waiting(2);
      return { forgetting, storing };
    });
    await Promise.all([both.forgetting, both.storing]);

    expect(await shown()).toEqual(asShown);
  });

  test('one looks for names at a time', async () => {
    const { db } = database;
    const looking = await db.transaction().execute(async (holding) => {
      await sql`lock table clues in access exclusive mode`.execute(holding);
      const forgetting = forgetPeople(db);
      await waiting(1);
      const next = forgetPeople(db);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await waiting(1);
      return { forgetting, next };
    });
    await Promise.all([looking.forgetting, looking.next]);

    expect(await shown()).toEqual(forgotten);
  });

  test('looking for names may take longer than any other statement', async () => {
    const { db, pool } = database;
    const url = String(pool.options.connectionString);
    const hurried = await openDatabase({ kind: 'postgresql', url, connections: 1, answer_limit: 400 }, () => undefined);
    await hurried.pool.query('set statement_timeout = 300');
    const looking = await db.transaction().execute(async (holding) => {
      await sql`lock table clues in access exclusive mode`.execute(holding);
      const forgetting = forgetPeople(hurried.db);
      forgetting.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return { forgetting };
    });
    await looking.forgetting.finally(() => hurried.close());

    expect(await shown()).toEqual(forgotten);
  });
});

describe('repositories that nobody has connected', () => {
  const unconnected = async () => await database.db.selectFrom('repositories').select('id').execute();
  /** Has every change of this kind fail, until the returned function is called. */
  async function failing(change: 'update' | 'delete', table: 'people' | 'pull_requests', when: string) {
    await sql
      .raw(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
        create trigger refuse before ${change} on ${table} for each row when (${when}) execute function refuse()`)
      .execute(database.db);
    return async () => await sql`drop function refuse cascade`.execute(database.db);
  }

  test('one that cannot be deleted is handed on, and keeps no other', async () => {
    const { db } = database;
    const other = await aRepository(db, 'acme/app');
    await store(db, other, 0, [aPullRequest({ number: 1 })]);
    const failed: [unknown, number][] = [];

    const undo = await failing('delete', 'pull_requests', `old.repository_id = ${repository_id}`);
    await forgetUnconnected(db, new AbortController().signal, (error, id) => failed.push([String(error), id]));
    await undo();

    expect(failed).toEqual([['error: refused', repository_id]]);
    expect(await unconnected()).toEqual([{ id: repository_id }]);
    await forgetUnconnected(db, new AbortController().signal);
    expect(await unconnected()).toEqual([]);
  });

  test('names that were left when a process died go the next time, also of whom an own mark alone named', async () => {
    const { db } = database;
    const id = await db.transaction().execute(saved);
    await sql`insert into lenses (repository_id, user_id, changed_at) values (${repository_id}, 1, now())`.execute(db);
    await sql`
      insert into lens_facts (repository_id, user_id, number, last_activity_at, active_development_time,
        waiting_for_review_time, review_cycles, phases, reviewer_ids, by_agent, credited_id)
      values (${repository_id}, 1, 1, now(), 0, 0, 0, '[]', '{}', false, ${id})`.execute(db);
    const undo = await failing('update', 'people', "new.login = ''");
    await expect(forgetUnconnected(db, new AbortController().signal)).rejects.toThrow('refused');
    await undo();
    expect(await shown()).toEqual(asShown);

    await forgetUnconnected(db, new AbortController().signal);

    expect(await shown()).toEqual(forgotten);
    expect(await unconnected()).toEqual([]);
  });
});
