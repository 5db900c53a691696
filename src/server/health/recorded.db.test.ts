import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultHealthSettings, type SignalMetric } from '#domain/signals.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { recordedPullRequests } from '../../../test/support/recorded-pull-requests.ts';
import { isRecorded } from '../../../test/support/recordings.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { always, asking } from '../metrics/asked.ts';
import { type Column, compile } from '../metrics/compile.ts';
import { scopeOf } from '../metrics/scope.ts';
import { healthViewOf } from '../metrics/signals.ts';

/** Soon after the recording ends. */
const NOW = new Date('2026-08-20T12:00:00Z');
if (!isRecorded) console.warn('SKIPPED: the signals of a real repository need its recording');

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** How many of how many, as counted once by hand over the recording. */
const counted: Partial<Record<SignalMetric, readonly [number, number]>> = {
  merged_unreviewed: [0, 236],
  merged_on_comment: [8, 236],
  merged_unapproved: [36, 236],
  merged_over_objection: [14, 236],
  self_merged: [19, 236],
  stamped: [0, 236],
  approved_then_pushed: [0, 270],
  pushed_by_force: [7, 270],
  ping_pong: [50, 313],
  big: [16, 328],
  long_open: [19, 19],
  stale_approval: [2, 2],
};

test.runIf(isRecorded)('the signals of bitcoin-core/gui, of all its time', async () => {
  const { db } = database;
  const user = await aUser(db);
  const id = await aRepository(db, 'bitcoin-core/gui', [user]);
  await sql`update repositories set default_branch = 'master' where id = ${id}`.execute(db);
  await store(db, id, NOW.getTime(), recordedPullRequests());
  const health = healthViewOf(defaultHealthSettings, {});
  const asked = asking(await scopeOf(db, user), NOW, 'UTC', { window: always, health });
  const columns = Object.fromEntries(
    (Object.keys(counted) as SignalMetric[]).flatMap((metric): [string, Column][] => [
      [metric, { metric }],
      [`${metric} n`, { metric, statistic: 'n' }],
    ]),
  );
  const { rows } = await sql<Record<string, number>>`
    select * from ${compile(asked, columns, 'whole')} numbers`.execute(db);
  const row = rows[0]!;

  expect(
    Object.fromEntries(
      Object.keys(counted).map((key) => [key, [Math.round(row[key]! * row[`${key} n`]!), row[`${key} n`]]]),
    ),
  ).toEqual(counted);
});
