import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { type Trend, trendAggregates, trendFigures } from '#contract/trends.ts';
import { trendSplits } from '#domain/trend-splits.ts';
import type { OpenDatabase } from '../../src/server/db/open.ts';
import { healthRoutes } from '../../src/server/health/routes.ts';
import { figureOf } from '../../src/server/trends/figures.ts';
import { trendRoutes } from '../../src/server/trends/routes.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RandomHistory, randomHistory, shifted } from '../support/random-history.ts';
import { aConnection, aRepository, aUser, HOST, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { rounded } from '../twin/arithmetic.ts';

/*
 * What holds of every figure over time, whatever it counts. Signals are figures, too.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
const DAY = 24 * 3_600_000;
const ZONE = 'UTC';
/** So many; of what belongs to nobody in them, bots' for example, there is a line of its own. */
const TEAMS = 3;

let database: OpenDatabase;
let now: number;
/** Sees the first repository, both, or the last alone. */
let users: readonly [first: number, both: number, last: number];
let ids: number[];

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  // The fullest of a few.
  const histories = fc.sample(randomHistory, { seed: SEED, numRuns: 8 });
  const many = ({ repositories }: RandomHistory) => repositories[0]!.pulls.length * repositories[1]!.pulls.length;
  const history = histories.toSorted((a, b) => many(b) - many(a))[0]!;
  now = history.now;
  ids = [];
  for (const { owner, name, pulls } of history.repositories.slice(0, 2)) {
    const id = await aRepository(db, `${owner}/${name}`);
    await store(db, id, now, pulls);
    ids.push(id);
  }
  await sql`update repositories set default_branch = 'main'`.execute(db);
  users = [await aUser(db), await aUser(db), await aUser(db)];
  for (const [user, seen] of [
    [users[0], [ids[0]!]],
    [users[1], ids],
    [users[2], [ids[1]!]],
  ] as const)
    for (const id of seen) await aConnection(db, user, id);
  // Everybody is in one team at a time, and changes it every 40 days.
  const people = await db.selectFrom('people').select('id').orderBy('id').execute();
  const turns = [null, ...[160, 120, 80, 40].map((ago) => now - ago * DAY), null];
  for (let team = 0; team < TEAMS; team += 1) {
    const members = people.flatMap(({ id: person }, place) =>
      turns
        .slice(0, -1)
        .flatMap((from, turn) => ((place + turn) % TEAMS === team ? [{ person, from, to: turns[turn + 1]! }] : [])),
    );
    await aTeam(db, `turn-${team}`, [users[1]], members);
  }
});
afterAll(() => database.close());

type Query = Readonly<Record<string, string>>;

/** Reviews across teams have no lines by team. */
const ofEverybody = trendFigures.filter((figure) => figureOf(figure).splits.includes('team'));

async function ask(
  query: Query,
  as: number = users[1],
  at = now,
  figures: readonly Trend['figure'][] = ofEverybody,
): Promise<Trend[]> {
  const { getTrends } = trendRoutes({ db: database.db, now: () => new Date(at) });
  const user = { id: as, host: HOST, login: 'me', time_zone: ZONE };
  const items: Trend[] = [];
  for (let first = 0; first < figures.length; first += 6) {
    const figure = figures.slice(first, first + 6).join(',');
    const parsed = endpoints.getTrends.query.parse({ figure, ...query });
    const answer = await getTrends({ user, query: parsed } as never);
    items.push(...endpoints.getTrends.answer.parse(JSON.parse(JSON.stringify(answer))).items);
  }
  return items;
}

async function healthOf(as: number, query: Query = {}) {
  const { getHealth } = healthRoutes({ db: database.db, now: () => new Date(now) });
  const user = { id: as, host: HOST, login: 'me', time_zone: ZONE };
  return await getHealth({ user, query: endpoints.getHealth.query.parse(query) } as never);
}

const day = (ago: number) => new Date(now - ago * DAY).toISOString().slice(0, 10);
const given = () => ({ from: day(200), to: day(1) });
const pointsOf = ({ lines }: Trend) => new Map(lines.map(({ key, points }) => [key, points]));
/** Things are in one line each; by team because nobody is in two at once. */
const apart = trendSplits.filter((split) => !['none', 'tool', 'reviewer'].includes(split));
/** Not additive: the number of people who give half of the reviews, whose n depends on who was active, and differences. */
const isSum = ({ figure }: Trend) => !['concentration', 'ai_findings_per_100_lines', 'ai_lift'].includes(figure);

test.each(apart)(
  'lines told apart by %s hold the things of the whole, and where a figure counts they add up to it',
  async (split) => {
    const whole = await ask({ ...given(), bucket: 'month' });
    const told = await ask({ ...given(), bucket: 'month', split });
    for (const [place, trend] of told.entries()) {
      const all = whole[place]!.lines[0]!.points;
      const lines = [...pointsOf(trend).values()];
      for (const [at, { value, n }] of all.entries()) {
        const points = lines.map((line) => line[at]!);
        expect(
          points.reduce((sum, point) => sum + point.n, 0),
          `${trend.figure} by ${split}, ${at}`,
        ).toBe(n);
        if (!isSum(trend) || value === null) continue;
        // Of a mean or share as of a count: the lines' values, each as often as it has things.
        if (figureOf(trend.figure).additive)
          expect(
            points.reduce((sum, point) => sum + point.value!, 0),
            trend.figure,
          ).toBe(value);
        else if (!['ci_wait', 'commits_by_agent', 'ai_time_to_agent_review'].includes(trend.figure))
          expect(points.reduce((sum, point) => sum + (point.value ?? 0) * point.n, 0) / n, trend.figure).toBeCloseTo(
            value,
            9,
          );
      }
    }
  },
);

test('the others of more than eight values are the figure over what is in no line that is shown, for every aggregate', async () => {
  const { db } = database;
  const user = await aUser(db);
  const of = new Set<string>();
  for (const [at, history] of fc.sample(randomHistory, { seed: SEED + 1, numRuns: 11 }).entries()) {
    const id = await aRepository(db, `many/${at}`, [user]);
    // Fewer and fewer, so that some are shown and some are not.
    const pulls = history.repositories[0]!.pulls.slice(0, 24 - 2 * at);
    await store(db, id, now, shifted(pulls, now - history.now));
    of.add(String(id));
  }
  await sql`update repositories set default_branch = 'main' where owner = 'many'`.execute(db);

  for (const aggregate of trendAggregates) {
    const figures = ofEverybody.filter((figure) => figureOf(figure).aggregates.includes(aggregate));
    const query = { from: day(100), to: day(1), bucket: 'month', aggregate };
    const told = await ask({ ...query, split: 'repository' }, user, now, figures);
    let compared = 0;
    for (const { figure, lines } of told) {
      const shown = lines.map(({ key }) => key).filter((key) => key !== 'others');
      const others = lines.find(({ key }) => key === 'others');
      const rest = [...of].filter((id) => !shown.includes(id));
      const [{ lines: recomputed } = { lines: [] }] = await ask({ ...query, repository: rest.join(',') }, user, now, [
        figure,
      ]);
      const { points } = recomputed[0]!;
      if (others === undefined) {
        // Nothing is anywhere else.
        expect(
          points.every(({ n }) => n === 0),
          `${figure} ${aggregate}`,
        ).toBe(true);
        continue;
      }
      expect(lines.length, figure).toBe(8);
      expect(rounded(others.points, points), `${figure} ${aggregate}`).toEqual(points);
      expect(others.left_out, figure).toEqual(recomputed[0]!.left_out);
      compared += points.some(({ n }) => n > 0) ? 1 : 0;
    }
    expect(compared).toBeGreaterThan(figures.length / 2);
  }
});

test('a line of one repository is what is told where that alone is asked for, and to whoever sees no other', async () => {
  const both = await ask({ ...given(), bucket: 'month', split: 'repository' });
  for (const [which, id] of ids.entries()) {
    const narrowed = await ask({ ...given(), bucket: 'month', repository: String(id) });
    const alone = await ask({ ...given(), bucket: 'month' }, users[which === 0 ? 0 : 2]);
    for (const [place, trend] of narrowed.entries()) {
      const nothing = trend.lines[0]!.points.map(({ value }) => ({ value: value === 0 ? 0 : null, n: 0 }));
      const line = pointsOf(both[place]!).get(String(id)) ?? nothing;
      expect(rounded(line, trend.lines[0]!.points), trend.figure).toEqual(trend.lines[0]!.points);
      expect(rounded(alone[place]!.lines, trend.lines), trend.figure).toEqual(trend.lines);
    }
  }
});

test('one bucket over given days is all that the days hold, however they are cut', async () => {
  const whole = await ask({ ...given(), bucket: 'whole' });
  for (const bucket of ['day', 'week', 'month']) {
    const cut = await ask({ ...given(), bucket });
    for (const [place, trend] of whole.entries()) {
      const isState = ['open', 'stuck', 'long_open', 'stale_approval'].includes(trend.figure);
      const [{ value, n } = { value: null, n: 0 }] = trend.lines[0]!.points;
      const { points } = cut[place]!.lines[0]!;
      if (isState) expect(points.at(-1), trend.figure).toEqual({ value, n });
      else if (n > 0) {
        const sum = points.reduce((all, point) => all + point.n, 0);
        const name = `${trend.figure} by ${bucket}`;
        if (['opened', 'merged', 'closed', 'reviews'].includes(trend.figure)) expect(sum, name).toBe(n);
        // What may still come is told of no bucket: of the whole of one that is over all of them are.
        else expect(sum, name).toBeGreaterThanOrEqual(n);
      }
    }
  }
  // And what is told of signals over those days.
  const health = await healthOf(users[1], given());
  for (const trend of whole) {
    const signal = health.signals.find(({ key }) => key === trend.figure);
    if (signal === undefined || ['reverted', 'followed_up'].includes(trend.figure)) continue;
    expect(rounded(trend.lines[0]!.points[0], signal), trend.figure).toMatchObject({
      value: signal.value,
      n: signal.n,
    });
  }
});

test('everything a number of weeks later is the same, a number of weeks later', async () => {
  const { db } = database;
  const later = 5 * 7 * DAY;
  const before = await ask({ bucket: 'week' });
  const moved = await aRepository(db, 'later/than');
  const history = fc.sample(randomHistory, { seed: SEED, numRuns: 1 })[0]!;
  const [first] = history.repositories;
  await store(db, moved, history.now, first!.pulls);
  await sql`update repositories set default_branch = 'main' where id = ${moved}`.execute(db);
  const user = await aUser(db);
  await aConnection(db, user, moved);
  const told = await ask({ bucket: 'week' }, user, history.now);
  await store(db, moved, history.now + later, shifted(first!.pulls, later));
  const toldLater = await ask({ bucket: 'week' }, user, history.now + later);

  const lines = told.map((trend) => trend.lines);
  const linesLater = toldLater.map((trend) => trend.lines);
  expect(rounded(linesLater, lines)).toEqual(lines);
  expect(toldLater[0]!.buckets.map((date) => new Date(Date.parse(date) - later).toISOString().slice(0, 10))).toEqual(
    told[0]!.buckets,
  );
  // Rows may be added up in another order by now.
  expect(rounded(await ask({ bucket: 'week' }), before)).toEqual(before);
});

test('of what may still be reverted or followed up nothing is told, until 30 and 7 days are over', async () => {
  const trends = await ask({ from: day(80), to: day(0), bucket: 'day' });
  for (const [figure, days] of [
    ['reverted', 30],
    ['followed_up', 7],
  ] as const) {
    const { buckets, lines } = trends.find((trend) => trend.figure === figure)!;
    const late = lines[0]!.points.filter((_, at) => Date.parse(buckets[at]!) + DAY > now - days * DAY);
    expect(late.length).toBeGreaterThanOrEqual(days);
    expect(late.every(({ value, n }) => value === null && n === 0)).toBe(true);
    expect(lines[0]!.points.some(({ n }) => n > 0)).toBe(true);
  }
});

test('two people who open one address see what is theirs alone', async () => {
  const [first, both, last] = await Promise.all(users.map((user) => healthOf(user)));
  const of = (health: typeof first, key: string) => health!.signals.find((signal) => signal.key === key)!.n;
  for (const key of ['big', 'reverted', 'long_open', 'concentration'])
    expect(of(first, key) + of(last, key), key).toBe(of(both, key));
  expect(of(first, 'big')).toBeGreaterThan(0);

  const { listSignalPullRequests } = healthRoutes({ db: database.db, now: () => new Date(now) });
  const query = endpoints.listSignalPullRequests.query.parse({ from: day(700) });
  const listed = async (id: number) => {
    const user = { id, host: HOST, login: 'me', time_zone: ZONE };
    const { items, total } = await listSignalPullRequests({ user, params: { key: 'review_depth' }, query } as never);
    return { total, repositories: new Set(items.map(({ repo_owner, repo_name }) => `${repo_owner}/${repo_name}`)) };
  };
  const [theirs, all, others] = await Promise.all(users.map(listed));
  expect(theirs!.total + others!.total).toBe(all!.total);
  expect([...theirs!.repositories]).toEqual(['Acme/Web']);
  // What is not theirs is not there.
  await expect(healthOf(users[0], { repository: String(ids[1]) })).rejects.toMatchObject({ status: 404 });
  await expect(ask({ repository: String(ids[1]) }, users[0])).rejects.toMatchObject({ status: 404 });
});
