import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerError } from './answer-error.ts';
import { HttpError } from './errors.ts';
import { pathOf } from './path-of.ts';

/** How long a connection may take, in milliseconds. */
export interface TimeLimits {
  /** From the first byte of a request, or from connecting, to the end of its headers. */
  readonly headers: number;
  /** From there to the end of its body. */
  readonly body: number;
  /** The same for a delivery to a webhook. */
  readonly delivery: number;
  /** Without a byte in either direction, between two requests or within an answer. */
  readonly idle: number;
  /** From the end of the headers to the beginning of the answer: what takes longer is answered with 503, and runs to its end. */
  readonly answer: number;
  /** How often connections are looked at; what is too slow is noticed so much later at most. */
  readonly check_every: number;
}

export const timeLimits: TimeLimits = {
  headers: 15_000,
  body: 30_000,
  delivery: 10_000,
  idle: 75_000,
  answer: 33_500,
  check_every: 5000,
};

/** Fastify's options that make Node hold connections to these limits. */
export function connectionOptions({ headers, body, idle, check_every }: TimeLimits) {
  return {
    http: { headersTimeout: headers, connectionsCheckingInterval: check_every },
    requestTimeout: headers + body,
    keepAliveTimeout: idle,
    connectionTimeout: idle,
  };
}

const tooSlow = JSON.stringify({ error: 'The request took too long to arrive.', code: 'too_slow' });
const refusal = [
  'HTTP/1.1 408 Request Timeout',
  'Connection: close',
  'Content-Type: application/json; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(tooSlow)}`,
  '',
  tooSlow,
].join('\r\n');

/** Cuts a connection off whose request's body doesn't arrive in time, whatever is done with the body. */
export function limitBodies(app: FastifyInstance, limits: TimeLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return;
    const { raw } = request;
    const timer = setTimeout(
      () => {
        if (raw.complete) return;
        request.log.warn({ address: request.ip }, 'the body of a request arrived too slowly');
        if (reply.raw.writableFinished) return void raw.destroy();
        if (!reply.raw.headersSent) raw.socket.write(refusal);
        raw.socket.destroySoon();
      },
      pathOf(request).startsWith('/webhooks/') ? limits.delivery : limits.body,
    );
    const arrived = () => clearTimeout(timer);
    raw.once('end', arrived);
    raw.once('close', arrived);
  });
}

/**
 * Nobody waits for an answer for ever, as when the database hangs. The embedded one cannot end a statement, so what runs goes on and
 * only its answer is not waited for.
 */
export function limitAnswers(app: FastifyInstance, limits: TimeLimits): void {
  app.addHook('onRequest', async (request, reply) => {
    const timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent) return;
      request.log.warn({ method: request.method, route: request.routeOptions.url }, 'a request took too long');
      answerError(new HttpError('too_slow', undefined, { retry_after: 5 }), request, reply);
    }, limits.answer);
    reply.raw.once('close', () => clearTimeout(timer));
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
