import { afterAll, beforeAll, expect, test } from 'vitest';
import { STUCK_AFTER_HOURS } from '#domain/metrics/thresholds.ts';
import { aPullRequest, OPENED_AT } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { asking, over, since } from './asked.ts';
import { numbersOf } from './compile.ts';
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
