import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aPerson, aPullRequest, approves, hour, noAttribution, pending } from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { followMarks } from '../../../test/support/follow-marks.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import type { SignedIn } from '../context.ts';
import { lensOf } from '../db/lens.ts';
import type { OpenDatabase } from '../db/open.ts';
import { HttpError } from '../http/errors.ts';
import { windowAsked } from '../metrics/asked-window.ts';
import type { Scope } from '../metrics/scope.ts';
import { computeOwnFigures } from '../sync/own-figures.ts';
import { reviewerStats } from '../team/reviewer-stats.ts';
import { adoptMarks, MOST_OWN_MARKS } from './marked-accounts.ts';
import { accountRoutes } from './routes.ts';

const NOW = new Date(hour(48));
const patient = new AbortController().signal;
let database: OpenDatabase;
let scope: Scope;
let colleague: Scope;
let stranger: Scope;
let administrator: Scope;
let repository: number;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const { db } = database;
  await db.deleteFrom('repositories').execute();
  await db.deleteFrom('account_kinds').execute();
  repository = await aRepository(db, 'acme/web');
  scope = await aScope(db, [repository]);
  colleague = await aScope(db, [repository]);
  administrator = await aScope(db, [repository]);
  stranger = await aScope(db, [await aRepository(db, 'else/where')]);
  await store(db, repository, NOW.getTime(), [
    aPullRequest({ number: 1, author: aPerson('ada') }, approves(1, 'Robo'), approves(2, 'cy'), pending('dee')),
  ]);
});

function asked(as: Scope) {
  const handlers = accountRoutes({
    db: database.db,
    now: () => NOW,
    nudge: () => undefined,
    administrators: {
      includes: async ({ id }) => id === administrator.user_id,
      require: async ({ id }) => {
        if (id !== administrator.user_id) throw new HttpError('administrators_only');
      },
    },
  });
  const user: SignedIn = { id: as.user_id, host: 'h', login: 'me', time_zone: 'UTC', own_marks: false };
  type Input<Name extends keyof typeof handlers> = Parameters<(typeof handlers)[Name]>[0];
  return {
    list: () => handlers.listMarkedAccounts({ user } as unknown as Input<'listMarkedAccounts'>),
    mark: (username: string, kind: 'human' | 'bot' | 'agent') =>
      handlers.markAccount({ user, params: { username }, body: { kind } } as unknown as Input<'markAccount'>),
    unmark: (username: string) =>
      handlers.unmarkAccount({ user, params: { username } } as unknown as Input<'unmarkAccount'>),
  };
}

const errors: unknown[] = [];
const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void errors.push(fields) };

/** What a process that works does, whichever one took the request. */
async function aWorkerLooks(): Promise<void> {
  await followMarks({ db: database.db, log, now: () => NOW }, patient);
  expect(errors).toEqual([]);
}

const reviewers = async (of: Scope, all = false) =>
  (await reviewerStats(await figuresOf(of), of, NOW, windowAsked({}, 7, NOW, 'UTC'), all)).map(
    ({ reviewer, kind }) => `${reviewer} ${kind}`,
  );

async function figuresOf({ user_id }: Scope) {
  const own = await database.db.selectFrom('own_account_kinds').select('kind').where('user_id', '=', user_id).execute();
  return own.length > 0 ? lensOf(database.pool, user_id) : database.db;
}

async function loginOf({ user_id }: Scope): Promise<string> {
  const { login } = await database.db
    .selectFrom('users')
    .select('login')
    .where('id', '=', user_id)
    .executeTakeFirstOrThrow();
  return login;
}

test('an account that somebody marks as a bot leaves their people lists and nobody else’s, and comes back with the mark taken back', async () => {
  const mine = asked(scope);
  expect(await reviewers(scope)).toEqual(['Robo human', 'cy human']);

  const marked = await mine.mark('robo', 'bot');
  expect(marked).toMatchObject({
    username: 'Robo',
    kind: 'bot',
    set_by: await loginOf(scope),
    own: true,
    counting: true,
  });
  expect(marked.set_at).toBe(NOW.toISOString());
  await aWorkerLooks();

  expect(await mine.list()).toEqual([{ ...marked, counting: false }]);
  expect(await reviewers(scope)).toEqual(['cy human']);
  expect(await reviewers(scope, true)).toEqual(['Robo bot', 'cy human']);
  expect(await asked(colleague).list()).toEqual([]);
  expect(await reviewers(colleague)).toEqual(['Robo human', 'cy human']);

  await mine.unmark('ROBO');
  await aWorkerLooks();

  expect(await mine.list()).toEqual([]);
  expect(await reviewers(scope)).toHaveLength(2);
});

test('an administrator’s mark holds for everyone and says by whom; one’s own wins over it', async () => {
  const marked = await asked(administrator).mark('Robo', 'bot');
  expect(marked).toMatchObject({ counting: true, set_by: await loginOf(administrator), own: false });
  await aWorkerLooks();

  expect(await asked(colleague).list()).toEqual([{ ...marked, counting: false }]);
  expect(await reviewers(colleague)).toEqual(['cy human']);

  await asked(scope).mark('Robo', 'human');
  await aWorkerLooks();
  expect(await asked(scope).list()).toMatchObject([{ kind: 'human', set_by: await loginOf(scope), counting: false }]);
  expect(await reviewers(scope)).toEqual(['Robo human', 'cy human']);
  expect(await reviewers(colleague)).toEqual(['cy human']);

  await asked(scope).unmark('Robo');
  await aWorkerLooks();
  expect(await asked(scope).list()).toMatchObject([{ kind: 'bot' }]);

  await asked(administrator).unmark('Robo');
  await aWorkerLooks();
  expect(await reviewers(colleague)).toEqual(['Robo human', 'cy human']);
});

test('only an administrator takes a mark back that holds for everyone', async () => {
  await asked(administrator).mark('Robo', 'agent');

  await expect(asked(scope).unmark('Robo')).rejects.toMatchObject({ status: 403 });
  expect(await asked(scope).list()).toMatchObject([{ kind: 'agent' }]);
});

test('what somebody marked before they became an administrator holds for everyone', async () => {
  await asked(scope).mark('Robo', 'bot');
  await adoptMarks(database.db, new Set([scope.user_id]));
  await aWorkerLooks();

  expect(await asked(colleague).list()).toMatchObject([{ kind: 'bot', set_by: await loginOf(scope), counting: false }]);
  expect(await reviewers(colleague)).toEqual(['cy human']);
});

test('whom an agent’s pull request names as who may have started it is credited by whose marks hold', async () => {
  const [helper, eve] = [aPerson('helper'), aPerson('eve')];
  const assignments = [eve, aPerson('acme-ci')].map((person) => ({ person, at: hour(0.1), until: null }));
  await store(database.db, repository, NOW.getTime(), [
    aPullRequest({ number: 2, author: aPerson('agent-x'), attribution: { ...noAttribution, assignments } }),
    aPullRequest({
      ...{ number: 3, author: helper },
      attribution: { ...noAttribution, assignments: assignments.slice(0, 1) },
    }),
    aPullRequest({ number: 4 }, pending('acme-ci', 'eve')),
  ]);
  const creditedIn = async (of: Scope) => {
    const rows = await (await figuresOf(of))
      .selectFrom('pull_request_facts as f')
      .leftJoin('people', 'people.id', 'f.credited_id')
      .select('people.login')
      .where('f.number', 'in', [2, 3])
      .orderBy('f.number')
      .execute();
    return rows.map(({ login }) => login);
  };
  const mark = async (...[login, kind]: Parameters<ReturnType<typeof asked>['mark']>) => {
    await asked(scope).mark(login, kind);
    await aWorkerLooks();
    return await creditedIn(scope);
  };
  expect(await creditedIn(scope)).toEqual([null, 'helper']);

  expect(await mark('acme-ci', 'bot')).toEqual(['eve', 'helper']);
  // An agent's to this person alone.
  expect(await mark('helper', 'agent')).toEqual(['eve', 'eve']);
  expect(await mark('eve', 'bot')).toEqual([null, null]);
  await asked(scope).unmark('eve');
  await aWorkerLooks();
  expect(await creditedIn(scope)).toEqual(['eve', 'eve']);
  // What holds for everyone holds for them, too.
  await asked(administrator).mark('eve', 'bot');
  await aWorkerLooks();
  expect(await creditedIn(scope)).toEqual([null, null]);
  await asked(administrator).unmark('eve');
  await aWorkerLooks();
  expect(await creditedIn(scope)).toEqual(['eve', 'eve']);

  await asked(scope).unmark('acme-ci');
  await asked(scope).unmark('helper');
  await aWorkerLooks();
  expect(await creditedIn(scope)).toEqual([null, 'helper']);
});

test('a request counts nothing, and however often a mark is changed, its pull requests are counted once', async () => {
  for (const kind of ['bot', 'agent', 'human', 'bot', 'human', 'agent'] as const) await asked(scope).mark('Robo', kind);
  const waiting = () => database.db.selectFrom('own_mark_changes').select('user_id').execute();
  expect(await waiting()).toEqual([{ user_id: scope.user_id }]);
  expect(await database.db.selectFrom('lenses').select('user_id').execute()).toEqual([]);

  await aWorkerLooks();

  expect(await waiting()).toEqual([]);
  expect(await reviewers(scope, true)).toEqual(['Robo agent', 'cy human']);
});

test('what one user’s marks break stops nobody else’s figures', async () => {
  await asked(scope).mark('Robo', 'bot');
  await asked(colleague).mark('cy', 'bot');
  await sql`alter table lens_facts add constraint broken check (user_id <> ${sql.lit(scope.user_id)})`.execute(
    database.db,
  );
  await followMarks({ db: database.db, log, now: () => NOW }, patient);
  await sql`alter table lens_facts drop constraint broken`.execute(database.db);

  expect(errors.splice(0)).toHaveLength(1);
  expect(await asked(scope).list()).toMatchObject([{ counting: true }]);
  expect(await asked(colleague).list()).toMatchObject([{ counting: false }]);
  await aWorkerLooks();
  expect(await asked(scope).list()).toMatchObject([{ counting: false }]);
});

test('one person marks no more accounts than the limit', async () => {
  const own = Array.from({ length: MOST_OWN_MARKS }, (_, index) => ({
    user_id: scope.user_id,
    host: 'https://host.test',
    host_id: `other ${index}`,
    kind: 'bot' as const,
    set_at: NOW,
  }));
  await database.db.insertInto('own_account_kinds').values(own).execute();

  await expect(asked(scope).mark('Robo', 'bot')).rejects.toMatchObject({ status: 409, code: 'too_many_marks' });
  expect(await asked(scope).list()).toEqual([]);
});

test('someone whose review is only requested can be marked too', async () => {
  expect(await asked(scope).mark('dee', 'agent')).toMatchObject({ kind: 'agent' });
});

test('who does not share a repository with the account neither sees nor sets its mark', async () => {
  await asked(administrator).mark('cy', 'human');

  expect(await asked(stranger).list()).toEqual([]);
  await expect(asked(stranger).mark('cy', 'bot')).rejects.toMatchObject({ status: 404 });
  await expect(asked(stranger).unmark('cy')).rejects.toMatchObject({ status: 404 });
});

test('an unmarked account has no mark to take back', async () => {
  await expect(asked(scope).unmark('ada')).rejects.toMatchObject({ status: 404, message: 'ada is not marked.' });
  await expect(asked(scope).mark('nobody', 'bot')).rejects.toMatchObject({ status: 404 });
});

test('a mark that comes and goes while figures are counted by another leaves nothing behind', async () => {
  const { db } = database;
  await asked(scope).mark('Robo', 'bot');
  let transactions = 0;
  // The first one follows the mark, the second one counts by it.
  const begin = () => ({
    execute: async (act: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) => {
      transactions += 1;
      if (transactions === 2) await asked(scope).mark('cy', 'bot');
      return await db.transaction().execute(act);
    },
  });
  const ofDatabase = (key: string | symbol) => {
    const value: unknown = Reflect.get(db, key);
    return typeof value === 'function' ? value.bind(db) : value;
  };
  const markedMeanwhile = new Proxy(db, { get: (_, key) => (key === 'transaction' ? begin : ofDatabase(key)) });
  await computeOwnFigures({ db: markedMeanwhile, log, now: () => NOW }, patient);
  expect([errors, transactions]).toEqual([[], expect.any(Number)]);
  expect(transactions).toBeGreaterThan(1);
  await asked(scope).unmark('cy');
  await aWorkerLooks();
  const counted = async () => (await sql`select * from lens_facts where user_id = ${scope.user_id}`.execute(db)).rows;
  const before = await counted();

  await sql`delete from lenses where user_id = ${scope.user_id}`.execute(db);
  await aWorkerLooks();

  expect(before).toEqual(await counted());
  expect(before).toMatchObject([{ time_to_first_review: 2 }]);
});
