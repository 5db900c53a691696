import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPullRequest,
  approves,
  hour,
  merged,
  replies,
  requestsChanges,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, store } from '../../../test/support/stored.ts';
import { everythingStored } from '../../../test/support/syncing.ts';
import type { OpenDatabase } from '../db/open.ts';
import { markFactsOf, rebuildFacts } from './rebuild-facts.ts';

const fail = (error: unknown) => {
  throw error;
};

describe('facts that have become stale', () => {
  let database: OpenDatabase;
  let repository: number;
  const now = () => new Date(hour(100));
  const patient = new AbortController().signal;

  beforeAll(async () => {
    database = await openTestDatabase();
    repository = await aRepository(database.db, 'octo-org/hello');
    await store(database.db, repository, hour(100), [
      aPullRequest(
        { number: 1 },
        says(1, 'ben'),
        requestsChanges(2, 'ben'),
        replies(3, 'ada'),
        approves(5, 'cleo'),
        merged(6),
      ),
      aPullRequest({ number: 2 }, approves(4, 'ben')),
    ]);
  });
  afterAll(async () => {
    await database.close();
  });

  it('are recomputed from what is stored, to the same', async () => {
    const before = await everythingStored(database.db, repository);
    await sql`update pull_request_facts set version = -1, review_cycles = 99, phases = '[]', reviewer_ids = '{}'`.execute(
      database.db,
    );
    await sql`update reviews set counts = false, is_reply = false, response_hours = null, comments_count = 99`.execute(
      database.db,
    );

    const rebuilt = await rebuildFacts(database.db, now, patient, fail);

    expect(rebuilt).toBe(2);
    expect(await everythingStored(database.db, repository)).toEqual(before);
    expect(await rebuildFacts(database.db, now, patient, fail)).toBe(0);
  });

  it('follow an account that turns out to be a bot', async () => {
    const { id } = await database.db
      .updateTable('people')
      .set({ kind: 'bot' })
      .where('login', '=', 'ben')
      .returning('id')
      .executeTakeFirstOrThrow();
    await markFactsOf(database.db, id);

    const rebuilt = await rebuildFacts(database.db, now, patient, fail);

    const facts = await database.db
      .selectFrom('pull_request_facts')
      .select(['number', 'review_cycles', 'first_review_at'])
      .orderBy('number')
      .execute();
    expect(rebuilt).toBe(2);
    expect(facts).toEqual([
      { number: 1, review_cycles: 1, first_review_at: new Date(hour(5)) },
      { number: 2, review_cycles: 0, first_review_at: null },
    ]);
  });

  it('are those, too, whose dates lay in the future', async () => {
    await database.db
      .updateTable('pull_request_facts')
      .set({ provisional_until: new Date(hour(101)) })
      .where('number', '=', 1)
      .execute();

    expect(await rebuildFacts(database.db, now, patient, fail)).toBe(0);
    expect(await rebuildFacts(database.db, () => new Date(hour(102)), patient, fail)).toBe(1);
  });
});
