import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type EndpointName, endpoints } from '../../src/contract/endpoints.ts';
import { tableOf } from '../../src/server/http/table.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { agents, randomReviewed } from '../support/random-reviewed.ts';
import { recordsOf } from '../support/rfc-4180.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';
import { aRepository, HOST, store } from '../support/stored.ts';

/** Every list and figure as CSV: what it says is what its JSON says. */
const MOMENT = Date.parse('2026-03-29T01:00:00Z');

/** The pull requests behind a point of a trend, which come page by page. */
const POINT = '/api/trends/reviews/prs?bucket=whole&from=2026-01-01&point=2026-01-01';

type WithTable = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { table: object | string } ? Name : never;
}[EndpointName];

/** Where each call with a table has rows; one without an address here does not compile. */
const addresses: Readonly<Record<WithTable, string>> = {
  listSessions: '/auth/sessions',
  listTokens: '/api/tokens',
  listAssistantCalls: '/api/assistants/calls',
  listConnectedRepositories: '/api/repos',
  listRepositories: '/api/repositories',
  listAvailableRepositories: '/api/repositories/available',
  listImports: '/api/repos/bulk',
  listJoinableRepositories: '/api/repos/joinable',
  getTeamStats: '/api/team-stats',
  listStuckPullRequests: '/api/stuck-prs',
  countStuckPullRequests: '/api/stuck-prs/counts',
  listReviewerStats: '/api/reviewer-stats?accounts=all',
  listDeveloperStats: '/api/developer-stats?accounts=all',
  listReviewLoad: '/api/review-load',
  listAvailableTeams: '/api/teams/available',
  listFigures: '/api/figures',
  getTrends: '/api/trends?figure=opened,time_to_merge&split=authorship&bucket=month&from=2026-01-01',
  explainTrendPoint: POINT,
  listNotes: '/api/notes',
  listViews: '/api/views',
  listTeams: '/api/teams',
  getTeam: '/api/teams/TEAM',
  compareTeams: '/api/teams/compare?window=1y',
  getTeamView: '/api/teams/TEAM/view?period=1y',
  getHealth: '/api/health?from=2026-01-01&all_bases=true',
  listSignalPullRequests: '/api/health/merged_unreviewed/prs?from=2026-01-01&all_bases=true',
  getAiAuthorship: '/api/ai/authorship?from=2026-01-01',
  listAiReviewers: '/api/ai/reviewers?from=2026-01-01',
  getAiReviewer: '/api/ai/reviewers/AGENT?from=2026-01-01',
  listContributors: '/api/contributors?accounts=all',
  searchContributors: '/api/contributors/search?q=e',
  getContributorMetrics: '/api/contributors/ada/metrics?period=1y',
  listContributorPullRequests: '/api/contributors/ada/prs',
  getReviewHeatmap: '/api/contributors/ada/review-heatmap',
  listPullRequests: '/api/prs',
  getPullRequest: '/api/pr/acme/web/1',
  listChannels: '/api/channels',
  listDeliveries: '/api/notifications/log',
  getDemoInbox: '/api/demo/inbox',
  listMarkedAccounts: '/api/account-kinds',
  listSecurityEvents: '/api/administration/audit?event=signed_in',
};
/** Which answer somebody who isn't a visitor of the demo with an error. */
const refused = new Set<WithTable>(['getDemoInbox']);
/** Of which nothing is stored here: their tables are empty. */
const empty = new Set<WithTable>([
  'listAssistantCalls',
  'listImports',
  'listAvailableTeams',
  'listDeliveries',
  'listMarkedAccounts',
  'listJoinableRepositories',
]);
const names = Object.keys(addresses) as WithTable[];
const tables = new Map(names.map((name) => [name, tableOf(endpoints[name] as Endpoint)!] as const));

let simulator: RunningSimulator;
let app: TestApp;
let mona: string;
let web: number;
let api: number;
let team: number;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({
    ...{ host_url: simulator.url, now: () => new Date(MOMENT), config: { admin_logins: ['mona'] } },
    csv_limits: { most: 100_000, page: 7 },
  });
  mona = await app.signIn('mona');
  const id = ((await app.ask('GET', '/auth/me', { as: mona })).body as { id: number }).id;
  const { repositories } = randomReviewed(7, MOMENT);
  const { db } = app.database;
  web = await aRepository(db, 'acme/Web', [id]);
  api = await aRepository(db, 'acme/api', [id]);
  await store(db, web, MOMENT, repositories[0]!.pulls);
  await store(db, api, MOMENT, repositories[1]!.pulls);
  // As if the simulated host had told it.
  for (const table of ['repositories', 'people'])
    await sql`update ${sql.table(table)} set host = ${simulator.url} where host = ${HOST}`.execute(db);
  const octo = await app.signIn('octo');
  await app.ask('POST', '/api/repos', { as: octo, body: { owner: 'octo-org', name: 'hello' } });
  const make = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await app.ask(method, path, { as: mona, body });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as { id: number };
  };
  team = (await make('/api/teams', { name: '=Team "one"; two', members: ['mona'] })).id;
  await make('/api/notes', { at: '2026-03-01', text: '@a note, "said"' });
  await make('/api/views', { name: '+view', path: '/prs?state=open' });
  await make('/api/tokens', { name: '-1', scopes: ['read:figures'], repositories: [web] });
  await make('/api/channels', { name: '=x', type: 'slack', url: 'https://hooks.slack.com/services/T/B/x' });
  await sql`update pull_requests set title = ${'=HYPERLINK("x")\r\n; \u202e"'}, title_lower = 'x' where number % 3 = 1`.execute(
    db,
  );
});
afterAll(async () => {
  await app?.stop();
  await simulator?.stop();
});

const ask = async (path: string, headers: Record<string, string> = {}) =>
  await app.ask('GET', path, { as: mona, headers });
const where = (name: WithTable) =>
  addresses[name].replace('TEAM', String(team)).replace('AGENT', encodeURIComponent(agents[0]!.login));
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
/** As much as one answer of JSON can have. */
const allOf = (name: WithTable) => {
  const { query } = endpoints[name] as Endpoint;
  const most = { listPullRequests: 500, explainTrendPoint: 100 }[name as string] ?? 200;
  return query !== undefined && 'limit' in (query as unknown as { shape: object }).shape
    ? withQuery(where(name), `limit=${most}`)
    : where(name);
};

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

/** The cell of one value, counted by the rules as they are told. */
function cell(value: Json | undefined): string {
  const text = Array.isArray(value) ? value.map(String).join('; ') : String(value ?? '');
  return typeof value !== 'number' && /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

function rowsIn(name: WithTable, body: Json): Json[] {
  const { table } = endpoints[name] as { table: string | { list: string } };
  if (table === 'object') return [body];
  return (table === 'list' ? body : (body as Record<string, Json>)[(table as { list: string }).list]) as Json[];
}

const at = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((found, name) => (found as Record<string, Json> | null | undefined)?.[name], value);

/** What is in a row: names of values and of lists of values, nested ones joined. */
function namesIn(value: Json, before = ''): string[] {
  return Object.entries(value as Record<string, Json>).flatMap(([name, inner]) => {
    if (Array.isArray(inner)) return inner.some((each) => typeof each === 'object') ? [] : [`${before}${name}`];
    return typeof inner === 'object' && inner !== null ? namesIn(inner, `${before}${name}.`) : [`${before}${name}`];
  });
}

function expectTable(name: WithTable, csv: string, body: Json, part?: string): void {
  const [header, ...records] = recordsOf(csv);
  const rows = rowsIn(name, body);
  expect(header).toEqual(tables.get(name)!.columns(part));
  expect(new Set(header).size).toBe(header!.length);
  if (part === undefined) {
    // Lists that are empty here, of whatever, and objects that are null have no names in JSON.
    for (const row of rows)
      for (const named of namesIn(row))
        if (cell(at(row, named.split('.'))) !== '') expect(header, named).toContain(named);
    expect(records).toEqual(rows.map((row) => header!.map((column) => cell(at(row, column.split('.'))))));
  } else expect(records).toEqual(rows.flatMap((row) => linesOf(withOwnBuckets(row), header!, part.split('.'), [])));
}

/** A trend whose points have what is told of their buckets; anything else as it is. */
function withOwnBuckets(row: Json): Json {
  const { buckets, complete, lines } = row as {
    buckets?: string[];
    complete?: boolean[];
    lines?: { points: object[] }[];
  };
  if (buckets === undefined) return row;
  const dated = (point: object, at: number) => ({ ...point, bucket: buckets[at], complete: complete![at] });
  return { ...(row as object), lines: lines!.map((line) => ({ ...line, points: line.points.map(dated) })) } as Json;
}

/** A line for each element of the part, which lies behind one list or several. */
function linesOf(row: Json, header: readonly string[], path: readonly string[], outer: readonly string[]): string[][] {
  const length = path.findIndex((_, count) => Array.isArray(at(row, path.slice(0, count + 1)))) + 1;
  const own = (value: Json, prefix: string, of: readonly string[]) =>
    of.map((column) => cell(at(value, column.slice(prefix.length).split('.'))));
  const inner = path.slice(0, length).join('.');
  const before = header.filter((column) => !column.startsWith(`${inner}.`));
  const after = header.flatMap((column) => (column.startsWith(`${inner}.`) ? [column.slice(inner.length + 1)] : []));
  const cells = [...outer, ...own(row, '', before)];
  if (length === 0) return [];
  return (at(row, path.slice(0, length)) as Json[]).flatMap((element) =>
    length === path.length
      ? [[...cells, ...own(element, '', after)]]
      : linesOf(element, after, path.slice(length), cells),
  );
}

describe('for every call with a table', () => {
  test.each(names)('the CSV of %s is its JSON', async (name) => {
    const [json, csv] = [await ask(allOf(name)), await ask(withQuery(where(name), 'format=csv'))];

    expect(csv.status).toBe(json.status);
    if (refused.has(name)) return expect(csv.body).toMatchObject({ code: 'not_found' });
    expect(json.status, JSON.stringify(json.body)).toBe(200);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(/^attachment; filename="mergelight-[\w.-]+-2026-03-29\.csv"$/),
      vary: expect.stringContaining('Accept'),
    });
    expect(csv.headers).not.toHaveProperty('x-truncated');
    if (!empty.has(name)) expect(rowsIn(name, json.body as Json)).not.toEqual([]);
    expectTable(name, String(csv.body), json.body as Json);
  });

  test('each list in its rows can be had by its name, behind the columns of the row', async () => {
    for (const [name, { parts }] of tables) {
      if (parts.length === 0 || refused.has(name)) continue;
      const json = (await ask(where(name))).body as Json;
      for (const part of parts) {
        const { status, body } = await ask(withQuery(where(name), `format=csv&part=${part}`));
        expect(status, `${name} ${part}`).toBe(200);
        expectTable(name, String(body), json, part);
      }
    }
    expect(tables.get('getTrends')!.parts).toEqual(['lines', 'lines.points', 'events']);
    expect(await ask('/api/team-stats?format=csv&part=nothing')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error: 'part: must be one of: series' },
    });
  });

  test('each point of a trend has its bucket', async () => {
    const path = '/api/trends?figure=opened&bucket=month&from=2026-01-01';
    const { items } = (await ask(path)).body as {
      items: [{ buckets: string[]; lines: [{ points: { n: number }[] }] }];
    };
    const [header, ...records] = recordsOf(String((await ask(`${path}&format=csv&part=lines.points`)).body));
    const of = (record: string[], name: string) => record[header!.indexOf(`lines.points.${name}`)];
    const [{ buckets, lines }] = items;

    expect(buckets).toEqual(['2026-01-01', '2026-02-01', '2026-03-01']);
    expect(records.map((record) => [of(record, 'bucket'), of(record, 'complete'), of(record, 'n')])).toEqual(
      buckets.map((bucket, at) => [bucket, String(at < 2), String(lines[0].points[at]!.n)]),
    );
  });

  test('the header comes from the contract, so an empty list has the same', async () => {
    const [some, none] = [await ask('/api/prs?format=csv'), await ask('/api/prs?format=csv&q=nothing-of-this-name')];
    expect(recordsOf(String(none.body))).toEqual(recordsOf(String(some.body)).slice(0, 1));
  });
});

test('what has no table is 406 in JSON, and still has its JSON where that will do', async () => {
  const without = (Object.entries(endpoints) as [string, Endpoint][]).filter(
    ([, { method, table, media }]) => method === 'GET' && table === null && media !== 'events',
  );
  expect(without.map(([name]) => name)).toEqual(expect.arrayContaining(['getMyWork', 'explainMetric']));
  for (const [, { path }] of without) {
    const filled = path.replaceAll(/\{\w+\}/g, 'team.open_prs');
    for (const answer of [await ask(`${filled}?format=csv`), await ask(filled, { accept: 'text/csv' })])
      expect(answer, path).toMatchObject({ status: 406, body: { code: 'no_table', error: 'This has no table.' } });
  }
  expect((await ask('/api/my-work', { accept: 'text/csv, application/json;q=0.5' })).status).toBe(200);
  expect(await ask('/api/prs?format=xml')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', error: 'format: must be json or csv', issues: [{ path: 'format' }] },
  });
  expect((await ask('/api/prs?format=csv&format=json')).status).toBe(400);
  expect((await app.ask('GET', '/api/prs?format=csv')).body).toMatchObject({ code: 'not_signed_in' });
});

test.each([
  ['text/csv', 'csv'],
  ['TEXT/CSV; charset=utf-8', 'csv'],
  ['text/*', 'csv'],
  ['text/csv, */*', 'csv'],
  ['application/json;q=0.4, text/csv;q=0.5', 'csv'],
  ['*/*', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['text/csv, application/json', 'json'],
  ['text/csv;q=0.4, application/json;q=0.5', 'json'],
  ['text/csv;q=0, */*;q=0.1', 'json'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  ['image/png', 'json'],
])('Accept: %s is answered by %s', async (accept, kind) => {
  expect(String((await ask('/api/repositories', { accept })).headers['content-type'])).toContain(kind);
  expect(String((await ask('/api/repositories?format=json', { accept })).headers['content-type'])).toContain('json');
  expect(String((await ask('/api/repositories?format=csv', { accept })).headers['content-type'])).toContain('csv');
});

test('whatever a title is, it comes back from its cell', async () => {
  const { db } = app.database;
  const nasty = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    '""',
    ',',
    ';',
    '; ',
    "'",
    '\u202e',
    '\u2066',
    '＝',
    '🚀',
    ' ',
  );
  const title = fc
    .array(fc.oneof(nasty, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 6 })
    .map((parts) => parts.join('').replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(title, { minLength: 1, maxLength: 5 }), async (titles) => {
      await sql`update pull_requests set title = (${titles}::text[])[1 + number % ${titles.length}::int], title_lower = '' where repository_id = ${web}`.execute(
        db,
      );
      const query = `repository=${web}&sortBy=created_at`;
      const [json, csv] = [await ask(`/api/prs?limit=500&${query}`), await ask(`/api/prs?format=csv&${query}`)];
      expectTable('listPullRequests', String(csv.body), json.body as Json);
    }),
    { numRuns: 6 },
  );
});

test('with limit and offset it is that page, and without limit all that follow', async () => {
  const count = (csv: unknown) => recordsOf(String(csv)).length - 1;
  const { total } = (await ask('/api/prs?limit=1')).body as { total: number };

  expect(count((await ask('/api/prs?format=csv&limit=3')).body)).toBe(3);
  expect(count((await ask('/api/prs?format=csv&limit=3&offset=1')).body)).toBe(3);
  expect(count((await ask('/api/prs?format=csv&offset=2')).body)).toBe(total - 2);
  for (const sort of ['title&sortOrder=ASC', 'lines_changed', 'updated_at&state=merged&q=e']) {
    const json = (await ask(`/api/prs?limit=500&sortBy=${sort}`)).body as Json;
    expectTable('listPullRequests', String((await ask(`/api/prs?format=csv&sortBy=${sort}`)).body), json);
  }
});

test('a list longer than a CSV may be says so, and is cut', async () => {
  const short = await openTestApp({
    ...{ host_url: simulator.url, database: app.database, now: () => new Date(MOMENT) },
    csv_limits: { most: 5, page: 2 },
  });
  try {
    const get = async (path: string) => await short.ask('GET', path, { as: mona });
    for (const path of ['/api/prs', POINT, '/api/contributors?accounts=all']) {
      const json = (await get(path)).body as { total?: number } & unknown[];
      const { headers, body } = await get(withQuery(path, 'format=csv'));
      expect(headers, path).toMatchObject({
        'x-truncated': 'true',
        'x-total-count': String(json.total ?? json.length),
      });
      expect(recordsOf(String(body))).toHaveLength(6);
    }
    const { headers, body } = await get('/api/prs?format=csv&limit=7');
    expect(headers).not.toHaveProperty('x-truncated');
    expect(recordsOf(String(body))).toHaveLength(8);
  } finally {
    await short.stop();
  }
});

describe('by token', () => {
  let token: string;
  beforeAll(async () => {
    const body = { name: 'web alone', scopes: ['read:figures'], repositories: [web] };
    token = ((await app.ask('POST', '/api/tokens', { as: mona, body })).body as { token: string }).token;
  });
  const byToken = async (path: string) =>
    await app.ask('GET', path, { headers: { authorization: `Bearer ${token}`, accept: 'text/csv' } });

  test('a CSV has what the session has of its repositories, through every page', async () => {
    for (const path of ['/api/prs', POINT, '/api/stuck-prs']) {
      const narrowed = (await ask(withQuery(path, `format=csv&repository=${web}`))).body;
      expect(recordsOf(String(narrowed)).length, path).toBeGreaterThan(9);
      expect((await byToken(path)).body, path).toEqual(narrowed);
    }
    expect(await byToken(`/api/prs?repository=${api}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await byToken('/api/tokens')).status).toBe(403);
  });
});
