import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { aConnection, aUser } from '../../../test/support/stored.ts';
import { openSyncing, type Syncing, type SyncingSettings } from '../../../test/support/syncing.ts';
import { addHints, finishHint, type HintSubject, takeHint } from '../db/hints.ts';
import type { OpenDatabase } from '../db/open.ts';
import { HostError } from '../host/errors.ts';
import type { SyncDeps } from './context.ts';
import { followNextHint } from './hint-follower.ts';
import { follow, LookLater } from './refresh.ts';

let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
let octo: number;
let mona: number;
let repository: number;
const goOn = new AbortController().signal;

beforeAll(async () => {
  [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  syncing = openSyncing(database.db, simulator, { working: false });
  octo = await syncing.user('octo');
  mona = await syncing.user('mona');
  repository = await syncing.connect(mona, 'octo-org/hello');
  await syncing.connect(octo, 'octo-org/hello');
});
afterAll(async () => {
  await database?.close();
  await simulator?.stop();
});
beforeEach(async () => {
  syncing.logged.length = 0;
  await database.db.deleteFrom('pull_requests').execute();
  await database.db.deleteFrom('sync_sessions').execute();
  // Octo is asked first: who signed in last.
  await database.db.updateTable('users').set({ signed_in_at: new Date() }).where('id', '=', octo).execute();
});

/** A server on which octo's token fails at the moment it is needed. */
const withBrokenToken = (error: Error): SyncDeps => ({
  ...syncing.context,
  clientForSync: async (user_id, repository_id) => {
    if (user_id === octo) throw error;
    return await syncing.context.clientForSync(user_id, repository_id);
  },
});
const stored = async () =>
  (await database.db.selectFrom('pull_requests').select('number').execute()).map(({ number }) => number);

test('a token of one reader that fails in a way nobody foresaw keeps no other from looking at what a delivery names', async () => {
  const broken = withBrokenToken(new Error('Unsupported state or unable to authenticate data'));

  await follow(broken, repository, { kind: 'pull_request', number: 1 }, goOn);

  expect(await stored()).toEqual([1]);
  expect(syncing.logged).toMatchObject([
    { level: 'error', fields: { step: 'follow_hint', user_id: octo, repository_id: repository } },
  ]);
});

test('a reader whose token may read no pull requests any more loses sight, and the next one’s is asked', async () => {
  const client: SyncingSettings['client'] = (given, login) =>
    login === 'octo' ? syncing.host.as('github_pat_octo') : given;
  const limited = openSyncing(database.db, simulator, { working: false, client });
  for (const login of ['octo', 'mona']) await limited.user(login);
  await simulator.control('repos/octo-org/hello', { private: true, readers: ['octo', 'mona'] }, 'PATCH');
  await simulator.control('permissions', { pull_requests: false }, 'PATCH');

  await follow(limited.context, repository, { kind: 'pull_request', number: 1 }, goOn);
  const byKeys = [1, 3].map((count) =>
    syncing.host
      .as('github_pat_octo')
      .pullRequestsById({ owner: 'octo-org', name: 'hello' }, Array(count).fill('gone'))
      .catch((error: unknown) => error),
  );
  // None of them is taken for gone.
  expect(await Promise.all(byKeys)).toMatchObject([{ kind: 'forbidden' }, { kind: 'forbidden' }]);
  await simulator.control('permissions', { pull_requests: true }, 'PATCH');
  await simulator.control('repos/octo-org/hello', { private: false }, 'PATCH');

  const sight = await database.db.selectFrom('connections').select(['user_id', 'readable', 'lost_reason']).execute();
  expect(await stored()).toEqual([1]);
  expect(new Map(sight.map(({ user_id, ...of }) => [user_id, of]))).toEqual(
    new Map([
      [octo, { readable: false, lost_reason: 'forbidden' }],
      [mona, { readable: true, lost_reason: null }],
    ]),
  );
  await database.db.updateTable('connections').set({ readable: true, lost_at: null, settled: true }).execute();
});

test('that the host wants a pause of one reader is told, although it refuses the next', async () => {
  const client: SyncingSettings['client'] = (given, login) =>
    login === 'mona' ? syncing.host.as('ghp_nobody-at-all') : given;
  const limited = openSyncing(database.db, simulator, { working: false, client });
  for (const login of ['octo', 'mona']) await limited.user(login);
  const match = { operation: 'PullRequestByNumber', next: 1 };
  await simulator.control('faults', { match, effect: { name: 'secondary_limit_403', retryAfter: 60 } });

  const look = follow(limited.context, repository, { kind: 'pull_request', number: 1 }, goOn);
  await expect(look).rejects.toMatchObject({ kind: 'secondary_limit' });

  const rejected = database.db.selectFrom('credentials').select('user_id').where('rejected_at', 'is not', null);
  expect(await rejected.execute()).toEqual([{ user_id: mona }]);
  await simulator.control('faults', undefined, 'DELETE');
  await syncing.user('mona');
  await database.db.deleteFrom('hint_quotas').execute();
});

test('a reader whose token lacks a scope loses sight, and the next one’s is asked', async () => {
  const client: SyncingSettings['client'] = (given, login) =>
    login === 'octo'
      ? {
          ...given,
          pullRequest: () => Promise.reject(new HostError('missing_scope', 'The access token lacks a scope.')),
        }
      : given;
  const limited = openSyncing(database.db, simulator, { working: false, client });
  for (const login of ['octo', 'mona']) await limited.user(login);

  await follow(limited.context, repository, { kind: 'pull_request', number: 1 }, goOn);

  const sight = await database.db
    .selectFrom('connections')
    .select(['readable', 'lost_reason'])
    .orderBy('readable')
    .execute();
  await database.db.updateTable('connections').set({ readable: true, lost_at: null, settled: true }).execute();
  expect(await stored()).toEqual([1]);
  expect(sight).toEqual([
    { readable: false, lost_reason: 'missing_scope' },
    { readable: true, lost_reason: null },
  ]);
});

test('checks of the repository’s own commits ask the host nothing, and have the open pull request of that head looked at', async () => {
  await follow(syncing.context, repository, { kind: 'pull_request', number: 4 }, goOn);
  const { head_sha } = await database.db.selectFrom('pull_requests').select('head_sha').executeTakeFirstOrThrow();
  const looks = async () => (await database.db.selectFrom('hint_limits').select('looks').executeTakeFirst())?.looks;
  const before = await looks();
  await simulator.control('counters', undefined, 'DELETE');

  await follow(syncing.context, repository, { kind: 'head', sha: 'ab'.repeat(20) }, goOn);
  const none = await database.db.selectFrom('hints').select('subject').execute();
  await follow(syncing.context, repository, { kind: 'head', sha: head_sha! }, goOn);

  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  expect([none, operations, await looks()]).toEqual([[], {}, before]);
  expect(await database.db.selectFrom('hints').select('subject').execute()).toEqual([{ subject: 'pull request 4' }]);
  await database.db.deleteFrom('hints').execute();
});

test('checks of a head that is not stored yet wait while a pull request is looked at', async () => {
  const now = syncing.context.now();
  await addHints(database.db, repository, [{ kind: 'pull_request', number: 4 }], now);

  const head = { kind: 'head', sha: 'ab'.repeat(20) } as const;
  await expect(follow(syncing.context, repository, head, goOn)).rejects.toBeInstanceOf(LookLater);
  await database.db.deleteFrom('hints').execute();
  await follow(syncing.context, repository, head, goOn);
});

test('what is due keeps its place however many hints arrive, and what was looked at is looked at 5 seconds later', async () => {
  const { db } = database;
  const at = (seconds: number) => new Date(Date.UTC(2026, 5, 18, 13, 0, seconds));
  const hear = (seconds: number, ...subjects: HintSubject[]) => addHints(db, repository, subjects, at(seconds));
  const [first, second] = [1, 2].map((number) => ({ kind: 'pull_request' as const, number }));
  const access = { kind: 'repository' } as const;
  await hear(0, first!, access);
  await hear(1, second!);
  await hear(2, first!, access);

  expect((await takeHint(db, at(2), 'access'))?.subject).toEqual(access);
  const taken = await takeHint(db, at(2));
  expect(taken?.subject).toEqual(first);
  expect((await takeHint(db, at(2)))?.subject).toEqual(second);
  await finishHint(db, taken!);
  for (const seconds of [3, 4]) await hear(seconds, first!);
  expect(await takeHint(db, at(6))).toBeNull();
  expect((await takeHint(db, at(7)))?.subject).toEqual(first);
  await db.deleteFrom('hints').execute();
});

test('where every reader’s fails, the last failure is told, so that the look is tried again', async () => {
  const all: SyncDeps = { ...syncing.context, clientForSync: () => Promise.reject(new Error('no key')) };

  await expect(follow(all, repository, { kind: 'pull_request', number: 1 }, goOn)).rejects.toThrow('no key');
});

test('a host that is away is asked in one reader’s name alone', async () => {
  const match = { operation: 'PullRequestByNumber' };
  await simulator.control('faults', { match, effect: { name: 'server_error' } });
  await simulator.control('counters', undefined, 'DELETE');

  const look = follow(syncing.context, repository, { kind: 'pull_request', number: 1 }, goOn);
  await expect(look).rejects.toMatchObject({ kind: 'unavailable' });
  const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
  await simulator.control('faults', undefined, 'DELETE');

  expect(operations.PullRequestByNumber).toBe(1);
});

test('a look at everything that changed is begun in the next reader’s name', async () => {
  const at = new Date();
  await database.db.updateTable('repositories').set({ history_completed_at: at }).execute();

  await follow(withBrokenToken(new Error('no key')), repository, { kind: 'changes' }, goOn);

  expect(await database.db.selectFrom('sync_sessions').select('user_id').execute()).toEqual([{ user_id: mona }]);
});

test('a look at everything that changed that could not begin is not counted as the hour’s', async () => {
  const { db } = database;
  await db.deleteFrom('hint_limits').execute();
  await db.updateTable('repositories').set({ history_completed_at: new Date(), swept_at: new Date() }).execute();
  const look = (context: SyncDeps) => follow(context, repository, { kind: 'changes' }, goOn);
  const all: SyncDeps = { ...syncing.context, clientForSync: () => Promise.reject(new Error('no key')) };

  await expect(look(all)).rejects.toMatchObject({ kind: 'unauthorized' });
  await sql`alter table sync_sessions add constraint cannot_begin check (false) not valid`.execute(db);
  try {
    await expect(look(syncing.context)).rejects.toThrow('cannot_begin');
  } finally {
    await sql`alter table sync_sessions drop constraint cannot_begin`.execute(db);
  }
  await look(syncing.context);

  const { swept_at } = await db.selectFrom('repositories').select('swept_at').executeTakeFirstOrThrow();
  const begun = await db.selectFrom('sync_sessions').select('user_id').execute();
  expect([begun, swept_at]).toEqual([[{ user_id: octo }], null]);
  await db.deleteFrom('sync_sessions').execute();
  await expect(look(syncing.context)).rejects.toBeInstanceOf(LookLater);
  expect(await db.selectFrom('sync_sessions').select('user_id').execute()).toEqual([]);
});

test('whom a stop keeps from being asked about a repository is asked by the next worker', async () => {
  const { db } = database;
  const others = await Promise.all(Array.from({ length: 8 }, () => aUser(db)));
  for (const user_id of others) await aConnection(db, user_id, repository);
  await db.deleteFrom('hints').execute();
  const stopping = new AbortController();
  const asked = new Set<number>();
  const context: SyncDeps = {
    ...syncing.context,
    async checkAccess(user_id) {
      asked.add(user_id);
      stopping.abort();
      return null;
    },
  };
  await addHints(db, repository, [{ kind: 'repository' }], context.now());

  await followNextHint(context, stopping.signal, 'access');
  const before = asked.size;
  const failures = syncing.logged.filter(({ level }) => level === 'warn');
  const isFollowed = await followNextHint(context, goOn, 'access');
  await db.deleteFrom('users').where('id', 'in', others).execute();

  expect(before).toBeLessThan(10);
  expect([failures, isFollowed, asked.size]).toEqual([[], true, 10]);
  expect(await followNextHint(context, goOn)).toBe(false);
});
