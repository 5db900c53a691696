import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../../bench/api/calls.ts';
import { fillHistory, fillPeople } from '../../bench/api/fill.ts';
import { fillTeams } from '../../bench/api/teams.ts';
import type { Database } from '../../src/server/db/database.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from '../support/database.ts';

const PULL_REQUESTS = 4000;

let database: OpenDatabase;
let user: number;
beforeAll(async () => {
  database = await openTestDatabase();
  user = await fillPeople(database.db);
  await fillHistory(database.db, PULL_REQUESTS, 1, PULL_REQUESTS / 4);
  await fillTeams(database.db, user);
}, 300_000);
afterAll(() => database.close());

test('no question about a window reads all pull requests, or everything that happened on them', {
  timeout: 300_000,
}, async () => {
  const questions: { sql: string; parameters: readonly unknown[] }[] = [];
  const listening = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ level, query }) => {
      if (level === 'query') questions.push(query);
    },
  });
  const readingAll: string[] = [];
  for (const { name, ask, window } of calls(user, PULL_REQUESTS / 4)) {
    if (window === 'all of history') continue;
    questions.length = 0;
    await ask(listening);
    for (const question of questions) {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${question.sql}`, [
        ...question.parameters,
      ]);
      const scans = rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
      for (const table of scans) if (largeTables.has(table)) readingAll.push(`${name}: ${table}`);
    }
  }

  const { rows } = await sql<{ largest: number }>`
    select max(reltuples)::int as largest from pg_class where relname = 'comments'`.execute(database.db);
  expect(rows[0]!.largest).toBeGreaterThan(4 * PULL_REQUESTS);
  expect(readingAll).toEqual([]);
});

const largeTables = new Set([
  'pull_requests',
  'pull_request_facts',
  'participations',
  'commits',
  'reviews',
  'comments',
  'events',
  'checks',
  'changed_files',
]);
