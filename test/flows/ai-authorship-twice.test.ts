import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { endpoints } from '#contract/endpoints.ts';
import { authorshipExplanations } from '../../src/server/ai/explain-authorship.ts';
import { aiRoutes } from '../../src/server/ai/routes.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { explainRoutes } from '../../src/server/explain/routes.ts';
import { casesOf, openTestDatabase } from '../support/database.ts';
import { cargoPullRequests } from '../support/judged-signals.ts';
import { zones } from '../support/random-history.ts';
import { randomFrom, randomReviewed } from '../support/random-reviewed.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import {
  between,
  narrowed,
  type Query,
  type Question,
  type StoredReviews,
  storedReviews,
  withTeam,
} from '../support/reviews.ts';
import {
  type AskedOfAuthorship,
  authorshipOf,
  creditedToNobody,
  explainedFigures,
  explainedWithinSizes,
} from '../twin/ai-authorship.ts';
import { rounded } from '../twin/arithmetic.ts';

/*
 * Who writes pull requests and how they fare, asked of the server and counted by plain loops.
 */

const SEED = Number(process.env.AI_SEED ?? 20_261_125);
const RUNS = Number(process.env.AI_RUNS ?? casesOf(3));
const DAY = 24 * 3_600_000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const seeds = Array.from({ length: RUNS }, (_, index) => SEED + index);

async function expectAuthorship(
  view: StoredReviews,
  question: Question,
  by: 'group' | 'tool',
  bots: boolean,
  /** Of which group every figure is opened. */
  explain: ((told: AiAuthorship) => string) | null = null,
): Promise<Map<string, number>> {
  const { query, pulls, mine } = narrowed(view, question);
  const asking = { pulls: [...mine], all: pulls, now: view.now, zone: view.zone, window: question, by, bots };
  const expected = authorshipOf(asking);
  const { getAiAuthorship } = aiRoutes({ db: database.db, now: () => new Date(view.now) });
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const { query: asked, answer } = endpoints.getAiAuthorship;
  const parsed = asked.parse({ ...query, by, bots: String(bots) });
  const told = answer.parse(JSON.parse(JSON.stringify(await getAiAuthorship({ user, query: parsed } as never))));
  expect(rounded(told, expected), JSON.stringify({ ...query, by, bots })).toEqual(expected);
  if (by === 'group') expectParts(told);
  if (explain !== null) {
    const [explaining, group] = [{ ...query, by, bots: String(bots) }, explain(told)];
    await expectExplained(view, explaining, asking, group);
    await expectWithinSizes(view, explaining, asking, by === 'group' ? 'assisted' : group);
    await expectNobody(view, explaining, asking, told);
  }
  return new Map(expected.groups.map(({ key, n_opened }) => [key, n_opened]));
}

/** What each figure of a group opens to: its value, and all of its pull requests with what each contributes. */
async function expectExplained(view: StoredReviews, query: Query, asked: AskedOfAuthorship, part: string) {
  for (const { figure, value, things, leftOut } of explainedFigures(asked, part)) {
    const items: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const told = await explained(view, figure, { ...query, part, limit: '100', offset: String(items.length) });
      const { n, total, left_out } = told;
      expect(
        rounded({ value: told.value, n, total }, { value, n: things.length, total: things.length }),
        figure,
      ).toEqual({ value, n: things.length, total: things.length });
      if (leftOut !== undefined)
        expect(
          left_out.map(({ count }) => count),
          figure,
        ).toEqual([leftOut]);
      items.push(...told.items.map(lineOfItem));
      ({ hasMore } = told);
    }
    const expected = things.map(({ on, value: its }) => lineOf(on.repository, on.pull.number, its));
    expect(items.toSorted(), `the pull requests of ${figure}`).toEqual(expected.toSorted());
  }
}

/** What each figure opens to within the sizes in which the group is compared with those without a trace. */
async function expectWithinSizes(view: StoredReviews, query: Query, asked: AskedOfAuthorship, group: string) {
  const percentile = asked.by === 'group' ? 'p50' : 'p90';
  for (const { figure, weights, sides } of explainedWithinSizes(asked, group, Number(percentile.slice(1)) / 100)) {
    const told = await explained(view, `within_sizes.${figure}`, {
      ...query,
      group,
      statistic: percentile,
      limit: '100',
    });
    const expected = {
      sides: sides.map(({ value, n }) => ({ value, n, total: n })),
      weights,
      total: sides[0].n + sides[1].n,
    };
    const answered = {
      sides: told.sides!.map(({ value, n, total }) => ({ value, n, total })),
      weights: told.sizes!.map(({ weight }) => weight),
      total: told.total,
    };
    expect(rounded(answered, expected), `${figure} of ${group}`).toEqual(expected);
    if (told.hasMore) continue;
    const lines = sides.flatMap(({ things }) =>
      things.map(({ on, value }) => lineOf(on.repository, on.pull.number, value)),
    );
    expect(told.items.map(lineOfItem).toSorted(), `the pull requests of ${figure} within sizes`).toEqual(
      lines.toSorted(),
    );
  }
}

/** Agents' pull requests that nobody is known to have started. */
async function expectNobody(view: StoredReviews, query: Query, asked: AskedOfAuthorship, { credited }: AiAuthorship) {
  const expected = creditedToNobody(asked).map((on) => `${on.repository}#${on.pull.number}`);
  const { items, n } = await explained(view, 'credited', { ...query, part: 'none', limit: '100' });
  expect([n, n]).toEqual([expected.length, credited.of - credited.n]);
  if (n <= items.length)
    expect(items.map((item) => `${item.repo_owner}/${item.repo_name}#${item.pr_number}`).toSorted()).toEqual(
      expected.toSorted(),
    );
}

async function explained(view: StoredReviews, figure: string, query: object) {
  const { explainMetric } = explainRoutes({ db: database.db, now: () => new Date(view.now) }, authorshipExplanations);
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const { query: shape, answer } = endpoints.explainMetric;
  const told = await explainMetric({ user, params: { metric: `ai.${figure}` }, query: shape.parse(query) } as never);
  return answer.parse(JSON.parse(JSON.stringify(told)));
}

type Item = Awaited<ReturnType<typeof explained>>['items'][number];
const lineOfItem = ({ repo_owner, repo_name, pr_number, value }: Item) =>
  lineOf(`${repo_owner}/${repo_name}`, pr_number, value);

const lineOf = (repository: string, number: number, value: number | null) =>
  `${repository}#${number} ${value === null ? '' : value.toFixed(6)}`;

/** Groups add up to the whole, weeks and sizes to their groups. */
function expectParts({ groups, series, within_sizes }: AiAuthorship): void {
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  for (const [index, group] of groups.entries()) {
    const weeks = series.filter((point) => point.group === group.key);
    expect(sum(weeks.map(({ opened }) => opened))).toBe(group.n_opened);
    expect(sum(weeks.map(({ merged }) => merged))).toBe(group.n_merged);
    const sizes = within_sizes.map((size) => size.groups[index]!);
    for (const count of ['n_opened', 'n_merged', 'tried'] as const)
      expect(sum(sizes.map((size) => size[count]))).toBe(group[count]);
    expect(group.figures.share_opened.n).toBe(sum(groups.map(({ n_opened }) => n_opened)));
    expect(group.figures.share_merged.n).toBe(sum(groups.map(({ n_merged }) => n_merged)));
  }
}

test.each(seeds)('who writes pull requests, and how they fare, is what plain loops give (seed %i)', async (seed) => {
  const random = randomFrom(seed);
  const view = await storedReviews(database.db, randomReviewed(seed), random.of(zones));
  const { now } = view;
  const anyOf = ({ groups }: AiAuthorship) => random.of(groups).key;
  await expectAuthorship(view, between(now - 290 * DAY, now), 'group', true, anyOf);
  await expectAuthorship(view, between(now - 200 * DAY, now - 40 * DAY), 'tool', random.is(0.5), anyOf);
  const from = random.of([20, 45, 90, 120.5]);
  const window = between(now - from * DAY, now - random.of([0, 1, 7, 9.25]) * DAY);
  await expectAuthorship(view, { ...window, only: 'acme/api' }, random.of(['group', 'tool']), random.is(0.5));
  await expectAuthorship(view, { query: {}, from: now - 30 * DAY + 1, to: now + 1 }, 'group', false);
  const team = await withTeam(database.db, view, seed);
  await expectAuthorship(view, { ...between(now - 250 * DAY, now), team }, random.of(['group', 'tool']), false);
});

if (!isRecorded)
  console.warn('SKIPPED: who writes pull requests of recorded repositories, because their recordings are not there.');

describe.skipIf(!isRecorded)('of recorded repositories', () => {
  test('it is what plain loops give, of bitcoin-core/gui', async () => {
    const pulls = recordedPullRequests();
    const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + 3_600_000;
    const history = { now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] };
    const view = await storedReviews(database.db, history, 'Europe/Oslo');
    const opened = await expectAuthorship(view, between(now - 365 * DAY, now), 'group', true);
    expect(opened.get('human')).toBeGreaterThan(20);
    await expectAuthorship(view, between(now - 890 * DAY, now - 500 * DAY), 'tool', false);
  });

  test('and of rust-lang/cargo, of which less is recorded', async () => {
    const all = cargoPullRequests().map((pull) => ({ ...pull, updatedAt: pull.mergedAt! }));
    const now = Math.max(...all.map(({ updatedAt }) => updatedAt)) + 3_600_000;
    const pulls = all.filter(({ mergedAt }) => mergedAt! > now - 450 * DAY);
    const history = { now, repositories: [{ owner: 'rust-lang', name: 'cargo', pulls }] };
    const view = await storedReviews(database.db, history, 'UTC');
    await expectAuthorship(view, between(now - 365 * DAY, now), 'group', true);
  });
});
