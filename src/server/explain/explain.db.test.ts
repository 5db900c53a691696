import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Explanation } from '#contract/explain.ts';
import { definitions, type FigureKey } from '#domain/definitions.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { randomHistory } from '../../../test/support/random-history.ts';
import { aRepository, aScope, store } from '../../../test/support/stored.ts';
import { contributorMetrics } from '../contributors/contributor-metrics.ts';
import { findContributor } from '../contributors/find-contributor.ts';
import { listContributors } from '../contributors/list-contributors.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Scope } from '../db/scope.ts';
import { developerStats } from '../team/developer-stats.ts';
import { reviewLoad } from '../team/review-load.ts';
import { reviewerStats } from '../team/reviewer-stats.ts';
import { stuckPullRequests } from '../team/stuck-pull-requests.ts';
import { teamStats } from '../team/team-stats.ts';
import { figures } from './figures.ts';
import { explainRoutes } from './routes.ts';

const zone = 'Asia/Kolkata';
let database: OpenDatabase;
let scope: Scope;
let now: Date;

beforeAll(async () => {
  database = await openTestDatabase();
  const [history] = fc.sample(randomHistory, { seed: 11, numRuns: 1 });
  now = new Date(history!.now);
  const ids: number[] = [];
  for (const { owner, name, pulls } of history!.repositories) {
    const id = await aRepository(database.db, `${owner}/${name}`);
    await store(database.db, id, history!.now, pulls);
    ids.push(id);
  }
  scope = await aScope(database.db, ids);
});
afterAll(() => database.close());

async function explained(
  metric: string,
  query: { username?: string; period?: string; repository?: number; limit?: number; offset?: number } = {},
): Promise<Explanation> {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => now });
  const user = { id: scope.user_id, host: 'h', login: 'me', time_zone: zone };
  const asked = { params: { metric }, query: { limit: 100, offset: 0, ...query }, user };
  return await explainMetric(asked as unknown as Parameters<typeof explainMetric>[0]);
}

/** Every number of a list's row or an answer, by the name that explain gives it. */
async function expectExplained(group: string, answer: object, query: { username?: string; period?: string }) {
  for (const [name, value] of Object.entries(answer)) {
    const key = `${group}.${name}`;
    if (!Object.hasOwn(figures, key)) continue;
    const explanation = await explained(key, query);
    const expected = Array.isArray(value) ? value.length : value;
    if (expected === null) expect(explanation.value, `${key} ${query.username}`).toBeNull();
    else expect(explanation.value, `${key} ${query.username}`).toBeCloseTo(expected, 9);
  }
}

test('every figure that is explained comes to what its screen shows', async () => {
  const { db } = database;
  await expectExplained('team', await teamStats(db, scope, now, zone), {});
  await expectExplained('team', { stuck_prs: await stuckPullRequests(db, scope, now) }, {});
  for (const row of await reviewerStats(db, scope, now, true))
    await expectExplained('reviewer', row, { username: row.reviewer });
  for (const row of await reviewLoad(db, scope, now, true))
    await expectExplained('load', row, { username: row.reviewer });
  for (const row of await developerStats(db, scope, now, zone, true))
    await expectExplained('developer', row, { username: row.author });
  for (const { username, repositories_count } of await listContributors(db, scope, now, true)) {
    const person = (await findContributor(db, scope, username, now))!;
    for (const period of ['7d', '90d'] as const) {
      const metrics = await contributorMetrics(db, scope, person, period, now, zone);
      await expectExplained('contributor', { ...metrics, repositories_count }, { username, period });
    }
  }
});

test('every explained figure has a definition', () => {
  expect(Object.keys(figures).filter((key) => !Object.hasOwn(definitions, key as FigureKey))).toEqual([]);
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
