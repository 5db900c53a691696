import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Contributor, ContributorMetrics, ContributorPullRequest } from '#contract/contributors.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { Explanation } from '#contract/explain.ts';
import type { DeveloperStat } from '#contract/team.ts';
import { asking, since } from '../../src/server/metrics/asked.ts';
import { compile } from '../../src/server/metrics/compile.ts';
import { type Scope, scopeOf } from '../../src/server/metrics/scope.ts';
import { keptSince } from '../../src/server/metrics/sums.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { everyFigure } from '../support/every-figure.ts';
import { people, type RandomHistory, randomHistory } from '../support/random-history.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, store } from '../support/stored.ts';
import { aTeam } from '../support/teams.ts';
import { rounded } from '../twin/arithmetic.ts';

/*
 * What `credit=started` adds to people: agents' pull requests, of each person those that are credited to them, counted here by plain loops
 * over what is stored of them.
 */

const SEED = Number(process.env.TWIN_SEED ?? 20_260_310);
const DAY = 86_400_000;
/** Nobody who did anything of their own. */
const NEWCOMER = 'newcomer';
const starters = ['ada', 'Bo', NEWCOMER];

let simulator: RunningSimulator;
let app: TestApp;
let mona: string;
let now: number;
/** People, without bots and agents. */
let humans: number;
let before: Map<string, unknown>;
let credited: Credited[];

interface Credited {
  readonly login: string;
  readonly repository_id: number;
  readonly number: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly merged: boolean;
  readonly hours: number | null;
  readonly lines_changed: number;
}

const takes = (name: string, { query }: Endpoint) =>
  query !== undefined && name in ((query as z.ZodObject).shape ?? {});
const calls = Object.values<Endpoint>(endpoints).filter((endpoint) => takes('credit', endpoint));
const pathsOf = ({ path }: Endpoint) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`);
  return everyFigure.filter((asked) => pattern.test(asked));
};
const paths = [...new Set(calls.flatMap(pathsOf))];

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  const { now: moment, repositories } = history();
  now = moment;
  app = await openTestApp({ host_url: simulator.url, now: () => new Date(now) });
  mona = await app.signIn('mona');
  const { id } = (await app.ask('GET', '/auth/me', { as: mona })).body as { id: number };
  const { db } = app.database;
  for (const [index, pulls] of repositories.entries())
    await store(db, await aRepository(db, ['acme/Web', 'acme/api'][index]!, [id]), now, pulls);
  before = await answers();
  await sql`insert into people (host, host_id, login, type, kind)
    select host, '1', ${NEWCOMER}, 'user', 'human' from people limit 1`.execute(db);
  await sql`
    update pull_request_facts f set credit_by = 'line', credited_id = (
      select id from people where login = (${[...starters, null]}::text[])[1 + (f.number + f.repository_id) % 4])
    where authorship = 'agent'`.execute(db);
  const { rows } = await sql<Credited>`
    select person.login, p.repository_id, p.number, p.created_at, p.ended_at, p.state = 'merged' as merged,
      extract(epoch from p.merged_at - p.created_at)::float8 / 3600 as hours, p.lines_changed
    from pull_requests p join pull_request_facts f using (repository_id, number)
    join people person on person.id = f.credited_id where f.authorship = 'agent'`.execute(db);
  credited = rows;
  const members = await db.selectFrom('people').select('id').where('kind', '=', 'human').execute();
  const of = members.map(({ id: person }) => ({ person, from: null, to: null }));
  humans = await aTeam(db, 'Humans', [id], of);
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

/** The fullest of a few histories, in which the agent opened every third pull request. */
function history() {
  const many = ({ repositories }: RandomHistory) => repositories[0]!.pulls.length * repositories[1]!.pulls.length;
  const [{ now, repositories }] = fc
    .sample(randomHistory, { seed: SEED, numRuns: 8 })
    .toSorted((a, b) => many(b) - many(a)) as [RandomHistory];
  const agent = people.find(({ kind }) => kind === 'agent')!;
  const byAgents = repositories
    .slice(0, 2)
    .map(({ pulls }) => pulls.map((pull, index) => (index % 3 === 0 ? { ...pull, author: agent } : pull)));
  return { now, repositories: byAgents };
}

async function answers(): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const path of paths) {
    const { status, body } = await app.ask('GET', path, { as: mona });
    all.set(path, status === 200 ? body : status);
  }
  return all;
}

async function ask<T>(path: string): Promise<T> {
  const { status, body } = await app.ask('GET', path, { as: mona });
  expect(status, path).toBe(200);
  return body as T;
}

const withCredit = (path: string) => `${path}${path.includes('?') ? '&' : '?'}credit=started`;
const of = (login: string) => credited.filter((pull) => pull.login === login);
const isIn = (moment: Date | null, days: number) => moment !== null && moment.getTime() > now - days * DAY;
const opened = (pulls: readonly Credited[], days: number) => pulls.filter(({ created_at }) => isIn(created_at, days));
const merged = (pulls: readonly Credited[], days: number) =>
  pulls.filter(({ merged, ended_at }) => merged && isIn(ended_at, days));
const open = (pulls: readonly Credited[]) => pulls.filter(({ ended_at }) => ended_at === null);

test('agents opened some for each of them, and some for nobody', () => {
  for (const login of starters) expect(of(login).length, login).toBeGreaterThan(2);
  expect(credited.some(({ merged }) => merged)).toBe(true);
  expect(open(credited).length).toBeGreaterThan(0);
});

test('without the choice nothing changes by whom agents’ pull requests are credited to', async () => {
  expect(calls.length).toBe(7);
  for (const endpoint of calls) expect(pathsOf(endpoint), endpoint.path).not.toEqual([]);
  // What teams are asked about, and who started agents' pull requests, goes by whom they are credited to, with or without the choice
  // (docs/metrics.md#teams).
  const byCredit = (path: string) => /^\/api\/explain\/(team\.from_outside|ai\.credited)/.test(path);
  expect([...before.keys()].filter(byCredit)).not.toEqual([]);
  const byOpeners = (all: Map<string, unknown>) => Object.fromEntries([...all].filter(([path]) => !byCredit(path)));
  const after = byOpeners(await answers());
  expect(rounded(after, byOpeners(before))).toEqual(byOpeners(before));
});

describe.each(['', '&accounts=all'])('lists of people%s', (accounts) => {
  test.each(['7d', '90d', '1y'])('developers of %s have theirs and those that they started', async (period) => {
    const days = { '7d': 7, '90d': 90, '1y': 365 }[period]!;
    const path = `/api/developer-stats?period=${period}${accounts}`;
    const [alone, both] = [await ask<DeveloperStat[]>(path), await ask<DeveloperStat[]>(withCredit(path))];
    const without = new Map(alone.map((row) => [row.author, row]));
    const expectedMerges = alone.reduce((sum, { merged_prs }) => sum + merged_prs, 0) + merged(credited, days).length;
    expect(both.reduce((sum, { merged_prs }) => sum + merged_prs, 0)).toBe(expectedMerges);
    expect(both.reduce((sum, { open_prs }) => sum + open_prs, 0)).toBe(
      alone.reduce((sum, { open_prs }) => sum + open_prs, 0) + open(credited).length,
    );
    expect(both.some(({ author }) => author === NEWCOMER)).toBe(true);
    for (const row of both) {
      const own = without.get(row.author);
      const theirs = of(row.author);
      const merges = merged(theirs, days);
      const expected = {
        open_prs: (own?.open_prs ?? 0) + open(theirs).length,
        merged_prs: (own?.merged_prs ?? 0) + merges.length,
        reviews_given: own?.reviews_given ?? 0,
        avg_review_response_hours: own?.avg_review_response_hours ?? null,
      };
      expect(rounded(row, expected)).toMatchObject(expected);
      const hours =
        (own?.avg_merge_time_hours ?? 0) * (own?.merged_prs ?? 0) + merges.reduce((sum, { hours }) => sum + hours!, 0);
      if (row.merged_prs > 0) expect(row.avg_merge_time_hours).toBeCloseTo(hours / row.merged_prs, 6);
      if (theirs.length === 0) expect(rounded(row, own)).toEqual(own);
    }
  });

  test('contributors have theirs and those that they started; who did nothing else has no activity', async () => {
    const path = `/api/contributors?${accounts.slice(1)}`;
    const [alone, both] = [await ask<Contributor[]>(path), await ask<Contributor[]>(`${path}&credit=started`)];
    const sum = (rows: readonly Contributor[]) => rows.reduce((all, { total_prs_opened }) => all + total_prs_opened, 0);
    expect(sum(both)).toBe(sum(alone) + credited.length);
    expect(both.at(-1)).toMatchObject({ username: NEWCOMER, last_activity: null });
    for (const row of both) {
      const own = alone.find(({ username }) => username === row.username);
      expect(row).toMatchObject({
        total_prs_opened: (own?.total_prs_opened ?? 0) + of(row.username).length,
        total_prs_merged: (own?.total_prs_merged ?? 0) + of(row.username).filter(({ merged }) => merged).length,
        current_open_prs: (own?.current_open_prs ?? 0) + open(of(row.username)).length,
        last_activity: own?.last_activity ?? null,
      });
    }
  });
});

test.each(starters)('%s has a page with theirs and those that they started', async (login) => {
  const theirs = of(login);
  const path = `/api/contributors/${login}`;
  const both = await ask<ContributorMetrics>(`${path}/metrics?period=1y&credit=started`);
  const listed = await ask<ContributorPullRequest[]>(`${path}/prs?period=1y&credit=started`);
  expect(listed.length).toBe(both.total_prs_opened);
  // With how many an agent took part is told to nobody but themselves.
  expect(both.with_agents).toBeNull();
  expect(Object.values(both.pr_size_distribution).reduce((sum, count) => sum + count, 0)).toBe(both.total_prs_opened);
  expect(new Set(both.top_reviewed_by.map(({ username }) => username))).not.toContain(login);
  await ask(`${path}/review-heatmap?credit=started`);
  const { repositories_count } = (await ask<Contributor[]>('/api/contributors?credit=started')).find(
    ({ username }) => username === login,
  )!;
  expect(await ask(`/api/contributors/search?q=${login}&credit=started`)).toMatchObject([
    { username: login, repository_count: repositories_count },
  ]);
  if (login === NEWCOMER) {
    expect(both).toMatchObject({ total_prs_opened: opened(theirs, 365).length, last_active: null, total_commits: 0 });
    expect(both.active_days).toBe(
      new Set(opened(theirs, 30).map(({ created_at }) => created_at.toISOString().slice(0, 10))).size,
    );
    expect((await app.ask('GET', `${path}/metrics`, { as: mona })).status).toBe(404);
    expect(await ask(`/api/contributors/search?q=${login}`)).toEqual([]);
    return;
  }
  const alone = await ask<ContributorMetrics>(`${path}/metrics?period=1y`);
  expect(both).toMatchObject({
    total_prs_opened: alone.total_prs_opened + opened(theirs, 365).length,
    total_prs_merged: alone.total_prs_merged + merged(theirs, 365).length,
    current_open_prs: alone.current_open_prs + open(theirs).length,
    total_commits: alone.total_commits,
    total_prs_reviewed: alone.total_prs_reviewed,
    avg_review_response_time: alone.avg_review_response_time,
    last_active: alone.last_active,
  });
});

test('every figure of a developer or contributor opens with the choice, over as many pull requests as it counts', async () => {
  for (const login of starters) {
    const metrics = await ask<ContributorMetrics>(`/api/contributors/${login}/metrics?period=90d&credit=started`);
    const [developer] = (await ask<DeveloperStat[]>('/api/developer-stats?period=90d&credit=started')).filter(
      ({ author }) => author === login,
    );
    const listed = (await ask<Contributor[]>('/api/contributors?credit=started')).find(
      ({ username }) => username === login,
    );
    const counts: [string, number][] = [
      ['contributor.total_prs_opened', metrics.total_prs_opened],
      ['contributor.total_prs_merged', metrics.total_prs_merged],
      ['contributor.current_open_prs', metrics.current_open_prs],
      ['all_time.total_prs_opened', listed!.total_prs_opened],
      ['all_time.total_prs_merged', listed!.total_prs_merged],
      ['contributor.stale_prs', metrics.stale_prs.length],
      ['contributor.repositories_count', listed!.repositories_count],
      ['contributor.active_days', metrics.active_days],
      ['developer.merged_prs', developer!.merged_prs],
      ['developer.open_prs', developer!.open_prs],
      ['developer.prs_awaiting_review', developer!.prs_awaiting_review],
    ];
    for (const [key, figure] of counts) {
      const window = /active_days|all_time/.test(key) ? '' : '&period=90d';
      const { n, value } = await ask<Explanation>(`/api/explain/${key}?username=${login}${window}&credit=started`);
      expect([n, value], `${key} of ${login}`).toEqual([figure, figure]);
    }
    const means: [string, number | null][] = [
      ['contributor.avg_time_to_merge_hours', metrics.avg_time_to_merge_hours],
      ['contributor.avg_pr_size', metrics.avg_pr_size],
      ['contributor.pr_merge_rate', metrics.pr_merge_rate],
      ['contributor.avg_review_cycles', metrics.avg_review_cycles],
      ['developer.review_approval_rate', developer!.review_approval_rate],
      ['developer.review_to_pr_ratio', developer!.review_to_pr_ratio],
    ];
    for (const [key, figure] of means) {
      const { value } = await ask<Explanation>(`/api/explain/${key}?username=${login}&period=90d&credit=started`);
      expect(value === null, `${key} of ${login}`).toBe(figure === null);
      if (value !== null) expect(value, `${key} of ${login}`).toBeCloseTo(figure!, 9);
    }
  }
});

test('of a team of all people, for ever, it is the same', async () => {
  for (const path of paths.filter((path) => !path.includes('accounts=all') && !path.includes('/explain/'))) {
    const all = [path, `${path}${path.includes('?') ? '&' : '?'}team=${humans}`].map(withCredit);
    const [whole, narrowed] = [
      await app.ask('GET', all[0]!, { as: mona }),
      await app.ask('GET', all[1]!, { as: mona }),
    ];
    const isOfHuman = !/renovator|Copilot/.test(path);
    expect(narrowed.status, path).toBe(whole.status);
    if (whole.status === 200 && isOfHuman) expect(rounded(narrowed.body, whole.body), path).toEqual(whole.body);
  }
});

test('kept sums and what is read of agents’ pull requests make up every window', async () => {
  const { db } = app.database;
  const { id } = (await app.ask('GET', '/auth/me', { as: mona })).body as { id: number };
  const columns = {
    opened: 'opened',
    merged: 'merged',
    rate: 'merge_rate',
    size: 'size',
    hours: 'time_to_merge',
    rounds: 'rounds',
    reviews: 'counting_reviews',
  } as const;
  const rowsOf = async (scope: Scope, days: number, isKept: boolean) => {
    const asked = asking(scope, new Date(now), 'UTC', { window: since(now - days * DAY) });
    const rows = isKept ? keptSince(asked, columns) : compile(asked, columns, 'person');
    const key = sql.ref(isKept ? 'person_id' : 'key');
    const text = sql`select ${key} as person, opened::int, merged::int, reviews::int, rate::float8, size::float8, hours::float8, rounds::float8
      from ${rows} numbers where opened + merged + reviews > 0 order by 1`;
    return (await text.execute(db)).rows as Record<string, number | null>[];
  };
  for (const team of [undefined, humans]) {
    const scope = await scopeOf(db, id, undefined, { credit: 'started', team });
    for (const days of [3, 40, 100, 365, 800]) {
      const [kept, compiled] = [await rowsOf(scope, days, true), await rowsOf(scope, days, false)];
      expect(kept.length).toBe(compiled.length);
      for (const [index, row] of compiled.entries())
        for (const [name, value] of Object.entries(row))
          if (value === null) expect(kept[index]![name], name).toBeNull();
          else expect(kept[index]![name], name).toBeCloseTo(value, 5);
    }
  }
});

test.each(calls.map((endpoint) => [endpoint.path, endpoint] as const))('%s refuses another choice', async (_, call) => {
  for (const path of pathsOf(call).slice(0, 1)) {
    const { status, body } = await app.ask('GET', withCredit(path).replace('credit=started', 'credit=author'), {
      as: mona,
    });
    expect([status, body]).toMatchObject([400, { issues: [{ path: 'credit', message: 'must be started' }] }]);
  }
});

test('a figure that counts nobody’s pull requests refuses the choice', async () => {
  for (const key of ['team.merged_prs', 'load.merged_last_week?username=ada', 'reviewer.review_count?username=ada'])
    expect((await app.ask('GET', withCredit(`/api/explain/${key}`), { as: mona })).status, key).toBe(400);
});

test('exports say the choice in every row, in the head and on every page', async () => {
  const asked = { username: NEWCOMER, period: '1y', credit: 'started' };
  const download = async (format: string, body: object = asked) =>
    (await app.ask('POST', '/api/contributors/export', { as: mona, body: { ...body, format } })) as {
      status: number;
      body: unknown;
    };
  expect((await download('csv')).status).toBe(200);
  expect((await download('pdf')).status).toBe(200);
  const json = await download('json');
  const read = (typeof json.body === 'string' ? JSON.parse(json.body) : json.body) as Record<string, unknown>;
  expect(read).toMatchObject({ username: NEWCOMER, credit: 'started' });
  expect(read.pull_requests).toHaveLength(opened(of(NEWCOMER), 365).length);
  expect((await download('csv', { ...asked, credit: null })).status).toBe(404);
});
