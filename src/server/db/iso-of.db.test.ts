import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { isoOf } from './iso-of.ts';
import type { OpenDatabase } from './open.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test.each([
  '2026-01-02T03:04:05.000Z',
  '2026-12-31T23:59:59.600Z',
  '1999-03-28T01:00:00.060Z',
  '2026-06-01T12:00:00.006Z',
  '2026-06-01T12:00:00.678Z',
])('a moment is written as the database keeps it: %s', async (moment) => {
  const { rows } = await sql<{ text: string }>`select ${new Date(moment)}::timestamptz::text as text`.execute(
    database.db,
  );
  expect(isoOf(rows[0]!.text)).toBe(moment);
});

test('less than a millisecond is left out', async () => {
  const { rows } = await sql<{
    text: string;
  }>`select (timestamptz '2026-01-02 03:04:05.123987+05:30')::text as text`.execute(database.db);
  expect(isoOf(rows[0]!.text)).toBe('2026-01-01T21:34:05.123Z');
});
