import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { type Trend, trendFigures } from '#contract/trends.ts';
import { authorshipMetrics } from '#domain/ai-authorship.ts';
import { reviewerTrends } from '#domain/ai-reviewers.ts';
import { signalKeys } from '#domain/signals.ts';
import {
  aPerson,
  aPullRequest,
  approves,
  closed,
  comments,
  hour,
  merged,
  noAttribution,
  pushed,
  ready,
  requestsChanges,
  says,
} from '../../../test/support/builders.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { aRepository, aUser, store } from '../../../test/support/stored.ts';
import type { OpenDatabase } from '../db/open.ts';
import { figureOf } from './figures.ts';
import { trendRoutes } from './routes.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** A Thursday afternoon. */
const NOW = new Date('2026-06-18T13:00:00Z');
const ZONE = 'Europe/Oslo';
const COUNT = 120;

let database: OpenDatabase;
let user: number;
let ids: number[];

beforeAll(async () => {
  database = await openTestDatabase();
  user = await aUser(database.db);
  ids = [
    await aRepository(database.db, `acme/first-${user}`, [user]),
    await aRepository(database.db, `acme/second-${user}`, [user]),
  ];
  for (const [at, id] of ids.entries())
    await store(
      database.db,
      id,
      NOW.getTime(),
      Array.from({ length: COUNT }, (_, index) => aLife(index + 1, at)),
    );
});
afterAll(() => database.close());

/** Lives of many kinds, spread over fifteen weeks: sizes, authors, rounds, ends. */
function aLife(number: number, repository: number) {
  const opened = number * 21 + repository * 5 - 24 * 7 * 2;
  const author = ['ada', 'cy', 'bot-deps', 'agent-z', 'di'][number % 5]!;
  const size = [3, 60, 240, 700, 4000, 50, 51][number % 7]!;
  const happenings = [
    ...(number % 3 === 0 ? [requestsChanges(opened + 5, 'bo'), pushed(opened + 9, author, { sha: `s${number}` })] : []),
    ...(number % 4 === 0 ? [comments(opened + 11, 'eve')] : []),
    ...(number % 2 === 0 ? [approves(opened + 20 + (number % 30), 'bo')] : []),
    ...(number % 6 === 0 ? [closed(opened + 60)] : number % 5 === 4 ? [] : [merged(opened + 55 + (number % 11))]),
  ];
  const base = { number, createdAt: hour(opened), author: aPerson(author), additions: size, deletions: 0 };
  if (number % 8 === 0) happenings.unshift(ready(opened + 3, author));
  return aPullRequest(base, ...happenings);
}

type Query = Record<string, unknown>;

/** Asks as the browser does, and holds the answer against the contract. */
async function ask(query: Query, as = user): Promise<Trend[]> {
  const { getTrends } = trendRoutes({ db: database.db, now: () => NOW });
  const parsed = endpoints.getTrends.query.parse(query);
  const signedIn = { id: as, host: 'h', login: 'me', time_zone: ZONE };
  const answer = await getTrends({ user: signedIn, query: parsed } as never);
  return endpoints.getTrends.answer.parse(JSON.parse(JSON.stringify(answer))).items;
}

interface Stored {
  repository: number;
  number: number;
  created: number;
  ended: number | null;
  merged: boolean;
  lines: number;
  first: number | null;
  hours: number | null;
  wait: number | null;
  cycles: number;
  author: string;
  drafted: boolean;
}

async function everything() {
  const pulls = await sql<Stored>`
    select p.repository_id as repository, p.number, (extract(epoch from p.created_at) * 1000)::float8 as created,
      (extract(epoch from p.ended_at) * 1000)::float8 as ended, p.merged_at is not null as merged, p.lines_changed as lines,
      (extract(epoch from f.first_review_at) * 1000)::float8 as first, f.time_to_merge as hours, f.time_to_first_review as wait,
      f.review_cycles as cycles, f.authorship as author, f.opened_as_draft as drafted
    from pull_requests p join pull_request_facts f using (repository_id, number)`.execute(database.db);
  const reviews = await sql<{ repository: number; number: number; at: number; hours: number | null }>`
    select repository_id as repository, number, (extract(epoch from submitted_at) * 1000)::float8 as at, response_hours as hours
    from reviews where counts`.execute(database.db);
  return { pulls: pulls.rows, reviews: reviews.rows };
}

/** What a figure counts, by plain rules: the pull request, when, and what it contributes. */
async function thingsOf(figure: string): Promise<{ pull: Stored; at: number; value: number | null }[]> {
  const { pulls, reviews } = await everything();
  const of = (pull: Stored, at: number | null, value: number | null) => (at === null ? [] : [{ pull, at, value }]);
  const byPull = (one: { repository: number; number: number }) =>
    pulls.find((pull) => pull.repository === one.repository && pull.number === one.number)!;
  switch (figure) {
    case 'opened':
      return pulls.flatMap((pull) => of(pull, pull.created, null));
    case 'size':
      return pulls.flatMap((pull) => of(pull, pull.created, pull.lines));
    case 'merged':
      return pulls.filter((pull) => pull.merged).flatMap((pull) => of(pull, pull.ended, null));
    case 'closed':
      return pulls.filter((pull) => !pull.merged).flatMap((pull) => of(pull, pull.ended, null));
    case 'merge_rate':
      return pulls.flatMap((pull) => of(pull, pull.ended, pull.merged ? 1 : 0));
    case 'time_to_merge':
      return pulls.filter((pull) => pull.merged).flatMap((pull) => of(pull, pull.ended, pull.hours));
    case 'rounds':
      return pulls
        .filter((pull) => pull.merged && pull.cycles > 0)
        .flatMap((pull) => of(pull, pull.ended, pull.cycles));
    case 'time_to_first_review':
      return pulls.flatMap((pull) => of(pull, pull.first, pull.wait));
    case 'reviews':
      return reviews.map((review) => ({ pull: byPull(review), at: review.at, value: null }));
    default:
      return reviews
        .filter(({ hours }) => hours !== null)
        .map((review) => ({ pull: byPull(review), at: review.at, value: review.hours }));
  }
}

const sizeOf = ({ lines }: Stored) =>
  lines <= 50 ? '0-50' : lines <= 200 ? '51-200' : lines <= 500 ? '201-500' : lines <= 1000 ? '501-1000' : '1000+';
const keys: Readonly<Record<string, (pull: Stored) => string>> = {
  none: () => 'all',
  size: sizeOf,
  repository: ({ repository }) => String(repository),
  authorship: ({ author }) => author,
  draft: ({ drafted }) => String(drafted),
};
const counts = new Set(['opened', 'merged', 'closed', 'reviews']);

/** Bounds of weeks on Oslo's clocks, which were two hours ahead of UTC all the time. */
function weeks(from: number, to: number): [number, number][] {
  const monday = Date.parse('2026-03-29T22:00:00Z') - 8 * WEEK;
  const bounds: [number, number][] = [];
  for (let start = monday; start < to; start += WEEK)
    if (start + WEEK > from) bounds.push([Math.max(start, from), Math.min(start + WEEK, to)]);
  return bounds;
}

const FROM = '2026-04-06';
const window = [Date.parse('2026-04-05T22:00:00Z'), NOW.getTime()] as const;

describe('a trend', () => {
  // Signals, AI reviewers, and agents' beside people's, have tables and a twin of their own.
  it.each(
    trendFigures
      .filter(
        (figure) =>
          figure !== 'open' &&
          figure !== 'stuck' &&
          // Nothing crosses without a team.
          figureOf(figure).splits.includes('team') &&
          ![...signalKeys, ...authorshipMetrics, ...reviewerTrends].some((key) => key === figure),
      )
      .flatMap((figure) => Object.keys(keys).map((split) => ({ figure, split }))),
  )('of $figure by $split is what counting week by week comes to', async ({ figure, split }) => {
    const things = await thingsOf(figure);

    const [trend] = await ask({ figure, split, from: FROM });

    const bounds = weeks(...window);
    expect(trend!.buckets).toHaveLength(bounds.length);
    expect(trend!.buckets[0]).toBe(FROM);
    expect(trend!.complete).toEqual(bounds.map((_, at) => at < bounds.length - 1));
    const inside = things.filter(({ at }) => at >= window[0] && at < window[1]);
    expect(inside.length).toBeGreaterThan(20);
    const found = new Set(inside.map(({ pull }) => keys[split]!(pull)));
    expect(new Set(trend!.lines.map(({ key }) => key))).toEqual(found);
    for (const line of trend!.lines) {
      const mine = inside.filter(({ pull }) => keys[split]!(pull) === line.key);
      for (const [at, [begins, ends]] of bounds.entries()) {
        const here = mine.filter((thing) => thing.at >= begins && thing.at < ends);
        const mean = here.length === 0 ? null : here.reduce((sum, { value }) => sum + value!, 0) / here.length;
        expect(line.points[at]!.n, `${line.key} ${trend!.buckets[at]}`).toBe(here.length);
        if (counts.has(figure)) expect(line.points[at]!.value).toBe(here.length);
        else if (mean === null) expect(line.points[at]!.value).toBeNull();
        else expect(line.points[at]!.value).toBeCloseTo(mean, 9);
      }
    }
    const sums = trend!.lines.map(({ points }) => points.reduce((sum, { n }) => sum + n, 0));
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
  });

  it.each(
    ['open', 'stuck'].flatMap((figure) => ['none', 'size', 'repository', 'draft'].map((split) => ({ figure, split }))),
  )('of what is $figure by $split is what was so at the end of each week', async ({ figure, split }) => {
    const { pulls } = await everything();
    const age = figure === 'stuck' ? 48 * HOUR : 0;

    const [trend] = await ask({ figure, split, from: FROM });

    const bounds = weeks(...window);
    for (const line of trend!.lines)
      for (const [at, [, ends]] of bounds.entries()) {
        const so = pulls.filter(
          (pull) =>
            keys[split]!(pull) === line.key && pull.created + age < ends && (pull.ended === null || pull.ended >= ends),
        );
        expect(line.points[at], `${line.key} ${trend!.buckets[at]}`).toEqual({ value: so.length, n: so.length });
      }
    expect(trend!.lines.length).toBe(new Set(pulls.map(keys[split]!)).size);
  });

  it('of the whole is the figure of its window, cut at the very moments', async () => {
    const { pulls } = await everything();
    const first = Math.min(...pulls.map(({ created }) => created));
    const at = new Date(first).toISOString();
    const later = new Date(first + 1000).toISOString();

    const [from] = await ask({ figure: 'opened', bucket: 'whole', from: at, to: later });
    const [after] = await ask({ figure: 'opened', bucket: 'whole', from: later });
    const [until] = await ask({
      figure: 'opened',
      bucket: 'whole',
      from: new Date(first - HOUR).toISOString(),
      to: at,
    });

    expect(from!.lines[0]!.points).toEqual([{ value: 1, n: 1 }]);
    expect(from!.lines[0]).toMatchObject({ change: null, usual: null });
    expect(after!.lines[0]!.points).toEqual([{ value: 2 * COUNT - 1, n: 2 * COUNT - 1 }]);
    expect(until!.lines[0]!.points).toEqual([{ value: 0, n: 0 }]);
  });

  it('shows the percentiles of what is measured', async () => {
    const lines = (await everything()).pulls.map((pull) => pull.lines).toSorted((a, b) => a - b);
    const at = (share: number) => {
      const place = share * (lines.length - 1);
      const [low, high] = [lines[Math.floor(place)]!, lines[Math.ceil(place)]!];
      return low + (high - low) * (place - Math.floor(place));
    };
    for (const [aggregate, share] of [
      ['p50', 0.5],
      ['p75', 0.75],
      ['p90', 0.9],
    ] as const) {
      const [trend] = await ask({ figure: 'size', aggregate, bucket: 'whole', from: '2025-12-01' });
      expect(trend!.lines[0]!.points[0]!.value).toBeCloseTo(at(share), 9);
    }
  });

  it('narrowed by size, authorship and repository counts those alone', async () => {
    const { pulls } = await everything();
    const wanted = pulls.filter(
      (pull) => pull.repository === ids[1] && ['0-50', '1000+'].includes(sizeOf(pull)) && pull.author === 'human',
    );

    const query = { size: '0-50,1000+', authorship: ['human'], repository: String(ids[1]), from: '2025-12-01' };
    const [opened] = await ask({ figure: 'opened', bucket: 'whole', ...query });
    const [reviews] = await ask({ figure: 'reviews', bucket: 'whole', ...query });

    expect(opened!.lines[0]!.points[0]!.n).toBe(wanted.length);
    const ofThese = (await everything()).reviews.filter((review) =>
      wanted.some(({ repository, number }) => repository === review.repository && number === review.number),
    );
    expect(reviews!.lines[0]!.points[0]!.n).toBe(ofThese.length);
  });

  it('tells the last full week apart from the four before it and its usual range, also by weeks before the window', async () => {
    const things = await thingsOf('opened');
    const ended = weeks(Date.parse('2026-01-01T00:00:00Z'), NOW.getTime()).slice(0, -1);
    const values = ended.map(([from, to]) => things.filter(({ at }) => at >= from && at < to).length);
    const mean = values.slice(-5, -1).reduce((sum, value) => sum + value, 0) / 4;

    const [trend] = await ask({ figure: 'opened', from: '2026-06-08' });

    expect(trend!.lines[0]!.change).toBeCloseTo((100 * (values.at(-1)! - mean)) / mean, 9);
    expect(trend!.lines[0]!.usual).toEqual({ from: 0, to: Math.max(...values.slice(0, -1)) });
  });

  it('puts what is in none of the eight largest lines into the others, of which every aggregate is made anew', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/bases-${reader}`, [reader]);
    const pulls = Array.from({ length: 55 }, (_, at) =>
      aPullRequest({ number: at + 1, createdAt: hour(at), additions: (at * 7) % 100, deletions: 0 }),
    );
    await store(db, id, NOW.getTime(), pulls);
    // Ten branches: the first has one, the second two …
    await sql`update pull_requests set base_ref = 'base-' || (array(
      select b from generate_series(1, 10) b, generate_series(1, b)))[number] where repository_id = ${id}`.execute(db);

    const [trend] = await ask(
      { figure: 'size', split: 'base', bucket: 'whole', aggregate: 'p50', from: '2026-01-01' },
      reader,
    );

    expect(trend!.lines.map(({ key, name, points }) => `${key} ${name} ${points[0]!.n}`)).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4].map((base) => `base-${base} base-${base} ${base}`),
      'others Others 6',
    ]);
    const rest = [0, 1, 2, 3, 4, 5].map((at) => (at * 7) % 100).toSorted((a, b) => a - b);
    expect(trend!.lines.at(-1)!.points[0]!.value).toBeCloseTo((rest[2]! + rest[3]!) / 2, 9);
  });

  it('tells branches called “others” and “all” apart from the other lines, and opens each to what is in it', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/called-${reader}`, [reader]);
    const bases = ['others', 'all', ...Array.from({ length: 8 }, (_, at) => `base-${at}`)];
    const pulls = bases
      .flatMap((baseRef, at) => Array.from({ length: 11 - at }, () => baseRef))
      .map((baseRef, at) => aPullRequest({ number: at + 1, createdAt: hour(at), baseRef }));
    await store(db, id, NOW.getTime(), pulls);
    const query = { split: 'base', bucket: 'whole', from: '2026-01-01' };
    const { explainTrendPoint } = trendRoutes({ db, now: () => NOW });
    const behind = async (line: string) =>
      await explainTrendPoint({
        user: { id: reader, host: 'h', login: 'me', time_zone: ZONE },
        params: { figure: 'opened' },
        query: endpoints.explainTrendPoint.query.parse({ ...query, line, point: query.from }),
      } as never);

    const [trend] = await ask({ figure: 'opened', ...query }, reader);

    expect(trend!.lines.map(({ key, name, points }) => `${key} ${name} ${points[0]!.n}`)).toEqual([
      'branch:others others 11',
      'branch:all all 10',
      ...[0, 1, 2, 3, 4].map((at) => `base-${at} base-${at} ${9 - at}`),
      'others Others 9',
    ]);
    for (const { key, points } of trend!.lines)
      expect(await behind(key), key).toMatchObject({ n: points[0]!.n, total: points[0]!.n });
  });

  it('has lines with as many things by their names, capitals or not', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/capitals-${reader}`, [reader]);
    const bases = ['Beta', 'alpha', 'gamma', 'Alpha', 'gamma'];
    const pulls = bases.map((baseRef, at) => aPullRequest({ number: at + 1, createdAt: hour(at), baseRef }));
    await store(db, id, NOW.getTime(), pulls);

    const [trend] = await ask({ figure: 'opened', split: 'base', bucket: 'whole', from: '2026-01-01' }, reader);

    expect(trend!.lines.map(({ key }) => key)).toEqual(['gamma', 'Alpha', 'alpha', 'Beta']);
  });

  it('by tool has a pull request in the line of each of its tools', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/tools-${reader}`, [reader]);
    await store(
      db,
      id,
      NOW.getTime(),
      [1, 2, 3].map((number) => aPullRequest({ number, createdAt: hour(number) })),
    );
    await sql`update pull_request_facts set agents = '{claude,codex}' where repository_id = ${id} and number < 3`.execute(
      db,
    );

    const [trend] = await ask({ figure: 'opened', split: 'tool', bucket: 'whole', from: '2026-01-01' }, reader);

    expect(trend!.lines.map(({ key, name, points }) => [key, name, points[0]!.n])).toEqual([
      ['claude', 'claude', 2],
      ['codex', 'codex', 2],
      ['none', 'No tool known', 1],
    ]);
  });

  it('of a signal says of each line what is left out of it, and what cannot be told yet', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/left-${reader}`, [reader]);
    const soon = (NOW.getTime() - hour(0)) / HOUR;
    const lives = Array.from({ length: 12 }, (_, at) => {
      const number = at + 1;
      // Every fourth is trivial; the last two are merged in the last week.
      const opened = number > 10 ? soon - 60 : number * 48;
      const base = {
        number,
        createdAt: hour(opened),
        additions: number % 4 === 0 ? 3 : 100,
        deletions: 0,
        changedFiles: 1,
      };
      return aPullRequest(base, merged(opened + 20));
    });
    await store(db, id, NOW.getTime(), lives);
    await sql`update pull_requests set base_ref = case when number % 2 = 0 then 'next' else 'main' end where repository_id = ${id}`.execute(
      db,
    );
    await sql`update pull_request_facts f set base_ref = p.base_ref from pull_requests p
      where p.repository_id = f.repository_id and p.number = f.number and f.repository_id = ${id}`.execute(db);
    await sql`insert into signal_dismissals (repository_id, number, key, reason, set_by, set_at)
      values (${id}, 1, 'merged_unapproved', 'in pairs', ${reader}, now())`.execute(db);
    const of = async (figure: string) =>
      (await ask({ figure, split: 'base', from: '2026-03-01', all_bases: 'true' }, reader))[0]!.lines
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .map(({ key, points, left_out }) => [key, points.reduce((sum, { n }) => sum + n, 0), left_out]);

    expect(await of('merged_unapproved')).toEqual([
      ['main', 5, { trivial: 0, dismissed: 1, unknown: 0, undecided: 0 }],
      ['next', 3, { trivial: 3, dismissed: 0, unknown: 0, undecided: 0 }],
    ]);
    expect(await of('reverted')).toEqual([
      ['main', 5, { trivial: 0, dismissed: 0, unknown: 0, undecided: 1 }],
      ['next', 5, { trivial: 0, dismissed: 0, unknown: 0, undecided: 1 }],
    ]);
    expect(await of('opened')).toEqual([
      ['main', 6, { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 }],
      ['next', 6, { trivial: 0, dismissed: 0, unknown: 0, undecided: 0 }],
    ]);
  });

  it('of who carries the reviews tells it where three people were active on pull requests of its line in that week', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const id = await aRepository(db, `acme/carried-${reader}`, [reader]);
    const week = 7 * 24;
    const pull = (number: number, additions: number, ...happenings: Parameters<typeof aPullRequest>[1][]) =>
      aPullRequest(
        { number, createdAt: hour(week + 30), author: aPerson('ada'), additions, deletions: 0 },
        ...happenings,
      );
    const reviewed = approves(week + 40, 'bo');
    await store(db, id, NOW.getTime(), [
      pull(1, 10, reviewed, says(week + 41, 'bot-deps'), says(week + 42, 'bo')),
      pull(2, 100, reviewed, says(week + 41, 'cy')),
      pull(3, 300, reviewed),
      pull(4, 301, says(week + 41, 'cy')),
      pull(5, 700, reviewed, says(2 * week + 40, 'cy'), approves(2 * week + 41, 'bo')),
      pull(6, 2000, reviewed, approves(week + 41, 'cy'), approves(week + 42, 'di')),
    ]);
    const of = async (query: Query) =>
      Object.fromEntries(
        (await ask({ figure: 'concentration', from: '2026-01-05', to: '2026-03-30', ...query }, reader))[0]!.lines.map(
          ({ key, points }) => [key, points.filter(({ n }) => n > 0)],
        ),
      );

    expect(await of({ split: 'size' })).toEqual({
      '0-50': [{ value: null, n: 1 }],
      '51-200': [{ value: 1, n: 1 }],
      '201-500': [{ value: 1, n: 1 }],
      '501-1000': [
        { value: null, n: 1 },
        { value: null, n: 1 },
      ],
      '1000+': [{ value: 2, n: 3 }],
    });
    expect(await of({})).toEqual({
      all: [
        { value: 1, n: 7 },
        { value: null, n: 1 },
      ],
    });
    expect(await of({ size: ['0-50'] })).toEqual({ all: [{ value: null, n: 1 }] });
    expect(await of({ size: ['201-500'] })).toEqual({ all: [{ value: 1, n: 1 }] });
  });

  it('shifts with whatever happened, week by week', async () => {
    const { db } = database;
    const reader = await aUser(db);
    const [id, later] = [
      await aRepository(db, `acme/here-${reader}`, [reader]),
      await aRepository(db, `acme/later-${reader}`, [reader]),
    ];
    const lives = (by: number) =>
      Array.from({ length: 20 }, (_, at) =>
        aPullRequest({ number: at + 1, createdAt: hour(at * 9 + by) }, merged(at * 11 + 30 + by)),
      );
    await store(db, id, NOW.getTime(), lives(0));
    await store(db, later, NOW.getTime(), lives(3 * 7 * 24));
    const of = async (repository: number, from: string, to: string) =>
      (
        await ask({ figure: ['merged', 'time_to_merge', 'open'], repository: String(repository), from, to }, reader)
      ).map(({ lines }) => lines.map(({ points }) => points));

    // The clocks went forward between them.
    expect(await of(later, '2026-04-06', '2026-05-04')).toEqual(await of(id, '2026-03-16', '2026-04-13'));
  });
});

describe('what a trend is asked for', () => {
  const refusal = async (query: Query) => {
    const parsed = endpoints.getTrends.query.safeParse(query);
    if (!parsed.success) return parsed.error.issues[0]!.message;
    return await ask(query).then(
      () => null,
      (error: { status: number; message: string }) => `${error.status} ${error.message}`,
    );
  };

  it.each([
    [{ figure: 'nothing' }, /^must be one of: opened, merged/],
    [{}, /./],
    [{ figure: trendFigures.slice(0, 7) }, /^At most 6 figures$/],
    [{ figure: 'opened', split: 'people' }, /^must be one of: none, repository/],
    [{ figure: 'opened', bucket: 'hour' }, /^must be one of: day, week/],
    [{ figure: 'opened', clock: 'days' }, /^must be hours$/],
    [{ figure: 'opened', from: 'soon' }, /^must be a date, 2026-03-29, or an instant/],
    [{ figure: 'opened', aggregate: 'p50' }, /^400 aggregate: “Pull requests opened” has no p50$/],
    [
      { figure: 'from_outside', split: 'team' },
      /^400 split: “Reviews from outside the team” is not told apart by team$/,
    ],
    [{ figure: 'opened', from: '2026-05-01', to: '2026-05-01' }, /^400 from: must lie before “to”$/],
    [{ figure: 'opened', from: '2024-01-01', to: '2026-01-02' }, /^400 from: At most two years$/],
    [{ figure: 'opened', from: '2024-01-01', to: '2025-06-01', bucket: 'day' }, /^400 bucket: At most 400 points$/],
    [{ figure: 'opened', repository: '2147483647' }, /^404 Repository not found$/],
    [{ figure: 'opened', repository: 'acme' }, /^must be a whole number$/],
    [{ figure: 'opened', repository: '' }, /^must be a whole number$/],
    [{ figure: 'opened', team: '' }, /^must be a whole number$/],
    [{ figure: '' }, /^must not be empty$/],
    [{ figure: 'opened', authorship: '' }, /^must not be empty$/],
    [{ figure: 'opened', labels: '' }, /^must not be empty$/],
  ])('%j is refused', async (query, message) => {
    expect(await refusal(query as Query)).toMatch(message as RegExp);
  });

  it('may be two years to the day, and 400 days', async () => {
    expect(await refusal({ figure: 'opened', from: '2024-01-01', to: '2026-01-01' })).toBeNull();
    expect(await refusal({ figure: 'opened', from: '2025-01-01', to: '2026-02-05', bucket: 'day' })).toBeNull();
  });

  it('ends now, also where a later end is asked for: nothing is foretold', async () => {
    const until = async (more: object) =>
      await ask({ figure: ['opened', 'open', 'long_open'], from: '2026-01-05', bucket: 'week', ...more });

    expect(await until({ to: '2027-01-05' })).toEqual(await until({}));
  });

  it('is answered from what the caller sees alone', async () => {
    const { db } = database;
    const stranger = await aUser(db);
    const [mine] = await ask({ figure: 'opened', split: 'repository', bucket: 'whole', from: '2025-12-01' });
    const [theirs] = await ask(
      { figure: 'opened', split: 'repository', bucket: 'whole', from: '2025-12-01' },
      stranger,
    );

    expect(mine!.lines.map(({ key }) => Number(key)).toSorted()).toEqual(ids.toSorted());
    expect(theirs!.lines).toEqual([]);
    expect(theirs!.events).toEqual([]);
    await expect(ask({ figure: 'opened', repository: String(ids[0]) }, stranger)).rejects.toMatchObject({
      status: 404,
    });
  });

  it('tells when a repository was connected in the window', async () => {
    const { db } = database;
    await sql`update connections set connected_at = '2026-06-01T10:00:00Z' where repository_id = ${ids[1]} and user_id = ${user}`.execute(
      db,
    );

    const [trend] = await ask({ figure: 'opened' });

    expect(trend!.events).toEqual([
      { at: '2026-06-01T10:00:00.000Z', kind: 'repository_connected', text: `acme/second-${user} connected` },
    ]);
  });
});

it('the figures say what each can be asked for', async () => {
  const figures = await trendRoutes({ db: database.db, now: () => NOW }).listFigures({} as never);

  expect(figures.map(({ key }) => key)).toEqual([...trendFigures]);
  for (const { key, aggregates, splits } of figures)
    expect([key, aggregates, splits]).toEqual([key, figureOf(key).aggregates, figureOf(key).splits]);
});

it('a label is found as it is spelled, in whatever letters', async () => {
  const id = await aRepository(database.db, `acme/labels-${user}`, [user]);
  await store(
    database.db,
    id,
    NOW.getTime(),
    [['Änderung'], ['Bug'], []].map((labels, at) =>
      aPullRequest({ number: at + 1, attribution: { ...noAttribution, labels }, createdAt: NOW.getTime() - HOUR }),
    ),
  );
  const opened = async (labels: string) => {
    const [trend] = await ask({ figure: 'opened', bucket: 'whole', repository: String(id), labels });
    return trend!.lines[0]!.points[0]!.value;
  };

  expect(await opened('Änderung')).toBe(1);
  expect(await opened('bUG')).toBe(1);
  expect(await opened('Änderung,bug')).toBe(2);
});

// On both databases what is behind a point is held against what is asked for (point.db.test.ts).
it.runIf(process.env.TEST_DATABASE === 'postgresql')(
  'every figure can be asked for by each of its statistics and dimensions, also of some pull requests alone',
  async () => {
    for (const key of trendFigures) {
      const { aggregates, splits } = figureOf(key);
      for (const aggregate of aggregates) await ask({ figure: key, aggregate, bucket: 'month' });
      for (const split of splits)
        await ask({ figure: key, split, bucket: 'month', labels: 'bug', authorship: 'human' });
    }
  },
);
