import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AvailableRepositories,
  AvailableRepository,
  ImportEstimate,
  JoinableRepository,
  RepositoryImport,
} from '../../src/contract/connecting.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { casesHere, openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/** Members of one organisation and of two, their owners, and people who moved between teams. */
const MEMBERS = Array.from({ length: 56 }, (_, at) => `dev-${at + 1}`);
/** A collaborator of some repositories, somebody with nothing, and the tokens of members that read what is public alone. */
const OTHERS = ['outsider', 'newcomer', 'dev-57', 'dev-58'];
const PEOPLE = [...MEMBERS, ...OTHERS];
const PUBLIC_ONLY = new Set(['dev-57', 'dev-58']);
const tokenOf = (login: string) => `ghp_${login}${PUBLIC_ONLY.has(login) ? '_read:org' : ''}`;

/** A repository as the host lists it to somebody. */
interface Listed {
  readonly full_name: string;
  readonly private: boolean;
  readonly archived: boolean;
  readonly fork: boolean;
  readonly pushed_at: string;
}

describe('what sixty people are told of 1,200 repositories', () => {
  let simulator: RunningSimulator;
  let app: TestApp;
  const listed = new Map<string, readonly Listed[]>();
  /** How many each repository has at the host, by full name. */
  const pullRequests = new Map<string, number>();
  /** What is imported here, and by how many people. */
  const imported = new Map<string, number>();
  const secrets: string[] = [];
  /** The statements of the server at work, while they are counted. */
  let statements: string[] | null = null;
  const { query } = pg.Client.prototype;

  beforeAll(async () => {
    simulator = await startSimulator({ world: 'company', more: ['--count', '600'] });
    await simulator.control('accounts', { login: 'newcomer' });
    // Twenty secret ones: of two people each, a member and a collaborator from outside.
    for (let at = 0; at < 20; at += 1) {
      const name = `secret-${at + 1}`;
      const readers = [PEOPLE[at * 2]!, at % 2 === 0 ? 'outsider' : PEOPLE[at * 2 + 1]!];
      await simulator.control('repos', { owner: 'atlas', name, private: true, readers });
      await simulator.control(`repos/atlas/${name}/pulls`, { title: 'Hidden', author: readers[0] });
      secrets.push(`atlas/${name}`);
    }
    const { repositories } = (await simulator.control('state')) as {
      repositories: { full_name: string; pull_requests: number }[];
    };
    for (const { full_name, pull_requests } of repositories) pullRequests.set(full_name, pull_requests);
    for (const login of PEOPLE) listed.set(login, await listedFor(login));

    const database = await openTestDatabase();
    const importing = await openTestApp({ host_url: simulator.url, role: 'all', database });
    // Half of the secret ones, and some of every kind.
    for (const [at, login] of ['dev-1', 'dev-3', 'dev-4', 'dev-5', 'dev-13', 'dev-21'].entries()) {
      const own = listed.get(login)!.map(({ full_name }) => full_name);
      const wanted = [
        ...own.filter((name) => secrets.indexOf(name) % 4 === 0),
        ...own.filter((name) => !secrets.includes(name)).filter((_, place) => place % 9 === at % 3),
      ];
      await importAll(importing, login, wanted.slice(0, 20));
    }
    await importing.stop();
    app = await openTestApp({ host_url: simulator.url, role: 'web', database });
    pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
      const [first] = given as [string | { text?: string }];
      statements?.push(typeof first === 'string' ? first : (first?.text ?? ''));
      return query.apply(this, given as never);
    } as typeof query;
  });
  afterAll(async () => {
    pg.Client.prototype.query = query;
    await app.stop();
    await app.database.close();
    await simulator.stop();
  });

  /** What the host itself lists for this account's token. */
  async function listedFor(login: string): Promise<Listed[]> {
    const rows: Listed[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await fetch(`${simulator.url}/api/v3/user/repos?per_page=100&page=${page}`, {
        headers: { authorization: `Bearer ${tokenOf(login)}`, 'user-agent': 'test' },
      });
      const some = (await answer.json()) as Listed[];
      rows.push(...some);
      if (some.length < 100) return rows;
    }
  }

  async function importAll(at: TestApp, login: string, names: readonly string[]): Promise<void> {
    const as = await at.signIn(login);
    const { status, body } = await at.ask('POST', '/api/repos/bulk', { as, body: { repositories: split(names) } });
    expect(status).toBe(202);
    for (;;) {
      const imports = (await at.ask('GET', '/api/repos/bulk', { as })).body as RepositoryImport[];
      const one = imports.find(({ id }) => id === (body as { bulk_id: string }).bulk_id)!;
      if (one.state === 'done') {
        expect(one).toMatchObject({ done: names.length, failed: [] });
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const name of names) imported.set(name, (imported.get(name) ?? 0) + 1);
    own.set(login, new Set(names));
  }
  const own = new Map<string, ReadonlySet<string>>();

  async function get<T>(path: string, as: string): Promise<T> {
    const { status, body } = await app.ask('GET', path, { as });
    expect([status, path, status === 200 ? '' : body]).toEqual([200, path, '']);
    return body as T;
  }
  async function everyPage(as: string, asked: string) {
    const items: AvailableRepository[] = [];
    const pages: AvailableRepositories[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: AvailableRepositories = await get(
        `/api/repositories/available?${asked}${cursor && `&cursor=${cursor}`}`,
        as,
      );
      pages.push(page);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return { items, pages, first: pages[0]! };
  }

  it.each([...casesHere(MEMBERS), ...OTHERS])(
    '%s: lists, counts, searches, what is here already and estimates are what the host shows them',
    async (login) => {
      const as = await app.signIn(login, tokenOf(login));
      const truth = listed.get(login)!;
      const rowOf = (one: Listed): AvailableRepository => {
        const [owner, name] = one.full_name.split('/') as [string, string];
        return {
          ...{ owner, name, full_name: one.full_name, private: one.private, archived: one.archived, fork: one.fork },
          pushed_at: new Date(one.pushed_at).toISOString(),
          pull_requests: pullRequests.get(one.full_name)!,
          connected: own.get(login)?.has(one.full_name) ?? false,
          imported_here: (imported.get(one.full_name) ?? 0) > (own.get(login)?.has(one.full_name) ? 1 : 0),
        };
      };
      const byName = (one: Listed, other: Listed) => (one.full_name < other.full_name ? -1 : 1);
      const byPush = (one: Listed, other: Listed) =>
        Date.parse(other.pushed_at) - Date.parse(one.pushed_at) || byName(one, other);
      const usual = truth.filter(({ archived, fork }) => !archived && !fork);

      const whole = await everyPage(as, 'archived=true&forks=true&sort=name');
      expect(whole.items).toEqual([...truth].sort(byName).map(rowOf));
      const shown = await everyPage(as, '');
      expect(shown.items).toEqual([...usual].sort(byPush).map(rowOf));
      for (const { pages, items } of [whole, shown])
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([items.length]));
      for (const [{ first }, of] of [
        [whole, truth],
        [shown, usual],
      ] as const) {
        const counts = new Map<string, number>();
        for (const { full_name } of of)
          counts.set(full_name.split('/')[0]!, (counts.get(full_name.split('/')[0]!) ?? 0) + 1);
        expect(new Map(first.owners.map(({ login: owner, count }) => [owner, count]))).toEqual(counts);
        expect(first.partial).toEqual([]);
      }
      for (const [q, owner] of [
        ['SECRET', null],
        ['service-11', null],
        ['as/ser', 'Atlas'],
        ['e', 'borealis'],
        ['%', null],
        ['', 'nobody'],
      ] as const) {
        const asked = new URLSearchParams({ q, sort: 'name', archived: 'true', ...(owner !== null && { owner }) });
        const { items, first } = await everyPage(as, asked.toString());
        const matches = truth.filter(
          ({ full_name, fork }) =>
            !fork &&
            full_name.toLowerCase().includes(q.toLowerCase()) &&
            (owner === null || full_name.startsWith(`${owner.toLowerCase()}/`)),
        );
        expect(items).toEqual(matches.sort(byName).map(rowOf));
        expect(first.owners.reduce((sum, { count }) => sum + count, 0)).toBe(truth.filter(({ fork }) => !fork).length);
      }

      const joinable = await get<JoinableRepository[]>('/api/repos/joinable', as);
      const here = truth.filter(({ full_name }) => imported.has(full_name) && !own.get(login)?.has(full_name));
      expect(joinable.map(({ last_synced_at: _, ...row }) => row).sort(byOwnerAndName)).toEqual(
        here
          .map((one) => {
            const { owner, name } = rowOf(one);
            const of = { pull_requests: pullRequests.get(one.full_name)!, people: imported.get(one.full_name)! };
            return { owner, name, private: one.private, ...of };
          })
          .sort(byOwnerAndName),
      );
      const synced = joinable.map(({ last_synced_at }) => last_synced_at!);
      expect(synced).toEqual(synced.toSorted().reverse());

      const asked = [
        ...imported.keys(),
        ...secrets,
        ...truth.slice(0, 40).map(({ full_name }) => full_name),
        'atlas/nothing',
      ];
      const names = [...new Set(asked)];
      // Public repositories can be read by anybody who names them.
      const readable = new Set(truth.map(({ full_name }) => full_name));
      const open = new Set(publicNames());
      const can = names.filter((name) => readable.has(name) || open.has(name));
      const toImport = can.filter((name) => !imported.has(name));
      const expected = toImport.reduce((sum, name) => sum + pullRequests.get(name)!, 0);
      const estimate = await app.ask('POST', '/api/repos/estimate', { as, body: { repositories: split(names) } });
      expect(estimate).toMatchObject({
        status: 200,
        body: {
          ...{ repositories: toImport.length, pull_requests: expected, here_already: can.length - toImport.length },
          unreadable: names.length - can.length,
          points: Math.ceil(expected * 0.03 + toImport.length * 2),
        } satisfies Partial<ImportEstimate>,
      });
    },
  );

  /** Every public repository that one of them is shown. */
  const publicNames = () =>
    [...listed.values()].flat().flatMap(({ full_name, private: hidden }) => (hidden ? [] : [full_name]));

  const split = (names: readonly string[]) =>
    names.map((full_name) => {
      const [owner, name] = full_name.split('/');
      return { owner, name };
    });
  type Named = { readonly owner: string; readonly name: string };
  const byOwnerAndName = (one: Named, other: Named) =>
    `${one.owner}/${one.name}` < `${other.owner}/${other.name}` ? -1 : 1;

  describe('of a private repository that a stranger cannot read, whether it is here, at the host alone, or nowhere', () => {
    it.each(['newcomer', 'dev-58', 'dev-56'])('%s is told the same, by as much work', async (login) => {
      const as = await app.signIn(login, tokenOf(login));
      await get('/api/repositories/available', as);
      const unknown = secrets.filter((name) => !listed.get(login)!.some(({ full_name }) => full_name === name));
      const names = [
        unknown.find((name) => imported.has(name))!,
        unknown.find((name) => !imported.has(name))!,
        'atlas/secret-0',
      ];
      expect(names.every((name) => name !== undefined)).toBe(true);
      const probes: ((owner: string, name: string) => [method: 'GET' | 'POST' | 'PUT', path: string, body?: object])[] =
        [
          (owner, name) => ['POST', '/api/repos', { owner, name }],
          (owner, name) => ['POST', '/api/repos/bulk', { repositories: [{ owner, name }] }],
          (owner, name) => ['POST', '/api/repos/estimate', { repositories: [{ owner, name }] }],
          (owner, name) => ['POST', '/api/test-github-access', { owner, name }],
          (owner, name) => ['GET', `/api/repositories/available?archived=true&forks=true&q=${owner}/${name}`],
          (owner) => ['PUT', '/api/repos/following', { owners: [owner] }],
          () => ['GET', '/api/repos/joinable'],
          (owner) => ['POST', `/api/organisations/${owner}/webhook`],
        ];
      for (const probe of probes) {
        const seen = [];
        for (const full_name of names) {
          const [owner, name] = full_name.split('/') as [string, string];
          const [method, path, body] = probe(owner, name);
          await app.ask(method, path, { as, ...(body && { body }) });
          await simulator.control('counters', undefined, 'DELETE');
          const before = app.logged.length;
          statements = [];
          const answer = await app.ask(method, path, { as, ...(body && { body }) });
          // The queue of jobs looks after itself at moments of its own.
          const counted = statements.filter((one) => !/^\s*(update jobs\.|select\s+q\.name,)/i.test(one));
          statements = null;
          app.logged.splice(before);
          const { operations } = (await simulator.control('counters')) as { operations: object };
          const text = JSON.stringify([answer.status, answer.body]).replaceAll(full_name, '…').replaceAll(name, '…');
          seen.push({ said: withoutIds(text), operations, statements: counted.map((one) => one.slice(0, 80)) });
        }
        expect(seen[1]).toEqual(seen[0]);
        expect(seen[2]).toEqual(seen[0]);
      }
    });
  });
});

/** Ids and moments are others with every answer. */
const withoutIds = (text: string) =>
  text.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*').replaceAll(/"cursor":"[^"]*"/g, '');
