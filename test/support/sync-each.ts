import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from './database.ts';
import { type RunningSimulator, startSimulator } from './simulator.ts';

interface Fresh {
  readonly database: OpenDatabase;
  readonly simulator: RunningSimulator;
}

/**
 * For the tests of a `describe`: one database for all of them, without repositories for each, and a simulated host for each. `begin` is
 * called before each and answers what stops what it started.
 */
export function syncEach(
  world: 'tiny' | 'awkward',
  begin: (fresh: Fresh) => (() => Promise<void>) | Promise<() => Promise<void>>,
): void {
  let database: OpenDatabase;
  let simulator: RunningSimulator;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    simulator = await startSimulator({ world });
    stop = await begin({ database, simulator });
  });
  afterEach(async () => {
    await stop();
    await simulator.stop();
    await database.db.deleteFrom('repositories').execute();
  });
  afterAll(() => database.close());
}
