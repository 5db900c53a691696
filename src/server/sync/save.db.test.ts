import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPullRequest, checked, hour, pushed } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, HOST, hostPullRequest, store } from '../../../test/support/stored.ts';
import type { Database } from '../db/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { HostPullRequest } from '../host/pull-request.ts';
import { savePullRequests } from './save.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

// The embedded database has a single connection.
test.skipIf(process.env.TEST_DATABASE === 'embedded')(
  'the checks of a commit that is stored at the moment stay where a token that may not read checks stores it, too',
  async () => {
    const { db } = database;
    const id = await aRepository(db, 'acme/web');
    const before = aPullRequest({ number: 1 }, checked(1));
    const after = hostPullRequest(
      aPullRequest({ number: 1 }, checked(1), pushed(2), checked(3, 'success', null, 'test')),
    );
    await store(db, id, hour(1), [before]);
    const fetched = { asked_at: new Date(hour(4)), answered_at: new Date(hour(4)) };
    const save = (pull: HostPullRequest) => async (transaction: Transaction<Database>) =>
      await savePullRequests(transaction, { id, host: HOST }, [pull], fetched);
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    };

    const { other } = await db.transaction().execute(async (transaction) => {
      await save(after)(transaction);
      const other = db.transaction().execute(save({ ...after, checks: null }));
      await expect.poll(waiting).toBe(1);
      return { other };
    });

    expect(await other).toEqual([{ number: 1, fresh: false }]);
    const checks = await db.selectFrom('checks').select('name').orderBy('name').execute();
    expect(checks.map(({ name }) => name)).toEqual(['build', 'test']);
  },
);
