import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { readAgain } from '../../src/server/sync/read-again.ts';
import { openTestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { explained, lists, ofPeople } from '../support/every-figure.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { asked, openSyncing, type Syncing } from '../support/syncing.ts';

const HOUR = 3_600_000;
const PULL_REQUESTS = 200;
const REPOSITORY = 'octo-org/long';

/** What only reading again brings, by table. */
const collected: Readonly<Record<string, readonly string[]>> = {
  pull_requests: ['collection', 'labels', 'assignees', 'merge_commit_sha', 'description_marks'],
  commits: ['trailers', 'reverts_sha'],
  reviews: ['body_words'],
  comments: ['body_words', 'outdated', 'minimized', 'thumbs_up', 'thumbs_down'],
  checks: ['started_at'],
  pull_request_facts: ['authorship', 'agents', 'evidence', 'credited_id', 'credit_by'],
};
/** Now, for calls. */
const START = Date.now();

/** Every call of figures, about this repository and whoever writes there. */
const calls = [
  ...lists,
  ...ofPeople.map((path) => `${path}${path.includes('?') ? '&' : '?'}accounts=all`),
  ...['metrics?period=1y', 'prs', 'review-heatmap'].map((what) => `/api/contributors/mona/${what}`),
  ...explained,
].map((path) =>
  path
    .replace(/acme\/web/i, 'octo-org/long')
    .replace('username=ada', 'username=mona')
    .replace('part=BO', 'part=octo'),
);

/**
 * Leaves out what is not a figure: who wrote and started pull requests, which only reading them again tells, and when the host was last asked
 * whether somebody may read the repository, which can happen at any moment.
 */
function figuresAlone(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const names = ['authorship', 'agents', 'credited_to', 'credit_by', 'confidence', 'evidence', 'by_agent', 'labels'];
  const more = [
    'assignees',
    'assignee_kinds',
    'signals',
    'attributed_since',
    'reading_again',
    'traces_read',
    'checked_at',
    'next_check_at',
  ];
  return [...names, ...more].includes(key) ? undefined : value;
}

/** When it was asked for is another moment each time. */
const moments = ['fetched_at', 'answered_at', 'settled', 'collection_tried_at'];

let simulator: RunningSimulator;
let database: OpenDatabase;
let syncing: Syncing;
let user: number;
let id: number;
/** The clock never goes back. */
let ahead = 0;

beforeAll(async () => {
  [database, simulator] = await Promise.all([openTestDatabase(), startSimulator({ world: 'tiny' })]);
  await database.db.deleteFrom('repositories').execute();
  syncing = openSyncing(database.db, simulator, { now: () => new Date(Date.now() + ahead) });
  await simulator.control('accounts', { login: 'reader' });
  await simulator.control('repos', aRepository());
  user = await syncing.user('reader');
  id = await syncing.connect(user, REPOSITORY);
  await syncing.run(user, id, 'full');
});
afterAll(async () => {
  await syncing.stop();
  await database.close();
  await simulator.stop();
});

let imported: Map<string, string[]>;
beforeEach(async () => {
  await database.db.deleteFrom('hint_quotas').execute();
  await readAgain(syncing.context, { until: null }, new AbortController().signal);
  imported = await stored([]);
  await asBefore();
});

/** All rows of the repository's pull requests but these columns, as text. */
async function stored(except: readonly string[]): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const table of Object.keys(collected)) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - ${[...moments, ...except]}::text[])::text as row from ${sql.table(table)} t
      where repository_id = ${id}`.execute(database.db);
    tables.set(table, rows.map(({ row }) => row).sort());
  }
  return tables;
}

/** As the migration leaves what an earlier version stored. */
async function asBefore(): Promise<void> {
  for (const [table, columns] of Object.entries(collected)) {
    const emptied = columns.map((column) => {
      const empty = column === 'collection' ? sql`0` : column === 'labels' ? sql`'{}'` : sql`null`;
      return sql`${sql.ref(column)} = ${empty}`;
    });
    await sql`update ${sql.table(table)} set ${sql.join(emptied)} where repository_id = ${id}`.execute(database.db);
  }
}

const left = async () =>
  await database.db
    .selectFrom('pull_requests')
    .select(['number', 'created_at'])
    .where('repository_id', '=', id)
    .where('collection', '=', 0)
    .orderBy('number')
    .execute();
const run = async (signal = new AbortController().signal, pause = { until: null as Date | null }) => {
  await readAgain(syncing.context, pause, signal);
  return pause;
};

describe('what was stored before it was collected', () => {
  it('is read again, and is then as an import stores it; nothing else moves', async () => {
    const before = await stored(Object.values(collected).flat());

    await run();

    expect(await left()).toEqual([]);
    expect(await stored([])).toEqual(imported);
    expect(await stored(Object.values(collected).flat())).toEqual(before);
  });

  it('is read newest first, and goes on where it was stopped', async () => {
    const stop = new AbortController();
    const { db } = database;
    const asked: number[] = [];
    const client = syncing.context.clientForSync;
    const counting = {
      ...syncing.context,
      clientForSync: async (user_id: number, repository_id: number) => {
        const personal = await client(user_id, repository_id);
        asked.push((await left()).length);
        if (asked.length === 2) stop.abort();
        return personal;
      },
    };

    await readAgain(counting, { until: null }, stop.signal).catch(() => undefined);
    const rest = await left();
    const { rows } = await sql<{ newest: Date; oldest: Date }>`
      select (select max(created_at) from pull_requests where repository_id = ${id} and collection = 0) as newest,
        (select min(created_at) from pull_requests where repository_id = ${id} and collection = 1) as oldest`.execute(
      db,
    );
    await run();

    expect(rest.length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThan(PULL_REQUESTS);
    expect(rows[0]!.oldest.getTime()).toBeGreaterThanOrEqual(rows[0]!.newest.getTime());
    expect(await left()).toEqual([]);
  });

  it('takes less than a tenth of anybody’s quota, and goes on in the next hour', async () => {
    await database.db
      .insertInto('hint_quotas')
      .values({
        user_id: user,
        purpose: 'collection',
        points: 495,
        quota: 5000,
        window_ends_at: new Date(Date.now() + ahead + HOUR / 2),
      })
      .execute();

    await run();
    const then = await left();
    ahead += HOUR;
    await run();

    expect(then.length).toBeGreaterThan(0);
    expect(await left()).toEqual([]);
  });

  it('waits where the host asks for a pause, and stores nothing twice', async () => {
    await simulator.control('faults', { match: { next: 1 }, effect: { name: 'secondary_limit_403', retryAfter: 120 } });
    const pause = await run();
    const then = await left();
    await run(undefined, pause);

    expect(pause.until).not.toBeNull();
    expect(then).toHaveLength(PULL_REQUESTS);
    expect(await left()).toHaveLength(PULL_REQUESTS);
    ahead += HOUR;
    await run(undefined, pause);
    expect(await left()).toEqual([]);
  });

  it('waits where the host is down, instead of asking for each by itself', async () => {
    await simulator.control('faults', { match: { kind: 'graphql' }, effect: { name: 'bad_gateway' } });
    await simulator.control('counters', undefined, 'DELETE');

    const pause = await run();
    const { requests } = await asked(simulator);
    await simulator.control('faults', undefined, 'DELETE');

    expect(pause.until).not.toBeNull();
    expect(requests).toBeLessThan(20);
    expect(await left()).toHaveLength(PULL_REQUESTS);
    await run();
    expect(await left()).toEqual([]);
  });

  it('leaves out what the host does not give, until the next day, and looks at it by its number', async () => {
    const { node_id: key } = await database.db
      .selectFrom('pull_requests')
      .select('node_id')
      .where('repository_id', '=', id)
      .where('number', '=', 17)
      .executeTakeFirstOrThrow();
    await database.db
      .updateTable('pull_requests')
      .set({ node_id: 'PR_gone' })
      .where('repository_id', '=', id)
      .where('number', '=', 17)
      .execute();

    await run();

    expect((await left()).map(({ number }) => number)).toEqual([17]);
    const hints = await database.db.selectFrom('hints').select('subject').where('repository_id', '=', id).execute();
    expect(hints).toContainEqual({ subject: 'pull request 17' });
    await run();
    expect(await left()).toHaveLength(1);
    // Its key is mended, as a look at it by its number does.
    await database.db.deleteFrom('hints').execute();
    await database.db
      .updateTable('pull_requests')
      .set({ node_id: key })
      .where('repository_id', '=', id)
      .where('number', '=', 17)
      .execute();
    ahead += 24 * HOUR;
    await run();
    expect(await left()).toEqual([]);
  });

  it('of the threads and the issue that the host cannot tell now stays, and is asked for again', async () => {
    const { db } = database;
    await run();
    const due = () => new Date(Date.now() + ahead);
    const [newest, before, agents] = [PULL_REQUESTS, PULL_REQUESTS - 1, PULL_REQUESTS - 3];
    await db.updateTable('people').set({ kind: 'agent' }).where('login', '=', 'hubot').execute();
    const thread = (number: number) => ({
      repository_id: id,
      number,
      comment_id: String(9_000_003 + (number - 1) * 100),
    });
    await db
      .insertInto('review_threads')
      .values([newest, before].map((number) => ({ ...thread(number), resolved: true, resolved_by_id: null })))
      .execute();
    const threads = [newest, before].map((number) => ({ number, kind: 'threads' as const }));
    await db
      .insertInto('clues')
      .values(
        [...threads, { number: agents, kind: 'issue' as const }].map((clue) => ({
          ...clue,
          repository_id: id,
          due_at: due(),
        })),
      )
      .execute();
    for (const operation of ['ReviewThreads', 'ClosingIssues'])
      await simulator.control('faults', { match: { operation }, effect: { name: 'lost_node' } });
    const stored = async () => ({
      resolved: await db.selectFrom('review_threads').select(['number', 'resolved']).orderBy('number').execute(),
      left: await db
        .selectFrom('clues')
        .select(['number', 'kind'])
        .where('due_at', 'is not', null)
        .where('repository_id', '=', id)
        .orderBy('number')
        .execute(),
    });

    await run();
    const now = await stored();
    await simulator.control('faults', undefined, 'DELETE');
    ahead += HOUR;
    await run();
    const later = await stored();
    await db.updateTable('people').set({ kind: 'human' }).where('login', '=', 'hubot').execute();
    await db.deleteFrom('review_threads').execute();

    expect(now).toEqual({
      resolved: [
        { number: before, resolved: false },
        { number: newest, resolved: true },
      ],
      left: [
        { number: agents, kind: 'issue' },
        { number: newest, kind: 'threads' },
      ],
    });
    expect(later).toEqual({ resolved: [before, newest].map((number) => ({ number, resolved: false })), left: [] });
  });

  /** Notes that the issues of these are to be asked for: those of agents. */
  const dueIssues = async (...numbers: number[]) => {
    const due_at = new Date(Date.now() + ahead);
    await database.db.updateTable('people').set({ kind: 'agent' }).where('login', '=', 'hubot').execute();
    await database.db
      .insertInto('clues')
      .values(numbers.map((number) => ({ repository_id: id, number, kind: 'issue' as const, due_at })))
      .onConflict((conflict) => conflict.columns(['repository_id', 'number', 'kind']).doUpdateSet({ due_at }))
      .execute();
  };
  const stillDue = async () =>
    (
      await database.db.selectFrom('clues').select('number').where('due_at', 'is not', null).orderBy('number').execute()
    ).map(({ number }) => number);
  /** Of agents. */
  const [older, newer] = [PULL_REQUESTS - 10, PULL_REQUESTS - 3];

  it('is not lost from sight where an issue is another organisation’s that demands single sign-on, and is asked for once', async () => {
    await run();
    await dueIssues(older, newer);
    await simulator.control('faults', { match: { operation: 'ClosingIssues' }, effect: { name: 'sso_elsewhere' } });

    await run();
    await simulator.control('faults', undefined, 'DELETE');

    const connections = await database.db.selectFrom('connections').select(['readable', 'lost_at']).execute();
    await database.db.updateTable('people').set({ kind: 'human' }).where('login', '=', 'hubot').execute();
    expect(await stillDue()).toEqual([]);
    expect(connections).toEqual([{ readable: true, lost_at: null }]);
  });

  it('is asked for once where the host shows no pull request under the key in a repository that it shows', async () => {
    const { db } = database;
    await run();
    await dueIssues(older);
    const keyed = (node_id: string) =>
      db
        .updateTable('pull_requests')
        .set({ node_id })
        .where('repository_id', '=', id)
        .where('number', '=', older)
        .execute();
    const { node_id } = await db
      .selectFrom('pull_requests')
      .select('node_id')
      .where('repository_id', '=', id)
      .where('number', '=', older)
      .executeTakeFirstOrThrow();
    await keyed('PR_gone');

    await run();

    await keyed(node_id);
    await db.updateTable('people').set({ kind: 'human' }).where('login', '=', 'hubot').execute();
    expect(await stillDue()).toEqual([]);
    expect(await db.selectFrom('connections').select('readable').execute()).toEqual([{ readable: true }]);
  });

  it('lets others be asked about where the host cannot compute the issues of one, or its threads', async () => {
    const { db } = database;
    await run();
    await dueIssues(older, newer);
    const threads = [PULL_REQUESTS, PULL_REQUESTS - 1];
    await db
      .insertInto('clues')
      .values(
        threads.map((number) => ({
          repository_id: id,
          number,
          kind: 'threads' as const,
          due_at: new Date(Date.now() + ahead),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['repository_id', 'number', 'kind']).doUpdateSet({ due_at: new Date(Date.now() + ahead) }),
      )
      .execute();
    // Both together, and then the first.
    for (const [operation, next] of [
      ['ReviewThreads', 2],
      ['ClosingIssues', 1],
    ])
      await simulator.control('faults', { match: { operation, next }, effect: { name: 'went_wrong' } });

    const pause = await run();
    await simulator.control('faults', undefined, 'DELETE');

    await db.updateTable('people').set({ kind: 'human' }).where('login', '=', 'hubot').execute();
    const left = await stillDue();
    await db.deleteFrom('review_threads').execute();
    await db.deleteFrom('clues').execute();
    expect(pause.until).toBeNull();
    expect(left).toHaveLength(2);
    expect(left).toContain(newer);
    expect(left).not.toContain(older);
  });

  it('moves no figure of any call', async () => {
    const { db } = database;
    const app = await openTestApp({ host_url: simulator.url, database: { ...database }, now: () => new Date(START) });
    const cookie = await app.signIn('reader');
    await app.ask('POST', '/api/repos', { as: cookie, body: { owner: 'octo-org', name: 'long' } });
    const answers = async () => {
      const all = new Map<string, unknown>();
      for (const path of calls) {
        const { status, body } = await app.ask('GET', path, { as: cookie });
        if (status === 200) all.set(path, JSON.parse(JSON.stringify(body), figuresAlone));
      }
      return all;
    };
    // What is computed of it is as an earlier version stored it, too.
    await db.updateTable('pull_request_facts').set({ authorship: null, agents: null }).execute();
    const before = await answers();
    await run();
    const after = await answers();
    await app.stop();

    expect(before.size).toBeGreaterThan(60);
    for (const [path, answer] of before) expect(after.get(path), path).toEqual(answer);
    expect(after.size).toBe(before.size);
  });
});

function aRepository() {
  const opened = Date.now() - 400 * 86_400_000;
  const pullRequests = Array.from({ length: PULL_REQUESTS }, (_, index) => {
    const createdAt = Math.floor(opened / 1000) * 1000 + index * 86_400_000;
    const at = (minutes: number) => createdAt + minutes * 60_000;
    const base = 9_000_000 + index * 100;
    return {
      id: base,
      number: index + 1,
      title: `Change ${index + 1}`,
      author: index % 7 === 0 ? 'hubot' : 'mona',
      createdAt,
      openedAsDraft: false,
      baseRef: 'main',
      headRef: index % 11 === 0 ? `claude/change-${index}` : `change-${index}`,
      bodyLength: 40,
      ...(index % 13 === 0 && { body: 'Faster.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)' }),
      commits: [
        {
          sha: `${base}`.padStart(40, '0'),
          account: 'mona',
          authorName: 'Mona',
          authorEmail: 'mona@mail.example',
          authoredAt: createdAt,
          committedAt: createdAt,
          message: index % 5 === 0 ? 'Change\n\nCo-authored-by: Claude <noreply@anthropic.com>' : 'Change',
        },
      ],
      size: { additions: 1, deletions: 1, files: [{ path: 'a.ts', additions: 1, deletions: 1 }] },
      entries: [
        { kind: 'labeled', at: at(1), by: 'mona', label: 'bug' },
        { kind: 'assigned', at: at(2), by: 'mona', who: 'octo' },
        { kind: 'comment', at: at(3), by: 'octo', id: base + 1, body: 'Looks good to me' },
        {
          kind: 'review',
          at: at(4),
          by: 'octo',
          id: base + 2,
          state: 'COMMENTED',
          bodyLength: 10,
          commit: null,
          comments: [{ id: base + 3, at: at(4), author: 'octo', path: 'a.ts', inReplyTo: null }],
        },
        { kind: 'comment_outdated', at: at(5), by: 'mona', comment: base + 3 },
        { kind: 'reacted', at: at(6), by: 'mona', comment: base + 3, content: 'THUMBS_UP', count: 2 },
        {
          kind: 'check',
          at: at(7),
          by: null,
          id: base + 4,
          name: 'build',
          app: 'CI',
          startedAt: at(5),
          outcome: 'SUCCESS',
        },
        ...(index < 190 ? [{ kind: 'merged', at: at(60), by: 'octo', commit: `${base + 9}`.padStart(40, '0') }] : []),
      ],
    };
  });
  return {
    ...{ id: 77_001, owner: 'octo-org', name: 'long', private: true, readers: ['reader'], admins: [] },
    ...{ archived: false, defaultBranch: 'main', createdAt: opened, pullRequests },
  };
}
