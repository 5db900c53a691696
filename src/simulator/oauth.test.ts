import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestHost, type TestHost } from '../../test/support/test-host.ts';
import { matchesCallback } from './oauth.ts';
import { tinyWorld } from './worlds/tiny.ts';

const CLIENT = { client_id: 'mergelight-demo', client_secret: 'mergelight-demo-secret' };
const CALLBACK = 'http://localhost:3000/auth/callback';
const VERIFIER = 'a'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const ASKED = {
  client_id: CLIENT.client_id,
  redirect_uri: CALLBACK,
  state: 'st4te',
  scope: 'repo read:org',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost(tinyWorld);
});
afterAll(() => host.close());

const page = (fields: Record<string, string>) =>
  fetch(`${host.url}/login/oauth/authorize?${new URLSearchParams(fields)}`, { redirect: 'manual' });

/** Presses a button on the page and gives the address that it leads to. */
async function press(button: Record<string, string>, asked: Record<string, string> = ASKED): Promise<URL> {
  const response = await fetch(`${host.url}/login/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ ...asked, ...button }),
    redirect: 'manual',
  });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

async function exchange(fields: Record<string, string>, accept = 'application/json') {
  const response = await fetch(`${host.url}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept },
    body: new URLSearchParams({ ...CLIENT, ...fields }),
  });
  expect(response.status).toBe(200);
  return response;
}

/** The exchange's JSON. */
async function exchanged(fields: Record<string, string>): Promise<Record<string, string>> {
  return (await (await exchange(fields)).json()) as Record<string, string>;
}

const codeOf = async (asked?: Record<string, string>) =>
  (await press({ login: 'mona' }, asked)).searchParams.get('code') ?? '';

describe('the sign-in page', () => {
  test('offers the accounts of the world, the asked one first in line', async () => {
    const response = await page({ ...ASKED, login: 'mona' });
    const html = await response.text();

    expect(response.status).toBe(200);
    expect(html).toMatch(/value="octo"/);
    expect(html).toMatch(/value="mona" class="chosen" autofocus/);
  });

  test('escapes what it was given', async () => {
    const html = await (await page({ ...ASKED, state: '"><script>' })).text();

    expect(html).not.toContain('"><script>');
  });

  test.each([
    [{ ...ASKED, client_id: 'someone-else' }, 404],
    [{ ...ASKED, redirect_uri: 'https://mail.example/callback' }, 400],
  ])('is not shown for a wrong app or address', async (fields, status) => {
    expect((await page(fields)).status).toBe(status);
  });

  test('sends whoever cancels back with access_denied and the state', async () => {
    const location = await press({ deny: '1' });

    expect(location.searchParams.get('error')).toBe('access_denied');
    expect(location.searchParams.get('state')).toBe('st4te');
  });

  test('refuses a plain code challenge', async () => {
    const response = await page({ ...ASKED, code_challenge_method: 'plain' });

    expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
  });
});

describe('the exchange', () => {
  test('gives a token that means the account and the scopes, separated by commas', async () => {
    const location = await press({ login: 'mona' });
    const code = location.searchParams.get('code') ?? '';

    const token = await exchanged({ code, redirect_uri: CALLBACK, code_verifier: VERIFIER });
    const user = await host.rest('GET', '/user', { token: token.access_token ?? '' });

    expect(location.searchParams.get('state')).toBe('st4te');
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'repo,read:org' });
    expect(token.access_token).toMatch(/^gho_/);
    expect(user.body.login).toBe('mona');
    expect(user.headers.get('x-oauth-scopes')).toBe('repo, read:org');
  });

  test('answers as a form unless JSON is asked for', async () => {
    const response = await exchange({ code: await codeOf(), code_verifier: VERIFIER }, '*/*');

    expect(new URLSearchParams(await response.text()).get('scope')).toBe('repo,read:org');
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'b'.repeat(43) }, 'bad_verification_code'],
    ['no verifier', {}, 'bad_verification_code'],
    ['a wrong secret', { client_secret: 'wrong', code_verifier: VERIFIER }, 'incorrect_client_credentials'],
    [
      'another address',
      { redirect_uri: 'http://localhost:3000/other', code_verifier: VERIFIER },
      'redirect_uri_mismatch',
    ],
    ['an unknown code', { code: 'nothing', code_verifier: VERIFIER }, 'bad_verification_code'],
  ])('fails for %s, with status 200', async (_what, fields, error) => {
    const answer = await exchanged({ code: await codeOf(), ...fields });

    expect(answer).toMatchObject({ error, error_description: expect.any(String) });
    expect(answer.access_token).toBeUndefined();
  });

  test('takes a code once', async () => {
    const code = await codeOf();

    await exchange({ code, code_verifier: VERIFIER });
    const again = await exchanged({ code, code_verifier: VERIFIER });

    expect(again.error).toBe('bad_verification_code');
  });

  test('takes a code for ten minutes', async () => {
    const [young, old] = [await codeOf(), await codeOf()];

    await host.control('POST', 'clock', { advanceSeconds: 600 });
    const inTime = await exchanged({ code: young, code_verifier: VERIFIER });
    await host.control('POST', 'clock', { advanceSeconds: 1 });
    const late = await exchanged({ code: old, code_verifier: VERIFIER });

    expect(inTime.access_token).toBeDefined();
    expect(late.error).toBe('bad_verification_code');
  });

  test('gives the scopes of before when none are asked for', async () => {
    const { scope: _, ...unscoped } = ASKED;

    const token = await exchanged({ code: await codeOf(unscoped), code_verifier: VERIFIER });

    expect(token.scope).toBe('repo,read:org');
  });

  test('keeps ten tokens of an account with the same scopes, and revokes the oldest for the eleventh', async () => {
    const minted: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      minted.push((await host.control('POST', 'tokens', { login: 'hubot', scopes: ['repo'] })).body.token);
    }

    const [first = '', second = ''] = minted;
    expect((await host.rest('GET', '/user', { token: first })).status).toBe(401);
    expect((await host.rest('GET', '/user', { token: second })).status).toBe(200);
  });
});

describe('a token of the OAuth flow', () => {
  test('outlives a restart of the host', async () => {
    const token = (await host.control('POST', 'tokens', { login: 'mona' })).body.token;
    const other = await startTestHost(tinyWorld);

    const user = await other.rest('GET', '/user', { token });
    await other.close();

    expect(user.body.login).toBe('mona');
  });

  test('can’t be forged', async () => {
    const token: string = (await host.control('POST', 'tokens', { login: 'mona' })).body.token;
    const meaning = Buffer.from('octo|repo|x|1').toString('base64url');

    expect((await host.rest('GET', '/user', { token: `gho_${meaning}.${token.split('.')[1]}` })).status).toBe(401);
  });
});

describe('a redirect address fits the registered one', () => {
  test.each([
    ['http://localhost:9999/auth/callback', null, true],
    ['https://app.example/auth/callback', null, false],
    ['nonsense', null, false],
    ['https://app.example/auth/callback', 'https://app.example/auth', true],
    ['https://team.app.example/auth/callback', 'https://app.example/auth', true],
    ['https://app.example:8443/auth', 'https://app.example/auth', false],
    ['https://notapp.example/auth', 'https://app.example/auth', false],
    ['https://app.example/other', 'https://app.example/auth', false],
    ['http://127.0.0.1:5173/auth/callback', 'http://localhost:3000/auth', true],
  ])('%s for %s: %s', (given, registered, fits) => {
    expect(matchesCallback(given, registered)).toBe(fits);
  });
});
