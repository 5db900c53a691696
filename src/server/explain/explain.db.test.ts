import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Explanation } from '#contract/explain.ts';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { edgeHistory } from '../../../test/support/edge-history.ts';
import { measured } from '../../../test/support/every-figure.ts';
import { type RandomHistory, randomHistory } from '../../../test/support/random-history.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { meanOf, percentileOf, rounded } from '../../../test/twin/arithmetic.ts';
import { contributorMetrics } from '../contributors/contributor-metrics.ts';
import { findContributor } from '../contributors/find-contributor.ts';
import { listContributors } from '../contributors/list-contributors.ts';
import type { OpenDatabase } from '../db/open.ts';
import { type AskedWindow, windowAsked } from '../metrics/asked-window.ts';
import { catalogue, countedOf } from '../metrics/catalogue.ts';
import { type Scope, scopeOf } from '../metrics/scope.ts';
import { developerStats } from '../team/developer-stats.ts';
import { reviewLoad } from '../team/review-load.ts';
import { reviewerStats } from '../team/reviewer-stats.ts';
import { stuckPullRequests } from '../team/stuck-pull-requests.ts';
import { teamStats } from '../team/team-stats.ts';
import { explainRoutes } from './routes.ts';

const zone = 'Asia/Kolkata';
let database: OpenDatabase;
/** What two users see of everything: of a random history all, and of one where all lies at the edges of windows one repository. */
const views: { scope: Scope; now: Date }[] = [];
let scope: Scope;
let now: Date;

beforeAll(async () => {
  database = await openTestDatabase();
  const [random] = fc.sample(randomHistory, { seed: 13, numRuns: 1 });
  const edges = edgeHistory(Date.parse('2026-03-29T01:00:00Z'), zone);
  await see(random!, random!.repositories);
  await see(edges, edges.repositories.slice(1));
  useView(0);
});
afterAll(() => database.close());

async function see(history: RandomHistory, repositories: RandomHistory['repositories']): Promise<void> {
  const ids: number[] = [];
  for (const { owner, name, pulls } of repositories) {
    const id = await aRepository(database.db, `${owner}-${views.length}/${name}`);
    await store(database.db, id, history.now, pulls);
    ids.push(id);
  }
  // Connected by somebody else, too, with one repository more than this user sees.
  await aScope(database.db, ids);
  views.push({ scope: await aScope(database.db, ids.slice(0, 2)), now: new Date(history.now) });
}

function useView(place: number): void {
  ({ scope, now } = views[place]!);
}

type Query = Partial<Record<'username' | 'period' | 'from' | 'to' | 'accounts' | 'order', string>> & {
  readonly repository?: number;
};

async function explained(
  metric: string,
  query: Query & { limit?: number; offset?: number } = {},
): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => now });
  const user = { id: scope.user_id, host: 'h', login: 'me', time_zone: zone };
  const asked = { params: { metric }, query: { limit: 100, offset: 0, ...query }, user };
  return await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
}

/** All that went into a figure, page by page. */
async function allItems(metric: string, query: Query): Promise<Explanation['items']> {
  const items: Explanation['items'] = [];
  for (let more = true; more; ) {
    const page = await explained(metric, { ...query, offset: items.length });
    items.push(...page.items);
    more = page.hasMore;
    expect(page.total).toBe(page.n);
  }
  return items;
}

/** What the items come to, made as the figure says. */
function madeOf(key: FigureKey, items: Explanation['items']): number | null {
  const { metric, statistic = 'value' } = measured.get(key)!;
  const { made } = countedOf(metric);
  const values = items.flatMap(({ value }) => value ?? []);
  const factor = made === 'percent' ? 100 : 1;
  if (made === 'count') return items.length;
  if (statistic !== 'value') return percentileOf(values, Number(statistic.slice(1)) / 100);
  const mean = meanOf(values);
  return mean === null ? null : factor * mean;
}

/** Every number of a list's row or an answer, by the name that explain gives it: the value, and what its items come to. */
async function expectExplained(group: string, answer: object, query: Query) {
  for (const [name, value] of Object.entries(answer)) {
    const key = `${group}.${name}` as FigureKey;
    if (!isOneNumber(key)) continue;
    const explanation = await explained(key, query);
    const expected = Array.isArray(value) ? value.length : value;
    const of = `${key} ${JSON.stringify(query)}`;
    expect(rounded(explanation.value, expected), of).toBe(expected);
    if (expected !== 0 && expected !== null) seen.add(key);
    const items = explanation.hasMore ? await allItems(key, query) : explanation.items;
    expect(items.length, of).toBe(explanation.n);
    const isPer = 'per' in catalogue[measured.get(key)!.metric];
    if (!isPer) expect(rounded(madeOf(key, items), expected), `the items of ${of}`).toBe(expected);
  }
}

/** Every cell of the lists of people, and what the list of the review load adds up to, with and without bots and agents. */
async function expectPeopleExplained(of: Scope, narrowed: Query = {}): Promise<void> {
  const { db } = database;
  const [week, month] = [7, 30].map((days) => windowAsked(narrowed, days, now, zone)) as [AskedWindow, AskedWindow];
  for (const row of await reviewerStats(db, of, now, week, true))
    await expectExplained('reviewer', row, { username: row.reviewer, ...narrowed });
  for (const row of await reviewLoad(db, of, now, week, true))
    await expectExplained('load', row, { username: row.reviewer, ...narrowed });
  for (const row of await developerStats(db, of, now, zone, month, true))
    await expectExplained('developer', row, { username: row.author, ...narrowed });
  for (const accounts of ['humans', 'all'] as const) {
    const load = await reviewLoad(db, of, now, week, accounts === 'all');
    const sums = {
      outstanding_reviews: load.reduce((sum, row) => sum + row.outstanding_reviews, 0),
      complex_reviews: load.reduce((sum, row) => sum + row.complex_reviews, 0),
      active_reviewers: load.filter((row) => row.reviews_last_week > 0).length,
    };
    await expectExplained('team', sums, { accounts, ...narrowed });
  }
}

/** Whether a figure is explained here: figures of many parts and comparisons are in explain-parts.db.test.ts. */
function isOneNumber(key: string): boolean {
  const figure = measured.get(key as FigureKey);
  return figure !== undefined && figure.part === undefined && figure.among === undefined;
}

/** The figures that were explained while they came to something. */
const seen = new Set<FigureKey>();

test.each([0, 1])(
  'every figure comes to what its screen shows, and so do the items that went into it: view %i',
  async (view) => {
    useView(view);
    const { db } = database;
    await expectExplained('team', await teamStats(db, scope, now, zone, windowAsked({}, 30, now, zone)), {});
    await expectExplained('team', { stuck_prs: await stuckPullRequests(db, scope, now) }, {});
    await expectPeopleExplained(scope);
    for (const row of await listContributors(db, scope, now, true)) {
      const { username, repositories_count } = row;
      await expectExplained('all_time', row, { username });
      const person = (await findContributor(db, scope, username, now))!;
      for (const period of ['7d', '90d'] as const) {
        const metrics = await contributorMetrics(db, scope, person, period, now, zone);
        await expectExplained('contributor', { ...metrics, repositories_count }, { username, period });
      }
    }
    useView(0);
  },
);

test('a list of people that is narrowed to a repository is explained out of that repository', async () => {
  for (const repository of scope.repository_ids) {
    const narrowed = await scopeOf(database.db, scope.user_id, repository);
    const month = windowAsked({}, 30, now, zone);
    const { total_prs } = await teamStats(database.db, narrowed, now, zone, month);
    expect(total_prs).toBeLessThan((await teamStats(database.db, scope, now, zone, month)).total_prs);
    await expectPeopleExplained(narrowed, { repository });
  }
});

test.each([
  [0, { period: '90d' }],
  [1, { period: '1y' }],
  [1, { from: '2026-02-01', to: '2026-03-20' }],
  [1, { from: '2026-03-01T05:30:00Z' }],
  [1, { to: '2026-03-20T12:00:00+05:30' }],
])(
  'over a chosen window a figure is explained as its screen shows it, what is so now as of now: view %i, %o',
  async (view, chosen) => {
    useView(view);
    const { db } = database;
    const month = windowAsked(chosen, 30, now, zone);
    await expectExplained('team', await teamStats(db, scope, now, zone, month), chosen);
    await expectExplained('team', { stuck_prs: await stuckPullRequests(db, scope, now) }, chosen);
    await expectPeopleExplained(scope, chosen);
    useView(0);
  },
);

test('a window that was asked for by its ends is told by them; a period, and one that goes on, ends now', async () => {
  const windowOf = async (query: Query) => (await explained('team.merged_prs', query)).window;
  const iso = (at: string) => new Date(at).toISOString();
  useView(1);

  expect(await windowOf({ from: '2026-03-01', to: '2026-03-08' })).toEqual({
    from: iso('2026-02-28T18:30Z'),
    to: iso('2026-03-07T18:30Z'),
  });
  expect(await windowOf({ from: '2026-03-01', to: '2026-05-01' })).toEqual({
    from: iso('2026-02-28T18:30Z'),
    to: now.toISOString(),
  });
  expect((await windowOf({ period: '7d' })).from).toBe(new Date(now.getTime() - 7 * 86_400_000).toISOString());
  expect((await explained('team.open_prs', { period: '7d' })).window).toEqual({ from: null, to: now.toISOString() });
  await expect(windowOf({ from: '2026-03-08', to: '2026-03-08' })).rejects.toMatchObject({ status: 400 });
  useView(0);
});

test('no figure went unexplained', () => {
  // Those are shown of a team alone: teams-and-groups.test.ts.
  const ofOneTeam = ['team.from_outside', 'team.to_outside'];
  expect([...measured.keys()].filter((key) => isOneNumber(key) && !seen.has(key))).toEqual(ofOneTeam);
});

test('the mean of the items is the value, and the window is said', async () => {
  const explanation = await explained('team.avg_time_to_merge_hours');

  const values = explanation.items.map(({ value }) => value!);
  expect(values.length).toBe(explanation.n);
  expect(explanation.value).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
  expect(explanation.mean).toBe(explanation.value);
  expect(explanation).toMatchObject({ unit: 'hours', total: explanation.n, hasMore: false });
  expect(Date.parse(explanation.window.to) - Date.parse(explanation.window.from!)).toBe(30 * 24 * 3_600_000);
  expect(explanation.left_out).toEqual([{ reason: 'Closed without merging', count: expect.any(Number) }]);
});

test('items come in pages, latest first', async () => {
  const all = await explained('team.total_reviews');
  const second = await explained('team.total_reviews', { limit: 2, offset: 2 });

  expect(all.items.length).toBeGreaterThan(4);
  expect(second.items).toEqual(all.items.slice(2, 4));
  expect(second).toMatchObject({ total: all.total, hasMore: true });
  expect(all.items.map(({ at }) => at)).toEqual(
    all.items
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
});

test('or those that contribute most, in pages too', async () => {
  const order = 'value';
  const all = await explained('team.avg_time_to_merge_hours', { order });
  const second = await explained('team.avg_time_to_merge_hours', { order, limit: 1, offset: 1 });

  const values = all.items.map(({ value }) => value!);
  expect(values.length).toBeGreaterThan(2);
  expect(values).toEqual(values.toSorted((one, other) => other - one));
  expect(second.items).toEqual(all.items.slice(1, 2));
});

test('a figure without its group is the team’s, or with a person theirs', async () => {
  expect((await explained('merged_prs')).metric).toBe('team.merged_prs');
  expect((await explained('merged_prs', { username: 'ADA' })).metric).toBe('developer.merged_prs');
});

test('what is no such figure, nobody’s or of an unknown person is refused with what to do', async () => {
  await expect(explained('team.nonsense')).rejects.toMatchObject({ status: 404 });
  await expect(explained('constructor')).rejects.toMatchObject({ status: 404 });
  await expect(explained('contributor.badges', { username: 'ada' })).rejects.toMatchObject({ status: 404 });
  await expect(explained('reviewer.review_count')).rejects.toMatchObject({ status: 400 });
  await expect(explained('reviewer.review_count', { username: 'nobody' })).rejects.toMatchObject({ status: 404 });
});
