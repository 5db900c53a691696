import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import type { TrustedProxies } from './config.ts';
import { DISK_IS_FULL, isForLackOfSpace } from './db/disk-space.ts';
import { RELAXED } from './db/durable-files.ts';
import { HostError } from './host/errors.ts';
import { answerError, httpErrorOf } from './http/answer-error.ts';
import { admitTokens, bearerTokenIn, type FindTokenUse, isByToken, type TokenUse, tokenUseOf } from './http/bearer.ts';
import { downloads } from './http/downloads.ts';
import { HttpError, notFound } from './http/errors.ts';
import type { frontEndFiles } from './http/front-end-files.ts';
import { countRequests, limitLookUps, limitSignIn, optionsOfFigures, rememberCaller } from './http/limit-routes.ts';
import type { Limits } from './http/limits.ts';
import type { Listener } from './http/listener.ts';
import { type Metrics, serveMetrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { refuseForeignOrigin } from './http/origin.ts';
import { isCall, pathOf } from './http/path-of.ts';
import { bareAnswerHeaders, PERMISSIONS_POLICY, REFERRER_POLICY } from './http/security-headers.ts';
import { type Handlers, type ServeSettings, serve } from './http/serve.ts';
import { sharedFor } from './http/shared-answer.ts';
import { connectionOptions, limitAnswers, limitBodies, type TimeLimits, timeLimits } from './http/time-limits.ts';
import { serveWebFiles } from './http/web-files.ts';
import type { Log } from './log.ts';

export interface AppParts {
  readonly public_url: string;
  readonly now: () => Date;
  readonly log: Log;
  /** The folder of the built front end. */
  readonly web_folder: string;
  /** Finds files that pages of other versions load; null where no other process has the database. */
  readonly filesOfOthers: ReturnType<typeof frontEndFiles> | null;
  readonly handlers: Partial<Handlers<EndpointName>>;
  readonly serving: ServeSettings;
  /** Null where there are no personal tokens: nobody is let in by one. */
  readonly tokens: {
    readonly use: FindTokenUse;
    /** Runs the handler of a request by token, held to what the token may read. */
    readonly within: <Result>(use: TokenUse, work: () => Result) => Result;
  } | null;
  /** Runs the handler of every other request, or a part of it. */
  readonly within: <Result>(work: () => Result) => Result;
  /** Runs the handler of a request for figures, of which few are at the database together, in turns between users. */
  readonly withinFigures: <Result>(user_id: number | null, work: () => Result) => Result;
  /** Routes beside the contract: the web flow of sign-in, webhooks, the demo's pages. */
  readonly routes: readonly ((app: FastifyInstance) => void | Promise<void>)[];
  /** Addresses that pictures may come from, besides this server (the host's avatars). */
  readonly image_sources: readonly string[];
  /** Throws while database or job queue do not answer; returns what is counted in the background, one sentence, or null. */
  readonly checkReady: () => Promise<string | null>;
  /** The setting of that name; what is relaxed is said by `/readyz`. */
  readonly durability?: 'full' | 'relaxed';
  /** True while the disk of the embedded database is full: everything can be read, nothing changed. */
  readonly diskIsFull: () => boolean;
  /** Which proxies may say for whom they ask (`TRUST_PROXY`). */
  readonly trust_proxy: TrustedProxies;
  readonly limits: Limits;
  /** How long connections may take; as in the product unless a test is in a hurry. */
  readonly time_limits?: TimeLimits;
  /** Null where nobody asks for them. */
  readonly metrics: Metrics | null;
  /** Whether `/metrics` is served here, and not on a port of its own. */
  readonly serves_metrics: boolean;
  /** A worker serves nothing but probes. */
  readonly probes_only: boolean;
  /** The port that was taken at the start; null where the application makes a server of its own, as tests do. */
  readonly listener: Listener | null;
}

/** The largest body of an ordinary request, in bytes; webhooks have their own. */
const bodyLimit = 256 * 1024;

/** Accepts an empty body with the content type of JSON, which Fastify rejects by default (docs/server.md#calls-and-errors). */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}

/** A number of proxies is a promise of whoever runs this server that nobody else reaches it; Fastify itself trusts no mere number. */
function trusted(proxies: TrustedProxies): string[] | false | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies;
}

const readingCalls = new Set([
  '/mcp',
  ...Object.values(endpoints as Readonly<Record<string, Endpoint>>).flatMap(({ path, changesNothing }) =>
    changesNothing === true ? [path as string] : [],
  ),
]);

/** Every request that is not for reading; and the host's answer to a sign-in, which opens a session. */
function changesSomething(request: FastifyRequest): boolean {
  const { method } = request;
  const path = pathOf(request);
  if (method === 'GET' || method === 'HEAD') return path === '/auth/callback';
  return method !== 'OPTIONS' && !readingCalls.has(path);
}

/** Without the query, which in that of the callback holds a code, and without the tokens that stand in links of mails. */
function loggedPath(request: FastifyRequest): string {
  const { url } = request.routeOptions;
  if (url?.endsWith('/:token')) return url;
  return pathOf(request).replace(/^\/+(confirm|unsubscribe)\b.*/is, '/$1/…');
}

/** A database that has not answered a probe by then counts as one that doesn't, in milliseconds. */
const READY_WITHIN = 2500;
/** Whoever asks often does not keep the database busy: what a probe has found is told again for so long, in milliseconds. */
const READY_FOR = 250;

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Builds the HTTP application, without listening. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { time_limits = timeLimits } = parts;
  const app: FastifyInstance = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    trustProxy: trusted(parts.trust_proxy),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    ...connectionOptions(time_limits),
    ...(parts.listener !== null && { serverFactory: parts.listener.factory }),
    // What fails before there is a route, such as an address that is no text: no hook has run.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...bareAnswerHeaders, 'x-request-id': request.id });
      answerError(error, request, reply);
    },
  });
  // Fastify closes only servers on which it listens itself.
  if (parts.listener !== null)
    app.addHook('preClose', async () => {
      await new Promise((resolve) => app.server.close(resolve));
    });
  const diskFull = () => new HttpError('disk_full', DISK_IS_FULL, { retry_after: 5 });
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof HostError) return answerError(httpErrorOf(error, parts.now()), request, reply);
    return answerError(parts.diskIsFull() && isForLackOfSpace(error) ? diskFull() : error, request, reply);
  });
  app.removeContentTypeParser('text/plain');
  acceptEmptyBodies(app);
  // Before what refuses requests: refusals have these headers, too.
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', ...new Set([parts.public_url, ...parts.image_sources])],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    },
    hsts: parts.public_url.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: REFERRER_POLICY },
    crossOriginEmbedderPolicy: false,
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // Every answer says so: an open page shows it without asking for it.
    if (parts.diskIsFull()) reply.header('x-disk-full', '1');
    reply.header('permissions-policy', PERMISSIONS_POLICY);
    // No page of another place knows a token.
    if (request.routeOptions.config?.any_origin !== true && !isByToken(request))
      refuseForeignOrigin(request, parts.public_url);
    if (parts.diskIsFull() && changesSomething(request)) throw diskFull();
    if (isCall(request)) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    const path = loggedPath(request);
    const { method } = request;
    request.log.debug({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
  limitBodies(app, time_limits);
  limitAnswers(app, time_limits);
  parts.metrics?.observe(app);
  if (parts.metrics !== null && parts.serves_metrics) serveMetrics(app, parts.metrics);

  await app.register(compress, {
    // What arrives is taken as it is: a hundred bytes must not become 25 MB.
    globalDecompression: false,
    threshold: 1024,
    // Larger ones are compressed on a thread of the pool, of which nearly every answer would wait for the way there and back.
    syncThreshold: 32 * 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    // A tenth larger than by the usual level, in half the time. Browsers ask for gzip over plain http.
    zlibOptions: { level: 3 },
  });
  await app.register(cookie);
  const { tokens } = parts;
  if (tokens !== null) admitTokens(app, tokens.use, parts.limits);
  const bySession = limitLookUps(parts.limits, parts.public_url, parts.serving.signedIn);
  const signedIn = rememberCaller(async (request) =>
    tokens !== null && isByToken(request) ? (tokenUseOf(request)?.owner ?? null) : await bySession(request),
  );
  countRequests(app, parts.limits, signedIn);

  // What hangs is given up before it is shared further: a database that is back is found by the next probe.
  const checkReady = sharedFor(READY_FOR, () => within(READY_WITHIN, parts.checkReady()));
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request) => {
    if (parts.diskIsFull()) throw new HttpError('disk_full', DISK_IS_FULL, { retry_after: 5, status: 503 });
    try {
      const counting = await checkReady();
      return {
        status: 'ok',
        ...(counting !== null && { updating: counting }),
        ...(parts.durability === 'relaxed' && { durability: RELAXED }),
      };
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      throw new HttpError('not_ready', undefined, { retry_after: 5 });
    }
  });
  if (parts.probes_only) {
    app.setNotFoundHandler((request, reply) =>
      answerError(notFound('This process works on the queue; people use the web processes.'), request, reply),
    );
    return app;
  }
  app.get('/api/openapi.json', { config: { open: true } }, async () => openApiDocument(parts.public_url));
  const signIn = limitSignIn(parts.limits);
  const letsIn = async (request: FastifyRequest) => {
    const token = tokenUseOf(request) === null ? null : bearerTokenIn(request);
    if (token === null || tokens === null) return (await parts.serving.signedIn(request)) !== null;
    return await tokens.use(token, request).then(
      () => true,
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 401) return false;
        throw error;
      },
    );
  };
  serve(app, parts.handlers, {
    ...parts.serving,
    now: parts.now,
    signedIn,
    within(request, user_id, work) {
      const use = tokenUseOf(request);
      const answer = () => (use === null || tokens === null ? parts.within(work) : tokens.within(use, work));
      return request.routeOptions.config?.figures === true ? parts.withinFigures(user_id, answer) : answer();
    },
    openStream: parts.limits.openStream,
    openDownload: downloads({ limits: parts.limits, now: parts.now, letsIn }),
    options: {
      ...{ signInWithToken: signIn, signInToDemo: signIn },
      ...optionsOfFigures,
    },
  });
  for (const route of parts.routes) await app.register(async (scope) => await route(scope));
  await serveWebFiles(app, parts.web_folder, parts.filesOfOthers);
  return app;
}
