import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addHints } from '../../src/server/db/hints.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { everythingStored, openSyncing, type Syncing } from '../support/syncing.ts';

/** What may happen, in any order: on the host, on the way, and here. */
type Step =
  | { readonly what: 'happen'; readonly number: number; readonly entry: object }
  | { readonly what: 'open' }
  | { readonly what: 'hint'; readonly number: number; readonly times: number }
  | { readonly what: 'sync'; readonly mode: 'smart' | 'incremental' | 'full' }
  | { readonly what: 'a second passes' };

const entries = [
  { kind: 'comment', by: 'mona' },
  { kind: 'review', by: 'octo', state: 'APPROVED' },
  { kind: 'review', by: 'mona', state: 'CHANGES_REQUESTED', bodyLength: 12 },
  { kind: 'commits', count: 1 },
  { kind: 'force_push', count: 2 },
  { kind: 'convert_to_draft' },
  { kind: 'ready_for_review' },
  { kind: 'review_requested', by: 'octo', reviewer: { account: 'hubot' } },
];
/** Of open pull requests alone: of the others such a check shows a day later. */
const openOnly = [
  { kind: 'check', name: 'build', outcome: 'FAILURE' },
  { kind: 'thread_resolved', by: 'octo', comment: 6001 },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('happen' as const),
      number: fc.integer({ min: 1, max: 4 }),
      entry: fc.constantFrom(...entries),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('happen' as const),
      number: fc.integer({ min: 3, max: 4 }),
      entry: fc.constantFrom(openOnly[0]!),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ what: 'open' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('hint' as const),
      number: fc.integer({ min: 1, max: 6 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('sync' as const),
      mode: fc.constantFrom('smart' as const, 'incremental' as const, 'full' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ what: 'a second passes' as const }) },
);

describe('any interleaving of changes, webhooks and syncs', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(async () => {
    await database.close();
  });

  it('ends, after one more incremental sync, in the state of a fresh full sync', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        simulator = await startSimulator({ world: 'tiny' });
        // The host's clock moves on while the test waits for nothing: ours is ahead of it.
        syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + 60_000) });
        try {
          const user = await syncing.user('octo');
          const repository = await syncing.connect(user, 'octo-org/hello');
          await syncing.run(user, repository, 'full');
          await simulator.control('clock', { frozen: true });
          for (const one of steps) await take(one, user, repository);

          await syncing.run(user, repository, 'incremental');

          const interleaved = await everythingStored(database.db, repository);
          await sql`truncate pull_requests, participations, contributor_totals, hints cascade`.execute(database.db);
          await syncing.run(user, repository, 'full');
          expect(interleaved).toEqual(await everythingStored(database.db, repository));
        } finally {
          await syncing.stop();
          await simulator.stop();
          await database.db.deleteFrom('repositories').execute();
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 300_000);

  async function take(one: Step, user: number, repository: number): Promise<void> {
    switch (one.what) {
      case 'happen':
        await simulator.control(`repos/octo-org/hello/pulls/${one.number}/entries`, one.entry);
        return;
      case 'open':
        await simulator.control('repos/octo-org/hello/pulls', { title: 'Another one', author: 'hubot' });
        return;
      case 'hint':
        for (let time = 0; time < one.times; time++)
          await addHints(
            database.db,
            repository,
            [{ kind: 'pull_request', number: one.number }],
            syncing.context.now(),
          );
        syncing.nudge();
        return;
      case 'sync':
        await syncing.run(user, repository, one.mode);
        return;
      case 'a second passes':
        await simulator.control('clock', { advanceSeconds: 1 });
    }
  }
});
