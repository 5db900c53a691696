import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { endpoints } from '#contract/endpoints.ts';
import { aiRoutes } from '../../src/server/ai/routes.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { areRecordingsThere, cargoPullRequests } from '../support/judged-signals.ts';
import { zones } from '../support/random-history.ts';
import { randomFrom, randomReviewed } from '../support/random-reviewed.ts';
import { RECORDING, recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { between, narrowed, type Question, type StoredReviews, storedReviews, withTeam } from '../support/reviews.ts';
import { authorshipOf } from '../twin/ai-authorship.ts';
import { rounded } from '../twin/arithmetic.ts';

/*
 * Who writes pull requests and how they fare, asked of the server and counted by plain loops.
 */

const SEED = Number(process.env.AI_SEED ?? 20_261_125);
const RUNS = Number(process.env.AI_RUNS ?? 3);
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
): Promise<Map<string, number>> {
  const { query, pulls, mine } = narrowed(view, question);
  const expected = authorshipOf({
    ...{ pulls: [...mine], all: pulls, now: view.now, zone: view.zone, window: question, by, bots },
  });
  const { getAiAuthorship } = aiRoutes({ db: database.db, now: () => new Date(view.now) });
  const user = { id: view.user, host: view.host, login: 'me', time_zone: view.zone };
  const { query: asked, answer } = endpoints.getAiAuthorship;
  const parsed = asked.parse({ ...query, by, bots: String(bots) });
  const told = answer.parse(JSON.parse(JSON.stringify(await getAiAuthorship({ user, query: parsed } as never))));
  expect(rounded(told, expected), JSON.stringify({ ...query, by, bots })).toEqual(expected);
  if (by === 'group') expectParts(told);
  return new Map(expected.groups.map(({ key, n_opened }) => [key, n_opened]));
}

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
  await expectAuthorship(view, between(now - 290 * DAY, now), 'group', true);
  await expectAuthorship(view, between(now - 200 * DAY, now - 40 * DAY), 'tool', random.is(0.5));
  const from = random.of([20, 45, 90, 120.5]);
  const window = between(now - from * DAY, now - random.of([0, 1, 7, 9.25]) * DAY);
  await expectAuthorship(view, { ...window, only: 'acme/api' }, random.of(['group', 'tool']), random.is(0.5));
  await expectAuthorship(view, { query: {}, from: now - 30 * DAY + 1, to: now + 1 }, 'group', false);
  const team = await withTeam(database.db, view, seed);
  await expectAuthorship(view, { ...between(now - 250 * DAY, now), team }, random.of(['group', 'tool']), false);
});

const isRecorded = existsSync(RECORDING);
if (!isRecorded || !areRecordingsThere)
  console.warn('SKIPPED: who writes pull requests of recorded repositories, because their recordings are not there.');

describe.skipIf(!isRecorded || !areRecordingsThere)('of recorded repositories', () => {
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
