import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import type { Explanation } from '#contract/explain.ts';
import { type Trend, type TrendFigure, trendFigures } from '#contract/trends.ts';
import { isTrendOfFindings } from '#domain/ai-reviewers.ts';
import { aPullRequest, approves, closed, hour, merged, pushed } from '../../../test/support/builders.ts';
import { casesHere, openTestDatabase } from '../../../test/support/database.ts';
import { randomHistory } from '../../../test/support/random-history.ts';
import { aRepository, aUser, HOST, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { isCount } from '../metrics/catalogue.ts';
import { figureOf, isOfReviewers } from './figures.ts';
import { trendRoutes } from './routes.ts';

/*
 * The things behind a point are as many as the point says, and come to its value: of each figure, split and line.
 */

const ZONE = 'Europe/Oslo';
const WEEK = 7 * 24 * 3_600_000;

let database: OpenDatabase;
let user: number;
let now: Date;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  user = await aUser(db);
  const histories = fc.sample(randomHistory, { seed: 11, numRuns: 2 });
  now = new Date(Math.max(...histories.map((history) => history.now)));
  for (const [at, { repositories }] of histories.entries())
    for (const [place, { pulls }] of repositories.entries())
      await store(db, await aRepository(db, `acme/r${at}-${place}-${user}`, [user]), now.getTime(), pulls);
  const waiting = Array.from({ length: 5 }, (_, at) =>
    aPullRequest({ number: 12 * (at + 1), createdAt: hour(at * 24) }, approves(at * 24 + 9, 'bo')),
  );
  const thrownAway = waiting.map(({ number, createdAt }, at) =>
    aPullRequest({ number: number + 1, createdAt }, closed(at * 24 + 5)),
  );
  const both = [...waiting, ...thrownAway];
  await store(db, await aRepository(db, `acme/waiting-${user}`, [user]), now.getTime(), both);
  // Twelve branches, of which four at most have no line of their own; and pull requests by several tools.
  await sql`update pull_requests set base_ref = (array['main', 'main', 'next', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7', 'b8', 'b9'])[1 + number % 12]`.execute(
    db,
  );
  await sql`update repositories set default_branch = 'main'`.execute(db);
  await sql`update pull_request_facts set base_ref = p.base_ref, ci_wait_hours = p.number % 7, files_known = true,
      commits_by_agent = (p.number % 4) / 3.0, failing_at_last_push = p.number % 3 = 0,
      merged_on_own_word = case when time_to_merge is not null then p.number % 2 = 0 end,
      agents = (array['{claude}', '{claude,codex}', '{}', '{}'])[1 + p.number % 4]::text[]
    from pull_requests p where p.repository_id = pull_request_facts.repository_id and p.number = pull_request_facts.number`.execute(
    db,
  );
});
afterAll(() => database.close());

type Query = Record<string, unknown>;

const signedIn = (id: number) => ({ id, host: HOST, login: 'me', time_zone: ZONE });

async function trendOf(figure: TrendFigure, query: Query, as = user): Promise<Trend> {
  const { getTrends } = trendRoutes({ db: database.db, now: () => now });
  const parsed = endpoints.getTrends.query.parse({ figure, ...query });
  const { items } = await getTrends({ user: signedIn(as), query: parsed } as never);
  return items[0]!;
}

async function behind(figure: string, query: Query, as = user): Promise<Explanation> {
  const { explainTrendPoint } = trendRoutes({ db: database.db, now: () => now });
  const parsed = endpoints.explainTrendPoint.query.parse(query);
  const answer = await explainTrendPoint({ user: signedIn(as), params: { figure }, query: parsed } as never);
  return endpoints.explainTrendPoint.answer.parse(JSON.parse(JSON.stringify(answer)));
}

/** From before everything until now, in four points or so, the last of which runs still. */
const overAll = async (): Promise<Query> => {
  const { rows } = await sql<{ from: Date }>`
    select min(created_at) as from from pull_requests where created_at > ${new Date(now.getTime() - 15 * WEEK)}`.execute(
    database.db,
  );
  return { from: rows[0]!.from.toISOString(), bucket: 'month' };
};

/** What values of single things come to. */
function comesTo(figure: TrendFigure, items: Explanation['items']): number | null {
  const values = items.map(({ value }) => value!);
  if (isOfReviewers(figure) && isCount(figure)) return values.reduce((sum, value) => sum + value, 0);
  if (isCount(figure)) return items.length;
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('what is behind a point', () => {
  /** Of what is counted of findings one stands for all where it is told apart by what pull requests are. */
  const isToldElsewhere = (figure: TrendFigure, split: string) =>
    /^ai_(resolved|answered|dismissed_by_hand|ignored|thumbs_down)$/.test(figure) &&
    !['none', 'reviewer'].includes(split);
  const each = trendFigures.flatMap((figure) => figureOf(figure).splits.map((split) => ({ figure, split })));
  it.each(casesHere(each.filter(({ figure, split }) => !isToldElsewhere(figure, split))))(
    'of $figure by $split is as many things as it is over, which come to its value',
    async ({ figure, split }) => {
      const query = { ...(await overAll()), split };
      const trend = await trendOf(figure, query);

      const wrong: unknown[] = [];
      let things = 0;
      for (const { key, points } of trend.lines)
        for (const [at, point] of trend.buckets.entries()) {
          const { value, n } = points[at]!;
          const told = await behind(figure, { ...query, point, ...(split !== 'none' && { line: key }) });
          things += told.n;
          // The median, what takes people to tell, a rate over lines, and a difference.
          const isOwn = [
            ...['ci_wait', 'commits_by_agent', 'concentration', 'ai_findings_per_100_lines', 'ai_lift'],
          ].includes(figure);
          // A pull request is listed once, however many of its findings are counted.
          const isOfSeveral = isTrendOfFindings(figure) && n > told.total;
          const listed = isOfSeveral ? told.total : n;
          const sum = isOwn || (isOfSeveral && !isCount(figure)) ? value : comesTo(figure, told.items);
          const isSame = (a: number | null, b: number | null) => a === b || Math.abs(a! - b!) < 1e-9;
          if (
            !isSame(told.value, value) ||
            told.n !== n ||
            told.total !== listed ||
            told.items.length !== listed ||
            !isSame(sum, value)
          )
            wrong.push({ key, point, value, n, told });
        }
      expect(wrong).toEqual([]);
      expect(things).toBeGreaterThan(0);
    },
  );

  it.each(['p50', 'p75', 'p90', 'mean'] as const)('has the %s of the point', async (aggregate) => {
    for (const figure of trendFigures.filter((key) => figureOf(key).aggregates.includes(aggregate))) {
      const query = { ...(await overAll()), aggregate };
      const trend = await trendOf(figure, query);
      for (const [at, point] of trend.buckets.entries()) {
        const [{ value }, expected] = [await behind(figure, { ...query, point }), trend.lines[0]!.points[at]!.value];
        // Means are summed in the order in which rows are found.
        if (expected === null) expect(value).toBeNull();
        else expect(value).toBeCloseTo(expected, 9);
      }
    }
  });

  it('is narrowed as the trend is', async () => {
    const query = { ...(await overAll()), authorship: 'human,assisted', size: '0-50', all_bases: 'true' };
    for (const figure of ['reviews', 'opened', 'merged_unapproved', 'open'] as const) {
      const trend = await trendOf(figure, query);
      for (const [at, point] of trend.buckets.entries()) {
        const { value, n } = await behind(figure, { ...query, point });
        expect({ value, n }).toEqual(trend.lines[0]!.points[at]);
      }
    }
  });

  it('lies in the point’s own time', async () => {
    const query = await overAll();
    const trend = await trendOf('opened', query);

    const told = await behind('opened', { ...query, point: trend.buckets[1] });

    expect(told.window.from).toBe(new Date(Date.parse(`${trend.buckets[1]}T00:00:00+02:00`)).toISOString());
    for (const { at } of told.items) {
      expect(at >= told.window.from!).toBe(true);
      expect(at < told.window.to).toBe(true);
    }
  });

  it('comes page by page, the latest first, or what contributes most', async () => {
    const query = { bucket: 'whole', from: new Date(now.getTime() - 40 * WEEK).toISOString() };
    const [point] = (await trendOf('size', query)).buckets;

    const latest = await behind('size', { ...query, point });
    const pages = [0, 2, 4].map((offset) => behind('size', { ...query, point, limit: 2, offset }));
    const most = await behind('size', { ...query, point, order: 'value', limit: 3 });

    expect((await Promise.all(pages)).flatMap(({ items }) => items)).toEqual(latest.items.slice(0, 6));
    expect(latest.items.map(({ at }) => at)).toEqual(
      latest.items
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    const sizes = latest.items.map(({ value }) => value!).toSorted((a, b) => b - a);
    expect(most.items.map(({ value }) => value)).toEqual(sizes.slice(0, 3));
    expect(most).toMatchObject({ hasMore: true, total: latest.n });
  });
});

describe('of a signal', () => {
  it('says what was left out, and has the rule with the thresholds that hold', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/left-out-${reader}`, [reader]);
    const life = (number: number, additions: number) =>
      aPullRequest(
        { number, createdAt: hour(number), additions, deletions: 0, changedFiles: 1 },
        approves(number + 2, 'bo'),
        pushed(number + 3, 'ada', { sha: `late${number}` }),
        merged(number + 4),
      );
    await store(db, id, now.getTime(), [life(1, 300), life(2, 700), life(3, 2), life(4, 900)]);
    await sql`update repositories set default_branch = 'main' where id = ${id}`.execute(db);
    await sql`update pull_request_facts set base_ref = 'main' where repository_id = ${id}`.execute(db);
    await sql`insert into signal_dismissals (repository_id, number, key, reason, set_by, set_at)
      values (${id}, 4, 'merged_unapproved', '', ${reader}, ${now})`.execute(db);
    const query = { bucket: 'whole', from: '2026-03-01', point: '2026-03-01' };

    const unapproved = await behind('merged_unapproved', query, reader);
    const big = await behind('big', { ...query, order: 'value' }, reader);

    expect(unapproved).toMatchObject({ n: 2, value: 0, total: 2 });
    expect(unapproved.left_out).toEqual([
      { reason: 'Too small to be reviewed', count: 1 },
      { reason: 'Said not to be so', count: 1 },
      { reason: 'Not known', count: 0 },
    ]);
    expect(big.definition).toBe('More than 400 changed lines, those in generated files aside.');
    expect(big.items.map(({ pr_number, value }) => [pr_number, value])).toEqual([
      [4, 1],
      [2, 1],
      [3, 0],
      [1, 0],
    ]);
  });

  it.each([
    ['merged_unapproved', 2],
    ['long_open', 1],
  ] as const)('says what is not known while the default branch is not: of %s', async (figure, unknown) => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/branchless-${reader}`, [reader]);
    const pulls = [aPullRequest({ number: 1 }, merged(4)), aPullRequest({ number: 2 }, merged(5))];
    await store(db, id, now.getTime(), [...pulls, aPullRequest({ number: 3 })]);
    const query = { bucket: 'whole', from: '2026-03-01' };

    const trend = await trendOf(figure, query, reader);
    const explained = await behind(figure, { ...query, point: '2026-03-01' }, reader);

    expect(trend.lines[0]).toMatchObject({ points: [{ value: null, n: 0 }], left_out: { unknown } });
    expect(explained).toMatchObject({ n: 0, value: null, total: 0, items: [] });
    expect(explained.left_out).toContainEqual({ reason: 'Not known', count: unknown });
  });

  it('is nothing while a revert may still come, and says of how many', async () => {
    const point = new Date(now.getTime() - 2 * WEEK).toISOString();
    const query = { bucket: 'whole', from: point, point: point.slice(0, 10) };

    const { left_out, ...told } = await behind('reverted', { ...query, all_bases: 'true' });
    const { undecided } = (await trendOf('reverted', { ...query, all_bases: 'true' })).lines[0]!.left_out;
    expect(told).toMatchObject({ n: 0, value: null, total: 0, items: [], hasMore: false });
    expect(undecided).toBeGreaterThan(0);
    expect(left_out).toContainEqual({ reason: 'May still come', count: undecided });
    expect((await behind('merged_unapproved', { ...query, all_bases: 'true' })).n).toBeGreaterThan(0);
  });
});

describe('what it is asked for', () => {
  const refusal = (figure: string, query: Query, as = user) =>
    behind(figure, query, as).then(
      () => null,
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
  const weekly = { from: '2026-03-02', to: '2026-03-16' };

  it.each([
    ['people', { ...weekly, point: '2026-03-02' }, '404 There is no figure called people over time.'],
    ['opened', { ...weekly, point: '2026-03-03' }, '400 point: must be the first day of a point of this window'],
    ['opened', { ...weekly, point: '2026-03-16' }, '400 point: must be the first day of a point of this window'],
    ['opened', { ...weekly, point: '2026-03-02', split: 'size' }, '400 line: is needed: the trend is split'],
    ['opened', { ...weekly, point: '2026-03-02', line: '0-50' }, '400 line: must be all: the trend is not split'],
    [
      'opened',
      { ...weekly, point: '2026-03-02', aggregate: 'p90' },
      '400 aggregate: “Pull requests opened” has no p90',
    ],
    ['opened', { ...weekly, point: '2026-03-02', repository: '2147483647' }, '404 Repository not found'],
  ])('is refused of %s with %j', async (figure, query, message) => {
    expect(await refusal(figure, query)).toBe(message);
  });

  it('is nothing of a line that there is not, and of what the caller does not see', async () => {
    const stranger = await aUser(database.db);
    const query = { ...(await overAll()), bucket: 'whole' };
    const { buckets } = await trendOf('opened', query);
    const point = buckets[0];

    expect(await behind('opened', { ...query, point, split: 'base', line: 'nowhere' })).toMatchObject({
      n: 0,
      value: 0,
    });
    expect(await behind('opened', { ...query, point }, stranger)).toMatchObject({ n: 0, items: [] });
    expect((await behind('opened', { ...query, point })).n).toBeGreaterThan(0);
  });
});
