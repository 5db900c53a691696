import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aUser } from '../../../test/support/stored.ts';
import { DatabaseTimeSpent, withinDatabaseTime } from '../db/database-time.ts';
import type { OpenDatabase } from '../db/open.ts';
import { noteCall } from './recent-calls.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database?.close();
});

test('a call that has spent its time of the database is kept like any other', async () => {
  const { db } = database;
  const user_id = await aUser(db);
  const log = { warn: vi.fn() };
  const call = { tool: 'team_figures', at: new Date('2026-03-29T01:00:00Z'), ms: 20, failed: true };
  await withinDatabaseTime(20, async () => {
    const slow = sql`select count(*) from generate_series(1, 3000000)`.execute(db);
    await expect(slow).rejects.toBeInstanceOf(DatabaseTimeSpent);
    await noteCall(db, log, user_id, call);
  });

  const kept = await db.selectFrom('assistant_calls').select(['tool', 'at', 'ms', 'failed']).execute();
  expect(kept).toEqual([call]);
  expect(log.warn).not.toHaveBeenCalled();
});
