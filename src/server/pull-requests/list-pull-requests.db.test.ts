import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aPerson,
  aPullRequest,
  approves,
  asks,
  closed,
  hour,
  merged,
  pending,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { aTeam } from '../../../test/support/teams.ts';
import type { OpenDatabase } from '../db/open.ts';
import { recountAllParticipations } from '../metrics/participations.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import type { PullRequestListRequest } from './filters.ts';
import { listPullRequests } from './list-pull-requests.ts';

const everything: PullRequestListRequest = { limit: 50, offset: 0, sortBy: 'updated_at', sortOrder: 'DESC' };
const asOf = new Date(hour(100));
let database: OpenDatabase;
let scope: Scope;
let other: Scope;

beforeAll(async () => {
  database = await openTestDatabase();
  const web = await aRepository(database.db, 'Acme/web');
  const api = await aRepository(database.db, 'acme/Api');
  scope = await aScope(database.db, [web, api]);
  other = await aScope(database.db, [await aRepository(database.db, 'else/where')]);
  const now = hour(100);
  await store(database.db, web, now, [
    { ...aPullRequest({ number: 1, additions: 5 }), title: 'Éclair: 100% faster_start', updatedAt: hour(1) },
    {
      ...aPullRequest({ number: 2, author: aPerson('bo', { displayName: 'Bela Orsini' }) }, merged(3)),
      title: 'banana',
      updatedAt: hour(3),
    },
    { ...aPullRequest({ number: 3, author: null }, closed(4)), title: 'Apple', updatedAt: hour(3) },
  ]);
  await store(database.db, api, now, [
    {
      ...aPullRequest(
        { number: 9, draft: true },
        approves(1, 'zoe'),
        approves(2, 'bo'),
        approves(3, 'zoe'),
        pending('@acme/core', 'bo', 'cy', 'bot-x'),
      ),
      title: 'apple',
      updatedAt: hour(3),
    },
  ]);
});
afterAll(() => database.close());

const ask = (request: Partial<PullRequestListRequest> = {}) =>
  listPullRequests(database.db, scope, { ...everything, ...request }, asOf);
const rowsOf = async (request: Partial<PullRequestListRequest> = {}) =>
  (await ask(request)).prs.map((row) => `${row.repo_full_name}#${row.pr_number}`);

test('counts hold everything in scope, whatever state and text say', async () => {
  const counts = { all: 4, open: 2, merged: 1, closed: 1 };

  expect(await ask()).toMatchObject({ total: 4, counts, hasMore: false });
  expect(await ask({ state: 'merged', q: 'zzz' })).toMatchObject({ prs: [], total: 0, counts, hasMore: false });
});

test('the last updated stand first, ties by owner, name and number', async () => {
  expect(await rowsOf()).toEqual(['acme/Api#9', 'Acme/web#2', 'Acme/web#3', 'Acme/web#1']);
  expect(await rowsOf({ sortOrder: 'ASC' })).toEqual(['Acme/web#1', 'acme/Api#9', 'Acme/web#2', 'Acme/web#3']);

  const [web] = scope.repository_ids;
  const inWeb = await scopeOf(database.db, scope.user_id, web);
  for (const [offset, number] of [2, 3, 1].entries())
    expect((await listPullRequests(database.db, inWeb, { ...everything, limit: 1, offset }, asOf)).prs).toMatchObject([
      { pr_number: number },
    ]);
});

test('titles are ordered by lower-cased code points', async () => {
  expect((await ask({ sortBy: 'title', sortOrder: 'ASC' })).prs.map(({ title }) => title)).toEqual([
    'apple',
    'Apple',
    'banana',
    'Éclair: 100% faster_start',
  ]);
});

test('a page says whether more follow', async () => {
  expect(await ask({ limit: 2, offset: 1 })).toMatchObject({ total: 4, hasMore: true });
  expect(await rowsOf({ limit: 2, offset: 1 })).toEqual(['Acme/web#2', 'Acme/web#3']);
  expect(await ask({ limit: 1, offset: 3 })).toMatchObject({ hasMore: false });
  expect(await ask({ limit: 1, offset: 9 })).toMatchObject({ prs: [], total: 4, hasMore: false });
  expect(await ask({ limit: 1, offset: Number.MAX_SAFE_INTEGER })).toMatchObject({ prs: [], total: 4, hasMore: false });
});

test('the text is trimmed, literal and found in title, author’s login or name, or full name without regard to case', async () => {
  expect(await rowsOf({ q: ' éCLAIR ' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: '0%' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: '%' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: 'r_s' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: 'BO' })).toEqual(['Acme/web#2']);
  expect(await rowsOf({ q: 'bela ors' })).toEqual(['Acme/web#2']);
  expect(await rowsOf({ q: 'acme/a' })).toEqual(['acme/Api#9']);
  expect(await rowsOf({ q: 'ghost' })).toEqual(['Acme/web#3']);
  expect(await rowsOf({ q: 'GHo' })).toEqual(['Acme/web#3']);
  expect((await ask({ q: '   ' })).total).toBe(4);
});

test('a text of several letters is literal, too', async () => {
  expect(await rowsOf({ q: 'aster_start' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: '100% fast' })).toEqual(['Acme/web#1']);
  expect(await rowsOf({ q: 'éclair' })).toEqual(['Acme/web#1']);
  for (const q of ['aster%start', 'aste_start', 'aster\\_start', 'faster_start%', 'éclair%'])
    expect([q, await rowsOf({ q })]).toEqual([q, []]);
});

test('what holds a text by title, author and repository at once is found once, on whichever page', async () => {
  const { db } = database;
  const [tool, site] = [await aRepository(db, 'acme/parser'), await aRepository(db, 'acme/site')];
  const both = await aScope(db, [tool, site]);
  const author = aPerson('parser-fan');
  const titled = (number: number, title: string, by = aPerson('ada')) => ({
    ...aPullRequest({ number, author: by }, ...(number % 2 === 0 ? [merged(5)] : [])),
    title,
    updatedAt: hour(number),
  });
  await store(db, tool, hour(100), [titled(1, 'A parser', author), titled(2, 'Docs'), titled(5, 'More docs')]);
  await store(db, site, hour(100), [
    titled(3, 'Use the parser', author),
    titled(4, 'A page'),
    titled(6, 'A menu', author),
    titled(7, 'The old Parser goes'),
  ]);
  const found = async (request: Partial<PullRequestListRequest>) => {
    const { prs, total, found: counts } = await listPullRequests(db, both, { ...everything, ...request }, asOf);
    return { numbers: prs.map(({ pr_number }) => pr_number), total, counts };
  };
  const counts = { all: 6, open: 4, merged: 2, closed: 0 };

  expect(await found({ q: 'parser' })).toEqual({ numbers: [7, 6, 5, 3, 2, 1], total: 6, counts });
  const inState = await found({ q: 'PARSER', state: 'open' });
  expect(inState).toEqual({ numbers: [7, 5, 3, 1], total: 4, counts });
  for (const [offset, number] of [7, 6, 5, 3, 2, 1].entries())
    expect(await found({ q: 'parser', limit: 1, offset })).toEqual({ numbers: [number], total: 6, counts });
  for (const [offset, number] of [7, 5, 3, 1].entries())
    expect(await found({ q: 'parser', state: 'open', limit: 1, offset })).toMatchObject({
      numbers: [number],
      total: 4,
    });
  expect(await found({ q: 'parser', bots: 'hide', limit: 1, offset: 5 })).toMatchObject({ numbers: [1], total: 6 });
  expect(await found({ q: 'parser', authorship: 'human', limit: 2 })).toMatchObject({ numbers: [7, 6], total: 6 });
});

test('a state narrows the list and its total', async () => {
  expect(await rowsOf({ state: 'open' })).toEqual(['acme/Api#9', 'Acme/web#1']);
  expect(await ask({ state: 'open', q: 'apple' })).toMatchObject({ total: 1, counts: { all: 4 } });
});

test('what a text finds is counted in every state, whichever is listed', async () => {
  expect(await ask({ state: 'open', q: 'APPLE' })).toMatchObject({
    total: 1,
    found: { all: 2, open: 1, merged: 0, closed: 1 },
  });
  expect(await ask({ q: 'apple', drafts: 'hide' })).toMatchObject({ found: { all: 1, open: 0, closed: 1 } });
  expect((await ask({})).found).toBeNull();
});

test('reviewers stand in order of their first review, then the humans asked, then the teams', async () => {
  const { prs } = await ask({ q: 'acme/api' });

  expect(prs[0]).toMatchObject({
    reviewers: ['zoe', 'bo', 'cy', '@acme/core'],
    draft: true,
    author: 'ada',
    author_kind: 'human',
  });
});

test('a deleted author is a ghost', async () => {
  expect((await ask({ q: 'ghost' })).prs[0]).toMatchObject({ author: 'ghost', author_kind: 'ghost', waiting_on: null });
});

test('what others connected stays unseen', async () => {
  expect(await listPullRequests(database.db, other, everything, asOf)).toEqual({
    prs: [],
    total: 0,
    hasMore: false,
    counts: { all: 0, open: 0, merged: 0, closed: 0 },
    found: null,
    attributed_since: null,
  });
});

test('a scope that leaves out pull requests of its repositories counts, finds and lists the others alone', async () => {
  const withoutTies = (of: Scope): Scope => ({
    ...of,
    coversRepositories: false,
    filter: (table, column) =>
      table === 'p'
        ? sql`(${of.filter(table, column)} and p.updated_at <> ${new Date(hour(3))})`
        : of.filter(table, column),
    within: (ids) => withoutTies(of.within(ids)),
  });
  const counts = { all: 1, open: 1, merged: 0, closed: 0 };
  const narrowed = async (request: Partial<PullRequestListRequest>) => {
    const { prs, ...rest } = await listPullRequests(
      database.db,
      withoutTies(scope),
      { ...everything, ...request },
      asOf,
    );
    return { ...rest, numbers: prs.map(({ pr_number }) => pr_number) };
  };
  const found = { numbers: [1], total: 1, hasMore: false, counts, attributed_since: null };

  expect(await narrowed({})).toEqual({ ...found, found: null });
  expect(await narrowed({ bots: 'hide', agents: 'hide' })).toEqual({ ...found, found: null });
  for (const q of ['acme', 'acme/web', 'ada']) expect(await narrowed({ q })).toEqual({ ...found, found: counts });
});

test('drafts, bots and agents are left out or shown alone, bots and agents alone together, and the counts stay', async () => {
  const id = await aRepository(database.db, 'acme/kinds');
  const kinds = await aScope(database.db, [id]);
  const bots = { author: aPerson('bot-x') };
  await store(database.db, id, hour(100), [
    { ...aPullRequest({ number: 1 }, asks(1, 'zoe')), title: 'By hand', updatedAt: hour(1) },
    { ...aPullRequest({ number: 2, draft: true }), title: 'Not yet', updatedAt: hour(2) },
    { ...aPullRequest({ number: 3, ...bots }, approves(1, 'zoe')), title: 'Bump', updatedAt: hour(3) },
    { ...aPullRequest({ number: 4, author: aPerson('agent-x') }), title: 'Fix', updatedAt: hour(4) },
    { ...aPullRequest({ number: 5, headRef: 'codex/fix' }, merged(5)), title: 'Fix more', updatedAt: hour(5) },
    { ...aPullRequest({ number: 6, author: null }), title: 'By nobody', updatedAt: hour(6) },
  ]);
  const numbers = async (request: Partial<PullRequestListRequest>) => {
    const { prs, total, counts } = await listPullRequests(database.db, kinds, { ...everything, ...request }, asOf);
    expect(total).toBe(prs.length);
    expect(counts).toEqual({ all: 6, open: 5, merged: 1, closed: 0 });
    return prs.map(({ pr_number }) => pr_number);
  };

  expect(await numbers({ drafts: 'hide' })).toEqual([6, 5, 4, 3, 1]);
  expect(await numbers({ drafts: 'only' })).toEqual([2]);
  expect(await numbers({ bots: 'hide' })).toEqual([6, 5, 4, 2, 1]);
  expect(await numbers({ bots: 'only' })).toEqual([3]);
  expect(await numbers({ agents: 'hide' })).toEqual([6, 3, 2, 1]);
  expect(await numbers({ agents: 'only' })).toEqual([5, 4]);
  expect(await numbers({ bots: 'only', agents: 'only' })).toEqual([5, 4, 3]);
  expect(await numbers({ bots: 'hide', agents: 'hide', drafts: 'hide' })).toEqual([6, 1]);
  expect(await numbers({ agents: 'only', state: 'merged' })).toEqual([5]);
  expect(await numbers({ agents: 'only', q: 'more' })).toEqual([5]);
  expect(await numbers({ turn: 'author' })).toEqual([2]);
  expect(await numbers({ turn: 'reviewers' })).toEqual([6, 4, 1]);
  expect(await numbers({ turn: 'merge' })).toEqual([3]);
});

test('of many matches as of few the total is exact and each page stands where it should', async () => {
  const id = await aRepository(database.db, 'acme/many');
  const many = await aScope(database.db, [id]);
  const last = 5050;
  await fill(
    id,
    last,
    sql`'Many ' || n || case when n <= 10 then ' first' when n between 4000 and 4200 then ' later' else '' end`,
  );
  const page = async (request: Partial<PullRequestListRequest>) => {
    const { prs, total, hasMore } = await listPullRequests(
      database.db,
      many,
      { ...everything, limit: 3, ...request },
      asOf,
    );
    return { numbers: prs.map(({ pr_number }) => pr_number), total, hasMore };
  };

  expect(await page({ q: 'many' })).toEqual({ numbers: [last, last - 1, last - 2], total: last, hasMore: true });
  expect(await page({ q: 'many', offset: 5048 })).toEqual({ numbers: [2, 1], total: last, hasMore: false });
  expect(await page({ q: 'many 505' })).toEqual({ numbers: [5050, 505], total: 2, hasMore: false });
  // What the first ones promise, and the others do not keep.
  expect(await page({ q: 'first', limit: 1 })).toEqual({ numbers: [10], total: 10, hasMore: true });
  expect(await page({ q: 'later', limit: 1 })).toEqual({ numbers: [4200], total: 201, hasMore: true });
  expect(await page({ q: 'MANY 1', sortOrder: 'ASC' })).toMatchObject({ numbers: [1, 10, 11], hasMore: true });
  expect(await page({ q: 'acme/many', drafts: 'hide' })).toMatchObject({
    numbers: [5049, 5047, 5045],
    total: 2525,
  });
  expect(await page({ agents: 'only' })).toMatchObject({ numbers: [5050, 5045, 5040], total: 1010 });
  expect(await page({ agents: 'hide', state: 'open' })).toMatchObject({ numbers: [5049, 5048, 5047], total: 4040 });
  expect(await page({ agents: 'hide', state: 'merged' })).toMatchObject({ numbers: [], total: 0 });
  expect(await page({ agents: 'only', bots: 'only', offset: 1009 })).toMatchObject({ numbers: [5], total: 1010 });

  // Behind the end nothing is read on the way there.
  let most = 0;
  const counting = database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      most = Math.max(most, result.rows.length);
      return result;
    },
  });
  const behind = { ...everything, offset: last + 50, sortBy: 'title' as const };
  expect(await listPullRequests(counting, many, behind, asOf)).toMatchObject({ prs: [], total: last, hasMore: false });
  expect(most).toBeLessThan(50);

  const web = await aRepository(database.db, 'acme/few');
  await store(database.db, web, hour(100), [
    { ...aPullRequest({ number: 1 }, merged(3)), title: 'How many?', updatedAt: hour(1) },
    { ...aPullRequest({ number: 2, author: aPerson('agent-x') }), title: 'Too many', updatedAt: hour(2) },
    { ...aPullRequest({ number: 3 }), title: 'None', updatedAt: hour(3) },
  ]);
  const both = await aScope(database.db, [id, web]);
  const pageOfBoth = async (request: Partial<PullRequestListRequest>) => {
    const asked = { ...everything, limit: 4, sortOrder: 'ASC', ...request } as const;
    const { prs, total, hasMore } = await listPullRequests(database.db, both, asked, asOf);
    return { rows: prs.map(({ repo_name, pr_number }) => `${repo_name}#${pr_number}`), total, hasMore };
  };
  const ofAll = { rows: ['few#1', 'few#2', 'many#1', 'many#2'], total: last + 2, hasMore: true };
  expect(await pageOfBoth({ q: 'many' })).toEqual(ofAll);
  expect(await pageOfBoth({ q: 'acme' })).toEqual({
    rows: ['few#1', 'few#2', 'few#3', 'many#1'],
    total: last + 3,
    hasMore: true,
  });
  expect(await pageOfBoth({ q: 'first', limit: 1 })).toEqual({ rows: ['many#1'], total: 10, hasMore: true });
  expect(await pageOfBoth({ q: 'later', limit: 1 })).toEqual({ rows: ['many#4000'], total: 201, hasMore: true });
  expect(await pageOfBoth({ q: 'many', state: 'merged' })).toEqual({ rows: ['few#1'], total: 1, hasMore: false });
  expect(await pageOfBoth({ q: 'many', agents: 'only', limit: 2 })).toMatchObject({
    rows: ['few#2', 'many#5'],
    total: 1011,
  });
  expect(await pageOfBoth({ q: 'many', drafts: 'only', limit: 2 })).toMatchObject({
    rows: ['many#2', 'many#4'],
    total: 2525,
  });
  expect(await pageOfBoth({ q: 'few', limit: 2 })).toEqual({ rows: ['few#1', 'few#2'], total: 3, hasMore: true });
});

test('who wrote pull requests, with what and for whom narrows the list to the rows that say so, of few and of many, with and without a team', async () => {
  const { db } = database;
  const id = await aRepository(db, 'acme/written');
  const authors = ['dee', 'eli', 'bot-w', 'agent-w', null];
  await store(
    db,
    id,
    hour(100),
    Array.from({ length: 120 }, (_, index) => {
      const login = authors[index % 5]!;
      return {
        ...aPullRequest(
          { number: index + 1, author: login === null ? null : aPerson(login), draft: index % 7 === 0 },
          ...(index % 2 === 0 ? [merged(3)] : []),
        ),
        updatedAt: hour(index / 10),
      };
    }),
  );
  const people = new Map(
    (await db.selectFrom('people').select(['id', 'login']).execute()).map(({ id, login }) => [login, id]),
  );
  // Some were stored by an older version; of the others some have traces, and some agents are credited to somebody.
  await sql`
    update pull_request_facts set
      authorship = case when number % 11 > 0 then case when number % 5 in (1, 2) and number % 3 = 0 then 'assisted' else authorship end end,
      by_agent = by_agent or (number % 5 in (1, 2) and number % 3 = 0),
      agents = case when number % 3 = 0 then '{claude}'::text[] when number % 4 = 0 then '{codex,claude}' else agents end,
      credited_id = case when number % 11 = 0 then null when number % 5 = 4 and number % 2 = 0 then ${people.get('dee')!} else credited_id end,
      credit_by = case when number % 11 = 0 then null when number % 5 = 4 and number % 2 = 0 then 'line' else credit_by end
    where repository_id = ${id}`.execute(db);
  const all = await aScope(db, [id]);
  const team = await aTeam(db, 'Writers', [all.user_id], [{ person: people.get('dee')!, from: null, to: null }]);
  const asTeam = await scopeOf(db, all.user_id, undefined, { team });
  const filters: Partial<PullRequestListRequest>[] = [
    {},
    ...(['human', 'assisted', 'agent', 'bot'] as const).map((authorship) => ({ authorship })),
    ...['claude', 'codex', 'no-such-tool'].map((tool) => ({ tool })),
    ...['DEE', 'eli', 'agent-w', 'no-such-login', 'none', 'NONE'].map((credited_to) => ({ credited_to })),
    { authorship: 'agent', credited_to: 'none' },
    { authorship: 'human', tool: 'claude', credited_to: 'dee' },
    { authorship: 'assisted', tool: 'claude', credited_to: 'eli' },
  ];
  const others: Partial<PullRequestListRequest>[] = [
    {},
    { state: 'merged' },
    { drafts: 'hide' },
    { agents: 'only' },
    { q: 'dee' },
  ];
  let found = 0;
  for (const of of [all, asTeam])
    for (const other of others) {
      const asked = { ...everything, limit: 500, ...other };
      const whole = await listPullRequests(db, of, asked, asOf);
      for (const filter of filters) {
        const { authorship, tool, credited_to } = filter;
        const wanted = whole.prs.filter(
          (row) =>
            (authorship === undefined || row.authorship === authorship) &&
            (tool === undefined || row.agents.includes(tool)) &&
            (credited_to === undefined ||
              row.credited_to === (credited_to.toLowerCase() === 'none' ? null : credited_to.toLowerCase())),
        );
        const label = JSON.stringify({ ...other, ...filter });
        const { prs, total, counts } = await listPullRequests(db, of, { ...asked, ...filter }, asOf);
        expect({ rows: prs, total, counts }, label).toEqual({
          rows: wanted,
          total: wanted.length,
          counts: whole.counts,
        });
        // Where many match for the page, the index is walked.
        const walked = await listPullRequests(db, of, { ...asked, ...filter, limit: 1, offset: 1 }, asOf);
        expect(walked.prs, label).toEqual(wanted.slice(1, 2));
        found += wanted.length;
      }
    }
  expect(found).toBeGreaterThan(500);
});

test('the pages of many repositories are the whole list in order, however busy some of them are', async () => {
  const sizes: (readonly [string, number])[] = [
    ['zed/busiest', 400],
    ['Acme/busy', 90],
    ['acme/calm', 30],
    ['acme/none', 0],
    ...Array.from({ length: 30 }, (_, n) => [`mid/r${n}`, n % 3] as const),
  ];
  const ids: number[] = [];
  for (const [name, size] of sizes) {
    const id = await aRepository(database.db, name);
    await fill(id, size, sql`'T' || n % 7`);
    ids.push(id);
  }
  const of = await aScope(database.db, ids);
  const rows = sizes.flatMap(([name, size]) =>
    Array.from({ length: size }, (_, index) => ({ name, number: index + 1, title: (index + 1) % 7 })),
  );
  const orders = [
    { sortBy: 'updated_at', sortOrder: 'DESC', compare: (a: Row, b: Row) => b.number - a.number },
    { sortBy: 'updated_at', sortOrder: 'ASC', compare: (a: Row, b: Row) => a.number - b.number },
    { sortBy: 'title', sortOrder: 'DESC', compare: (a: Row, b: Row) => b.title - a.title },
  ] as const;
  type Row = (typeof rows)[number];
  const byName = (a: Row, b: Row) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : Number(a.name !== b.name));

  for (const { sortBy, sortOrder, compare } of orders) {
    const expected = rows
      .toSorted((a, b) => compare(a, b) || byName(a, b) || a.number - b.number)
      .map(({ name, number }) => `${name}#${number}`);
    for (const [offset, limit] of [
      [0, 1],
      [0, 50],
      [90, 50],
      [300, 50],
      [0, 500],
      [530, 50],
      [600, 50],
    ] as const) {
      const { prs } = await listPullRequests(database.db, of, { limit, offset, sortBy, sortOrder }, asOf);
      const page = prs.map(({ repo_full_name, pr_number }) => `${repo_full_name}#${pr_number}`);
      expect(page, `${sortBy} ${sortOrder} ${offset}`).toEqual(expected.slice(offset, offset + limit));
    }
  }
});

/** Numbers from 1 to `last`, each updated a second after the one before, every other one a draft, every fifth by an agent. */
async function fill(id: number, last: number, title: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into pull_requests (repository_id, number, host_id, node_id, title, title_lower, url, state, draft, created_at, updated_at,
      additions, deletions, changed_files, commits, comments, review_comments, base_ref, head_ref, fetched_at, settled)
    select ${id}::int, n, n::text, n::text, title, lower(title), '', 'open', n % 2 = 0, now(),
      timestamptz '2030-01-01 00:00Z' + n * interval '1 second', 1, 0, 1, 1, 0, 0, 'main', 'topic', now(), true
    from generate_series(1, ${last}::int) n, lateral (select ${title} as title) made`.execute(database.db);
  await sql`
    insert into pull_request_facts (repository_id, number, version, last_activity_at, active_development_time,
      waiting_for_review_time, review_cycles, phases, reviewer_ids, draft, created_at, lines_changed, by_agent)
    select ${id}::int, n, 1, now(), 0, 0, 0, '[]', '{}', n % 2 = 0, now(), 1, n % 5 = 0 from generate_series(1, ${last}::int) n`.execute(
    database.db,
  );
  await recountAllParticipations(database.db, id);
}
