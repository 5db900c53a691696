import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AvailableRepositories,
  ImportEstimate,
  JoinableRepository,
  RepositoryImport,
} from '../../src/contract/connecting.ts';
import type { ConnectedRepository } from '../../src/contract/repositories.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/** A company of 1,200 repositories, of which the 300 busiest have two pull requests each. */
let simulator: RunningSimulator;
let app: TestApp;
let fast = 0;
/** How far the clock goes on each time that somebody looks at it, in milliseconds. */
let per_look = 0;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'company', more: ['--count', '600'] });
  app = await openTestApp({ host_url: simulator.url, role: 'all', database: await openTestDatabase(), now });
});
afterAll(async () => {
  await app.stop();
  await app.database.close();
  await simulator.stop();
});
beforeEach(() => {
  per_look = 0;
  // Lists of an earlier test are old by then.
  fast += 10 * 60_000;
});

function now() {
  fast += per_look;
  return new Date(Date.now() + fast);
}

const get = async <T>(path: string, as: string) => {
  const { status, body } = await app.ask('GET', path, { as });
  expect([status, path, status === 200 ? '' : body]).toEqual([200, path, '']);
  return body as T;
};
const available = (as: string, query = '') => get<AvailableRepositories>(`/api/repositories/available${query}`, as);

async function everyPage(as: string, query: string): Promise<AvailableRepositories['items']> {
  const items: AvailableRepositories['items'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: AvailableRepositories = await available(as, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** What the host itself lists for this account. */
async function listedFor(login: string): Promise<{ full_name: string; archived: boolean; fork: boolean }[]> {
  const rows: { full_name: string; archived: boolean; fork: boolean }[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${simulator.url}/api/v3/user/repos?per_page=100&page=${page}`, {
      headers: { authorization: `Bearer ghp_${login}`, 'user-agent': 'test' },
    });
    const some = (await answer.json()) as typeof rows;
    rows.push(...some);
    if (some.length < 100) return rows;
  }
}

async function finished(as: string, id: string): Promise<RepositoryImport> {
  for (;;) {
    const found = (await get<RepositoryImport[]>('/api/repos/bulk', as)).find((one) => one.id === id)!;
    if (found.state !== 'running') return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const connect = async (as: string, names: readonly string[], sync = true) => {
  const repositories = names.map((full_name) => {
    const [owner, name] = full_name.split('/');
    return { owner, name };
  });
  return await app.ask('POST', '/api/repos/bulk', { as, body: { repositories, sync } });
};
interface Connected {
  bulk_id: string;
  results: { owner: string; name: string; id: number | null; status: string; reason: string | null }[];
  sessions: { repository_id: number; session_id: string }[];
}

describe('what a token can read', () => {
  it.each(['dev-1', 'dev-2', 'dev-7', 'outsider'])('is what the host lists for %s, page by page', async (login) => {
    const as = await app.signIn(login);
    const listed = await listedFor(login);

    const all = await everyPage(as, 'archived=true&forks=true&sort=name');
    const shown = await everyPage(as, '');

    const names = listed.map(({ full_name }) => full_name);
    expect(all.map(({ full_name }) => full_name)).toEqual(names.toSorted());
    expect(new Set(shown.map(({ full_name }) => full_name))).toEqual(
      new Set(listed.filter(({ archived, fork }) => !archived && !fork).map(({ full_name }) => full_name)),
    );
    const pushes = shown.map(({ pushed_at }) => pushed_at ?? '');
    expect(pushes).toEqual(pushes.toSorted().reverse());
    expect(all.every(({ connected, imported_here }) => !connected && !imported_here)).toBe(true);
  });

  it('has counts by owner, a search, and pull requests of each', async () => {
    const as = await app.signIn('dev-1');

    const { owners, items, total } = await available(as, '?q=SERVICE-1&owner=atlas&sort=name&archived=true');
    const whole = await available(as);

    expect(owners.map(({ login }) => login).toSorted()).toEqual(['atlas', 'borealis']);
    expect(owners.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(total);
    expect(items.length).toBe(total);
    expect(items.every(({ full_name }) => full_name.startsWith('atlas/service-1'))).toBe(true);
    expect(items.find(({ name }) => name === 'service-1')!.pull_requests).toBe(2);
    expect(whole.approval_url).toBe(`${simulator.url}/settings/connections/applications/mergelight-demo`);
  });

  it('is asked of the host once in five minutes, and at most every 30 seconds by hand', async () => {
    const as = await app.signIn('dev-3');
    const first = await available(as, '?sort=name');
    await simulator.control('counters', undefined, 'DELETE');

    const second = await available(as, '?sort=name');
    const again = await app.ask('GET', '/api/repositories/available?refresh=true', { as });
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };

    expect(second).toEqual({ ...first, next_cursor: second.next_cursor });
    expect(operations).toEqual({});
    expect(again).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() } });
  });

  it('is asked of the host once, however many screens want it at the same time', async () => {
    const as = await app.signIn('dev-17');
    const pages = Math.ceil((await listedFor('dev-17')).length / 100);
    await simulator.control('counters', undefined, 'DELETE');

    await Promise.all([available(as), get('/api/repos/joinable', as), available(as, '?sort=name')]);
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };

    expect(operations['GET /user/repos']).toBe(pages);
  });

  it('ends when the host refuses its person a repository of it: nothing is connected by it any more', async () => {
    const as = await app.signIn('dev-22');
    await simulator.control('repos', { owner: 'borealis', name: 'leaving', private: true, readers: ['dev-22'] });
    await available(as);
    const { results } = (await connect(as, ['borealis/leaving'], false)).body as Connected;
    await simulator.control('repos/borealis/leaving', { readers: ['dev-2'] }, 'PATCH');
    const asked = await app.ask('POST', '/api/repos', { as, body: { owner: 'borealis', name: 'leaving' } });
    await app.ask('DELETE', `/api/repos/${results[0]!.id}`, { as });

    const again = (await connect(as, ['borealis/leaving'], false)).body as Connected;

    expect(results[0]!.status).toBe('connected');
    expect(asked.status).toBe(422);
    expect(again.results).toMatchObject([
      { id: null, status: 'refused', reason: (asked.body as { error: string }).error },
    ]);
  });

  it('says of a list that is only being finished what was here when it was read', async () => {
    const [as, other] = [await app.signIn('dev-26'), await app.signIn('dev-36')];
    const first = await available(as, '?sort=name');
    const last = (await everyPage(as, 'sort=name')).filter(({ imported_here }) => !imported_here).at(-1)!;
    fast += 4 * 60_000;
    await available(as, `?sort=name&cursor=${first.next_cursor}`);
    fast += 2 * 60_000;
    await finished(other, ((await connect(other, [last.full_name])).body as Connected).bulk_id);

    let [rest, cursor]: [AvailableRepositories['items'], string | null] = [[], first.next_cursor];
    while (cursor !== null) {
      const page: AvailableRepositories = await available(as, `?sort=name&cursor=${cursor}`);
      [rest, cursor] = [[...rest, ...page.items], page.next_cursor];
    }
    const now = (await everyPage(as, 'sort=name')).find(({ full_name }) => full_name === last.full_name)!;

    expect(rest.find(({ full_name }) => full_name === last.full_name)!.imported_here).toBe(false);
    expect(now.imported_here).toBe(true);
  });

  it('is finished as it was, page by page, whatever the host lists meanwhile', async () => {
    const as = await app.signIn('dev-4');
    const first = await available(as, '?sort=name');
    await simulator.control('repos', { owner: 'delta', name: 'aaa-new', private: true, readers: ['dev-4'] });
    fast += 4 * 60_000;
    const second = await available(as, `?sort=name&cursor=${first.next_cursor}`);

    expect(second.read_at).toBe(first.read_at);
    expect(second.items[0]!.full_name > first.items.at(-1)!.full_name).toBe(true);
    fast += 6 * 60_000;
    expect((await available(as, '?sort=name&q=aaa-new')).total).toBe(1);
  });

  it.each([
    ['sort=stars', /^sort: must be one of: pushed, name/],
    ['archived=maybe', /^archived: must be true or false/],
    ['cursor=nonsense', /^cursor: is none of this list/],
  ])('refuses %s', async (query, sentence) => {
    const as = await app.signIn('dev-1');

    const { status, body } = await app.ask('GET', `/api/repositories/available?${query}`, { as });

    expect(status).toBe(400);
    expect((body as { error: string }).error).toMatch(sentence);
  });

  it('does not take a page of another list, nor of somebody else’s', async () => {
    const [one, other] = [await app.signIn('dev-1'), await app.signIn('dev-6')];
    const { next_cursor } = await available(one);

    const searched = await app.ask('GET', `/api/repositories/available?q=x&cursor=${next_cursor}`, { as: one });
    const theirs = await app.ask('GET', `/api/repositories/available?cursor=${next_cursor}`, { as: other });
    const written = Buffer.from(next_cursor!, 'base64url').toString();
    const misspelt = Buffer.from(written.replace(/^[^|]+/, '-'.repeat(36))).toString('base64url');
    const unknown = await app.ask('GET', `/api/repositories/available?cursor=${misspelt}`, { as: one });

    expect([searched.status, theirs.status, unknown.status]).toEqual([400, 400, 400]);
  });

  it('is not there at a 401 that the host does not repeat, which asks nobody to sign in again', async () => {
    const as = await app.signIn('dev-15');
    const match = { operation: 'GET /user/repos', next: 1 };
    await simulator.control('faults', { match, effect: { name: 'bad_credentials' } });

    const failed = await app.ask('GET', '/api/repositories/available', { as });
    await simulator.control('faults', undefined, 'DELETE');

    expect(failed).toMatchObject({
      status: 502,
      body: { code: 'host_failed', error: expect.stringMatching(/^Failed to list your repositories: (?!.*sign in)/i) },
    });
    expect((await available(as)).total).toBeGreaterThan(0);
  });

  it('says which organisations want single sign-on, and that the host failed', async () => {
    const as = await app.signIn('dev-8');
    await simulator.control('repos/cumulus/service-3', { saml: true }, 'PATCH');
    const { partial } = await available(as);
    await simulator.control('faults', { match: { operation: 'GET /user/repos' }, effect: { name: 'bad_gateway' } });
    fast += 10 * 60_000;
    const failed = await app.ask('GET', '/api/repositories/available', { as });
    await simulator.control('faults', undefined, 'DELETE');
    const pause = { name: 'secondary_limit_403', retryAfter: 120 };
    await simulator.control('faults', { match: { operation: 'GET /user/repos' }, effect: pause });
    const paused = await app.ask('GET', '/api/repos/joinable', { as });
    await simulator.control('faults', undefined, 'DELETE');

    expect(partial).toEqual([
      {
        owner: 'cumulus',
        reason: 'sso',
        message: expect.stringContaining('cumulus requires single sign-on'),
        url: `${simulator.url}/orgs/cumulus/sso`,
      },
    ]);
    expect(failed).toMatchObject({
      status: 502,
      body: { error: expect.stringMatching(/^Failed to list your repositories/) },
    });
    expect(paused).toMatchObject({
      status: 503,
      body: { code: 'host_rate_limited', error: expect.stringMatching(/^Failed to list your repositories/) },
    });
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(60);
  });
});

describe('connecting several', () => {
  it('connects what can be read, imports it, and says why not of the others', async () => {
    const as = await app.signIn('dev-9');
    const mine = (await available(as)).items.filter(({ pull_requests }) => pull_requests === 2).slice(0, 3);
    const names = mine.map(({ full_name }) => full_name);
    const hidden = (await everyPage(await app.signIn('dev-2'), '')).find(
      (one) => one.private && one.full_name.startsWith('borealis/'),
    )!;

    const estimate = await app.ask('POST', '/api/repos/estimate', {
      as,
      body: { repositories: [...mine, hidden].map(({ owner, name }) => ({ owner, name })) },
    });
    const { status, body } = await connect(as, [
      names[0]!,
      hidden.full_name,
      names[1]!,
      names[0]!.toUpperCase(),
      names[2]!,
    ]);
    const { results, sessions, bulk_id } = body as Connected;
    const end = await finished(as, bulk_id);

    expect(estimate).toMatchObject({
      status: 200,
      body: { repositories: 3, pull_requests: 6, here_already: 0, unreadable: 1 } satisfies Partial<ImportEstimate>,
    });
    expect(status).toBe(202);
    expect(results.map((result) => [result.status, result.id === null, result.reason === null])).toEqual([
      ['connected', false, true],
      ['refused', true, false],
      ['connected', false, true],
      ['connected', false, true],
      ['connected', false, true],
    ]);
    expect(results[3]!.id).toBe(results[0]!.id);
    expect(results[1]!.reason).toMatch(/^Cannot access repository: /);
    expect(sessions).toHaveLength(3);
    expect(end).toMatchObject({ state: 'done', total: 4, done: 3, running: 0, waiting: 0 });
    expect(end.failed).toEqual([{ full_name: hidden.full_name, reason: results[1]!.reason }]);
    const connected = await get<ConnectedRepository[]>('/api/repos', as);
    expect(connected.map(({ full_name, pull_requests }) => [full_name, pull_requests])).toEqual(
      names.toSorted().map((name) => [name, 2]),
    );
  });

  it('imports the latest pushed first, also where some are asked for by name', async () => {
    const as = await app.signIn('dev-10');
    const listed = (await available(as)).items.filter((item) => !item.imported_here).slice(0, 3);
    const names = listed.map(({ full_name }) => full_name);
    const unlisted = { owner: 'ember', private: true, readers: ['dev-10'] };
    await simulator.control('repos', { ...unlisted, name: 'ancient', createdAt: Date.parse('2012-01-01T00:00:00Z') });
    await simulator.control('repos', { ...unlisted, name: 'fresh' });

    const { results } = (await connect(as, ['ember/ancient', ...names.toReversed(), 'ember/fresh'])).body as Connected;

    const nameOf = new Map(results.map(({ id, owner, name }) => [id, `${owner}/${name}`]));
    const begun = await app.database.db
      .selectFrom('sync_sessions')
      .select('repository_id')
      .where('repository_id', 'in', [...nameOf.keys()] as number[])
      .orderBy('sequence')
      .execute();
    expect(begun.map((session) => nameOf.get(session.repository_id))).toEqual([
      'ember/fresh',
      ...names,
      'ember/ancient',
    ]);
  });

  it('takes a repository that the host refuses by its name from whoever had it, as connecting it alone does', async () => {
    const as = await app.signIn('dev-23');
    await simulator.control('repos', { owner: 'borealis', name: 'closing', private: true, readers: ['dev-23'] });
    const before = (await connect(as, ['borealis/closing'], false)).body as Connected;
    await simulator.control('repos/borealis/closing', { readers: [] }, 'PATCH');

    const after = (await connect(as, ['Borealis/Closing'], false)).body as Connected;

    expect([before, after].map(({ results }) => results.map(({ status }) => status))).toEqual([
      ...[['connected'], ['refused']],
    ]);
    expect(await get<ConnectedRepository[]>('/api/repos', as)).toMatchObject([
      { full_name: 'borealis/closing', access: { state: 'checking' }, pull_requests: null },
    ]);
  });

  it('is estimated by what the host says of each by its name where the list lacks its count', async () => {
    const as = await app.signIn('dev-28');
    const wanted = (await available(as)).items.filter((item) => item.pull_requests === 2 && !item.imported_here);
    fast += 10 * 60_000;
    await simulator.control('faults', { match: { operation: 'RepositoriesById' }, effect: { name: 'bad_gateway' } });
    const uncounted = (await available(as)).items;
    await simulator.control('faults', undefined, 'DELETE');

    const estimate = await app.ask('POST', '/api/repos/estimate', {
      as,
      body: { repositories: wanted.slice(0, 3).map(({ owner, name }) => ({ owner, name })) },
    });

    expect(uncounted.every((item) => item.pull_requests === null)).toBe(true);
    expect(estimate.body).toMatchObject({ repositories: 3, pull_requests: 6, here_already: 0, unreadable: 0 });
  });

  it('a second person joins what is here: nothing is imported again', async () => {
    const [first, second, stranger] = [
      await app.signIn('dev-14'),
      await app.signIn('dev-19'),
      await app.signIn('outsider'),
    ];
    const readable = new Set((await everyPage(second, '')).map(({ full_name }) => full_name));
    const [one, other] = (await available(first)).items.filter(
      (item) => item.pull_requests === 2 && item.private && !item.imported_here && readable.has(item.full_name),
    );
    const begun = (await connect(first, [one!.full_name, other!.full_name])).body as Connected;
    await finished(first, begun.bulk_id);

    const joinable = await get<JoinableRepository[]>('/api/repos/joinable', second);
    const listed = (await everyPage(second, '')).find(({ full_name }) => full_name === one!.full_name);
    const nothing = await get<JoinableRepository[]>('/api/repos/joinable', stranger);
    await simulator.control('counters', undefined, 'DELETE');
    const { results, sessions, bulk_id } = (await connect(second, [one!.full_name])).body as Connected;
    const { operations } = (await simulator.control('counters')) as { operations: Record<string, number> };

    expect(joinable).toContainEqual({
      ...{ owner: one!.owner, name: one!.name, private: true, pull_requests: 2, people: 1 },
      last_synced_at: expect.any(String),
    });
    expect(listed).toMatchObject({ connected: false, imported_here: true });
    expect(nothing.filter((row) => row.private)).toEqual([]);
    expect(results).toMatchObject([{ status: 'connected' }]);
    expect(sessions).toEqual([]);
    expect(operations.PullRequests).toBeUndefined();
    expect(await finished(second, bulk_id)).toMatchObject({ state: 'done', done: 1 });
  });

  it('can be paused, gone on with and ended, by whoever began it alone', async () => {
    const [as, other] = [await app.signIn('dev-11'), await app.signIn('dev-12')];
    await simulator.control('faults', {
      match: { operation: 'PullRequests' },
      effect: { name: 'latency', milliseconds: 400 },
    });
    const names = (await available(as)).items.filter((item) => item.pull_requests === 2).slice(0, 6);
    const { bulk_id } = (
      await connect(
        as,
        names.map(({ full_name }) => full_name),
      )
    ).body as Connected;
    const change = async (action: string, by = as) =>
      await app.ask('POST', `/api/repos/bulk/${bulk_id}/${action}`, { as: by });

    const paused = await change('pause');
    const twice = await change('pause');
    const theirs = await change('resume', other);
    const resumed = await change('resume');
    const ended = await change('cancel');
    const late = await change('resume');
    await simulator.control('faults', undefined, 'DELETE');

    expect(paused).toMatchObject({ status: 200, body: { state: 'paused', running: 0, waiting: 0 } });
    expect(twice).toMatchObject({ status: 409, body: { error: 'The import is paused already.' } });
    expect(theirs.status).toBe(404);
    expect(resumed).toMatchObject({ status: 200, body: { state: 'running' } });
    expect(ended).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(late.status).toBe(409);
    expect(await get<RepositoryImport[]>('/api/repos/bulk', other)).toEqual([]);
  });

  it.each([
    ['nothing', { repositories: [] }],
    ['more than 500', { repositories: Array.from({ length: 501 }, (_, at) => ({ owner: 'atlas', name: `x-${at}` })) }],
    [
      'a name that is none',
      {
        repositories: [
          { owner: 'atlas', name: 'service-1' },
          { owner: '', name: '!' },
        ],
      },
    ],
  ])('refuses %s, and connects nothing', async (_, body) => {
    const as = await app.signIn('dev-13');

    const answer = await app.ask('POST', '/api/repos/bulk', { as, body });

    expect(answer.status).toBe(400);
    expect(await get('/api/repos', as)).toEqual([]);
    expect(await get('/api/repos/bulk', as)).toEqual([]);
  });
});

describe('following an owner', () => {
  it('adds what is here, not what was removed by hand, and imports nothing', async () => {
    const [first, follower] = [await app.signIn('dev-24'), await app.signIn('dev-29')];
    const owner = 'delta';
    const names = (await available(first)).items
      .filter((item) => item.owner === owner && item.private && item.pull_requests === 2)
      .map(({ full_name }) => full_name);
    const readable = new Set((await everyPage(follower, '')).map(({ full_name }) => full_name));
    const [one, two] = names.filter((name) => readable.has(name));
    await finished(first, ((await connect(first, [one!, two!])).body as Connected).bulk_id);

    const put = await app.ask('PUT', '/api/repos/following', {
      as: follower,
      body: { owners: ['Delta', 'nobody-there'] },
    });
    const before = await get<ConnectedRepository[]>('/api/repos', follower);
    const removed = before.find(({ full_name }) => full_name === one)!;
    await app.ask('DELETE', `/api/repos/${removed.id}`, { as: follower });
    await app.ask('PUT', '/api/repos/following', { as: follower, body: { owners: ['delta'] } });
    const after = await get<ConnectedRepository[]>('/api/repos', follower);
    await connect(follower, [one!], false);

    expect(put).toMatchObject({ status: 200, body: { owners: ['Delta', 'nobody-there'] } });
    expect(before.map(({ full_name }) => full_name)).toEqual(expect.arrayContaining([one, two]));
    expect(after.map(({ full_name }) => full_name)).not.toContain(one);
    expect(after.map(({ full_name }) => full_name)).toContain(two);
    const again = await get<ConnectedRepository[]>('/api/repos', follower);
    expect(again.map(({ full_name }) => full_name)).toContain(one);
  });

  it('does not bring back what is removed by hand while the host lists what can be read', async () => {
    const [first, follower] = [await app.signIn('dev-24'), await app.signIn('dev-29')];
    const readable = new Set((await everyPage(follower, '')).map(({ full_name }) => full_name));
    const { full_name } = (await available(first, '?owner=delta')).items.find(
      (item) => item.pull_requests === 2 && readable.has(item.full_name),
    )!;
    await finished(first, ((await connect(first, [full_name])).body as Connected).bulk_id);
    const { results } = (await connect(follower, [full_name], false)).body as Connected;
    fast += 10 * 60_000;
    const match = { operation: 'GET /user/repos' };
    await simulator.control('faults', { match, effect: { name: 'latency', milliseconds: 2_000 } });
    const listings = async () => ((await simulator.control('faults')) as { seen: number }[])[0]!.seen;

    const put = app.ask('PUT', '/api/repos/following', { as: follower, body: { owners: ['delta'] } });
    await expect.poll(listings).toBe(1);
    const removed = await app.ask('DELETE', `/api/repos/${results[0]!.id}`, { as: follower });
    const { status } = await put;
    await simulator.control('faults', undefined, 'DELETE');

    expect([removed.status, status]).toEqual([204, 200]);
    const connected = await get<ConnectedRepository[]>('/api/repos', follower);
    expect(connected.map((row) => row.full_name)).not.toContain(full_name);
  });

  it('does not bring back what was removed by hand when somebody imports it again after the last had given it up', async () => {
    const [first, follower] = [await app.signIn('dev-24'), await app.signIn('dev-29')];
    const readable = new Set((await everyPage(follower, '')).map(({ full_name }) => full_name));
    const { full_name } = (await available(first, '?owner=delta')).items.find(
      (item) => item.pull_requests === 2 && !item.imported_here && !item.connected && readable.has(item.full_name),
    )!;
    const imported = async (as: string) => {
      const { bulk_id, results } = (await connect(as, [full_name])).body as Connected;
      await finished(as, bulk_id);
      return results[0]!.id!;
    };
    const before = await imported(follower);
    await app.ask('DELETE', `/api/repos/${before}`, { as: follower });
    const left = () => app.database.db.selectFrom('repositories').select('id').where('id', '=', before).execute();
    await expect.poll(left).toEqual([]);

    await imported(first);
    await app.ask('PUT', '/api/repos/following', { as: follower, body: { owners: ['delta'] } });

    const connected = await get<ConnectedRepository[]>('/api/repos', follower);
    expect(connected.map((row) => row.full_name)).not.toContain(full_name);
    const joinable = await get<JoinableRepository[]>('/api/repos/joinable', follower);
    expect(joinable.map(({ owner, name }) => `${owner}/${name}`)).toContain(full_name);
  });

  it('takes lists that are saved at once, of which one stays', async () => {
    const as = await app.signIn('dev-34');
    const lists = Array.from({ length: 6 }, (_, at) => ['elsewhere', `owner-${at}`]);

    const saved = await Promise.all(
      lists.map((owners) => app.ask('PUT', '/api/repos/following', { as, body: { owners } })),
    );

    expect(saved.map(({ status }) => status)).toEqual(lists.map(() => 200));
    expect(lists).toContainEqual((await get<{ owners: string[] }>('/api/repos/following', as)).owners);
  });

  it.each([[['acme/web']], [['two words']], [['']], [Array.from({ length: 51 }, (_, at) => `owner-${at}`)]])(
    'refuses %j, and keeps the list',
    async (owners) => {
      const as = await app.signIn('dev-34');
      await app.ask('PUT', '/api/repos/following', { as, body: { owners: ['Delta'] } });

      const { status } = await app.ask('PUT', '/api/repos/following', { as, body: { owners } });

      expect(status).toBe(400);
      expect(await get('/api/repos/following', as)).toEqual({ owners: ['Delta'] });
    },
  );
});

describe('webhooks of several', () => {
  it('are created where the token may, once, and refused elsewhere', async () => {
    const [admin, member] = [await app.signIn('dev-2'), await app.signIn('dev-32')];
    const readable = new Set((await everyPage(member, '')).map(({ full_name }) => full_name));
    const { items } = await available(admin, '?owner=borealis');
    const { full_name } = items.find((item) => readable.has(item.full_name))!;
    const ids = [];
    for (const as of [admin, member])
      ids.push(((await connect(as, [full_name], false)).body as Connected).results[0]!.id!);
    const create = async (as: string, wanted: number[]) =>
      ((await app.ask('POST', '/api/repos/webhooks', { as, body: { ids: wanted } })).body as { results: object[] })
        .results;

    expect(await create(member, [ids[1]!])).toMatchObject([
      { id: ids[1]!, status: 'refused', reason: expect.any(String) },
    ]);
    expect(await create(admin, [ids[0]!, 999_999])).toEqual([
      { id: ids[0]!, status: 'created', reason: null },
      { id: 999_999, status: 'refused', reason: 'Repository not found' },
    ]);
    expect(await create(admin, [ids[0]!])).toEqual([{ id: ids[0]!, status: 'already', reason: null }]);

    // That deliveries came once tells neither that the webhook is still there nor that somebody may know.
    await app.database.db.updateTable('repositories').set({ webhook_last_delivery_at: now() }).execute();
    expect(await create(member, [ids[1]!])).toMatchObject([{ id: ids[1]!, status: 'refused' }]);
    expect(await create(admin, [ids[0]!])).toMatchObject([{ id: ids[0]!, status: 'already' }]);
    for (const hook of await hooksOf(full_name)) await hooksOf(full_name, 'DELETE', hook.id);
    expect(await create(admin, [ids[0]!])).toMatchObject([{ id: ids[0]!, status: 'created' }]);
  });

  it('that a slow host leaves no time for are told so, and are created when asked for again', async () => {
    const admin = await app.signIn('dev-2');
    const { items } = await available(admin, '?owner=borealis');
    const names = items.slice(4, 10).map(({ full_name }) => full_name);
    const ids = ((await connect(admin, names, false)).body as Connected).results.map(({ id }) => id!);
    const create = async () =>
      (await app.ask('POST', '/api/repos/webhooks', { as: admin, body: { ids } })).body as { results: Made[] };
    type Made = { id: number; status: string; reason: string | null };

    per_look = 4000;
    const { results } = await create();
    per_look = 0;
    const again = await create();

    const without = results.filter(({ status }) => status === 'refused');
    expect(results.map(({ id }) => id)).toEqual(ids);
    expect(results[0]).toMatchObject({ status: 'created' });
    expect(without.length).toBeGreaterThan(0);
    expect(new Set(without.map(({ reason }) => reason))).toEqual(
      new Set(['There was no time left for this one. Ask for it again.']),
    );
    expect(again.results.filter(({ status }) => status === 'created').map(({ id }) => id)).toEqual(
      without.map(({ id }) => id),
    );
  });

  it('are none beside the organisation’s, as long as that delivers what happens in the repository', async () => {
    const [admin, member] = [await app.signIn('dev-2'), await app.signIn('dev-32')];
    const readable = new Set((await everyPage(member, '')).map(({ full_name }) => full_name));
    const { items } = await available(admin, '?owner=borealis');
    const { full_name } = items.filter((item) => readable.has(item.full_name)).at(-1)!;
    for (const as of [admin, member]) await connect(as, [full_name], false);
    const { id, host_id } = await storedAs(full_name);
    const create = async (as: string) =>
      (await app.ask('POST', '/api/repos/webhooks', { as, body: { ids: [id] } })).body as { results: object[] };
    const made = await app.ask('POST', '/api/organisations/borealis/webhook', { as: admin });
    const body = { action: 'opened', number: 1, pull_request: { number: 1 }, repository: { id: host_id } };
    await deliver(made.body as Addressed, 'pull_request', body);
    await expect.poll(() => deliveredAt(id)).not.toBeNull();

    const [ofAdmin, ofMember] = [await create(admin), await create(member)];
    const beside = await hooksOf(full_name);
    fast += 8 * 24 * 60 * 60_000;
    const later = await create(await app.signIn('dev-2'));

    expect(ofAdmin.results).toEqual([{ id, status: 'already', reason: null }]);
    expect(ofMember.results).toEqual([{ id, status: 'refused', reason: `Only an admin of ${full_name} can do that.` }]);
    expect(beside).toEqual([]);
    expect(later.results).toMatchObject([{ status: 'created' }]);
    await app.ask('DELETE', '/api/organisations/borealis/webhook', { as: await app.signIn('dev-2') });
  });

  /** The repository's webhooks at the host, or one of them deleted. */
  async function hooksOf(full_name: string, method = 'GET', id?: number): Promise<{ id: number }[]> {
    const path = `repos/${full_name}/hooks${id === undefined ? '' : `/${id}`}`;
    const answer = await fetch(`${simulator.url}/api/v3/${path}`, {
      method,
      headers: { authorization: 'Bearer ghp_dev-2', 'user-agent': 'test' },
    });
    expect(answer.ok).toBe(true);
    return answer.status === 204 ? [] : ((await answer.json()) as { id: number }[]);
  }
});

interface Addressed {
  readonly url: string;
  readonly secret: string;
}

/** The status that a delivery to a webhook is answered with. */
async function deliver({ url, secret }: Addressed, event: string, body: object): Promise<number> {
  const raw = JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(raw).digest('hex');
  const answer = await app.server.app.inject({
    ...{ method: 'POST', url: new URL(url).pathname, payload: raw },
    headers: {
      ...{ host: new URL(url).host, 'content-type': 'application/json' },
      ...{ 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` },
    },
  });
  return answer.statusCode;
}

async function deliveredAt(id: number): Promise<Date | null> {
  const row = await app.database.db
    .selectFrom('repositories')
    .select('webhook_last_delivery_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.webhook_last_delivery_at;
}

async function storedAs(full_name: string): Promise<{ id: number; host_id: number }> {
  const [owner = '', name = ''] = full_name.split('/');
  const row = await app.database.db
    .selectFrom('repositories')
    .select(['id', 'host_id'])
    .where('owner', '=', owner)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return { id: row.id, host_id: Number(row.host_id) };
}

describe('an organisation’s webhook', () => {
  it('is for whoever administers it, and is followed only for its own repositories', async () => {
    // The first two members of each organisation own it: of borealis dev-2 and, from atlas, dev-1.
    const people = ['dev-2', 'dev-12'];
    const [owner, member] = (await Promise.all(people.map((login) => app.signIn(login)))) as [string, string];
    const made = await app.ask('POST', '/api/organisations/borealis/webhook', { as: owner });
    const again = await app.ask('POST', '/api/organisations/Borealis/webhook', { as: owner });
    const theirs = await app.ask('POST', '/api/organisations/borealis/webhook', { as: member });
    const unknown = await app.ask('POST', '/api/organisations/nowhere/webhook', { as: owner });
    const { url, secret } = made.body as { url: string; secret: string };
    const [own, foreign] = await Promise.all([firstOf(owner, 'borealis'), firstOf(await app.signIn('dev-1'), 'atlas')]);
    const tell = async (repository: number, by = secret) => {
      const body = { action: 'opened', number: 1, pull_request: { number: 1 }, repository: { id: repository } };
      return await deliver({ url, secret: by }, 'pull_request', body);
    };
    await app.database.db.updateTable('repositories').set({ webhook_last_delivery_at: null }).execute();

    expect([made.status, again.status, theirs.status, unknown.status]).toEqual([201, 200, 404, 404]);
    expect(again.body).toEqual(made.body);
    expect(theirs.body).toMatchObject({ error: 'No organisation borealis.' });
    expect(await tell(own.host_id, 'wrong')).toBe(401);
    expect(await tell(own.host_id)).toBe(202);
    expect(await tell(foreign.host_id)).toBe(202);
    await expect.poll(() => deliveredAt(own.id)).not.toBeNull();
    expect(await deliveredAt(foreign.id)).toBeNull();

    expect((await app.ask('DELETE', '/api/organisations/borealis/webhook', { as: member })).status).toBe(404);
    expect((await app.ask('DELETE', '/api/organisations/borealis/webhook', { as: owner })).status).toBe(204);
    expect(await tell(own.host_id)).toBe(404);
  });

  it('follows what happens to the collaborators of its repositories, not of others', async () => {
    const [owner, stranger] = [await app.signIn('dev-2'), await app.signIn('dev-1')];
    const made = await app.ask('POST', '/api/organisations/borealis/webhook', { as: owner });
    const [own, foreign] = await Promise.all([firstOf(owner, 'borealis'), firstOf(stranger, 'atlas')]);
    await app.database.db.updateTable('repositories').set({ webhook_last_delivery_at: null }).execute();
    const hinted = async () => {
      const hints = await app.database.db.selectFrom('hints').select(['repository_id', 'subject', 'hints']).execute();
      return hints.filter(({ subject }) => subject === 'repository').map(({ repository_id }) => repository_id);
    };

    for (const { host_id } of [foreign, own])
      await deliver(made.body as Addressed, 'member', {
        ...{ action: 'removed', member: { id: 1 }, repository: { id: host_id } },
      });

    await expect.poll(() => deliveredAt(own.id)).not.toBeNull();
    expect(await deliveredAt(foreign.id)).toBeNull();
    expect(await hinted()).toEqual([own.id]);
  });

  it('has the access of whoever its members and teams are about checked at once, else of everybody, to its own repositories', async () => {
    const people = ['dev-2', 'dev-12'];
    const [owner, member] = (await Promise.all(people.map((login) => app.signIn(login)))) as [string, string];
    const made = await app.ask('POST', '/api/organisations/borealis/webhook', { as: owner });
    const shared = (await available(owner, '?owner=borealis')).items.map(({ full_name }) => full_name);
    const [own = '', other = ''] = (await available(member, '?owner=borealis')).items.flatMap(({ full_name }) =>
      shared.includes(full_name) ? [full_name] : [],
    );
    for (const as of [owner, member]) await connect(as, [own, other], false);
    const [{ id }, foreign] = [await storedAs(own), await storedAs(other)];
    const { db } = app.database;
    const { organization_id } = await db
      .selectFrom('organization_webhooks')
      .select('organization_id')
      .where('login', '=', 'borealis')
      .executeTakeFirstOrThrow();
    const idOf = async (login: string) =>
      Number(
        (await db.selectFrom('users').select('host_id').where('login', '=', login).executeTakeFirstOrThrow()).host_id,
      );
    const [idOfMember, another] = [await idOf('dev-12'), 1 + Number(organization_id)];
    // Nobody here belongs to two organisations.
    const elsewhere = { owner_id: String(another) };
    await db.updateTable('repositories').set(elsewhere).where('id', '=', foreign.id).execute();
    // What earlier deliveries and the connecting have checked is done before the times are set below.
    await db.deleteFrom('hints').execute();
    const waiting = async () =>
      await db
        .selectFrom('connections')
        .select('user_id')
        .where('repository_id', 'in', [id, foreign.id])
        .where('check_due_at', '<', new Date(now().getTime() + 10 * 60_000))
        .execute();
    await expect.poll(waiting).toEqual([]);
    const before = new Date(now().getTime() - 3_600_000);
    await db
      .updateTable('connections')
      .set({ checked_at: before, check_due_at: new Date(now().getTime() + 7 * 86_400_000) })
      .execute();
    /** Who was checked, for what, since then. */
    const checked = async () => {
      const rows = await db
        .selectFrom('connections as c')
        .innerJoin('users as u', 'u.id', 'c.user_id')
        .select(['u.login', 'c.repository_id'])
        .where('c.checked_at', '>', before)
        .where('c.repository_id', 'in', [id, foreign.id])
        .where('u.login', 'in', people)
        .orderBy('u.login')
        .execute();
      return rows.map(({ login, repository_id }) => [login, repository_id]);
    };
    const tell = async (event: string, organization: number, more: object) =>
      await deliver(made.body as Addressed, event, { ...more, organization: { id: organization, login: 'borealis' } });
    const removed = { action: 'removed', member: { id: idOfMember } };

    expect(await tell('membership', another, removed)).toBe(202);
    expect(await tell('membership', Number(organization_id), removed)).toBe(202);
    await expect.poll(checked).toEqual([['dev-12', id]]);
    expect(await tell('organization', Number(organization_id), { action: 'renamed' })).toBe(202);
    await expect.poll(checked).toEqual([
      ['dev-12', id],
      ['dev-2', id],
    ]);

    // Once a minute, however many deliveries come.
    await db
      .updateTable('connections')
      .set({ checked_at: now(), check_due_at: new Date(now().getTime() + 7 * 86_400_000) })
      .execute();
    for (let times = 0; times < 3; times++)
      expect(await tell('organization', Number(organization_id), { action: 'renamed' })).toBe(202);
    const next = await db
      .selectFrom('connections as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select(sql<boolean>`c.check_due_at = c.checked_at + interval '1 minute'`.as('in_a_minute'))
      .where('c.repository_id', '=', id)
      .where('u.login', 'in', people)
      .execute();
    expect(next).toEqual([{ in_a_minute: true }, { in_a_minute: true }]);
  });

  async function firstOf(as: string, owner: string): Promise<{ id: number; host_id: number }> {
    const { items } = await available(as, `?owner=${owner}`);
    await connect(as, [items[0]!.full_name], false);
    return await storedAs(items[0]!.full_name);
  }
});
