import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aPullRequest, approves, hour, pending } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { openSyncing } from '../../../test/support/syncing.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Scope } from '../db/scope.ts';
import { markFactsOf } from '../sync/rebuild-facts.ts';
import { reviewerStats } from '../team/reviewer-stats.ts';
import { accountRoutes } from './routes.ts';

const NOW = new Date(hour(48));
let database: OpenDatabase;
let scope: Scope;
let stranger: Scope;

beforeAll(async () => {
  database = await openTestDatabase();
  const id = await aRepository(database.db, 'acme/web');
  scope = await aScope(database.db, [id]);
  stranger = await aScope(database.db, [await aRepository(database.db, 'else/where')]);
  await store(database.db, id, NOW.getTime(), [
    aPullRequest({ number: 1, author: aPerson('ada') }, approves(1, 'Robo'), approves(2, 'cy'), pending('dee')),
  ]);
});
afterAll(() => database.close());

function asked(as: Scope) {
  const handlers = accountRoutes({ db: database.db, now: () => NOW }, (transaction, { id }) =>
    markFactsOf(transaction, id),
  );
  const user = { id: as.user_id, host: 'h', login: 'me', time_zone: 'UTC' };
  type Asked<Name extends keyof typeof handlers> = Parameters<(typeof handlers)[Name]>[0];
  return {
    list: () => handlers.listMarkedAccounts({ user } as unknown as Asked<'listMarkedAccounts'>),
    mark: (username: string, kind: 'human' | 'bot' | 'agent') =>
      handlers.markAccount({ user, params: { username }, body: { kind } } as unknown as Asked<'markAccount'>),
    unmark: (username: string) =>
      handlers.unmarkAccount({ user, params: { username } } as unknown as Asked<'unmarkAccount'>),
  };
}

/** What a process that works does with the marks that any other one set: here from its start on, until nothing is left. */
async function aWorkerLooks(): Promise<void> {
  const worker = openSyncing(database.db, { url: 'http://127.0.0.1:9' }, { now: () => NOW });
  await expect
    .poll(() => database.db.selectFrom('pull_request_facts').select('number').where('version', '=', 0).execute())
    .toEqual([]);
  await worker.stop();
}

const reviewers = async (all: boolean) =>
  (await reviewerStats(database.db, scope, NOW, all)).map(({ reviewer, kind }) => `${reviewer} ${kind}`);

test('an account that the team marks as a bot leaves the people lists, and comes back when the mark is taken back', async () => {
  const team = asked(scope);
  expect(await reviewers(false)).toEqual(['Robo human', 'cy human']);

  const marked = await team.mark('robo', 'bot');
  await aWorkerLooks();

  expect(marked).toMatchObject({ username: 'Robo', kind: 'bot', set_at: NOW.toISOString() });
  expect(await team.list()).toEqual([marked]);
  expect(await reviewers(false)).toEqual(['cy human']);
  expect(await reviewers(true)).toEqual(['Robo bot', 'cy human']);

  await team.unmark('ROBO');
  await aWorkerLooks();

  expect(await team.list()).toEqual([]);
  expect(await reviewers(false)).toHaveLength(2);
});

test('someone whose review is only requested can be marked too', async () => {
  expect(await asked(scope).mark('dee', 'agent')).toMatchObject({ kind: 'agent' });
});

test('who does not share a repository with the account neither sees nor sets its mark', async () => {
  await asked(scope).mark('cy', 'human');

  expect(await asked(stranger).list()).toEqual([]);
  await expect(asked(stranger).mark('cy', 'bot')).rejects.toMatchObject({ status: 404 });
  await expect(asked(stranger).unmark('cy')).rejects.toMatchObject({ status: 404 });
});

test('an unmarked account has no mark to take back', async () => {
  await expect(asked(scope).unmark('ada')).rejects.toMatchObject({ status: 404, message: 'ada is not marked.' });
  await expect(asked(scope).mark('nobody', 'bot')).rejects.toMatchObject({ status: 404 });
});
