import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SyncResponse } from '../../src/contract/sync.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { HostError } from '../../src/server/host/errors.ts';
import { scopeOf } from '../../src/server/metrics/scope.ts';
import { OUTAGE_PATIENCE } from '../../src/server/sync/failures.ts';
import { refreshForPerson } from '../../src/server/sync/refresh.ts';
import { cancelSession, resumeSession } from '../../src/server/sync/sessions.ts';
import { casesHere, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aConnection } from '../support/stored.ts';
import { syncEach } from '../support/sync-each.ts';
import {
  asked,
  everythingStored,
  openSyncing,
  type Syncing,
  type SyncingSettings,
  stateOf,
} from '../support/syncing.ts';

describe('a sync of a host that fails at every fifth request', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let undisturbed: Awaited<ReturnType<typeof everythingStored>>;

  beforeAll(async () => {
    database = await openTestDatabase();
    simulator = await startSimulator({ world: 'awkward' });
    syncing = openSyncing(database.db, simulator);
    await simulator.control('faults', undefined, 'DELETE');
    const octo = await syncing.user('octo');
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await syncing.run(octo, repository, 'full', 4);
    undisturbed = await everythingStored(database.db, repository);
    await syncing.stop();
  });
  beforeEach(async () => {
    await database.db.deleteFrom('repositories').execute();
    syncing = openSyncing(database.db, simulator);
  });
  afterEach(async () => {
    await syncing.stop();
    await simulator.control('faults', undefined, 'DELETE');
  });
  afterAll(async () => {
    await simulator.stop();
    await database.close();
  });

  /** Imports the repository while every fifth request ends so. */
  const disturbed = async (effect: object) => {
    const octo = await syncing.user('octo');
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', { match: { kind: 'graphql', every: 5 }, effect });
    return { repository, end: await syncing.run(octo, repository, 'full', 4) };
  };

  const endings = [
    'bad_gateway',
    'gateway_timeout',
    'cut',
    'cut_in_body',
    'truncated_json',
    'went_wrong',
    'resource_limits',
    'silent_truncation',
    'secondary_limit_403',
    'secondary_limit_429',
    'secondary_limit_200',
    'primary_limit',
    'primary_limit_new_wording',
    'server_error',
  ];
  it.each(casesHere(endings))('loses nothing when it ends in %s', async (name) => {
    const limited = name.includes('_limit') ? { retryAfter: 1, resetIn: 1 } : {};

    const { repository, end } = await disturbed({ name, ...limited });

    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, error: null });
    expect(await everythingStored(database.db, repository)).toEqual(undisturbed);
  });

  it('loses nothing when it is left unanswered', async () => {
    await syncing.stop();
    // Long enough for every true answer of a busy machine.
    syncing = openSyncing(database.db, simulator, { timeout: 5_000 });

    const { repository, end } = await disturbed({ name: 'hang' });
    const [rule] = (await simulator.control('faults')) as { done: number }[];

    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, error: null });
    expect(rule?.done).toBeGreaterThan(1);
    expect(await everythingStored(database.db, repository)).toEqual(undisturbed);
  });
});

describe('a sync of a host that fails', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let octo: number;
  let mona: number;
  /** Our clock less the real one, in milliseconds. */
  let elapsed = 0;

  syncEach('awkward', async (fresh) => {
    ({ database, simulator } = fresh);
    elapsed = 0;
    syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + elapsed) });
    octo = await syncing.user('octo');
    mona = await syncing.user('mona');
    return () => syncing.stop();
  });

  const readable = async (user_id: number, repository_id: number) =>
    (
      await database.db
        .selectFrom('connections')
        .select('readable')
        .where('user_id', '=', user_id)
        .where('repository_id', '=', repository_id)
        .executeTakeFirstOrThrow()
    ).readable;
  const change = (name: string, body: object) => simulator.control(`repos/faulty/${name}`, body, 'PATCH');

  it.each(['server_error', 'resource_limits'])(
    'catches up although each kind of request ends in %s once',
    async (name) => {
      const repository = await syncing.connect(octo, 'faulty/heavy');
      await simulator.control('faults', undefined, 'DELETE');
      await syncing.run(octo, repository, 'full');
      for (const number of [1, 30])
        await simulator.control(`repos/faulty/heavy/pulls/${number}/entries`, [
          { kind: 'review', by: 'mona', state: 'APPROVED', comments: [{}, {}] },
          { kind: 'comment', by: 'mona' },
        ]);
      for (const operation of ['Changes', 'OpenPullRequests', 'PullRequestsById', 'InlineComments'])
        await simulator.control('faults', { match: { kind: 'graphql', operation, next: 1 }, effect: { name } });

      const end = await syncing.run(octo, repository, 'incremental');

      const caughtUp = await everythingStored(database.db, repository);
      await database.db.deleteFrom('repositories').execute();
      await simulator.control('faults', undefined, 'DELETE');
      const again = await syncing.connect(octo, 'faulty/heavy');
      await syncing.run(octo, again, 'full');
      expect(end).toMatchObject({ status: 'completed', error: null, skipped: [] });
      expect(caughtUp).toEqual(await everythingStored(database.db, again));
    },
  );

  it('leaves out, counts and names what it cannot understand, and keeps the rest', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    // The newest one: it is looked at again by its key, and talks no sense there either.
    for (const operation of ['PullRequests', 'PullRequestsById'])
      await simulator.control('faults', { match: { kind: 'graphql', operation }, effect: { name: 'nonsense' } });

    const left = await syncing.run(octo, repository, 'full');
    const without = await database.db.selectFrom('pull_requests').select('number').orderBy('number').execute();
    await simulator.control('faults', undefined, 'DELETE');
    const healed = await syncing.run(octo, repository, 'full');

    expect(left).toMatchObject({ status: 'completed', imported_prs: 29, success: true });
    expect(left.skipped).toEqual([{ number: 30, reason: expect.stringMatching(/createdAt/) }]);
    expect(without.map((row) => row.number)).toEqual(Array.from({ length: 29 }, (_, index) => index + 1));
    expect(healed).toMatchObject({ status: 'completed', imported_prs: 30, skipped: [] });
  });

  it('no longer names what it could read after all', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    const match = { kind: 'graphql', operation: 'PullRequests', next: 1 };
    await simulator.control('faults', { match, effect: { name: 'nonsense' } });

    const end = await syncing.run(octo, repository, 'full');

    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, skipped: [] });
  });

  it('reads a server that has no limits and says nothing of them', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('limits', { graphql: null, core: null }, 'PATCH');

    const end = await syncing.run(octo, repository, 'full');

    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, rate_limit_status: null });
  });

  it('begins again at the top where the host no longer understands where the last one stopped', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    const id = await syncing.start(octo, repository, 'full', 5);
    await syncing.until(id, 'running', 'completed');
    await cancelSession(database.db, id, syncing.context.now());
    await database.db
      .updateTable('sync_sessions')
      .set({
        status: 'cancelled',
        cursor: 'of an earlier day',
        stage: 'history',
        processed_prs: 20,
        processed_reviews: 9,
      })
      .execute();
    await resumeSession(database.db, id, octo, 'person', syncing.context.now());
    syncing.nudge();

    const end = await syncing.until(id);

    const stored = await database.db.selectFrom('pull_requests').select('number').execute();
    const reviews = await database.db.selectFrom('reviews').select('host_id').execute();
    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, progress: { total_prs: 30 } });
    expect(stored).toHaveLength(30);
    expect(end.imported_reviews).toBe(reviews.length);
  });

  it('waits for the rate limit, says until when, and goes on by itself', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('faults', {
      match: { kind: 'graphql', after: 2, next: 1 },
      effect: { name: 'primary_limit', resetIn: 3 },
    });

    const id = await syncing.start(octo, repository, 'full', 5);
    const waiting = await syncing.until(id, 'waiting', 'failed', 'completed');
    const end = await syncing.until(id);

    expect(waiting).toMatchObject({ success: true, status: 'waiting', error: null, can_resume: false });
    const left = Date.parse(waiting.rate_limit_status?.reset_at ?? '') - Date.now();
    expect(left).toBeLessThan(5000);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 30 });
  });

  it('waits as long as the host says, however often it failed otherwise before', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('limits/spend', { login: 'octo', remaining: 0, resetInSeconds: 600 });
    const id = await syncing.start(octo, repository, 'full');
    await syncing.until(id, 'waiting');
    await database.db
      .updateTable('sync_sessions')
      .set({ status: 'queued', waiting_until: null, attempts: 8, error_kind: 'unavailable' })
      .execute();
    syncing.nudge();

    const { rate_limit_status } = await syncing.until(id, 'waiting');

    const { waiting_until } = await database.db
      .selectFrom('sync_sessions')
      .select('waiting_until')
      .executeTakeFirstOrThrow();
    expect(waiting_until!.getTime() - Date.now()).toBeLessThan(605_000);
    expect(rate_limit_status).not.toBeNull();
  });

  it('lets other people’s syncs go on while one waits for their quota', async () => {
    const [spent, free] = [await syncing.connect(octo, 'faulty/heavy'), await syncing.connect(mona, 'faulty/flaky')];
    const next = await syncing.connect(octo, 'faulty/times-out');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('limits/spend', { login: 'octo', remaining: 0, resetInSeconds: 600 });

    const waits = await syncing.start(octo, spent, 'full');
    await syncing.until(waits, 'waiting');
    const alsoWaits = await syncing.start(octo, next, 'full');
    const end = await syncing.run(mona, free, 'full');

    expect(end.status).toBe('completed');
    expect((await syncing.until(alsoWaits, 'waiting', 'completed', 'failed')).status).toBe('waiting');
    expect((await syncing.until(waits, 'waiting', 'completed', 'failed')).status).toBe('waiting');
  });

  describe('for longer than a minute', () => {
    let id: string;
    let repository: number;

    beforeEach(async () => {
      repository = await syncing.connect(octo, 'faulty/always-fails');
      id = await syncing.start(octo, repository, 'full');
    });

    const requests = async () => (await asked(simulator)).requests;
    const waitingAfter = (before: SyncResponse) =>
      vi.waitUntil(
        async () => {
          const now = await syncing.until(id, 'waiting', 'failed');
          return now.waiting_until === before.waiting_until ? null : now;
        },
        { timeout: 60_000, interval: 10 },
      );
    const pauseOf = ({ waiting_until }: SyncResponse) => Date.parse(waiting_until!) - Date.now() - elapsed;
    function elapse(milliseconds: number): void {
      elapsed += milliseconds;
      syncing.nudge();
    }

    it('waits longer and longer, says so, asks nothing meanwhile, and goes on by itself', async () => {
      const waiting = await syncing.until(id, 'waiting', 'failed');
      const first = pauseOf(waiting);
      const before = await requests();
      await pause(300);
      const meanwhile = await requests();
      elapse(first + 1000);
      const second = pauseOf(await waitingAfter(waiting));
      await simulator.control('faults', undefined, 'DELETE');
      elapse(second + 1000);
      const end = await syncing.until(id);

      expect(waiting).toMatchObject({ success: true, status: 'waiting', can_resume: false });
      expect(waiting.error).toMatch(/^GitHub cannot be reached\. .+ What is stored stays\.$/);
      expect(waiting.progress.message).toBe(waiting.error);
      expect(first).toBeGreaterThan(100_000);
      expect(second).toBeGreaterThan(1.8 * first);
      expect(meanwhile).toBe(before);
      expect(end).toMatchObject({ status: 'completed', imported_prs: 30 });
    });

    it('can be cancelled meanwhile', async () => {
      const waiting = await syncing.until(id, 'waiting', 'failed');
      await cancelSession(database.db, id, syncing.context.now());
      await simulator.control('faults', undefined, 'DELETE');
      elapse(pauseOf(waiting) + 1000);
      await pause(300);

      expect(await stateOf(database.db, repository)).toMatchObject({ status: 'cancelled', imported_prs: 0 });
    });

    it('is tried at once when a person asks, gives up in the end, says why, and can be resumed', async () => {
      await syncing.until(id, 'waiting', 'failed');
      await database.db.updateTable('sync_sessions').set({ waited_seconds: OUTAGE_PATIENCE }).execute();
      const same = await syncing.start(octo, repository, 'smart');
      const end = await syncing.until(id);
      await simulator.control('faults', undefined, 'DELETE');
      await resumeSession(database.db, id, octo, 'person', syncing.context.now());
      syncing.nudge();
      const resumed = await syncing.until(id);

      expect(same).toBe(id);
      expect(end).toMatchObject({ success: false, status: 'failed', can_resume: true, has_more: true });
      expect(end.error).toMatch(/^GitHub cannot be reached/);
      expect(end.progress).toMatchObject({ current_phase: 'error', message: 'Sync failed' });
      expect(resumed).toMatchObject({ status: 'completed', imported_prs: 30 });
    });
  });

  it('gets past a page of history that the host never computes, not even for one pull request', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('faults', {
      match: { kind: 'graphql', operation: 'PullRequests', after: 2 },
      effect: { name: 'went_wrong' },
    });

    const end = await syncing.run(octo, repository, 'full', 5);

    expect(end).toMatchObject({ status: 'completed', imported_prs: 30, skipped: [] });
  });

  it('has more when it ends behind such a page, of which the rest was not fetched yet', async () => {
    await syncing.stop();
    const refused = new HostError('missing_scope', 'No.');
    const client: SyncingSettings['client'] = (given) => ({
      ...given,
      pullRequestsById: () => Promise.reject(refused),
    });
    syncing = openSyncing(database.db, simulator, { client });
    await syncing.user('octo');
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('faults', {
      match: { kind: 'graphql', operation: 'PullRequests', after: 2 },
      effect: { name: 'went_wrong' },
    });

    const end = await syncing.run(octo, repository, 'full', 5);
    const { stage } = await database.db.selectFrom('sync_sessions').select('stage').executeTakeFirstOrThrow();

    expect(stage).toBe('changes');
    expect(end).toMatchObject({ status: 'failed', imported_prs: 10, has_more: true });
  });

  it('fetches nothing twice of what was read of history before such a page, unless it may have changed since', async () => {
    await syncing.stop();
    const fetched: string[] = [];
    const client: SyncingSettings['client'] = (given) => ({
      ...given,
      async pullRequestsById(of, ids, signal) {
        fetched.push(...ids);
        return await given.pullRequestsById(of, ids, signal);
      },
    });
    // What takes longer here takes no time there, so that nothing counts as read twice.
    const began = Date.now();
    syncing = openSyncing(database.db, simulator, { client, now: () => new Date(began + elapsed) });
    await syncing.user('octo');
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    // What was read once, before, may have changed within the second in which it was read.
    await syncing.run(octo, repository, 'full');
    await simulator.control('repos/faulty/heavy/pulls/29/entries', { kind: 'comment', by: 'mona' });
    elapsed += 1000;
    await simulator.control('faults', {
      match: { kind: 'graphql', operation: 'PullRequests', after: 2 },
      effect: { name: 'went_wrong' },
    });

    fetched.length = 0;
    const end = await syncing.run(octo, repository, 'full', 5);

    const rows = await database.db.selectFrom('pull_requests').select(['number', 'node_id']).execute();
    const numbers = new Map(rows.map(({ number, node_id }) => [node_id, number]));
    expect(end).toMatchObject({ status: 'completed', skipped: [] });
    expect(fetched.map((id) => numbers.get(id)).sort((one, other) => one! - other!)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => index + 1),
      29,
    ]);
  });

  it('finds what changed although the host never computes the list of the open ones, and sweeps them as soon as it does', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await syncing.run(octo, repository, 'full');
    const swept = () => database.db.selectFrom('repositories').select('swept_at').executeTakeFirstOrThrow();
    const { swept_at: before } = await swept();
    await simulator.control('repos/faulty/heavy/pulls/1/entries', { kind: 'comment', by: 'mona', body: 'Late' });
    const comments = () => database.db.selectFrom('comments').select('host_id').where('number', '=', 1).execute();
    const earlier = await comments();
    await simulator.control('faults', { match: { operation: 'OpenPullRequests' }, effect: { name: 'went_wrong' } });

    const end = await syncing.run(octo, repository, 'incremental');
    const { swept_at: meanwhile } = await swept();
    await simulator.control('faults', undefined, 'DELETE');
    await syncing.run(octo, repository, 'incremental');

    expect(end).toMatchObject({ status: 'completed', error: null, skipped: [] });
    expect(await comments()).toHaveLength(earlier.length + 1);
    expect(meanwhile).toEqual(before);
    expect((await swept()).swept_at).not.toEqual(before);
  });

  it('sweeps what comes before a page of the open ones that the host never computes, and says so', async () => {
    await simulator.control('repos', { owner: 'faulty', name: 'listed', readers: ['octo'] });
    for (const title of ['First', 'Second'])
      await simulator.control('repos/faulty/listed/pulls', { title, author: 'octo' });
    const repository = await syncing.connect(octo, 'faulty/listed');
    const [operation, name] = ['OpenPullRequests', 'went_wrong'];
    // Each page holds one.
    await simulator.control('faults', { match: { operation, pullRequestsOver: 3 }, effect: { name } });
    await syncing.run(octo, repository, 'full');
    elapsed += 3000;
    await syncing.run(octo, repository, 'incremental');
    const swept = () => database.db.selectFrom('repositories').select('swept_at').executeTakeFirstOrThrow();
    const before = await swept();
    const checks = async () => (await database.db.selectFrom('checks').select('number').execute()).map((c) => c.number);
    for (const number of [1, 2])
      await simulator.control(`repos/faulty/listed/pulls/${number}/entries`, {
        kind: 'check',
        name: 'build',
        outcome: 'SUCCESS',
      });
    await simulator.control('faults', { match: { operation, after: 1 }, effect: { name } });

    const end = await syncing.run(octo, repository, 'incremental');
    const [some, meanwhile] = [await checks(), await swept()];
    await simulator.control('faults', undefined, 'DELETE');
    await syncing.run(octo, repository, 'incremental');

    expect(end).toMatchObject({ status: 'completed', error: null, skipped: [] });
    expect([some, meanwhile]).toEqual([[1], before]);
    expect(syncing.logged).toContainEqual(expect.objectContaining({ level: 'warn', fields: { repository, read: 1 } }));
    expect((await checks()).sort()).toEqual([1, 2]);
    expect(await swept()).not.toEqual(before);
  });

  it.each([
    ['cannot compute', 'went_wrong', undefined],
    ['never answers', 'hang', 500],
  ])('leaves out and names what the host %s by itself', async (_what, name, timeout) => {
    if (timeout !== undefined) {
      await syncing.stop();
      syncing = openSyncing(database.db, simulator, { timeout });
      await syncing.user('octo');
    }
    await simulator.control('repos', { owner: 'faulty', name: 'enormous', readers: ['octo'] });
    await simulator.control('repos/faulty/enormous/pulls', { title: 'Everything', author: 'octo' });
    const repository = await syncing.connect(octo, 'faulty/enormous');
    await simulator.control('faults', undefined, 'DELETE');
    for (const operation of ['PullRequests', 'PullRequestsById'])
      await simulator.control('faults', { match: { kind: 'graphql', operation }, effect: { name } });

    const end = await syncing.run(octo, repository, 'full');

    expect(end).toMatchObject({ status: 'completed', imported_prs: 0 });
    expect(end.skipped).toEqual([{ number: 1, reason: expect.stringMatching(/GitHub/) }]);
  });

  it('goes on with another reader’s token where one is revoked, and ends the syncs that nobody else can go on with', async () => {
    const [one, two] = [await syncing.connect(octo, 'faulty/heavy'), await syncing.connect(octo, 'faulty/flaky')];
    await aConnection(database.db, mona, one, new Date());
    await simulator.control('faults', undefined, 'DELETE');
    await simulator.control('tokens', { token: 'ghp_octo' }, 'DELETE');

    const [first, second] = [await syncing.run(octo, one, 'full'), await syncing.run(octo, two, 'full')];

    expect(first.status).toBe('completed');
    expect(second).toMatchObject({ status: 'failed', error: expect.stringMatching(/Sign in again/) });
    expect((await scopeOf(database.db, octo)).repository_ids).toEqual([]);
    expect((await scopeOf(database.db, mona)).repository_ids).toEqual([one]);
  });

  it('goes on with another reader’s token where one may read no pull requests any more', async () => {
    const client: SyncingSettings['client'] = (given, login) =>
      login === 'octo' ? syncing.host.as('github_pat_octo') : given;
    const limited = openSyncing(database.db, simulator, { client });
    await syncing.stop();
    for (const login of ['octo', 'mona']) await limited.user(login);
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', { private: true, readers: ['octo', 'mona'] });
    const repository = await limited.connect(octo, 'faulty/heavy');
    await limited.connect(mona, 'faulty/heavy');
    await simulator.control('permissions', { pull_requests: false }, 'PATCH');

    const end = await limited.run(octo, repository, 'full');

    const handed = await limited.run(mona, repository, 'full');
    await limited.stop();
    expect(end).toMatchObject({ status: 'failed', error: expect.stringMatching(/not allow this token to read pull/) });
    expect([await readable(octo, repository), await readable(mona, repository)]).toEqual([false, true]);
    expect(handed).toMatchObject({ status: 'completed', imported_prs: 30 });
  });

  it('shows where to authorise single sign-on', async () => {
    await change('saml', { saml: false });
    const repository = await syncing.connect(octo, 'faulty/saml');
    await change('saml', { saml: true });

    const end = await syncing.run(octo, repository, 'full');

    expect(end).toMatchObject({ status: 'failed' });
    expect(end.error).toMatch(/single sign-on/);
    expect(end.error_link).toMatch(/\/sso\?/);
  });

  it.each([
    ['renamed', { name: 'light' }, { owner: 'faulty', name: 'light' }],
    ['transferred', { owner: 'mona' }, { owner: 'mona', name: 'heavy' }],
  ])('follows a repository that was %s', async (_, what, now) => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', what);

    const end = await syncing.run(octo, repository, 'full');

    const { host_id, ...row } = await database.db
      .selectFrom('repositories')
      .select(['host_id', 'owner', 'name', 'owner_id'])
      .executeTakeFirstOrThrow();
    expect(end).toMatchObject({ status: 'completed', imported_prs: 30 });
    // By its id deliveries of the new owner's webhook are known.
    const { owner_id } = await syncing.host.as('ghp_octo').repositoryById(host_id);
    expect(owner_id).not.toBeNull();
    expect(row).toEqual({ ...now, owner_id });
  });

  it('reads everything but the names of teams with a token that may not read teams', async () => {
    const { token } = (await simulator.control('tokens', { login: 'octo', scopes: ['repo'] })) as { token: string };
    await simulator.control('repos', { owner: 'odd', name: 'teams', readers: ['octo'] });
    await simulator.control('repos/odd/teams/pulls', { title: 'One', author: 'mona' });
    await simulator.control('repos/odd/teams/pulls/1/entries', [
      { kind: 'review_requested', by: 'mona', reviewer: { team: 'reviewers' } },
      { kind: 'comment', by: 'octo' },
    ]);
    const narrow = openSyncing(database.db, simulator, { client: () => syncing.host.as(token) });
    await syncing.stop();
    const user = await narrow.user('octo');
    const repository = await narrow.connect(user, 'odd/teams');

    const end = await narrow.run(user, repository, 'full');
    await narrow.stop();

    const [request] = await database.db.selectFrom('review_requests').selectAll().execute();
    const comments = await database.db.selectFrom('comments').select('host_id').execute();
    expect(end).toMatchObject({ status: 'completed', imported_prs: 1, skipped: [] });
    expect(request).toMatchObject({ person_id: null, team: '@?' });
    expect(comments).toHaveLength(1);
  });

  it('follows a renamed repository although the host forgot its old name, or another one has taken it', async () => {
    const [forgotten, taken] = [
      await syncing.connect(octo, 'faulty/heavy'),
      await syncing.connect(octo, 'faulty/flaky'),
    ];
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', { name: 'light', redirect: false });
    await change('flaky', { name: 'steady', redirect: false });
    await simulator.control('repos', { owner: 'faulty', name: 'flaky', readers: ['octo'] });

    const ends = [await syncing.run(octo, forgotten, 'full'), await syncing.run(octo, taken, 'full')];

    const names = await database.db.selectFrom('repositories').select('name').orderBy('id').execute();
    expect(ends.map((end) => [end.status, end.imported_prs])).toEqual([
      ['completed', 30],
      ['completed', 30],
    ]);
    expect(names.map((row) => row.name)).toEqual(['light', 'steady']);
  });

  it('looks at a pull request of the repository that it knows, although another one has taken the name', async () => {
    const repository = await syncing.connect(octo, 'faulty/flaky');
    await simulator.control('faults', undefined, 'DELETE');
    await syncing.run(octo, repository, 'full');
    const stored = () =>
      database.db.selectFrom('pull_requests').select(['number', 'title']).orderBy('number').execute();
    const before = await stored();
    await change('flaky', { name: 'steady', redirect: false });
    await simulator.control('repos', { owner: 'faulty', name: 'flaky', readers: ['octo'] });
    const [taken, free] = before.map(({ number }) => number) as [number, number];
    await simulator.control('repos/faulty/flaky/pulls', { number: taken, title: 'Of another one', author: 'octo' });

    for (const number of [taken, free]) {
      const wanted = { user_id: octo, repository_id: repository, number, signal: AbortSignal.timeout(30_000) };
      expect(await refreshForPerson(syncing.context, wanted)).toBe(true);
    }
    expect(before.length).toBeGreaterThan(1);
    expect(await stored()).toEqual(before);
  });

  it('hides a repository from whom the host no longer lets in, and from nobody else', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await syncing.connect(mona, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', { private: true, readers: ['mona'], admins: [] });

    const end = await syncing.run(octo, repository, 'full');

    expect(end).toMatchObject({ status: 'failed', success: false });
    expect(end.error).toMatch(/no longer lets you see it/);
    expect(await readable(octo, repository)).toBe(false);
    expect(await readable(mona, repository)).toBe(true);
    expect(await syncing.run(mona, repository, 'full')).toMatchObject({ status: 'completed' });
  });

  it('notes once that somebody lost sight, where a sync or a look at a pull request settles it', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await syncing.connect(mona, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', { private: true, readers: [], admins: [] });
    const lost = () => syncing.logged.filter(({ message }) => message === 'security event').map(({ fields }) => fields);
    const look = async () => {
      await syncing.run(octo, repository, 'full');
      const wanted = { user_id: mona, repository_id: repository, number: 1, signal: AbortSignal.timeout(30_000) };
      expect(await refreshForPerson(syncing.context, wanted)).toBe(false);
      elapsed += 31_000;
    };

    await look();
    expect(lost()).toEqual([]);
    for (let again = 0; again < 2; again += 1) {
      await look();
      // A sync and a look are under way at once: either may be the first to settle it.
      expect(new Set(lost())).toEqual(
        new Set(
          [octo, mona].map((actor) => ({
            ...{ event: 'sight_lost', actor, repository_id: repository, subject: 'faulty/heavy: not_found' },
          })),
        ),
      );
    }
  });

  it.each([
    ['deleted', { deleted: true }, /is not there any more/],
    ['blocked', { blocked: 'dmca' }, /blocked access/],
  ])('ends with a sentence when the repository is %s', async (_, what, sentence) => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', what);

    const end = await syncing.run(octo, repository, 'full');

    expect(end.status).toBe('failed');
    expect(end.error).toMatch(sentence);
    expect(await readable(octo, repository)).toBe(false);
  });

  it('keeps reading an archived repository', async () => {
    const repository = await syncing.connect(octo, 'faulty/heavy');
    await simulator.control('faults', undefined, 'DELETE');
    await change('heavy', { archived: true });

    const end = await syncing.run(octo, repository, 'full');

    const row = await database.db.selectFrom('repositories').select('archived').executeTakeFirst();
    expect(end.status).toBe('completed');
    expect(row?.archived).toBe(true);
  });
});
