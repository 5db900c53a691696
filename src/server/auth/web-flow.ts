import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { CodeHost } from '../host/host.ts';
import type { HostOAuth } from '../host/oauth.ts';
import { leadToLogin } from '../http/answer-error.ts';
import { statusOfCode } from '../http/errors.ts';
import { isLoopback } from '../http/origin.ts';
import type { SecretBox } from '../secret-box.ts';
import type { NoteSecurityEvent } from '../security-events.ts';
import type { NewCredential } from './credentials.ts';
import { localPath } from './local-path.ts';
import type { SignedInUser } from './sessions.ts';
import { asRefusal, type SignInRefusal, SignInRefused } from './sign-in.ts';
import {
  challengeOf,
  newSignInState,
  type SignInState,
  type SignInWish,
  STATE_SECONDS,
  takeSignInState,
} from './sign-in-state.ts';

const stateCookie = 'sign_in';
/** No zone's name is longer, in characters. */
const MOST_OF_A_ZONE = 100;

type QueryOfLogin = { Querystring: Record<string, string | string[] | undefined> };

export interface WebFlow {
  readonly host: CodeHost;
  readonly box: SecretBox;
  readonly now: () => Date;
  readonly public_url: string;
  /** Signs in whoever the token belongs to. */
  readonly signInWith: (given: NewCredential, replace: boolean, request: FastifyRequest) => Promise<SignedInUser>;
  readonly openSession: (
    request: FastifyRequest,
    reply: FastifyReply,
    user: SignedInUser,
    time_zone: string | null,
  ) => Promise<void>;
  readonly noteSecurityEvent: NoteSecurityEvent;
  /** Route options of the call that signs in. */
  readonly options: RouteShorthandOptions;
}

/**
 * Signing in on the host's own page (docs/server.md#sessions): `/auth/login` sends the browser there with state and PKCE,
 * `/auth/callback` takes it back. What goes wrong is a code that the login page words.
 */
export function serveWebFlow(app: FastifyInstance, flow: WebFlow): void {
  const { host, box, now, public_url } = flow;
  const redirect_uri = `${public_url}/auth/callback`;
  const cookie: CookieSerializeOptions = {
    path: '/auth',
    httpOnly: true,
    sameSite: 'lax',
    secure: public_url.startsWith('https:'),
  };

  const begunBy = (request: FastifyRequest) => {
    const { state } = request.query as QueryOfLogin['Querystring'];
    // What fails early fails before cookies are read.
    const cookies = app.parseCookie(request.headers.cookie ?? '');
    return takeSignInState(box, cookies[stateCookie], textOf(state), now());
  };
  const wantedAtFirst = (request: FastifyRequest) =>
    localPath(textOf((request.query as QueryOfLogin['Querystring']).return_to));
  const wantedBefore = (request: FastifyRequest) => begunBy(request)?.state.return_to ?? null;

  app.get<QueryOfLogin>('/auth/login', { config: { leads_to_login: wantedAtFirst } }, async (request, reply) => {
    const return_to = wantedAtFirst(request) ?? '/dashboard';
    if (host.oauth === null) return failed(request, reply, 'oauth_not_configured', { return_to });
    const elsewhere = ownAddressElsewhere(request, public_url);
    // The host sends the browser back to PUBLIC_URL: the cookie has to be that name's.
    if (elsewhere !== null) return reply.redirect(elsewhere);
    const access = textOf(request.query.access) === 'public' ? 'public' : 'all';
    const replace = textOf(request.query.replace) === 'true' && isAskedHere(request, public_url);
    const time_zone = textOf(request.query.time_zone)?.slice(0, MOST_OF_A_ZONE) ?? null;
    const wish: SignInWish = { return_to, access, replace, time_zone };
    const { state, cookie: sealed } = newSignInState(box, wish, now(), request.cookies[stateCookie]);
    reply.setCookie(stateCookie, sealed, { ...cookie, maxAge: STATE_SECONDS });
    const code_challenge = challengeOf(state.verifier);
    return reply.redirect(host.oauth.authorizeUrl({ state: state.state, code_challenge, redirect_uri, access }));
  });

  const config = { leads_to_login: wantedBefore };
  const { oauth } = host;
  // What asks the host nothing, and can be repeated as often as one likes, is not counted among everybody's sign-ins.
  if (oauth === null) {
    app.get('/auth/callback', { config }, async (request, reply) =>
      failed(request, reply, 'oauth_not_configured', { return_to: wantedBefore(request) }),
    );
    return;
  }
  const options: RouteShorthandOptions = {
    ...flow.options,
    config,
    async preValidation(request, reply) {
      const { error } = request.query as QueryOfLogin['Querystring'];
      const taken = textOf(error) === 'access_denied' ? begunBy(request) : null;
      if (taken === null) return;
      keep(reply, taken.rest);
      return failed(request, reply, 'access_denied', { return_to: taken.state.return_to });
    },
  };
  app.get<QueryOfLogin>('/auth/callback', options, async (request, reply) => {
    const taken = begunBy(request);
    if (taken === null) return await refused(request, reply, null, 'state_mismatch');
    const { state, rest } = taken;
    keep(reply, rest);
    const code = textOf(request.query.code);
    if (code === undefined) return await refused(request, reply, state, 'code_rejected');
    try {
      const grant = await exchanged(oauth, { code, code_verifier: state.verifier, redirect_uri });
      const given = { ...grant, client_id: oauth.client_id };
      await flow.openSession(request, reply, await flow.signInWith(given, state.replace, request), state.time_zone);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      request.log.warn({ reason: error.code, cause: error.cause }, 'sign-in refused');
      return await refused(request, reply, state, error.code, error.login);
    }
    return reply.redirect(localPath(state.return_to) ?? '/dashboard');
  });

  /** Leaves the browser the sign-ins of its other windows: they may still come back. */
  function keep(reply: FastifyReply, rest: string): void {
    if (rest === '') reply.clearCookie(stateCookie, cookie);
    else reply.setCookie(stateCookie, rest, { ...cookie, maxAge: STATE_SECONDS });
  }

  function failed(
    request: FastifyRequest,
    reply: FastifyReply,
    code: SignInRefusal,
    to: Parameters<typeof leadToLogin>[4],
  ): FastifyReply {
    return leadToLogin(request, reply, statusOfCode(code), code, to);
  }

  async function refused(
    request: FastifyRequest,
    reply: FastifyReply,
    state: SignInState | null,
    code: SignInRefusal,
    login: string | null = null,
  ) {
    await flow.noteSecurityEvent({ event: 'sign_in_refused', actor: login, subject: code }, request);
    // The page repeats a sign-in whose token is to replace a stronger one.
    const access = code === 'weaker_token' && state !== null ? state.access : 'all';
    return failed(request, reply, code, { return_to: state?.return_to ?? null, access });
  }

  async function exchanged(oauth: HostOAuth, answer: Parameters<HostOAuth['exchange']>[0]) {
    try {
      return await oauth.exchange(answer);
    } catch (error) {
      const refusal = asRefusal(error, host);
      if (refusal instanceof SignInRefused && refusal.code === 'token_rejected')
        throw new SignInRefused('code_rejected', refusal.message, error);
      throw refusal;
    }
  }
}

/**
 * Whether a page of ours led here: what replaces a stronger token nobody else's page may ask for. Browsers say so themselves, and over plain
 * http by the page that they come from (`REFERRER_POLICY`).
 */
function isAskedHere({ headers }: FastifyRequest, public_url: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return URL.parse(headers.referer ?? '')?.origin === new URL(public_url).origin;
}

/** The same page at `PUBLIC_URL`, when this machine was asked by another of its names; null when it was asked by that one. */
function ownAddressElsewhere(request: FastifyRequest, public_url: string): string | null {
  const ours = new URL(public_url);
  const asked = URL.parse(`${ours.protocol}//${request.host}`);
  if (asked === null || asked.host === ours.host) return null;
  return isLoopback(asked.hostname) && isLoopback(ours.hostname) ? `${public_url}${request.url}` : null;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
