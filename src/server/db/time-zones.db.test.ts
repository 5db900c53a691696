import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { OpenDatabase } from './open.ts';
import { clockIn, isTimeZone } from './time-zones.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the database’s clocks show the language’s time, summer and winter, also in zones that are called as abbreviations', async () => {
  const zones = ['CET', 'EET', 'MET', 'WET', 'cet', 'EST', 'MST', 'HST', 'EST5EDT', 'UTC', 'GMT', 'Asia/Kolkata', 'NZ'];
  for (const zone of zones) {
    expect(await isTimeZone(database.db, zone), zone).toBe(true);
    for (const moment of ['2026-01-15T11:30:00Z', '2026-07-15T22:30:00Z']) {
      const { rows } = await sql<{ clock: string }>`
        select ${clockIn(zone, sql`${moment}::timestamptz`)}::text as clock`.execute(database.db);
      expect(rows[0]!.clock, zone).toBe(new Date(moment).toLocaleString('sv-SE', { timeZone: zone }));
    }
  }
});
