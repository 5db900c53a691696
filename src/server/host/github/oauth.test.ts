import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../../test/support/simulator.ts';
import type { HostGrant, HostOAuth } from '../oauth.ts';
import { addresses } from './addresses.ts';
import { githubHost } from './host.ts';

const client = { client_id: 'mergelight-demo', client_secret: 'mergelight-demo-secret' };
const app = { id: '7', slug: 'mergelight' };
const redirect_uri = 'http://localhost:3000/auth/callback';
const asked = {
  state: 'st4te',
  redirect_uri,
  // The challenge of 43 times "a".
  code_challenge: 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA',
  access: 'all',
} as const;

let simulator: RunningSimulator;
let time = new Date('2026-11-21T10:00:00Z');
const hoursFromNow = (hours: number) => new Date(time.getTime() + hours * 3_600_000);

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny', now: time });
  await simulator.control('clock', { frozen: true });
  const { now } = (await simulator.control('state')) as { now: string };
  time = new Date(now);
});
beforeEach(async () => {
  await simulator.control('app', {});
});
afterAll(() => simulator?.stop());

function hostOf(oauth: Partial<{ client_secret: string; app: typeof app | null }> = {}, at = simulator.url) {
  const place = addresses(at);
  return githubHost({
    ...{ key: 'k', label: 'GitHub', now: () => time, ...place },
    oauth: { ...client, app: null, ...oauth },
  });
}

const oauthOf = (...settings: Parameters<typeof hostOf>) => hostOf(...settings).oauth as HostOAuth;

/** Signs in as octo on the host's page. */
async function signIn(oauth: HostOAuth, access: 'all' | 'public' = 'all'): Promise<HostGrant> {
  const query = new URL(oauth.authorizeUrl({ ...asked, access })).searchParams;
  query.set('login', 'octo');
  const answer = await fetch(`${simulator.url}/login/oauth/authorize`, {
    method: 'POST',
    body: query,
    redirect: 'manual',
  });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return await oauth.exchange({ code, code_verifier: 'a'.repeat(43), redirect_uri });
}

const login = async (token: string) => (await hostOf().as(token).viewer()).account.login;

test('an OAuth app asks for what reading needs, without `repo` where public repositories are enough', async () => {
  const scopes = (access: 'all' | 'public') =>
    new URL(oauthOf().authorizeUrl({ ...asked, access })).searchParams.get('scope');

  expect([scopes('all'), scopes('public')]).toEqual([
    'repo read:org read:user user:email',
    'read:org read:user user:email',
  ]);
  expect(await signIn(oauthOf(), 'public')).toEqual({
    token: expect.stringMatching(/^gho_/),
    scopes: ['read:org', 'read:user', 'user:email'],
    expires_at: null,
    refresh_token: null,
  });
});

test('a GitHub App asks for no scope, and says where it is installed', async () => {
  await simulator.control('app', { id: 7, expiring: true });
  const oauth = oauthOf({ app });

  const grant = await signIn(oauth);

  expect(new URL(oauth.authorizeUrl(asked)).searchParams.has('scope')).toBe(false);
  expect(grant).toEqual({
    token: expect.stringMatching(/^ghu_/),
    scopes: null,
    expires_at: hoursFromNow(8),
    refresh_token: expect.stringMatching(/^ghr_/),
  });
  expect(oauth.install_url).toMatch(/\/github-apps\/mergelight\/installations\/new$/);
  expect(oauthOf({ app }, 'https://github.com').install_url).toBe(
    'https://github.com/apps/mergelight/installations/new',
  );
  expect(oauthOf().install_url).toBeNull();
});

test('a token that expires is renewed, by an OAuth app as well; a refresh token that was used is rejected', async () => {
  await simulator.control('app', { expiring: true });
  const oauth = oauthOf();
  const { refresh_token } = await signIn(oauth);
  time = hoursFromNow(7);
  await simulator.control('clock', { set: time.toISOString() });

  const renewed = await oauth.refresh(refresh_token ?? '');

  expect(renewed).toMatchObject({
    scopes: expect.arrayContaining(['repo']),
    expires_at: hoursFromNow(8),
  });
  expect(await login(renewed.token)).toBe('octo');
  await expect(oauth.refresh(refresh_token ?? '')).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('a wrong secret of ours is no word on the person’s token', async () => {
  await expect(oauthOf({ client_secret: 'wrong' }).refresh('ghr_x')).rejects.toMatchObject({ kind: 'refused' });
});

test('a token is ended, or all that its person granted; one that has ended already is fine', async () => {
  const oauth = oauthOf();
  const [one, other] = [await signIn(oauth), await signIn(oauth)];

  await oauth.revoke('token', one.token);
  await oauth.revoke('token', one.token);
  const left = await login(other.token);
  await oauth.revoke('grant', other.token);

  expect(left).toBe('octo');
  for (const { token } of [one, other]) await expect(login(token)).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('what could not be ended says so: a wrong secret, a host that fails, a token of another kind', async () => {
  const oauth = oauthOf();
  const { token } = await signIn(oauth);

  await expect(oauthOf({ client_secret: 'wrong' }).revoke('token', token)).rejects.toMatchObject({
    kind: 'unauthorized',
  });
  await expect(oauth.revoke('token', 'ghp_octo')).rejects.toMatchObject({ kind: 'refused' });
  await simulator.control('faults', { match: { kind: 'rest' }, effect: { name: 'bad_gateway' } });
  await expect(oauth.revoke('token', token)).rejects.toMatchObject({ kind: 'unavailable' });
  await simulator.control('faults', undefined, 'DELETE');
  expect(await login(token)).toBe('octo');
});
