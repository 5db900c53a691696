import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { FastifyServerFactory } from 'fastify';
import { bareAnswerHeaders } from './security-headers.ts';
import { type StartupState, startupPage, startupPagePolicy } from './startup-page.ts';
import { timeLimits } from './time-limits.ts';

/** Seconds after which a caller that was told to wait may ask again. */
const RETRY_AFTER = 5;

/** Never pages of the browser's: there the answer is JSON. A sign-in at the host is pages: it begins and ends under /auth. */
const notForPages = /^\/(api|auth(?!\/(login|callback)\/?(\?|$))|webhooks|assets|healthz|readyz|metrics)(\/|$|\?)/;

/**
 * The port, taken before anything else is done. Until `open` is called, `/healthz` is 200 and everything else is 503 with what the
 * server is at: a page that reloads itself for browsers, JSON for probes and calls.
 */
export interface Listener {
  readonly server: Server;
  /** The state that is shown from now on, also in the log by whoever sets it. */
  show(state: StartupState): void;
  /** For Fastify: it serves on this port, once it is opened. */
  readonly factory: FastifyServerFactory;
  /** From now on requests go to the application. */
  open(): void;
  /** From now on `/readyz` is 503, and each connection ends with its next answer: whoever passes on requests turns to other processes. */
  leave(): void;
  close(): Promise<void>;
}

/** An ordinary state on the way up. */
export function updating(sentence: string): StartupState {
  return { code: 'updating', heading: 'Updating …', sentence };
}

/** @throws Node's error (`EADDRINUSE` …) where the port cannot be taken */
export async function listenOn(place: { readonly host: string; readonly port: number }): Promise<Listener> {
  let state = updating('Starting.');
  let application: RequestListener | null = null;
  let opened = false;
  let leaving = false;
  const server = createServer({ connectionsCheckingInterval: timeLimits.check_every }, (request, response) => {
    if (leaving) response.shouldKeepAlive = false;
    if (opened && application !== null && !(leaving && isReadiness(request))) application(request, response);
    else answer(state, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    server,
    show(next) {
      state = next;
    },
    factory(handler, options) {
      const { keepAliveTimeout, requestTimeout, connectionTimeout, http } = options as {
        keepAliveTimeout?: number;
        requestTimeout?: number;
        connectionTimeout?: number;
        http?: { headersTimeout?: number };
      };
      if (keepAliveTimeout !== undefined) server.keepAliveTimeout = keepAliveTimeout;
      if (requestTimeout !== undefined) server.requestTimeout = requestTimeout;
      if (connectionTimeout !== undefined) server.setTimeout(connectionTimeout);
      if (http?.headersTimeout !== undefined) server.headersTimeout = http.headersTimeout;
      application = handler as RequestListener;
      return server;
    },
    open() {
      opened = true;
    },
    leave() {
      leaving = true;
      state = { code: 'stopping', heading: 'Stopping …', sentence: 'This process is told to stop.' };
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function isReadiness({ url = '' }: IncomingMessage): boolean {
  return /^\/readyz\/?(\?|$)/.test(url);
}

function answer(state: StartupState, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/' } = request;
  const path = url.split('?')[0]?.replace(/(.)\/$/, '$1');
  request.resume();
  response.setHeader('cache-control', 'no-store');
  response.setHeaders(new Map(Object.entries(bareAnswerHeaders)));
  // A body that is still on its way is not waited for.
  if (method !== 'GET' && method !== 'HEAD') response.setHeader('connection', 'close');
  if (path === '/healthz') {
    json(response, 200, { status: 'ok' });
    return;
  }
  response.setHeader('retry-after', String(RETRY_AFTER));
  if ((method === 'GET' || method === 'HEAD') && !notForPages.test(url)) {
    response.setHeader('content-security-policy', startupPagePolicy);
    response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(startupPage(state));
    return;
  }
  const { code, heading, sentence } = state;
  const request_id = randomUUID();
  json(response, 503, { error: sentence, code, request_id, ...(path === '/readyz' && { heading }) });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
