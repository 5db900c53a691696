import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, cookieIn, openTestApp, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';

const SECRET = { owner: 'octo', name: 'secret-plans' };

let host: RunningSimulator;
let app: TestApp;
/** What the limits that were asked for are, in milliseconds, and what ends them now. */
const limits: number[] = [];
let end = () => {};

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  await host.control('repos', { ...SECRET, private: true, readers: ['octo', 'mona'] });
  app = await openTestApp({
    host_url: host.url,
    timeLimit(milliseconds) {
      const limit = new AbortController();
      limits.push(milliseconds);
      end = () => limit.abort(new DOMException('It took too long.', 'TimeoutError'));
      return limit.signal;
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

/** Signs in on the host's own page, as a browser does, from this link; the headers tell whose page it is on. */
async function signInByHost(
  login: string,
  path: string,
  headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
): Promise<Answer> {
  const begun = await app.ask('GET', path, { headers });
  const form = new URL(String(begun.headers.location)).searchParams;
  form.set('login', login);
  const page = `${host.url}/login/oauth/authorize`;
  const consented = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');
  return await app.ask('GET', `${back.pathname}${back.search}`, { as: cookieIn(begun, 'sign_in') });
}

const sees = async (as: string) =>
  ((await app.ask('GET', '/api/repositories', { as })).body as { name: string }[]).map(({ name }) => name);
const me = async (as: string) => (await app.ask('GET', '/auth/me', { as })).status;

test('a sign-in by OAuth that may read less ends at the question whether to replace the one in use, and replaces it when repeated so', async () => {
  const strong = cookieIn(await signInByHost('octo', '/auth/login'), 'session');
  await app.ask('POST', '/api/repos', { as: strong, body: SECRET });
  const before = await sees(strong);

  const asked = await signInByHost('octo', '/auth/login?access=public&return_to=/dashboard/team');
  const stillSeen = await sees(strong);
  // The page's button repeats the sign-in with what the address says.
  const query = new URL(String(asked.headers.location), 'http://localhost').searchParams;
  query.delete('error');
  const replaced = await signInByHost('octo', `/auth/login?${query}&replace=true`);
  const weak = cookieIn(replaced, 'session');

  expect(before).toEqual(['secret-plans']);
  expect(asked.status).toBe(302);
  expect(asked.headers.location).toBe('/login?error=weaker_token&return_to=%2Fdashboard%2Fteam&access=public');
  expect(JSON.stringify(asked.headers['set-cookie'])).not.toContain('session=');
  expect(stillSeen).toEqual(['secret-plans']);
  expect(replaced.headers.location).toBe('/dashboard/team');
  expect([await me(strong), await me(weak)]).toEqual([401, 200]);
  await expect.poll(() => sees(weak)).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['as browsers say', { 'sec-fetch-site': 'cross-site' }],
  ['by where it comes from', { referer: 'https://elsewhere.example/' }],
  ['without a word', {}],
])('no other page has a token replaced: told %s', async (_, headers) => {
  const strong = cookieIn(await signInByHost('octo', '/auth/login'), 'session');
  // Until it is checked, nothing is known that the weaker one could not read.
  await expect.poll(() => sees(strong)).toEqual(['secret-plans']);

  const answer = await signInByHost('octo', '/auth/login?access=public&replace=true', headers);

  expect(answer.headers.location).toBe('/login?error=weaker_token&access=public');
  expect(await me(strong)).toBe(200);
});

test('that a weaker token is wanted is sealed in the sign-in: whoever changes the address on the way back changes nothing', async () => {
  const strong = cookieIn(await signInByHost('mona', '/auth/login'), 'session');
  await app.ask('POST', '/api/repos', { as: strong, body: SECRET });
  const begun = await app.ask('GET', '/auth/login?access=public');
  const form = new URL(String(begun.headers.location)).searchParams;
  form.set('login', 'mona');
  const page = `${host.url}/login/oauth/authorize`;
  const consented = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const back = new URL(consented.headers.get('location') ?? '');

  const answer = await app.ask('GET', `${back.pathname}${back.search}&replace=true`, {
    as: cookieIn(begun, 'sign_in'),
  });

  expect(answer.headers.location).toBe('/login?error=weaker_token&access=public');
  expect(await me(strong)).toBe(200);
});

test('a host that does not say within 10 seconds what a new token may read changes nothing: 503, try again', async () => {
  const strong = await app.signIn('mona', 'ghp_mona', true);
  await expect.poll(() => sees(strong)).toEqual(['secret-plans']);
  await host.control('faults', {
    match: { kind: 'graphql', operation: 'RepositoriesById' },
    effect: { name: 'hang' },
  });
  limits.length = 0;
  const other = { token: 'ghp_mona_repo-read:org-read:user' };

  const answering = app.ask('POST', '/auth/token', { body: other });
  const asked = async () => ((await host.control('faults')) as { done: number }[]).map(({ done }) => done);
  await expect.poll(asked).toEqual([1]);
  end();
  const answer = await answering;
  const byHost = signInByHost('mona', '/auth/login?access=public');
  await expect.poll(() => limits).toHaveLength(2);
  end();
  const redirected = await byHost;
  await host.control('faults', undefined, 'DELETE');

  expect(limits).toEqual([10_000, 10_000]);
  expect(answer).toMatchObject({ status: 503, body: { code: 'host_busy' } });
  expect(redirected).toMatchObject({ status: 302, headers: { location: '/login?error=host_busy' } });
  expect([await me(strong), await sees(strong)]).toEqual([200, ['secret-plans']]);
});

test('a weaker token hides the teams that a stronger one listed, archived ones too, until a list is read with a token', async () => {
  await host.control('organizations/octo-org', { members: { octo: 'ADMIN' } }, 'PATCH');
  const strong = await app.signIn('octo', 'ghp_octo', true);
  for (const body of [SECRET, { owner: 'octo-org', name: 'hello' }])
    await app.ask('POST', '/api/repos', { as: strong, body });
  const wanted = { organisation: 'octo-org', slugs: ['greeters'] };
  const imported = await app.ask('POST', '/api/teams/import', { as: strong, body: wanted });
  await app.database.db.updateTable('teams').set({ archived_at: new Date() }).execute();
  const teams = async (as: string) =>
    ((await app.ask('GET', '/api/teams?all=true', { as })).body as { name: string }[]).map(({ name }) => name);
  const before = await teams(strong);

  const weak = await app.signIn('octo', 'ghp_octo_read:user', true);
  const hidden = await teams(weak);
  const again = await app.signIn('octo', 'ghp_octo', true);

  expect([imported.status, before, hidden]).toEqual([202, ['Greeters'], []]);
  await expect.poll(() => teams(again)).toEqual(['Greeters']);
});
