import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { GithubApp } from './github-app.ts';
import { type Answer, type Ask, type Route, readForm } from './http.ts';
import { escapeHtml, htmlPage } from './page.ts';
import type { WorldState } from './state/world-state.ts';
import { type Grant, REFRESH_LIFE, TOKEN_LIFE, type Tokens } from './tokens.ts';

export type WebRoute = Route<(ask: Ask, params: Readonly<Record<string, string>>) => Answer | Promise<Answer>>;

interface Code {
  readonly login: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly at: number;
}

/** GitHub documentation, authorizing OAuth apps: a code is valid for ten minutes. */
const CODE_LIFE = 10 * 60_000;

const ERRORS: Record<string, string> = {
  bad_verification_code: 'The code passed is incorrect or expired.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  bad_refresh_token: 'The refresh token passed is incorrect or expired.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
};

/**
 * The OAuth web flow: a page that offers the world's accounts, codes, and their exchange for tokens (GitHub documentation,
 * authorizing OAuth apps).
 * PKCE is checked when a challenge was sent (S256 only). Errors of the exchange come with status 200. As a GitHub App the client is
 * given no scopes, and tokens that expire are renewed by their refresh token (GitHub documentation, refreshing
 * user access tokens).
 */
export function oauthRoutes(host: {
  readonly world: () => WorldState;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string | null;
  readonly app: GithubApp;
}): readonly WebRoute[] {
  const codes = new Map<string, Code>();
  const { granted } = host.tokens;

  const refusal = (fields: URLSearchParams): Answer | null => {
    if (fields.get('client_id') !== host.clientId) {
      return {
        status: 404,
        body: htmlPage('Not found', '<h1>Not found</h1><p>No app is registered with this client id.</p>'),
      };
    }
    const redirectUri = fields.get('redirect_uri') ?? host.callbackUrl;
    if (redirectUri === null || !matchesCallback(redirectUri, host.callbackUrl)) {
      if (host.callbackUrl !== null) return back(host.callbackUrl, fields, failure('redirect_uri_mismatch'));
      const body = '<h1>Wrong address</h1><p>The redirect_uri is not one that this app may use.</p>';
      return { status: 400, body: htmlPage('Wrong address', body) };
    }
    const method = fields.get('code_challenge_method');
    if (fields.get('code_challenge') !== null && method !== 'S256') {
      return back(redirectUri, fields, {
        error: 'invalid_request',
        error_description: 'Only the S256 code challenge is supported.',
      });
    }
    return null;
  };

  const page = (ask: Ask): Answer => {
    const refused = refusal(ask.query);
    if (refused !== null) return refused;
    const world = host.world();
    const chosen = (ask.query.get('login') ?? world.signIn[0] ?? '').toLowerCase();
    const hidden = [...ask.query].map(([name, value]) =>
      name === 'login' ? '' : `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    );
    const buttons = world.signIn
      .flatMap((login) => world.accountNamed(login) ?? [])
      .map(({ id, login, name }) => {
        const mark = login.toLowerCase() === chosen ? ' class="chosen" autofocus' : '';
        return `<button name="login" value="${escapeHtml(login)}"${mark}><img src="/avatars/${id}" alt=""><span>${escapeHtml(name ?? login)}<br><small>${escapeHtml(login)}</small></span></button>`;
      });
    const scopes = scopesOf(ask.query.get('scope') ?? '');
    const wants = scopes.length === 0 ? 'to know who you are' : `<code>${scopes.map(escapeHtml).join(' ')}</code>`;
    return {
      status: 200,
      body: htmlPage(
        'Sign in to the simulated host',
        `<h1>Who are you?</h1>
<p>Mergelight asks this simulated host for ${wants}. Pick an account to sign in with it.</p>
<form method="post" action="/login/oauth/authorize">
${hidden.join('')}
${buttons.join('\n')}
<button class="deny" name="deny" value="1">Cancel</button>
</form>`,
      ),
    };
  };

  const decide = (ask: Ask): Answer => {
    const fields = readForm(ask);
    const refused = refusal(fields);
    if (refused !== null) return refused;
    const redirectUri = fields.get('redirect_uri') ?? host.callbackUrl ?? '';
    if (fields.has('deny')) {
      const description = 'The user has denied your application access.';
      return back(redirectUri, fields, { error: 'access_denied', error_description: description });
    }
    const account = host.world().accountNamed(fields.get('login') ?? '');
    if (account === null || account.typeName !== 'User') {
      return {
        status: 422,
        body: htmlPage('Unknown account', '<h1>Unknown account</h1><p>There is no such person here.</p>'),
      };
    }
    const asked = scopesOf(fields.get('scope') ?? '');
    const before = granted.get(account.login.toLowerCase()) ?? [];
    const scopes = host.app.registered !== null ? [] : asked.length > 0 ? asked : before;
    granted.set(account.login.toLowerCase(), scopes);
    const code = randomBytes(10).toString('hex');
    codes.set(code, {
      login: account.login,
      scopes,
      redirectUri,
      challenge: fields.get('code_challenge'),
      at: host.clock.now(),
    });
    return back(redirectUri, fields, { code });
  };

  const exchange = (ask: Ask): Answer => {
    const fields = readForm(ask);
    const answer = exchanged(fields);
    const wantsJson = (ask.headers.accept ?? '').includes('json');
    return wantsJson
      ? { status: 200, body: answer }
      : {
          status: 200,
          headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
          body: new URLSearchParams(Object.entries(answer).map(([name, value]) => [name, String(value)])).toString(),
        };
  };

  const exchanged = (fields: URLSearchParams): Record<string, string | number> => {
    if (fields.get('client_id') !== host.clientId || fields.get('client_secret') !== host.clientSecret) {
      return failure('incorrect_client_credentials');
    }
    if (fields.get('grant_type') === 'refresh_token') {
      const renewed = host.tokens.refresh(fields.get('refresh_token') ?? '');
      return renewed === null ? failure('bad_refresh_token') : answerOf(renewed);
    }
    const given = fields.get('code') ?? '';
    const code = codes.get(given);
    codes.delete(given);
    if (code === undefined || host.clock.now() - code.at > CODE_LIFE) return failure('bad_verification_code');
    const redirectUri = fields.get('redirect_uri');
    if (redirectUri !== null && redirectUri !== code.redirectUri) return failure('redirect_uri_mismatch');
    if (code.challenge !== null) {
      const verifier = fields.get('code_verifier') ?? '';
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      if (challenge !== code.challenge) return failure('bad_verification_code');
    }
    const kind = host.app.registered === null ? 'oauth' : 'app';
    return answerOf(host.tokens.grant(code.login, code.scopes, kind, host.app.expiring));
  };

  const answerOf = ({ access_token, scopes, refresh_token }: Grant) => ({
    access_token,
    token_type: 'bearer',
    scope: scopes.join(','),
    ...(refresh_token === null
      ? {}
      : { expires_in: TOKEN_LIFE, refresh_token, refresh_token_expires_in: REFRESH_LIFE }),
  });

  return [
    { method: 'GET', pattern: '/login/oauth/authorize', handle: page },
    { method: 'POST', pattern: '/login/oauth/authorize', handle: decide },
    { method: 'POST', pattern: '/login/oauth/access_token', handle: exchange },
  ];
}

function failure(error: string): Record<string, string> {
  return {
    error,
    error_description: ERRORS[error] ?? error,
    error_uri:
      'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/',
  };
}

function back(redirectUri: string, asked: URLSearchParams, fields: Record<string, string>): Answer {
  const location = new URL(redirectUri);
  for (const [name, value] of Object.entries(fields)) location.searchParams.set(name, value);
  const state = asked.get('state');
  if (state !== null) location.searchParams.set('state', state);
  return { status: 302, headers: { location: location.href }, body: null };
}

/** Scopes come separated by spaces, and commas do too. */
function scopesOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((scope) => scope !== '');
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether a redirect address fits the registered one: same host (or one below it) and port, same path or one below;
 * a loopback address may use any port. Without a registered one every loopback address fits.
 */
export function matchesCallback(redirectUri: string, registered: string | null): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const given = new URL(redirectUri);
  const loopback = LOOPBACK.has(given.hostname);
  if (registered === null) return loopback;
  const wanted = new URL(registered);
  const sameHost =
    loopback && LOOPBACK.has(wanted.hostname)
      ? true
      : (given.hostname === wanted.hostname || given.hostname.endsWith(`.${wanted.hostname}`)) &&
        given.port === wanted.port;
  const folder = wanted.pathname.endsWith('/') ? wanted.pathname : `${wanted.pathname}/`;
  return sameHost && (given.pathname === wanted.pathname || given.pathname.startsWith(folder));
}
