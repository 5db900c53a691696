import { afterAll, beforeAll, expect, test } from 'vitest';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import {
  aPullRequest,
  approves,
  closed,
  hour,
  merged,
  OPENED_AT,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, over, since } from './asked.ts';
import { numbersOf } from './compile.ts';
import { explain } from './explain.ts';
import type { Scope } from './scope.ts';

const HOUR = 3_600_000;
const LATER = OPENED_AT + 300 * HOUR;

let database: OpenDatabase;
let scope: Scope;
beforeAll(async () => {
  database = await openTestDatabase();
  const id = await aRepository(database.db, 'acme/web');
  const openedAt = [0, HOUR, 2 * HOUR].map((after) => OPENED_AT + after);
  const pulls = openedAt.map((createdAt, index) => aPullRequest({ number: index + 1, createdAt }));
  await store(database.db, id, LATER, pulls);
  scope = await aScope(database.db, [id]);
});
afterAll(() => database.close());

test('a past window ends with what was open and stuck to whoever looked then, to the millisecond', async () => {
  const columns = { open: 'open', stuck: 'stuck' } as const;
  const after = OPENED_AT - 30 * 24 * HOUR;
  for (const hours of [STUCK_AFTER_HOURS, STUCK_AFTER_HOURS + 1, STUCK_AFTER_HOURS + 2])
    for (const ms of [-1, 0, 1]) {
      const moment = OPENED_AT + hours * HOUR + ms;
      const then = asking(scope, new Date(moment), 'UTC', { window: since(after) });
      const now = asking(scope, new Date(LATER), 'UTC', { window: over({ after, until: moment }) });

      const seen = await numbersOf<{ open: number; stuck: number }>(database.db, then, columns);
      expect(seen).toEqual({ open: 3, stuck: hours - STUCK_AFTER_HOURS + (ms > 0 ? 1 : 0) });
      expect(await numbersOf(database.db, now, columns), new Date(moment).toISOString()).toEqual(seen);
    }
});

test('how many were approved is over those opened or ended in a window, each once, and stays when they end later', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/approved');
  const opened = (number: number, at: number) => ({ number, createdAt: hour(at) });
  await store(db, id, LATER, [
    aPullRequest(opened(1, 10), approves(11, 'ben'), merged(12)),
    aPullRequest(opened(2, 10), requestsChanges(11, 'ben'), closed(100)),
    aPullRequest(opened(3, 1), approves(11, 'ben'), merged(12)),
    aPullRequest(opened(4, 10), approves(11, 'ben')),
    aPullRequest(opened(5, 1), requestsChanges(3, 'ben'), merged(5)),
    aPullRequest(opened(6, 1), requestsChanges(3, 'ben')),
    aPullRequest(opened(7, 10), merged(100)),
    aPullRequest(opened(8, 10), merged(12)),
  ]);
  const window = over({ after: hour(9), until: hour(20) });
  const asked = asking(await aScope(db, [id]), new Date(LATER), 'UTC', { window });

  const columns = { rate: 'approval_rate', n: { metric: 'approval_rate', statistic: 'n' } } as const;
  expect(await numbersOf(db, asked, columns)).toEqual({ rate: 75, n: 4 });
  const paging = { limit: 10, offset: 0, order: 'latest' } as const;
  const explained = await explain(db, { metric: 'approval_rate', only: {} }, asked, paging);
  expect(explained).toMatchObject({ value: 75, n: 4, total: 4, left_out: [{ count: 2 }] });
  expect(explained.items.map(({ pr_number, value }) => [pr_number, value])).toEqual([
    [1, 1],
    [3, 1],
    [2, 0],
    [4, 1],
  ]);
});
