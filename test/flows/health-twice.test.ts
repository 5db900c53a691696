import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { defaultHealthSettings, type HealthSettings, signalKeys } from '#domain/signals.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { healthRoutes } from '../../src/server/health/routes.ts';
import { casesOf, empty, openTestDatabase } from '../support/database.ts';
import { cargoPullRequests } from '../support/judged-signals.ts';
import {
  people,
  type RandomHistory,
  type RandomPullRequest,
  randomHistory,
  shifted,
  zones,
} from '../support/random-history.ts';
import { recordedPullRequests } from '../support/recorded-pull-requests.ts';
import { isRecorded } from '../support/recordings.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { rounded } from '../twin/arithmetic.ts';
import { type AskedOfTwin, areasOf, healthOf, pullRequestsBehind, sizesOf, type TwinTime } from '../twin/health.ts';
import { readAll, type TwinPull } from '../twin/pull-request.ts';

/*
 * What is told of the review practice, and the pull requests behind it, asked of the server and counted by plain loops.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
const RUNS = Number(process.env.TWIN_RUNS ?? casesOf(4));
const DAY = 24 * 3_600_000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const BASES = ['main', 'trunk', 'master'];

interface Stored {
  readonly user: number;
  readonly pulls: readonly TwinPull[];
  readonly now: number;
  readonly zone: string;
  readonly settings: HealthSettings;
  readonly ids: ReadonlyMap<string, number>;
}

/** They see the first ones, so many. */
async function stored(
  history: RandomHistory,
  zone: string,
  settings = defaultHealthSettings,
  seenOnes = 2,
): Promise<Stored> {
  const { db } = database;
  await empty(db, 'repositories', 'users', 'people', 'account_kinds');
  await db
    .insertInto('health_settings')
    .values({ host: HOST, settings: JSON.stringify(settings), revision: 1, set_by: null, set_at: new Date(0) })
    .execute();
  const user = await aUser(db, zone);
  const ids = new Map<string, number>();
  for (const { owner, name, pulls } of history.repositories) {
    const id = await aRepository(db, `${owner}/${name}`);
    for (let at = 0; at < pulls.length; at += 500) await store(db, id, history.now, pulls.slice(at, at + 500));
    ids.set(`${owner}/${name}`, id);
  }
  await sql`update repositories set default_branch = ${BASES[0]}, former_default_branches = ${BASES.slice(1)}`.execute(
    db,
  );
  const seen = [...ids.keys()].slice(0, seenOnes);
  for (const name of seen) await aConnection(db, user, ids.get(name)!);
  return { user, pulls: readAll(history, seen), now: history.now, zone, settings, ids };
}

type Query = Readonly<Record<string, string>>;

async function ask(view: Stored, query: Query) {
  const { getHealth } = healthRoutes({ db: database.db, now: () => new Date(view.now) });
  const user = { id: view.user, host: HOST, login: 'me', time_zone: view.zone };
  const answer = await getHealth({ user, query: endpoints.getHealth.query.parse(query) } as never);
  return endpoints.getHealth.answer.parse(JSON.parse(JSON.stringify(answer)));
}

async function askBehind(view: Stored, key: string, query: Query): Promise<string[]> {
  const { listSignalPullRequests } = healthRoutes({ db: database.db, now: () => new Date(view.now) });
  const user = { id: view.user, host: HOST, login: 'me', time_zone: view.zone };
  const found: string[] = [];
  for (let total = 1; found.length < total; ) {
    const page = endpoints.listSignalPullRequests.query.parse({ ...query, limit: '150', offset: String(found.length) });
    const answer = await listSignalPullRequests({ user, params: { key }, query: page } as never);
    const { items, total: all } = endpoints.listSignalPullRequests.answer.parse(JSON.parse(JSON.stringify(answer)));
    found.push(...items.map((item) => `${item.repo_owner}/${item.repo_name}#${item.pr_number}`));
    total = all;
    if (items.length === 0) break;
  }
  return found;
}

/** What is asked, and the same for the twin. */
interface Question {
  readonly query: Query;
  readonly window: TwinTime;
  readonly authorship?: readonly string[] | undefined;
  readonly allBases?: boolean;
  /** The full name of the one repository that it is narrowed to. */
  readonly only?: string | undefined;
}

/** How many pull requests have each signal, and the areas. */
async function expectSame(view: Stored, { query, window, authorship, allBases = false, only }: Question) {
  const asked: AskedOfTwin = {
    ...view,
    pulls: view.pulls.filter(({ repository }) => only === undefined || repository === only),
    authorship: authorship ?? ['human', 'assisted'],
    allBases,
    bases: BASES,
  };
  const all: Query = {
    ...query,
    ...(authorship && { authorship: authorship.join(',') }),
    ...(allBases && { all_bases: 'true' }),
    ...(only !== undefined && { repository: String(view.ids.get(only)) }),
  };
  const answer = await ask(view, all);
  const told = answer.signals.filter(({ key }) => key !== 'ci_wait').map(({ window: _, ...signal }) => signal);
  const expected = healthOf(asked, window);
  expect(rounded(told, expected)).toEqual(expected);
  const sizes = sizesOf(asked, window);
  expect(rounded(answer.sizes, sizes)).toEqual(sizes);
  const areas = areasOf(asked, window);
  expect(rounded(answer.areas, areas)).toEqual(areas);
  const counts = new Map<string, number>();
  for (const key of signalKeys) {
    if (key === 'ci_wait') continue;
    const behind = pullRequestsBehind(asked, key, window);
    const found = await askBehind(view, key, all);
    // Pull requests of one moment come in some order.
    expect(found.toSorted(), key).toEqual(behind.toSorted());
    counts.set(key, behind.length);
  }
  return { counts, areas };
}

/** So many days that end now, as no window asks; and given ones. */
const lastDays = (now: number, days: number): TwinTime => ({ from: now - days * DAY + 1, to: now + 1 });
const between = (from: number, to: number): Pick<Question, 'query' | 'window'> => ({
  query: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  window: { from, to },
});

const otherSettings: HealthSettings = {
  trivial: { lines: 51, files: 2 },
  stamped: { words: 3, minutes: 13, lines_per_minute: 200 },
  ping_pong: { rounds: 3, turns: 2 },
  big: 199,
  long_open_days: 30,
  stale_approval_days: 7,
  generated: ['*.md', 'src/**/b.ts'],
};

test('the signals of random histories are what plain loops give, in any window, zone and scope, by any thresholds', async () => {
  const question = fc.record({
    from: fc.constantFrom(31, 45.5, 90, 400),
    to: fc.constantFrom(1, 7, 29.25),
    authorship: fc.constantFrom(undefined, ['agent'], ['human', 'agent', 'bot']),
    allBases: fc.boolean(),
    only: fc.constantFrom(undefined, 'Acme/Web'),
  });
  const property = fc.asyncProperty(
    randomHistory,
    fc.constantFrom(...zones),
    fc.constantFrom(defaultHealthSettings, otherSettings),
    question,
    async (history, zone, settings, { from, to, ...more }) => {
      const view = await stored(history, zone, settings);
      await expectSame(view, { query: {}, window: lastDays(view.now, 90) });
      await expectSame(view, { ...between(view.now - from * DAY, view.now - to * DAY), ...more });
    },
  );
  const run = await fc.check(property, { seed: SEED, numRuns: RUNS, endOnFailure: true });
  if (run.failed) throw new Error(`seed ${run.seed}, path "${run.counterexamplePath}"`, { cause: run.errorInstance });
});

test('who reviews which part of the code is what plain loops give, over many random histories', async () => {
  const histories = fc.sample(randomHistory, { seed: SEED, numRuns: 24 });
  const now = histories[0]!.now;
  const repositories = histories.map(({ repositories: [first], now: theirs }, place) => ({
    owner: 'many',
    name: String(place),
    pulls: shifted(first!.pulls, now - theirs).map(reviewedByOne),
  }));
  const view = await stored({ now, repositories }, 'UTC', defaultHealthSettings, repositories.length - 1);

  const { areas } = await expectSame(view, between(now - 400 * DAY, now));
  const { areas: fewer } = await expectSame(view, { ...between(now - 90 * DAY, now - DAY), authorship: ['agent'] });
  expect(areas.find(({ area }) => area === 'docs')).toMatchObject({ at_risk: true });
  expect(areas.some(({ at_risk }) => !at_risk)).toBe(true);
  expect(areas.some(({ could }) => could.length > 0)).toBe(true);
  expect(fewer.length).toBeGreaterThan(0);
});

/** What is in the documents has one reviewer. */
function reviewedByOne(pull: RandomPullRequest): RandomPullRequest {
  if (!pull.files.some(({ path }) => path.startsWith('docs/'))) return pull;
  return { ...pull, reviews: pull.reviews.map((review) => ({ ...review, author: people[1]! })) };
}

if (!isRecorded) console.warn('SKIPPED: the signals of recorded repositories, because their recordings are not there.');

test.skipIf(!isRecorded)('those of bitcoin-core/gui, too, in all its time and in parts of it', async () => {
  const pulls = recordedPullRequests();
  const now = Math.max(...pulls.map(({ updatedAt }) => updatedAt)) + 3_600_000;
  const view = await stored({ now, repositories: [{ owner: 'bitcoin-core', name: 'gui', pulls }] }, 'Europe/Oslo');
  await expectSame(view, { query: {}, window: lastDays(now, 90) });
  const { counts } = await expectSame(view, between(now - 730 * DAY, now));
  const { counts: earlier } = await expectSame(view, {
    ...between(now - 1800 * DAY, now - 1200 * DAY),
    allBases: true,
  });

  // Of these the recording has none: random and made-up pull requests show them.
  const lacking = [...counts].filter(([key, count]) => count === 0 && earlier.get(key) === 0).map(([key]) => key);
  expect(lacking).toEqual(['merged_unreviewed', 'stamped', 'approved_then_pushed', 'reverted', 'followed_up']);
});

test.skipIf(!isRecorded)('and those of rust-lang/cargo, of which titles, sizes and merges are recorded', async () => {
  const all = cargoPullRequests().map((pull) => ({ ...pull, updatedAt: pull.mergedAt! }));
  const now = Math.max(...all.map(({ updatedAt }) => updatedAt)) + 3_600_000;
  // The time that is asked about, and what may be named in it: the whole takes minutes.
  const pulls = all.filter(({ mergedAt }) => mergedAt! > now - 1700 * DAY && mergedAt! < now - 1100 * DAY);
  const view = await stored({ now, repositories: [{ owner: 'rust-lang', name: 'cargo', pulls }] }, 'UTC');
  const { counts } = await expectSame(view, between(now - 1500 * DAY, now - 1130 * DAY));
  expect(counts.get('reverted')).toBeGreaterThan(0);
  expect(counts.get('big')).toBeGreaterThan(10);
});
