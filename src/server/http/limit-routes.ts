import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { EndpointName } from '#contract/endpoints.ts';
import type { SignedIn } from '../context.ts';
import { hashOf } from '../sha256.ts';
import { asksForCsv } from './csv-answer.ts';
import type { Limits, SignInAttempt } from './limits.ts';
import { isCall } from './path-of.ts';
import { sessionCookieOf } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call is one of those of which a person may make fewer. */
    costly?: boolean;
    /** The call looks at all of a time: few of them are at the database together. */
    figures?: boolean;
    /** Pages of other places may send it, too: what it may do is in its address. */
    any_origin?: boolean;
  }
}

type WhoIsSignedIn = (request: FastifyRequest) => Promise<SignedIn | null>;

/** Asks once for each request who sent it, however many parts of the server want to know. */
export function rememberCaller(signedIn: WhoIsSignedIn): WhoIsSignedIn {
  const known = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();
  return (request) => {
    const caller = known.get(request) ?? signedIn(request);
    known.set(request, caller);
    return caller;
  };
}

/** Looks sessions up only as far as the limits allow; other requests are nobody's without a look-up. */
export function limitLookUps(limits: Limits, public_url: string, signedIn: WhoIsSignedIn): WhoIsSignedIn {
  const sessionCookie = sessionCookieOf(public_url);
  return async (request) => {
    const id = request.cookies[sessionCookie];
    return id ? await limits.lookUp(hashOf(id), request.ip, () => signedIn(request)) : await signedIn(request);
  };
}

/** Route options of calls that look at all of a time, not at a page. */
const figures: RouteShorthandOptions = { config: { figures: true } };
/** Route options of those figures that cost much more than others: a person may ask for fewer of them. */
const costlyFigures: RouteShorthandOptions = { config: { costly: true, figures: true } };

/** Which calls are more than a page or a row of what is stored. */
export const optionsOfFigures: Partial<Record<EndpointName, RouteShorthandOptions>> = {
  ...{ explainMetric: costlyFigures, explainTrendPoint: costlyFigures, exportContributor: costlyFigures },
  exportPullRequests: { config: { costly: true } },
  ...{ getTeamStats: figures, listReviewerStats: figures, listDeveloperStats: figures, listStuckPullRequests: figures },
  ...{ getTrends: figures, compareTeams: figures, getTeamView: figures, getHealth: figures },
  ...{ getAiAuthorship: figures, listAiReviewers: figures, getAiReviewer: figures },
  ...{ getContributorMetrics: figures, getReviewHeatmap: figures },
};

/** Counts every request under /api and /auth, also those that no route takes. Pages, their files and probes are not counted. */
export function countRequests(app: FastifyInstance, limits: Limits, signedIn: WhoIsSignedIn): void {
  app.addHook('onRequest', async (request) => {
    if (!isCall(request)) return;
    const user = await signedIn(request);
    // A table of what is otherwise a page or a row is an export.
    const isCostly = request.routeOptions.config?.costly === true || asksForCsv(request);
    const is_foreign = isEmbedded(request) && isOfAnotherSite(request);
    limits.countRequest({ user_id: user?.id ?? null, address: request.ip, is_foreign }, isCostly);
  });
}

/** Where the browser is sent after a sign-in that says nothing about whoever tried it. */
const nobodysFault = /[?&]error=(host_unavailable|host_busy|demo_not_ready|weaker_token|disk_full|unknown)\b/;

/** Route options of everything that signs somebody in. */
export function limitSignIn(limits: Limits): RouteShorthandOptions {
  const attempts = new WeakMap<FastifyRequest, SignInAttempt>();
  return {
    async preHandler(request: FastifyRequest, reply: FastifyReply) {
      // Our own pages sign in by scripts: these POST.
      if (request.method !== 'POST' && isEmbedded(request)) return await reply.redirect('/login?error=state_mismatch');
      const attempt = await limits.beginSignIn(request.ip);
      // Whoever waited too long has their answer: nothing comes of it any more.
      if (reply.sent) attempt.settle(false);
      else attempts.set(request, attempt);
    },
    async onSend(request: FastifyRequest, reply: FastifyReply) {
      attempts.get(request)?.settle(wasRefused(reply));
    },
  };
}

/**
 * Whether a page, of whatever site, asks for it, as a picture, a frame or by a script, and nobody has opened it: that signs nobody in, and may use
 * up nobody's attempts.
 */
export function isEmbedded({ headers }: FastifyRequest): boolean {
  const asked = headers['sec-fetch-dest'];
  return asked !== undefined && asked !== 'document';
}

function isOfAnotherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function wasRefused(reply: FastifyReply): boolean {
  const { statusCode } = reply;
  if (statusCode >= 300 && statusCode < 400) {
    const location = String(reply.getHeader('location') ?? '');
    return location.startsWith('/login?error=') && !nobodysFault.test(location);
  }
  // A token that is right and would replace a stronger one (409) was not refused.
  return statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429;
}
