import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

let simulator: RunningSimulator;
let app: TestApp;
/** May read both repositories. */
let octo: string;
/** May read `hello` alone. */
let mona: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  await simulator.control('repos', { owner: 'octo-org', name: 'withheld', private: true, readers: ['octo'] });
  await simulator.control('accounts', { login: 'grace' });
  for (const [number, author] of [
    [1, 'octo'],
    [2, 'grace'],
  ])
    await simulator.control('repos/octo-org/withheld/pulls', { number, author, title: 'Withheld words' });
  app = await openTestApp({ host_url: simulator.url, role: 'all' });
  octo = await app.signIn('octo');
  mona = await app.signIn('mona');
  for (const [name, readers] of [
    ['hello', [octo, mona]],
    ['withheld', [octo]],
  ] as const)
    for (const as of readers) {
      const { body } = await app.ask('POST', '/api/repos', { as, body: { owner: 'octo-org', name } });
      const { id } = body as { id: number };
      ids[name] = id;
      await app.ask('POST', '/api/sync-repo-complete', { as, body: { repoId: id } });
    }
  await vi.waitFor(
    async () => {
      const { body } = await app.ask('GET', '/api/repos', { as: octo });
      expect((body as { last_synced_at: string | null }[]).filter(({ last_synced_at }) => last_synced_at)).toHaveLength(
        2,
      );
    },
    { timeout: 60_000, interval: 100 },
  );
});
afterAll(async () => {
  await app?.stop();
  await simulator?.stop();
});

const keep = async (body: object) => await app.ask('POST', '/api/views', { as: octo, body });

test('two people with different scopes open one view, and each sees only theirs', async () => {
  const path = `/trends?figure=opened&split=repository&repository=${ids.hello},${ids.withheld}&q=withheld`;
  const kept = await keep({ name: 'By repository', path, visibility: 'everyone', pinned: true });
  expect(kept.status).toBe(201);
  const { slug } = kept.body as { slug: string };

  const opened = await Promise.all([octo, mona].map((as) => app.ask('GET', `/api/views/${slug}`, { as })));

  expect(opened[0]!.body).toMatchObject({ path, missing: false, mine: true });
  const theirs = `/trends?figure=opened&split=repository&repository=${ids.hello}`;
  expect(opened[1]!.body).toMatchObject({ path: theirs, missing: true, mine: false });
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const trend = async (as: string, view: string) => {
    const query = view.slice(view.indexOf('?')).replace('&q=withheld', '');
    const { status, body } = await app.ask('GET', `/api/trends${query}&bucket=whole&from=${from}`, { as });
    const { items } = body as { items: { lines: { name: string }[] }[] };
    return [status, items?.[0]?.lines.map(({ name }) => name).sort()];
  };
  expect(await trend(octo, path)).toEqual([200, ['octo-org/hello', 'octo-org/withheld']]);
  expect(await trend(mona, theirs)).toEqual([200, ['octo-org/hello']]);
  // Whoever writes the maker’s address by hand gets no further.
  expect(await trend(mona, path)).toEqual([404, undefined]);
  const said = JSON.stringify([opened[1]!.body, (await app.ask('GET', '/api/views', { as: mona })).body]);
  expect(said).not.toMatch(/withheld/i);
});

test('a view names nobody to a reader in whose repositories they do not appear', async () => {
  const opened = async (as: string, path: string) => {
    const { slug } = (await keep({ name: 'Somebody', path, visibility: 'everyone' })).body as { slug: string };
    const one = (await app.ask('GET', `/api/views/${slug}`, { as })).body as { path: string; missing: boolean };
    const listed = (await app.ask('GET', '/api/views', { as })).body as { slug: string; path: string }[];
    expect(listed.find((view) => view.slug === slug)?.path).toBe(one.path);
    return [one.path, one.missing];
  };

  const [unknown, known, beside] = [
    '/contributor/Grace?period=90d',
    '/contributors/Octo',
    '/contributor/octo?compare=',
  ];
  expect(await opened(mona, unknown)).toEqual(['/contributors?period=90d', true]);
  expect(await opened(octo, unknown)).toEqual([unknown, false]);
  expect(await opened(mona, known)).toEqual(['/contributor/Octo', false]);
  expect(await opened(mona, `${beside}grace`)).toEqual(['/contributor/octo', true]);
  expect(await opened(mona, `${beside}*`)).toEqual([`${beside}*`, false]);
  expect(await opened(mona, '/ai?reviewer=grace')).toEqual(['/ai', true]);
  expect(JSON.stringify((await app.ask('GET', '/api/views', { as: mona })).body)).not.toMatch(/grace/i);
});

test('what would lead anywhere else is refused with the reason', async () => {
  for (const path of [
    '//elsewhere.test',
    '/\\elsewhere.test',
    'https://elsewhere.test',
    '/api/repos',
    '/administration',
    '/dashboard/../administration',
    '/dashboard%2f..%2fadministration',
    '/prs?q=%00',
    `/prs?q=${'x'.repeat(2000)}`,
  ]) {
    const { status, body } = await keep({ name: 'x', path });
    expect([status, path]).toEqual([400, path]);
    expect(body).toMatchObject({ code: 'invalid_request', issues: [{ path: 'path', message: expect.any(String) }] });
  }
  const { body } = await keep({ name: 'x', path: '/prs' });
  const { slug } = body as { slug: string };
  const changed = await app.ask('PATCH', `/api/views/${slug}`, { as: octo, body: { path: '//elsewhere.test' } });
  expect(changed.status).toBe(400);
});

test('notes for everyone stand beside everyone’s figures, notes for oneself beside one’s own', async () => {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const note = async (as: string, text: string, visibility: string) => {
    const { status, body } = await app.ask('POST', '/api/notes', { as, body: { at, text, visibility } });
    expect(status).toBe(201);
    return (body as { id: number }).id;
  };
  const own = await note(octo, 'For me', 'mine');
  const shared = await note(octo, 'For all', 'everyone');
  const told = async (as: string) => {
    const { body } = await app.ask('GET', '/api/trends?figure=opened', { as });
    const { events } = (body as { items: [{ events: { kind: string; text: string }[] }] }).items[0];
    return events.filter(({ kind }) => kind === 'note').map(({ text }) => text);
  };

  expect(await told(octo)).toEqual(['For me', 'For all']);
  expect(await told(mona)).toEqual(['For all']);
  for (const id of [own, shared]) expect((await app.ask('DELETE', `/api/notes/${id}`, { as: mona })).status).toBe(404);
  expect((await app.ask('DELETE', `/api/notes/${shared}`, { as: octo })).status).toBe(204);
  expect(await told(mona)).toEqual([]);
  for (const body of [{ at, text: '' }, { at, text: 'x'.repeat(141) }, { text: 'x' }])
    expect((await app.ask('POST', '/api/notes', { as: octo, body })).status).toBe(400);
});

test('whoever deletes their account takes their notes and views along', async () => {
  await simulator.control('accounts', { login: 'somebody-else' });
  const gone = await app.signIn('somebody-else');
  const body = { name: 'Theirs', path: '/prs', visibility: 'everyone' };
  const { slug } = (await app.ask('POST', '/api/views', { as: gone, body })).body as { slug: string };
  await app.ask('POST', '/api/notes', { as: gone, body: { at: '2026-06-01', text: 'Theirs', visibility: 'everyone' } });
  expect((await app.ask('GET', `/api/views/${slug}`, { as: mona })).status).toBe(200);

  const deleted = await app.ask('DELETE', '/auth/me', { as: gone, body: { confirm: 'somebody-else' } });

  expect(deleted.status).toBe(204);
  expect((await app.ask('GET', `/api/views/${slug}`, { as: mona })).status).toBe(404);
  expect((await app.ask('GET', '/api/notes', { as: mona })).body).toEqual([]);
});
