import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { EndpointName } from '#contract/endpoints.ts';
import { answerError } from './http/answer-error.ts';
import { HttpError } from './http/errors.ts';
import { type Gauge, serveMetrics } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { refuseForeignOrigin } from './http/origin.ts';
import { type Handlers, type ServeSettings, serve } from './http/serve.ts';
import { serveWebFiles } from './http/web-files.ts';
import type { Log } from './log.ts';

export interface AppParts {
  readonly public_url: string;
  readonly log: Log;
  /** The folder of the built front end. */
  readonly web_folder: string;
  readonly handlers: Partial<Handlers<EndpointName>>;
  readonly serving: ServeSettings;
  /** Routes beside the contract: the web flow of sign-in, webhooks, the demo's pages. */
  readonly routes: readonly ((app: FastifyInstance) => void | Promise<void>)[];
  /** Addresses that pictures may come from, besides this server (the host's avatars). */
  readonly image_sources: readonly string[];
  /** Throws while database or job queue do not answer. */
  readonly checkReady: () => Promise<void>;
  /** Null switches `/metrics` off. */
  readonly gauges: readonly Gauge[] | null;
}

/** Requests of one address in a minute: far beyond people, a brake on loops. Sign-in has its own, see `signInLimit`. */
const requestsPerMinute = 60_000;

/** Route options of everything that signs somebody in; new for each app, for it counts in them. */
export function signInLimit() {
  return { config: { rateLimit: { max: 60, timeWindow: 60_000, groupId: 'sign-in' } } };
}

/** The largest body of an ordinary request, in bytes; webhooks have their own. */
const bodyLimit = 256 * 1024;

/** Who says JSON in the header of every call, also of those without a body, is understood (product specification, section 7). */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}

/** Builds the HTTP application, without listening. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: parts.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    // A proxy on the same machine may say whom it speaks for; anybody else may not.
    trustProxy: 'loopback',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    // What fails before there is a route, such as an address that is no text.
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply);
    },
  });
  app.setErrorHandler(answerError);
  app.removeContentTypeParser('text/plain');
  acceptEmptyBodies(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    refuseForeignOrigin(request, parts.public_url);
    if (/^\/(api|auth)\//.test(request.url)) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    // The query of the callback holds a code.
    const path = request.url.split('?')[0];
    const { method } = request;
    request.log.debug({ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
  });
  if (parts.gauges !== null) serveMetrics(app, parts.gauges);

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'"],
        // The component library sets styles on elements.
        'style-src': ["'self'", "'unsafe-inline'"],
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
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
  });
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  await app.register(cookie);
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, { ttl }) =>
      new HttpError(429, 'too_many_requests', 'Too many attempts. Try again in a moment.', { retry_after: ttl / 1000 }),
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (request) => {
    try {
      await parts.checkReady();
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      throw new HttpError(503, 'not_ready', 'The database or the job queue does not answer.', { retry_after: 5 });
    }
    return { status: 'ok' };
  });
  const document = openApiDocument(parts.public_url);
  app.get('/api/openapi.json', async () => document);
  serve(app, parts.handlers, {
    ...parts.serving,
    options: { signInWithToken: signInLimit(), signInToDemo: signInLimit() },
  });
  for (const route of parts.routes) await app.register(async (scope) => await route(scope));
  await serveWebFiles(app, parts.web_folder);
  return app;
}
