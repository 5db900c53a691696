import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../test/support/test-host.ts';
import { tinyWorld } from './worlds/tiny.ts';

const CLIENT = { client_id: 'mergelight-demo', client_secret: 'mergelight-demo-secret' };
const BASIC = { authorization: `Basic ${Buffer.from('mergelight-demo:mergelight-demo-secret').toString('base64')}` };

const hosts: TestHost[] = [];
let host: TestHost;

beforeEach(async () => {
  host = await startTestHost(tinyWorld);
  hosts.push(host);
});
afterAll(async () => {
  for (const each of hosts) await each.close();
});

async function exchange(fields: Record<string, string>) {
  const answer = await fetch(`${host.url}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...CLIENT, ...fields }),
  });
  return (await answer.json()) as Record<string, string | number>;
}

/** What somebody's sign-in gives. */
async function grantOf(login: string, scope = 'repo') {
  const answer = await fetch(`${host.url}/login/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: CLIENT.client_id,
      redirect_uri: 'http://localhost:3000/auth/callback',
      scope,
      login,
    }),
    redirect: 'manual',
  });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return (await exchange({ code })) as { access_token: string; refresh_token: string };
}

const user = async (token: string) => (await host.rest('GET', '/user', { token })).status;
const asApp = (method: string, path: string, access_token: string, headers = BASIC) =>
  host.rest(method, `/applications/mergelight-demo/${path}`, { token: '', headers, body: { access_token } });

test('a GitHub App is given tokens without scopes, which end after eight hours', async () => {
  await host.control('POST', 'app', { id: 7, expiring: true });

  const grant = await grantOf('octo');
  const before = await host.rest('GET', '/user', { token: grant.access_token });
  await host.control('POST', 'clock', { advanceSeconds: 28_800 });

  expect(grant).toMatchObject({
    access_token: expect.stringMatching(/^ghu_/),
    scope: '',
    expires_in: 28_800,
    refresh_token: expect.stringMatching(/^ghr_/),
    refresh_token_expires_in: 15_811_200,
  });
  expect(before.body.login).toBe('octo');
  expect(before.headers.get('x-oauth-scopes')).toBeNull();
  expect(await user(grant.access_token)).toBe(401);
});

test('a refresh token renews once, and ends the token that it came with', async () => {
  await host.control('POST', 'app', { expiring: true });
  const { access_token, refresh_token } = await grantOf('octo');

  const renewed = await exchange({ grant_type: 'refresh_token', refresh_token });
  const again = await exchange({ grant_type: 'refresh_token', refresh_token });

  expect(renewed).toMatchObject({ access_token: expect.stringMatching(/^gho_/), scope: 'repo' });
  expect(await user(String(renewed.access_token))).toBe(200);
  expect(await user(access_token)).toBe(401);
  expect(again.error).toBe('bad_refresh_token');
});

test('a token ends on command, and can still be renewed; after six months it cannot', async () => {
  await host.control('POST', 'app', { id: 7, expiring: true });
  const [one, other] = [await grantOf('octo'), await grantOf('mona')];

  await host.control('POST', 'tokens/expire', { login: 'octo' });
  const [octo, mona] = [await user(one.access_token), await user(other.access_token)];
  const renewed = await exchange({ grant_type: 'refresh_token', refresh_token: one.refresh_token });
  await host.control('POST', 'clock', { advanceSeconds: 15_811_200 });
  const late = await exchange({ grant_type: 'refresh_token', refresh_token: other.refresh_token });

  expect([octo, mona]).toEqual([401, 200]);
  expect(renewed.access_token).toBeDefined();
  expect(late.error).toBe('bad_refresh_token');
});

test('the app revokes one token, or all that an account granted, with its id and secret', async () => {
  const [one, other] = [await grantOf('octo'), await grantOf('octo')];
  const wrong = { authorization: `Basic ${Buffer.from('mergelight-demo:wrong').toString('base64')}` };

  const refused = await asApp('DELETE', 'token', one.access_token, wrong);
  const deleted = await asApp('DELETE', 'token', one.access_token);
  const again = await asApp('DELETE', 'token', one.access_token);
  const left = await asApp('POST', 'token', other.access_token);
  const personal = await asApp('DELETE', 'token', 'ghp_octo');

  expect([refused, deleted, again, left, personal].map(({ status }) => status)).toEqual([401, 204, 422, 200, 422]);
  expect([await user(one.access_token), await user(other.access_token)]).toEqual([401, 200]);
  expect((await asApp('DELETE', 'grant', other.access_token)).status).toBe(204);
  expect(await user(other.access_token)).toBe(401);
});

test('an App’s token reads private repositories only where the App is installed, and the App hears of changes', async () => {
  const heard: { event: string; body: Record<string, unknown> }[] = [];
  const listener = createServer((request: IncomingMessage, response) => {
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      heard.push({ event: String(request.headers['x-github-event']), body: JSON.parse(text) });
      response.end('{}');
    });
  });
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
  const hook = { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`, secret: 's' };
  await host.control('POST', 'app', { id: 7, hook });
  const repositories = (await host.control('GET', 'state')).body.repositories as {
    full_name: string;
    private: boolean;
  }[];
  const hidden = repositories.find((repository) => repository.private)?.full_name ?? '';
  const [owner = '', name = ''] = hidden.split('/');
  const reader = (await grantOf('octo')).access_token;
  const reads = async () => (await host.rest('GET', `/repos/${hidden}`, { token: reader })).status;

  const installed = await reads();
  await host.control('PATCH', `app/installations/${owner}`, { repositories: [] });
  const without = await reads();
  await host.control('PATCH', `app/installations/${owner}`, { repositories: [name] });
  const again = await reads();
  await host.control('POST', 'app/revoke', { login: 'octo' });
  await expect
    .poll(() => heard.map(({ event, body }) => `${event} ${body.action}`).sort())
    .toEqual([
      'github_app_authorization revoked',
      'installation_repositories added',
      'installation_repositories removed',
    ]);
  listener.close();

  expect([installed, without, again]).toEqual([200, 404, 200]);
  expect(await user(reader)).toBe(401);
});
