import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { storedRecords } from '../../src/server/db/stored-records.ts';
import type { HostClient } from '../../src/server/host/client.ts';
import type { SyncDeps } from '../../src/server/sync/context.ts';
import { type Pause, readAgain } from '../../src/server/sync/read-again.ts';
import type { RunningSimulator } from '../support/simulator.ts';
import { syncEach } from '../support/sync-each.ts';
import { everythingStored, openSyncing, type Syncing } from '../support/syncing.ts';

const plans = 'repos/octo-org/plans';
const HOUR = 3_600_000;

describe('a sync with a token that may read less than the one before it', () => {
  let simulator: RunningSimulator;
  let database: OpenDatabase;
  let syncing: Syncing;
  let octo: number;
  let mona: number;
  let repository: number;
  /** What Mona's syncs ask with. */
  let narrow: string;
  let opened: number;
  let ahead: number;

  syncEach('tiny', async (fresh) => {
    ({ database, simulator } = fresh);
    ahead = 0;
    await database.db.deleteFrom('hint_quotas').execute();
    opened = Date.now() - 100 * HOUR;
    await simulator.control('repos', {
      ...{ owner: 'octo-org', name: 'plans', private: true, readers: ['octo', 'mona'], admins: ['octo'] },
      createdAt: opened,
    });
    for (const slug of ['writers', 'testers']) await simulator.control('teams', { organization: 'octo-org', slug });
    await pull(1, 'Merged');
    await happens(
      1,
      { at: at(2), kind: 'review', by: 'octo', state: 'APPROVED', commit: head },
      { at: at(3), kind: 'merged', by: 'octo', commit: 'f'.repeat(40) },
    );
    await pull(2, 'Asked of teams');
    await happens(
      2,
      { at: at(2), kind: 'review_requested', by: 'mona', reviewer: { team: 'greeters' } },
      { at: at(3), kind: 'review_requested', by: 'mona', reviewer: { team: 'writers' } },
      { at: at(4), kind: 'review_requested', by: 'mona', reviewer: { account: 'octo' } },
    );
    syncing = openSyncing(database.db, simulator, {
      now: () => new Date(Date.now() + ahead),
      client: (client, login) => (login === 'mona' ? syncing.host.as(narrow) : client),
    });
    octo = await syncing.user('octo');
    repository = await syncing.connect(octo, 'octo-org/plans');
    return async () => {
      await simulator.control('permissions', { contents: true, members: true }, 'PATCH');
      await syncing.stop();
    };
  });

  const head = 'a'.repeat(40);
  const at = (hours: number) => opened + hours * HOUR;
  const happens = (number: number, ...entries: object[]) =>
    simulator.control(`${plans}/pulls/${number}/entries`, entries);
  const pull = (number: number, title: string, more: object = {}) =>
    simulator.control(`${plans}/pulls`, { number, title, author: 'mona', createdAt: at(1), ...more });
  /** Somebody comments on both, which makes a sync read them again. */
  const readAgainBy = async (token: string) => {
    for (const number of [1, 2]) await happens(number, { kind: 'comment', by: 'octo' });
    narrow = token;
    mona = await syncing.user('mona');
    await syncing.connect(mona, 'octo-org/plans');
    return await syncing.run(mona, repository, 'incremental');
  };
  /** Mona imports it with a token that may not read contents; Octo, whose token may, has connected it. */
  const importBy = async (token: string) => {
    await simulator.control('permissions', { contents: false }, 'PATCH');
    narrow = token;
    mona = await syncing.user('mona');
    await syncing.connect(mona, 'octo-org/plans');
    await syncing.run(mona, repository, 'full');
  };
  const written = async (number: number) => {
    const { records } = await storedRecords(database.db, repository, [number]);
    const { authorship } = await database.db
      .selectFrom('pull_request_facts')
      .select('authorship')
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    return { authorship, areCommitsRead: records.get(number)!.attribution.areCommitsRead };
  };
  const commitsAgain = async (context: SyncDeps = syncing.context, pause: Pause = { until: null }) =>
    await readAgain(context, pause, new AbortController().signal);
  /** How often the host is asked. */
  const asked = async (pause?: Pause) => {
    await simulator.control('counters', undefined, 'DELETE');
    await commitsAgain(syncing.context, pause);
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    return Object.values(operations).reduce((sum, count) => sum + count, 0);
  };
  const aCommit = (message: string) => ({
    ...{ sha: 'c'.repeat(40), account: 'mona', authorName: 'Mona', authorEmail: 'mona@example.com' },
    ...{ authoredAt: opened, committedAt: opened, message },
  });
  const tokenWith = async (scopes: readonly string[]) => {
    const { token } = (await simulator.control('tokens', { login: 'mona', scopes })) as { token: string };
    return token;
  };
  const teams = async () => ({
    pending: (
      await database.db
        .selectFrom('review_requests')
        .select('team')
        .where('team', 'is not', null)
        .orderBy('position')
        .execute()
    ).map(({ team }) => team),
    events: (
      await database.db.selectFrom('events').select('team').where('team', 'is not', null).orderBy('position').execute()
    ).map(({ team }) => team),
  });
  const branches = () =>
    database.db.selectFrom('repositories').select(['default_branch', 'former_default_branches']).execute();

  it('keeps commits, and the default branch, where it may not read contents', async () => {
    await syncing.run(octo, repository, 'full');
    await simulator.control('permissions', { contents: false }, 'PATCH');

    const end = await readAgainBy('github_pat_mona');

    const stored = await everythingStored(database.db, repository);
    const { rows: commits } = await sql<object>`
      select p.merge_commit_sha, v.commit_sha, e.sha from pull_requests p
      join reviews v using (repository_id, number) join events e using (repository_id, number)
      where p.number = 1 and e.type = 'merged'`.execute(database.db);
    expect(end).toMatchObject({ status: 'completed', skipped: [] });
    expect(stored.commits).toHaveLength(2);
    expect(commits).toEqual([{ merge_commit_sha: 'f'.repeat(40), commit_sha: head, sha: 'f'.repeat(40) }]);
    expect(await branches()).toEqual([{ default_branch: 'main', former_default_branches: [] }]);
    await simulator.control('permissions', { contents: true }, 'PATCH');
    await syncing.run(octo, repository, 'full');
    expect(await everythingStored(database.db, repository)).toEqual(stored);
  });

  it('takes no commits of an earlier head for those of a later one', async () => {
    await syncing.run(octo, repository, 'full');
    await simulator.control('permissions', { contents: false }, 'PATCH');
    await happens(2, { kind: 'commits', count: 1 });

    await readAgainBy('github_pat_mona');

    const commits = () => database.db.selectFrom('commits').select('number').orderBy('number').execute();
    expect(await commits()).toEqual([{ number: 1 }]);
    await commitsAgain();
    expect(await commits()).toEqual([{ number: 1 }, { number: 2 }, { number: 2 }]);
  });

  it('has commits that it might not read read with the token of another reader', async () => {
    await pull(3, 'Assisted', { commits: [aCommit('Fix\n\nCo-authored-by: Claude <noreply@anthropic.com>')] });
    await importBy('github_pat_mona');
    const before = await written(3);

    await commitsAgain();

    expect(before).toEqual({ authorship: 'human', areCommitsRead: false });
    expect(await written(3)).toEqual({ authorship: 'assisted', areCommitsRead: true });
    const stored = await everythingStored(database.db, repository);
    await simulator.control('permissions', { contents: true }, 'PATCH');
    await syncing.run(octo, repository, 'full');
    expect(await everythingStored(database.db, repository)).toEqual(stored);
  });

  it('is not asked again and again for commits where there is no other reader', async () => {
    await importBy('github_pat_mona');
    await database.db.deleteFrom('connections').where('user_id', '=', octo).execute();

    const first = await asked();
    await happens(1, { kind: 'comment', by: 'octo' });
    await syncing.run(mona, repository, 'incremental');

    expect(first).toBeGreaterThan(0);
    expect(await asked()).toBe(0);
    expect(await written(1)).toEqual({ authorship: 'human', areCommitsRead: false });
  });

  /** Of Octo's token, whose turn comes after Mona's. */
  const goesWrong = (effect: object) =>
    simulator.control('faults', { match: { operation: 'PullRequestsById', after: 1, next: 1 }, effect });
  it.each([
    [
      'has had its share of the quota',
      () =>
        database.db
          .insertInto('hint_quotas')
          .values({
            user_id: octo,
            purpose: 'collection',
            points: 495,
            quota: 5000,
            window_ends_at: new Date(Date.now() + HOUR / 2),
          })
          .execute(),
    ],
    ['is to make a pause', () => goesWrong({ name: 'secondary_limit_403', retryAfter: 120 })],
    ['got no answer', () => goesWrong({ name: 'server_error' })],
  ])('has commits read once the other reader’s token, which %s, may be used again', async (_, becomesBusy) => {
    await importBy('github_pat_mona');
    await becomesBusy();
    const pause: Pause = { until: null };

    await commitsAgain(syncing.context, pause);
    const before = [await written(1), await asked(pause)];
    ahead += HOUR;
    await commitsAgain(syncing.context, pause);

    expect(before).toEqual([{ authorship: 'human', areCommitsRead: false }, 0]);
    expect(await written(1)).toEqual({ authorship: 'human', areCommitsRead: true });
  });

  it.each([[[2]], [[1, 2]]])(
    'takes no commits for read where the host does not give the pull requests %j, and asks for them a day later',
    async (numbers) => {
      await importBy('github_pat_mona');
      const keyed = (key: string) =>
        sql`update pull_requests set node_id = ${sql.raw(key)} where number = any(${numbers}::int[])`.execute(
          database.db,
        );
      const areRead = async () => (await Promise.all([1, 2].map(written))).map(({ areCommitsRead }) => areCommitsRead);
      await keyed(`'gone ' || node_id`);

      await commitsAgain();
      const before = await areRead();
      await database.db.deleteFrom('hints').execute();
      await keyed(`replace(node_id, 'gone ', '')`);
      ahead += 24 * HOUR;
      await commitsAgain();

      expect(before).toEqual([1, 2].map((number) => !numbers.includes(number)));
      expect(await areRead()).toEqual([true, true]);
    },
  );

  it('has commits read of a push that was stored while the host was asked for those before it', async () => {
    await importBy('github_pat_mona');
    const { clientForSync } = syncing.context;
    let isPushed = false;
    const context: SyncDeps = {
      ...syncing.context,
      async clientForSync(user_id, repository_id) {
        const personal = await clientForSync(user_id, repository_id);
        if (personal === null || user_id !== octo) return personal;
        const pullRequestsById: HostClient['pullRequestsById'] = async (...of) => {
          const answer = await personal.client.pullRequestsById(...of);
          if (isPushed) return answer;
          isPushed = true;
          await happens(2, { kind: 'commits', count: 1 });
          await syncing.run(mona, repository, 'incremental');
          return answer;
        };
        return { ...personal, client: { ...personal.client, pullRequestsById } };
      },
    };

    await commitsAgain(context);

    const commits = await database.db.selectFrom('commits').select('number').orderBy('number').execute();
    expect(commits).toEqual([{ number: 1 }, { number: 2 }, { number: 2 }]);
    expect(await written(2)).toEqual({ authorship: 'human', areCommitsRead: true });
  });

  it('has commits of a push read at once, however lately others were asked for in vain', async () => {
    await importBy('github_pat_mona');
    await database.db.deleteFrom('connections').where('user_id', '=', octo).execute();
    await commitsAgain();
    await syncing.connect(octo, 'octo-org/plans');
    await syncing.run(octo, repository, 'full');
    await happens(2, { kind: 'commits', count: 1 });
    await syncing.run(mona, repository, 'incremental');
    const before = await written(2);

    await commitsAgain();

    expect(before).toEqual({ authorship: 'human', areCommitsRead: false });
    expect(await written(2)).toEqual({ authorship: 'human', areCommitsRead: true });
  });

  it('keeps nothing else from being read where what it is given without commits cannot be stored', async () => {
    const { db } = database;
    await importBy('github_pat_mona');
    await db.deleteFrom('connections').where('user_id', '=', octo).execute();
    await sql`alter table pull_requests add constraint cannot_be_tried check (collection_tried_at <= to_timestamp(0))`.execute(
      db,
    );
    try {
      await commitsAgain();
    } finally {
      await sql`alter table pull_requests drop constraint cannot_be_tried`.execute(db);
    }

    const failures = syncing.logged.filter(({ level }) => level === 'error');
    expect(failures).toMatchObject([{ fields: { step: 'read_again', repository_id: repository } }]);
    expect(await asked()).toBeGreaterThan(0);
  });

  it.each([
    ['the scope for teams', () => tokenWith(['repo'])],
    [
      'the permission for teams',
      async () => {
        await simulator.control('permissions', { members: false }, 'PATCH');
        return 'github_pat_mona';
      },
    ],
  ])('keeps the names of teams without %s', async (_, without) => {
    await syncing.run(octo, repository, 'full');

    const end = await readAgainBy(await without());

    const stored = await everythingStored(database.db, repository);
    expect(end).toMatchObject({ status: 'completed', skipped: [] });
    expect((await teams()).pending).toEqual(['@octo-org/greeters', '@octo-org/writers']);
    await simulator.control('permissions', { members: true }, 'PATCH');
    await syncing.run(octo, repository, 'full');
    expect(await everythingStored(database.db, repository)).toEqual(stored);
  });

  it('knows a team that was asked since then without its name', async () => {
    await syncing.run(octo, repository, 'full');
    await happens(2, { kind: 'review_requested', by: 'mona', reviewer: { team: 'testers' } });

    await readAgainBy(await tokenWith(['repo']));

    const named = ['@octo-org/greeters', '@octo-org/writers', '@?'];
    expect(await teams()).toEqual({ pending: named, events: named });
  });

  it('names no team where one of several is not asked any more', async () => {
    await syncing.run(octo, repository, 'full');
    await happens(2, { kind: 'review_request_removed', by: 'mona', reviewer: { team: 'writers' } });

    await readAgainBy(await tokenWith(['repo']));

    expect(await teams()).toEqual({ pending: ['@?'], events: ['@octo-org/greeters', '@octo-org/writers', '@?'] });
  });

  it('knows that a team is asked, where the host hides which', async () => {
    await simulator.control('permissions', { members: false }, 'PATCH');
    narrow = 'github_pat_mona';
    mona = await syncing.user('mona');
    await syncing.connect(mona, 'octo-org/plans');

    await syncing.run(mona, repository, 'full');

    expect(await teams()).toEqual({ pending: ['@?', '@?'], events: ['@?', '@?'] });
  });

  it('stores the largest pull requests without files, at the full size of a page', async () => {
    const size = { additions: 0, deletions: 0, files: [], tooLarge: true };
    await pull(3, 'As large as can be', { size });
    await pull(4, 'Another', { size });
    await simulator.control('counters', undefined, 'DELETE');

    const end = await syncing.run(octo, repository, 'full');

    const { rows } = await sql<object>`
      select p.number, p.changed_files, f.files_known from pull_requests p join pull_request_facts f using (repository_id, number)
      order by number`.execute(database.db);
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };
    expect(end).toMatchObject({ status: 'completed', imported_prs: 4, skipped: [] });
    expect(rows).toEqual([
      { number: 1, changed_files: 1, files_known: true },
      { number: 2, changed_files: 1, files_known: true },
      { number: 3, changed_files: 0, files_known: false },
      { number: 4, changed_files: 0, files_known: false },
    ]);
    expect(operations.PullRequests).toBe(1);
  });
});
