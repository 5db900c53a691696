import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPullRequest, comments, hour, merged } from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { followMarks } from '../../../test/support/follow-marks.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import { lensOf } from '../db/lens.ts';
import type { OpenDatabase } from '../db/open.ts';
import { scopeOf } from '../metrics/scope.ts';
import { seenReviewers } from '../metrics/seen-reviewers.ts';
import { savePeople } from './people.ts';

const NOW = new Date(hour(48));
let database: OpenDatabase;
let user: number;
let web: number;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds');
  user = await aUser(db);
  web = await aRepository(db, 'acme/web', [user]);
});

const save = async (...who: string[]) =>
  await store(database.db, web, NOW.getTime(), [
    aPullRequest({ number: 1 }, ...who.map((login, at) => comments(at + 1, login, { threads: 1 })), merged(9)),
  ]);
async function rename(id: string, login: string) {
  const account = { id, login, type: 'user' as const, name: null, avatar_url: null };
  await database.db.transaction().execute(async (transaction) => await savePeople(transaction, HOST, [account]));
}
const toBeSettled = async () => {
  const rows = await database.db.selectFrom('account_recounts').select('host_id').orderBy('host_id').execute();
  return rows.map(({ host_id }) => host_id);
};
async function follow() {
  const log = { error: expect.unreachable, warn: expect.unreachable } as never;
  await followMarks({ db: database.db, log, now: () => NOW }, new AbortController().signal);
}
const acts = async (table: 'reviewer_acts' | 'lens_reviewer_acts' = 'reviewer_acts') => {
  const rows = await database.db.selectFrom(table).select(['reviewer', 'findings']).orderBy('reviewer').execute();
  return rows.map(({ reviewer, findings }) => `${reviewer} ${findings}`);
};
const reviewers = async (db = database.db) =>
  (await seenReviewers(db, await scopeOf(db, user), HOST)).map(
    ({ tool, accounts, first_seen }) =>
      `${tool} of ${accounts.map(({ login }) => login).join()} since ${(first_seen.getTime() - hour(0)) / 3_600_000}`,
  );

describe('an agent that is marked as one and renamed', () => {
  it('is one reviewer with all that it did', async () => {
    await save('agent-x');
    expect(await reviewers()).toEqual(['agent-x of agent-x since 1']);

    await rename('agent-x', 'agent-y');
    expect(await toBeSettled()).toEqual(['agent-x']);
    await follow();

    expect(await acts()).toEqual(['agent-y 1']);
    expect(await reviewers()).toEqual(['agent-y of agent-y since 1']);
    expect(await toBeSettled()).toEqual([]);
  });

  it('is so to whoever marked it for themselves', async () => {
    const { db } = database;
    await db
      .insertInto('own_account_kinds')
      .values({ user_id: user, host: HOST, host_id: 'helper', kind: 'agent', set_at: NOW })
      .execute();
    await save('helper');
    await follow();
    expect(await acts('lens_reviewer_acts')).toEqual(['helper 1']);

    await rename('helper', 'helper-two');
    await follow();

    expect(await acts('lens_reviewer_acts')).toEqual(['helper-two 1']);
    expect(await reviewers(lensOf(database.pool, user))).toEqual(['helper-two of helper-two since 1']);
    expect(await acts()).toEqual([' 1']);
  });
});

it('nothing is computed again where a person is renamed, or an agent is written in other letters or has another picture', async () => {
  await save('ben', 'agent-x');

  await rename('ben', 'benny');
  await rename('agent-x', 'Agent-X');

  expect(await toBeSettled()).toEqual([]);
});
