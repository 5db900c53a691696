import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aPerson,
  aPullRequest,
  approves,
  checked,
  comments,
  hour,
  merged,
  noAttribution,
  requestsChanges,
} from '../../../test/support/builders.ts';
import { empty, openTestDatabase } from '../../../test/support/database.ts';
import { followMarks } from '../../../test/support/follow-marks.ts';
import { aRepository, aUser, HOST, hostPullRequest, store } from '../../../test/support/stored.ts';
import { saveAgentSettings } from '../accounts/agent-labels.ts';
import { markForEveryone } from '../accounts/marked-accounts.ts';
import type { Database } from '../db/database.ts';
import { lensOf } from '../db/lens.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { HostAccount } from '../host/pull-request.ts';
import { scopeOf } from '../metrics/scope.ts';
import { seenReviewers } from '../metrics/seen-reviewers.ts';
import { kindOf, savePeople } from './people.ts';
import { computeFacts } from './rebuild-facts.ts';
import { savePullRequests } from './save.ts';
import { noteRelisted, settleAccountKinds } from './settle-account-kinds.ts';

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
  await empty(db, 'repositories', 'users', 'people', 'account_kinds', 'agent_labels');
  user = await aUser(db);
  web = await aRepository(db, 'acme/web', [user]);
});

const save = async (...who: string[]) =>
  await store(database.db, web, NOW.getTime(), [
    aPullRequest({ number: 1 }, ...who.map((login, at) => comments(at + 1, login, { threads: 1 })), merged(9)),
  ]);
async function rename(id: string, login: string, told: Partial<HostAccount> = {}) {
  const account = { id, login, type: 'user' as const, name: null, avatar_url: null, ...told };
  await database.db.transaction().execute(async (transaction) => await savePeople(transaction, HOST, [account]));
}
const toBeSettled = async () => {
  const rows = await database.db.selectFrom('account_recounts').select('host_id').orderBy('host_id').execute();
  return rows.map(({ host_id }) => host_id);
};
const log = { error: expect.unreachable, warn: expect.unreachable } as never;
const patient = new AbortController().signal;
const follow = async () => await followMarks({ db: database.db, log, now: () => NOW }, patient);
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

it('a branch that begins with a tool’s name says nothing of it once the author is called that', async () => {
  const authorship = async () =>
    await database.db.selectFrom('pull_request_facts').select(['authorship', 'agents']).executeTakeFirstOrThrow();
  const author = aPerson('7', { login: 'dmiller' });
  await store(database.db, web, NOW.getTime(), [aPullRequest({ number: 1, author, headRef: 'devin/faster' })]);
  expect(await authorship()).toEqual({ authorship: 'assisted', agents: ['devin'] });

  await rename('7', 'dmiller', { name: 'Devin Miller' });
  await follow();
  expect(await authorship()).toEqual({ authorship: 'human', agents: [] });

  await rename('7', 'dmiller', { name: 'Dee Miller' });
  await follow();
  expect(await authorship()).toEqual({ authorship: 'assisted', agents: ['devin'] });
});

it('a picture is another one where the address is, not where one of the host’s calls says less of the same', async () => {
  const [shown, more] = ['https://host.test/u/7?s=80&u=a1&v=4', 'https://host.test/u/7?s=80&u=b2&v=4'];
  const tell = async (avatar_url: string | null) => {
    await database.db.deleteFrom('changed_people').execute();
    await rename('7', 'ada', { avatar_url });
    const { avatar_url: stored } = await database.db
      .selectFrom('people')
      .select('avatar_url')
      .executeTakeFirstOrThrow();
    const changed = await database.db.selectFrom('changed_people').select('person_id').execute();
    return { stored, changed: changed.length > 0 };
  };

  expect(await tell('https://host.test/u/7?v=4')).toEqual({ stored: 'https://host.test/u/7?v=4', changed: false });
  expect(await tell(shown)).toEqual({ stored: shown, changed: true });
  expect(await tell('https://host.test/u/7?v=4')).toEqual({ stored: shown, changed: false });
  expect(await tell(shown)).toEqual({ stored: shown, changed: false });
  expect(await tell(more)).toEqual({ stored: more, changed: true });
  expect(await tell('https://host.test/u/8?v=4')).toEqual({ stored: 'https://host.test/u/8?v=4', changed: true });
});

// The embedded database has a single connection.
describe.skipIf(process.env.TEST_DATABASE === 'embedded')('what changes while pull requests are being stored', () => {
  const pull = aPullRequest(
    { number: 1, attribution: { ...noAttribution, labels: ['By Machine'] } },
    approves(1, 'robo'),
    approves(2, 'cy'),
  );
  const at = { asked_at: new Date(hour(49)), answered_at: new Date(hour(49)) };
  const ways: Readonly<Record<string, (transaction: Transaction<Database>) => Promise<unknown>>> = {
    stored: (transaction) => savePullRequests(transaction, { id: web, host: HOST }, [hostPullRequest(pull)], at),
    'stored for the first time': (transaction) =>
      savePullRequests(transaction, { id: web, host: HOST }, [hostPullRequest({ ...pull, number: 2 })], at),
    'computed again': (transaction) => computeFacts(transaction, web, [1], at.asked_at),
  };
  const facts = async () =>
    await database.db
      .selectFrom('pull_request_facts')
      .select(['first_review_at', 'authorship'])
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow();
  /** Until a session waits for a lock. */
  const waiting = async () =>
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          database.db,
        );
        return rows.length;
      })
      .toBe(1);
  /** Does something while a transaction that has stored pull requests is still open. */
  async function during(store: (transaction: Transaction<Database>) => Promise<unknown>, act: () => Promise<unknown>) {
    const { acting } = await database.db.transaction().execute(async (transaction) => {
      await store(transaction);
      const acting = act();
      await Promise.race([acting, waiting()]);
      return { acting };
    });
    await acting;
  }

  it.each(Object.entries(ways))('is counted in what is %s: an account’s mark', async (_, way) => {
    const { db } = database;
    await store(db, web, NOW.getTime(), [pull]);
    const robo = await db.selectFrom('people').selectAll().where('login', '=', 'robo').executeTakeFirstOrThrow();
    expect((await facts()).first_review_at).toEqual(new Date(hour(1)));

    await during(way, async () => {
      await markForEveryone(db, user, robo, 'bot', NOW);
      await settleAccountKinds({ db, log }, patient);
    });
    await follow();

    expect((await facts()).first_review_at).toEqual(new Date(hour(2)));
    const { kind } = await db.selectFrom('people').select('kind').where('id', '=', robo.id).executeTakeFirstOrThrow();
    expect(kind).toBe('bot');
  });

  it.each(Object.entries(ways))('is counted in what is %s: a label that stands for a tool', async (_, way) => {
    const { db } = database;
    await store(db, web, NOW.getTime(), [pull]);
    expect((await facts()).authorship).toBe('human');

    const labels = [{ label: 'by machine', tool: 'devin' }];
    await during(way, async () => await saveAgentSettings(db, { id: user, host: HOST }, { labels }, NOW));
    await follow();

    expect((await facts()).authorship).toBe('assisted');
  });

  it('is counted where a label is spelled in other letters than it was named by, and no more once it is taken away', async () => {
    const { db } = database;
    await store(db, web, NOW.getTime(), [
      { ...pull, attribution: { ...pull.attribution, labels: ['Äußerst By Machine'] } },
    ]);
    const name = async (...labels: { label: string; tool: string }[]) => {
      await saveAgentSettings(db, { id: user, host: HOST }, { labels }, NOW);
      await follow();
      return (await facts()).authorship;
    };

    expect(await name({ label: 'äußerst by machine', tool: 'devin' })).toBe('assisted');
    expect(await name()).toBe('human');
  });
});

it('an account that the list of automation calls otherwise than before has its pull requests computed again', async () => {
  await save('ada', 'bo');
  await database.db.updateTable('people').set({ kind: 'bot' }).where('host_id', '=', 'bo').execute();
  await database.db.deleteFrom('reviewer_acts').execute();

  await rename('bo', 'bo');
  expect(await toBeSettled()).toEqual(['bo']);
  await follow();
  expect(await acts()).toEqual([' 1']);
});

it('an account that the list of automation of a new version calls otherwise follows also where nobody stores it again, unless it is marked', async () => {
  const { db } = database;
  await save('ada', 'bo');
  for (const [id, login] of Object.entries({
    1: 'coderabbitai[bot]',
    2: 'deploy[bot]',
    3: 'cursor[bot]',
    4: 'DrahtBot',
  }))
    await rename(id, login, { type: login.endsWith('[bot]') ? 'bot' : 'user' });
  await db
    .insertInto('account_kinds')
    .values({ host: HOST, host_id: '3', kind: 'bot', set_by: null, set_at: NOW })
    .execute();
  await noteRelisted(db);
  expect(await toBeSettled()).toEqual([]);
  // As another list had it.
  await db.updateTable('people').set({ kind: 'bot' }).where('host_id', 'in', ['1', '3', 'bo']).execute();
  await db.updateTable('people').set({ kind: 'human' }).where('host_id', '=', '4').execute();
  await db.deleteFrom('reviewer_acts').execute();

  await noteRelisted(db);
  expect(await toBeSettled()).toEqual(['1', '4', 'bo']);
  await follow();

  const people = await db.selectFrom('people').select(['login', 'kind']).execute();
  expect(Object.fromEntries(people.map(({ login, kind }) => [login, kind]))).toEqual({
    ...{ ada: 'human', bo: 'human', DrahtBot: 'bot' },
    ...{ 'coderabbitai[bot]': 'agent', 'cursor[bot]': 'bot', 'deploy[bot]': 'bot' },
  });
  expect(await acts()).toEqual([' 1']);
  await noteRelisted(db);
  expect(await toBeSettled()).toEqual([]);
});

it('ids of the list of automation are those of github.com alone', () => {
  const renamed = { id: '136622811', login: 'deploy[bot]', type: 'bot' } as const;
  expect(kindOf('https://github.com', renamed)).toBe('agent');
  expect(kindOf('https://git.example.com', renamed)).toBe('bot');
  expect(kindOf('https://git.example.com', { ...renamed, login: 'coderabbitai[bot]' })).toBe('agent');
});

it('how long checks ran while a pull request waited follows one’s own marks', async () => {
  const { db, pool } = database;
  await db
    .insertInto('own_account_kinds')
    .values({ user_id: user, host: HOST, host_id: 'bo', kind: 'bot', set_at: NOW })
    .execute();
  await store(db, web, NOW.getTime(), [
    aPullRequest({ number: 1 }, requestsChanges(2, 'bo'), checked(4, 'success', 1), merged(9)),
  ]);
  await follow();

  const overlap = async (seen: typeof db) =>
    (await seen.selectFrom('pull_request_facts').select('ci_overlap_hours').executeTakeFirstOrThrow()).ci_overlap_hours;
  expect(await overlap(db)).toBe(1);
  expect(await overlap(lensOf(pool, user))).toBe(3);
});
