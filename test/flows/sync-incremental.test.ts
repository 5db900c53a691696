import { describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { scopeOf } from '../../src/server/metrics/scope.ts';
import { itemsOf, placedWork } from '../../src/server/my-work/person-work.ts';
import { savePullRequests } from '../../src/server/sync/save.ts';
import { empty } from '../support/database.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { asked, everythingStored, forget, openSyncing, type Syncing } from '../support/syncing.ts';

const hello = 'repos/octo-org/hello';

describe('an incremental sync', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let user: number;
  let repository: number;
  let ahead = 0;

  syncEach('tiny', async (fresh) => {
    ({ database, simulator } = fresh);
    ahead = 0;
    syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + ahead) });
    user = await syncing.user('octo');
    repository = await syncing.connect(user, 'octo-org/hello');
    await syncing.run(user, repository, 'full');
    return () => syncing.stop();
  });

  const happen = (number: number, entry: object) => simulator.control(`${hello}/pulls/${number}/entries`, entry);
  const rows = (table: 'reviews' | 'comments' | 'commits' | 'events' | 'checks', number: number) =>
    database.db.selectFrom(table).selectAll().where('number', '=', number).execute();
  const storedRepository = () =>
    database.db.selectFrom('repositories').selectAll().where('id', '=', repository).executeTakeFirstOrThrow();
  const pull = (number: number) =>
    database.db.selectFrom('pull_requests').selectAll().where('number', '=', number).executeTakeFirst();
  /** Time passes, here and at the host. */
  async function pass(seconds: number): Promise<void> {
    ahead += seconds * 1000;
    await simulator.control('clock', { advanceSeconds: seconds });
  }
  /** Lets what was read within the last second settle. */
  async function settle(): Promise<void> {
    await pass(2.1);
    await syncing.run(user, repository, 'incremental');
    await syncing.run(user, repository, 'incremental');
  }

  it('fetches what has changed and nothing else', async () => {
    await settle();
    await happen(2, { kind: 'comment', by: 'mona' });
    await forget(simulator);

    const end = await syncing.run(user, repository, 'smart');

    const { operations } = await asked(simulator);
    expect(operations).toEqual({ OpenPullRequests: 1, PullRequestsById: 1 });
    expect(end).toMatchObject({ status: 'completed', imported_prs: 1 });
    expect((await rows('comments', 2)).length).toBe(2);
  });

  it('fetches more at once again after ten batches that the host could compute', async () => {
    await settle();
    for (let index = 0; index < 12; index += 1)
      await simulator.control(`${hello}/pulls`, { title: `New ${index}`, author: 'mona' });
    await database.db.updateTable('repositories').set({ page_size: 1 }).execute();
    await forget(simulator);

    const end = await syncing.run(user, repository, 'incremental');

    const { operations } = await asked(simulator);
    expect(end).toMatchObject({ status: 'completed', imported_prs: 12 });
    expect((await storedRepository()).page_size).toBe(2);
    expect(operations.PullRequestsById).toBe(10 + 1);
  });

  it('asks a quiet repository once, for one point', async () => {
    await settle();
    await forget(simulator);

    await syncing.run(user, repository, 'incremental');

    const { operations, points } = await asked(simulator);
    expect(operations).toEqual({ OpenPullRequests: 1 });
    expect(points).toBe(1);
  });

  it('reads the second of the watermark again: two changes within one second are both seen', async () => {
    await simulator.control('clock', { frozen: true });
    await happen(2, { kind: 'comment', by: 'mona' });
    await syncing.run(user, repository, 'incremental');

    await happen(2, { kind: 'comment', by: 'hubot' });
    await syncing.run(user, repository, 'incremental');

    expect((await rows('comments', 2)).length).toBe(3);
  });

  it('stores the watermark of the host, not of a clock of ours that runs ahead', async () => {
    ahead = 3600_000;
    await happen(1, { kind: 'comment', by: 'mona' });
    await syncing.run(user, repository, 'incremental');
    await happen(3, { kind: 'comment', by: 'mona' });

    await syncing.run(user, repository, 'incremental');

    expect((await rows('comments', 3)).length).toBe(1);
  });

  it('forgets comments that were deleted', async () => {
    const comments = await rows('comments', 2);
    await happen(2, { kind: 'comment_deleted', id: Number(comments[0]?.host_id) });

    await syncing.run(user, repository, 'incremental');

    expect(comments.length).toBe(1);
    expect(await rows('comments', 2)).toEqual([]);
  });

  it('forgets pull requests that the host no longer has, and open screens hear of it', async () => {
    await settle();
    const personal = await syncing.context.clientFor(user);
    const { pull: known } = await personal!.client.pullRequest({ owner: 'octo-org', name: 'hello' }, 4);
    const gone = { ...known!, id: 'gone', node_id: 'PR_gone', number: 999, reviews: [], comments: [], checks: [] };
    await database.db.transaction().execute((transaction) =>
      savePullRequests(transaction, { id: repository, host: syncing.host.key }, [gone], {
        asked_at: new Date(Date.now() + ahead - 1000),
        answered_at: new Date(Date.now() + ahead - 1000),
      }),
    );
    const before = await storedRepository();

    await syncing.run(user, repository, 'incremental');

    expect(await pull(999)).toBeUndefined();
    expect((await storedRepository()).changed_at).not.toEqual(before.changed_at);
  });

  it('forgets commits that a force push dropped', async () => {
    const before = await rows('commits', 3);
    await happen(3, { kind: 'force_push', count: 2 });

    await syncing.run(user, repository, 'incremental');

    const after = await rows('commits', 3);
    expect(after.length).toBe(2);
    expect(after.map((commit) => commit.sha)).not.toContain(before[0]?.sha);
    expect((await rows('events', 3)).map((event) => event.type)).toContain('force_push');
  });

  it('takes over that a review was dismissed', async () => {
    await happen(1, { kind: 'review_dismissed', by: 'mona', review: 5003 });

    await syncing.run(user, repository, 'incremental');

    const review = (await rows('reviews', 1)).find((one) => one.submitted_at !== null && one.state === 'dismissed');
    const dismissal = (await rows('events', 1)).find((event) => event.type === 'review_dismissed');
    expect(review).toBeDefined();
    expect(dismissal).toMatchObject({ previous_state: 'approved', review_id: review?.host_id });
  });

  it('sees the checks of an open pull request although they do not touch its update date', async () => {
    await settle();
    const before = await pull(4);
    await happen(4, { kind: 'check', name: 'late check', outcome: 'SUCCESS' });

    await syncing.run(user, repository, 'incremental');

    expect((await rows('checks', 4)).map((check) => check.name)).toContain('late check');
    expect((await pull(4))?.updated_at).toEqual(before?.updated_at);
  });

  it('says in My work that a check runs, and how it ended although the update date stays', async () => {
    const work = async () => {
      const [at, scope] = [new Date(Date.now() + ahead), await scopeOf(database.db, user)];
      const items = await itemsOf(database.db, await placedWork(database.db, scope, at), at);
      return items.find(({ item }) => item.pr_number === 4)?.item.checks;
    };
    await happen(4, { kind: 'review_requested', by: 'mona', reviewer: { account: 'octo' } });
    await happen(4, { kind: 'status', by: 'hubot', context: 'ci/lint', state: 'PENDING' });
    const startedAt = Date.now() + ahead;
    await happen(4, { kind: 'check', name: 'build', startedAt, at: startedAt + 60_000 });
    await syncing.run(user, repository, 'full');
    const octo = database.db.selectFrom('people').select('host_id').where('host', '=', simulator.url);
    await database.db
      .updateTable('users')
      .set({ host_id: octo.where('login', '=', 'octo') })
      .where('id', '=', user)
      .execute();
    const before = await pull(4);
    expect(await work()).toBe('running');

    await happen(4, { kind: 'status', by: 'hubot', context: 'ci/lint', state: 'SUCCESS' });
    await syncing.run(user, repository, 'incremental');
    expect(await work()).toBe('running');
    await pass(61);
    await syncing.run(user, repository, 'incremental');

    expect(await work()).toBe('passing');
    expect((await pull(4))?.updated_at).toEqual(before?.updated_at);
  });

  it('looks once a day at those closed within the last two weeks', async () => {
    await settle();
    await happen(2, { kind: 'check', name: 'very late check', outcome: 'FAILURE' });
    await syncing.run(user, repository, 'incremental');
    const dayOfClosing = await rows('checks', 2);

    ahead = 25 * 3600_000;
    await syncing.run(user, repository, 'incremental');

    expect(dayOfClosing).toEqual([]);
    expect((await rows('checks', 2)).map((check) => check.name)).toEqual(['very late check']);
  });

  it('follows a person to a new login', async () => {
    await simulator.control('accounts/mona', { login: 'monalisa' }, 'PATCH');
    await happen(1, { kind: 'comment', by: 'monalisa' });

    await syncing.run(user, repository, 'incremental');

    const people = await database.db.selectFrom('people').select('login').where('host', '=', simulator.url).execute();
    expect(people.map((person) => person.login)).toContain('monalisa');
    expect(people.map((person) => person.login)).not.toContain('mona');
  });

  it('never lets an older version overwrite a newer one', async () => {
    const personal = await syncing.context.clientFor(user);
    const { pull: old } = await personal!.client.pullRequest({ owner: 'octo-org', name: 'hello' }, 2);
    const asked_at = new Date(Date.now() + ahead);
    await pass(2.5);
    await happen(2, { kind: 'comment', by: 'mona' });
    await syncing.run(user, repository, 'incremental');

    const written = await database.db.transaction().execute((transaction) =>
      savePullRequests(transaction, { id: repository, host: syncing.host.key }, [old!], {
        asked_at,
        answered_at: asked_at,
      }),
    );

    expect(written).toEqual([]);
    expect((await rows('comments', 2)).length).toBe(2);
  });

  it('keeps the checks of the head commit, and what they say, where the token may not read them', async () => {
    const said = () =>
      database.db
        .selectFrom('pull_request_facts')
        .select(['ci_wait_hours', 'ci_overlap_hours', 'failing_at_last_push'])
        .where('number', '=', 4)
        .executeTakeFirstOrThrow();
    const [before, saidBefore] = [await rows('checks', 4), await said()];
    const blind = openSyncing(database.db, simulator, {
      client: (client) => ({
        ...client,
        pullRequestsById: async (of, ids, signal) => {
          const batch = await client.pullRequestsById(of, ids, signal);
          return { ...batch, pull_requests: batch.pull_requests.map((one) => ({ ...one, checks: null })) };
        },
      }),
    });
    await syncing.stop();
    await blind.user('octo');
    await happen(4, { kind: 'comment', by: 'mona' });

    await blind.run(user, repository, 'incremental');

    expect((await rows('comments', 4)).length).toBe(1);
    expect(await rows('checks', 4)).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
    expect(await said()).toEqual(saidBefore);
    expect(saidBefore.ci_wait_hours).toBeGreaterThan(0);

    await happen(4, { kind: 'closed', by: 'octo' });
    await blind.run(user, repository, 'incremental');
    expect((await said()).failing_at_last_push).toBe(true);
    await happen(4, { kind: 'reopened', by: 'octo' });

    await happen(4, { kind: 'commits', count: 1 });
    await blind.run(user, repository, 'incremental');
    await blind.stop();

    expect(await rows('checks', 4)).toEqual([]);
    expect(await said()).toEqual({ ci_wait_hours: null, ci_overlap_hours: null, failing_at_last_push: null });
  });

  it('says that all data are in as of when it began, however long it took', async () => {
    const slow = openSyncing(database.db, simulator, {
      now: () => new Date(Date.now() + ahead),
      client: (client) => ({
        ...client,
        pullRequestsById: async (of, ids, signal) => {
          ahead += 3600_000;
          return await client.pullRequestsById(of, ids, signal);
        },
      }),
    });
    await syncing.stop();
    await slow.user('octo');
    await happen(4, { kind: 'comment', by: 'mona' });
    const before = Date.now();

    await slow.run(user, repository, 'incremental');
    await slow.stop();

    const { last_synced_at } = await database.db
      .selectFrom('repositories')
      .select('last_synced_at')
      .where('id', '=', repository)
      .executeTakeFirstOrThrow();
    expect(last_synced_at!.getTime()).toBeGreaterThanOrEqual(before);
    expect(last_synced_at!.getTime()).toBeLessThan(before + 3600_000);
  });

  it('leaves the moment of the first import as it was when everything is read anew', async () => {
    const { history_completed_at } = await storedRepository();

    await syncing.run(user, repository, 'full');

    expect(history_completed_at).not.toBeNull();
    expect(await storedRepository()).toMatchObject({ history_completed_at });
  });

  it('ends in the state of a full sync', async () => {
    await happen(3, { kind: 'convert_to_draft' });
    await happen(3, { kind: 'ready_for_review' });
    await happen(4, { kind: 'review', by: 'octo', state: 'APPROVED' });
    await happen(4, { kind: 'merged', by: 'octo' });
    await syncing.run(user, repository, 'incremental');
    const incremental = await everythingStored(database.db, repository);

    await empty(database.db, 'pull_requests', 'participations', 'contributor_totals', 'contributor_months');
    await syncing.run(user, repository, 'full');

    expect(incremental).toEqual(await everythingStored(database.db, repository));
  });
});
