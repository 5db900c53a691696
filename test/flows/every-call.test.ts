import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { edgeHistory } from '../support/edge-history.ts';
import { everyFigure, explained, lists, ofPeople } from '../support/every-figure.ts';
import { people, randomHistory } from '../support/random-history.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, store } from '../support/stored.ts';

/** What everybody sees who asks for figures, over HTTP. */
const MOMENT = Date.parse('2026-03-29T01:00:00Z');
let simulator: RunningSimulator;
let app: TestApp;
let mona: string;
let web: number;
let foreign: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: simulator.url, now: () => new Date(MOMENT) });
  mona = await app.signIn('mona');
  const { repositories } = fc.sample(randomHistory, { seed: 5, numRuns: 1 })[0]!;
  const { db } = app.database;
  web = await aRepository(db, 'acme/Web', [await idOf(mona)]);
  const api = await aRepository(db, 'acme/api', [await idOf(mona)]);
  await store(db, web, MOMENT, repositories[0]!.pulls);
  await store(db, api, MOMENT, edgeHistory(MOMENT, 'UTC').repositories[2]!.pulls);
  foreign = await aRepository(db, 'else/foreign', [await idOf(await app.signIn('octo'))]);
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

async function idOf(session: string): Promise<number> {
  const { body } = await app.ask('GET', '/auth/me', { as: session });
  return (body as { id: number }).id;
}

async function answers(paths: readonly string[]): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, body } = await app.ask('GET', path, { as: mona });
    // Each error has an id of its own.
    all[path] = status === 200 ? body : status;
  }
  return all;
}

test('every call of figures answers 200 by its contract, or 404 of somebody who takes no part', async () => {
  const all = await answers(everyFigure);

  for (const path of [...lists, ...explained.filter((path) => path.includes('team'))])
    expect(all[path], path).toBeInstanceOf(Object);
  expect(all['/api/contributors/ada/metrics?period=1y']).toMatchObject({ username: 'ada' });
  expect(Object.values(all).every((answer) => typeof answer === 'object' || answer === 404)).toBe(true);
});

test('no answer of any call changes when other people’s repositories come, hold the same people, and go', async () => {
  const { db } = app.database;
  const before = await answers(everyFigure);

  const theirs = await aRepository(db, 'acme/Web-of-others', [await idOf(await app.signIn('octo'))]);
  await store(db, theirs, MOMENT, edgeHistory(MOMENT, 'UTC').repositories[1]!.pulls);
  const meanwhile = await answers(everyFigure);
  await sql`delete from repositories where id = ${theirs}`.execute(db);

  expect(meanwhile).toEqual(before);
  expect(await answers(everyFigure)).toEqual(before);
});

test('bots and agents come with accounts=all and change no row of a human', async () => {
  type Row = { kind?: string; reviewer?: string };
  for (const path of ofPeople.filter((path) => !path.includes('search'))) {
    const all = (await answers([`${path}?accounts=all`]))[`${path}?accounts=all`] as Row[];
    const humans = (await answers([path]))[path] as Row[];

    expect(all.filter(({ kind }) => kind === 'human')).toEqual(humans);
    expect(
      all.some(({ kind }) => kind === 'bot' || kind === 'agent'),
      path,
    ).toBe(true);
    expect(
      all.some(({ kind }) => kind === 'ghost'),
      path,
    ).toBe(false);
    expect(humans.length).toBeGreaterThan(0);
  }
});

test('nobody gets an answer without a session', async () => {
  for (const path of everyFigure.slice(0, 40)) {
    const { status, body } = await app.ask('GET', path);
    expect([status, (body as { code: string }).code], path).toEqual([401, 'not_signed_in']);
  }
  for (const [method, path] of [
    ['POST', '/api/repos'],
    ['DELETE', '/api/repos/1'],
    ['POST', '/api/test-github-access'],
    ['POST', '/api/sync-repo-complete'],
    ['POST', '/api/sync-repo'],
    ['POST', '/api/sync-resume/1'],
    ['POST', '/api/contributors/export'],
  ] as const)
    expect((await app.ask(method, path, { body: {} })).status, path).toBe(401);
  expect((await app.ask('POST', '/auth/logout', { headers: { 'content-type': 'application/json' } })).status).toBe(204);
});

test.each([
  ['/api/team-stats?repository=abc', 400],
  ['/api/team-stats?repository=', 400],
  ['/api/team-stats?repository=1.5', 400],
  ['/api/team-stats?repository=0', 400],
  ['/api/team-stats?repository=99999999999', 404],
  ['/api/team-stats?repository=12345', 404],
  ['/api/reviewer-stats?accounts=everybody', 400],
  ['/api/contributors/search?q=%00', 400],
  ['/api/contributors/nobody/metrics', 404],
  ['/api/contributors/%25/prs', 404],
  ['/api/contributors/ghost/review-heatmap', 404],
  ['/api/contributors/ada/metrics?repository=all', 400],
  ['/api/prs?limit=0', 400],
  ['/api/prs?limit=501', 400],
  ['/api/prs?limit=ten', 400],
  ['/api/prs?offset=-1', 400],
  ['/api/prs?sortBy=author', 400],
  ['/api/prs?sortOrder=asc', 400],
  ['/api/prs?state=draft', 400],
  ['/api/prs?q=a&q=b', 400],
  ['/api/pr/acme/web/0', 400],
  ['/api/pr/acme/web/first', 400],
  ['/api/pr/acme/nowhere/1', 404],
  ['/api/pr/else/foreign/1', 404],
  ['/api/sync-repo-complete', 400],
  ['/api/sync-repo-complete?repoId=99999999999', 404],
  ['/api/sync-progress/first', 400],
  ['/api/explain/nonsense', 404],
  ['/api/explain/ai.nonsense', 404],
  ['/api/explain/ai.time_to_merge?part=nobody', 400],
  ['/api/explain/ai.time_to_merge?part=bot', 400],
  ['/api/explain/ai.time_to_merge?credit=started', 400],
  ['/api/explain/ai.time_to_merge?statistic=p99', 400],
  ['/api/explain/ai.within_sizes.time_to_merge', 400],
  ['/api/explain/ai.within_sizes.time_to_merge?group=human', 400],
  ['/api/explain/ai.within_sizes.lines_changed?group=agent', 404],
  ['/api/explain/ai.credited?part=author', 400],
  ['/api/ai/authorship?by=person', 400],
  ['/api/ai/authorship?from=2025-01-01&to=2026-03-01', 400],
  ['/api/ai/authorship?repository=2147483647', 404],
  ['/api/ai/reviewers?from=2025-01-01&to=2026-03-01', 400],
  ['/api/ai/reviewers?from=2026-03-01&to=2026-03-01', 400],
  ['/api/ai/reviewers?period=2y', 400],
  ['/api/ai/reviewers?author_kind=person', 400],
  ['/api/ai/reviewers?size=big', 400],
  ['/api/ai/reviewers?repository=2147483647', 404],
  ['/api/ai/reviewers/ada', 404],
  ['/api/ai/reviewers/%00', 400],
  ['/api/explain/ai.coverage', 400],
  ['/api/explain/ai.lift', 400],
  ['/api/explain/ai.groups.time_to_merge', 400],
  ['/api/explain/ai.groups.coverage', 404],
  ['/api/trends?figure=opened&split=reviewer', 400],
  ['/api/explain/ai.coverage?reviewer=ada', 404],
  ['/api/explain/ai.noise?from=2025-01-01&to=2026-03-01', 400],
  ['/api/explain/team.open_prs?limit=101', 400],
  ['/api/explain/developer.merged_prs', 400],
  ['/api/explain/developer.merged_prs?username=nobody', 404],
  ['/api/explain/contributor.pr_size_distribution?username=ada', 400],
  ['/api/explain/contributor.pr_size_distribution?username=ada&part=huge', 400],
  ['/api/explain/contributor.activity_calendar?username=ada&part=2025-03-28', 400],
  ['/api/explain/contributor.review_heatmap?username=ada&part=1-24', 400],
  ['/api/explain/contributor.review_heatmap?username=nobody&part=1-2', 404],
  ['/api/explain/contributor.top_reviewed_by?username=ada&part=nobody', 404],
  ['/api/explain/contributor.top_reviewed_by?username=ada&part=%00', 400],
  ['/api/explain/pull_request.size_percentile', 400],
  ['/api/explain/pull_request.size_percentile?pull_request=acme/web', 400],
  ['/api/explain/pull_request.size_percentile?pull_request=acme/nowhere/1', 404],
  ['/api/explain/pull_request.size_percentile?pull_request=else/foreign/1', 404],
])('GET %s is refused with %i and a sentence', async (path, expected) => {
  const { status, body } = await app.ask('GET', path, { as: mona });

  expect(status).toBe(expected);
  expect(body).toMatchObject({ error: expect.stringMatching(/^\S.{8,}/), code: expect.stringMatching(/^[a-z_]+$/) });
  expect((body as { error: string }).error).not.toMatch(/NaN|undefined|\$\d|select /);
});

test('what is somebody else’s is not found, whichever call asks, as if it were not there', async () => {
  for (const id of [foreign, 2_000_000]) {
    for (const path of [
      `/api/team-stats?repository=${id}`,
      `/api/stuck-prs?repository=${id}`,
      `/api/reviewer-stats?repository=${id}`,
      `/api/developer-stats?repository=${id}`,
      `/api/review-load?repository=${id}`,
      `/api/contributors?repository=${id}`,
      `/api/contributors/ada/metrics?repository=${id}`,
      `/api/contributors/ada/prs?repository=${id}`,
      `/api/contributors/ada/review-heatmap?repository=${id}`,
      `/api/explain/team.open_prs?repository=${id}`,
      `/api/sync-repo-complete?repoId=${id}`,
    ]) {
      const { status, body } = await app.ask('GET', path, { as: mona });
      expect([status, (body as { error: string }).error], path).toEqual([404, 'Repository not found']);
    }
    const exported = { username: 'ada', format: 'csv', period: '30d', repository: id };
    expect((await app.ask('POST', '/api/contributors/export', { as: mona, body: exported })).status).toBe(404);
    expect((await app.ask('DELETE', `/api/repos/${id}`, { as: mona })).status).toBe(404);
    expect((await app.ask('POST', '/api/sync-repo-complete', { as: mona, body: { repoId: id } })).status).toBe(404);
  }
});

test('an export is of all repositories or of the one chosen, and says which', async () => {
  const exported = async (format: string, repository: number | null) => {
    const asked = { username: people[0]!.login, format, period: '1y', repository };
    const { status, body } = await app.ask('POST', '/api/contributors/export', { as: mona, body: asked });
    expect(status).toBe(200);
    return body;
  };

  expect(await exported('csv', web)).toContain(`\r\n"${people[0]!.login}","acme/Web","all","1y",`);
  expect(await exported('csv', null)).toContain(`\r\n"${people[0]!.login}","all","all","1y",`);
  expect(await exported('json', web)).toMatchObject({ repository: 'acme/Web' });
  expect(await exported('json', null)).toMatchObject({ repository: null });
});

test('signs that a database reads as wildcards mean themselves, in any writing', async () => {
  const found = async (q: string) => {
    const { body } = await app.ask('GET', `/api/prs?limit=500&q=${encodeURIComponent(q)}`, { as: mona });
    return (body as { prs: { title: string }[]; total: number }).prs.map(({ title }) => title);
  };
  const { body } = await app.ask('GET', '/api/prs?limit=500', { as: mona });
  const titles = (body as { prs: { title: string }[] }).prs.map(({ title }) => title);

  for (const q of ['%', '_', '100%', 'r_s', 'ÉMILE', 'émile’s', "'", '\\', '😀', '* or 1=1'])
    expect((await found(q)).sort(), q).toEqual(
      titles.filter((title) => title.toLowerCase().includes(q.toLowerCase())).sort(),
    );
  expect(await found(' 100% ')).toEqual(await found('100%'));
});
