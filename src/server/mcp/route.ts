import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitToken, bearerTokenIn, type FindTokenUse, type TokenUse, tokenScopeError } from '../http/bearer.ts';
import { HttpError } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { refuseForeignOrigin } from '../http/origin.ts';
import type { Exchange, Protocol, ProtocolDeps } from './protocol.ts';

export interface AssistantDeps extends ProtocolDeps {
  readonly limits: Limits;
  readonly findUse: FindTokenUse;
  /** Runs what a request by token asks, held to what the token may read. */
  readonly within: <Result>(use: TokenUse, work: () => Result) => Result;
}

/** How long a request may take, its answer included, in milliseconds. */
const TIME_LIMIT = 30_000;
/** What is still under way so long after that is cut off. */
const GRACE = 2000;
/** The tool that explains a figure. */
const EXPLAINING_TOOL = 'define';
const TOO_SLOW = 'This took too long. Try again in a few seconds.';

/** `POST /mcp`: the Model Context Protocol, stateless (docs/server.md#assistants). */
export function serveAssistants(app: FastifyInstance, deps: AssistantDeps, time_limit = TIME_LIMIT): void {
  const { limits, findUse } = deps;
  const uses = new WeakMap<FastifyRequest, TokenUse>();
  let protocol: Promise<Protocol> | null = null;
  const loaded = () => (protocol ??= import('./protocol.ts').then(({ protocolOf }) => protocolOf(deps)));

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') {
      reply.header('allow', 'POST');
      throw new HttpError('method_not_allowed', 'Send it by POST.');
    }
    // As the proxies that are trusted say it.
    const asked = { headers: { ...request.headers, host: request.host } } as FastifyRequest;
    for (const check of (await loaded()).checks) {
      await check.call(app, asked, reply);
      if (reply.sent) return;
    }
    refuseForeignOrigin(request, deps.public_url);
    const use = await admitToken(bearerTokenIn(request), request, reply, findUse, limits);
    if (!use.scopes.includes('read:figures')) throw tokenScopeError();
    uses.set(request, use);
  });

  // Pages of other places are refused above, GET and DELETE before that.
  const config = { any_origin: true };
  app.route({ method: ['GET', 'DELETE'], url: '/mcp', config, handler: async () => undefined });
  app.post('/mcp', { config }, async (request, reply) => {
    const use = uses.get(request)!;
    // Each would be a call of its own, past what a token may ask.
    if (Array.isArray(request.body)) throw new HttpError('invalid_request', 'Send one message at a time.');
    limits.countRequest({ user_id: use.owner.id, address: request.ip }, isCostly(request.body));
    const gone = AbortSignal.timeout(time_limit);
    const exchange: Exchange = { request, reply, use, gone, isListing: asksFor('tools/list', request.body) };
    const { answer: answerOf } = await loaded();
    const answer = await deps.within(use, () => inTime(answerOf(exchange), gone));
    reply.code(answer.status);
    for (const [name, value] of answer.headers) if (name !== 'content-length') reply.header(name, value);
    if (answer.body === null) return reply.send(null);
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const cut = () => setTimeout(() => reply.raw.destroy(), GRACE).unref();
    gone.addEventListener('abort', cut, { once: true });
    reply.raw.once('close', () => gone.removeEventListener('abort', cut));
    return reply.send(
      Readable.from(upTo(answer.body as ReadableStream, gone, isStream ? lateEvent(request.body) : '')),
    );
  });
}

/** What is read of a message; a body may be anything. */
type Message = { readonly method?: unknown; readonly params?: { readonly name?: unknown } | null } | null | undefined;

function asksFor(method: string, body: unknown): boolean {
  return (body as Message)?.method === method;
}

/** Whether it asks for an explanation, of which a person may ask for fewer. */
function isCostly(body: unknown): boolean {
  return asksFor('tools/call', body) && (body as Message)?.params?.name === EXPLAINING_TOOL;
}

/** @throws HttpError 503 where it has not ended by then */
async function inTime<Answer>(answer: Promise<Answer>, late: AbortSignal): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const refuse = () => reject(new HttpError('too_slow', TOO_SLOW, { retry_after: 5 }));
  late.addEventListener('abort', refuse, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    late.removeEventListener('abort', refuse);
  }
}

/** The answer as far as it has come by then, and then `last`: whoever asked is not left waiting, and nothing is held for them. */
async function* upTo(
  body: ReadableStream<Uint8Array>,
  late: AbortSignal,
  last: string,
): AsyncGenerator<Uint8Array | string> {
  const reader = body.getReader();
  const { promise, resolve } = Promise.withResolvers<'late'>();
  const end = () => resolve('late');
  late.addEventListener('abort', end, { once: true });
  if (late.aborted) end();
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), promise]);
      if (read === 'late') {
        if (last !== '') yield last;
        return;
      }
      if (read.done) return;
      yield read.value;
    }
  } finally {
    late.removeEventListener('abort', end);
    void reader.cancel().catch(() => undefined);
  }
}

/** The error by which a stream of events ends that was too slow. */
function lateEvent(body: unknown): string {
  const { id = null } = (body ?? {}) as { id?: unknown };
  const message = { jsonrpc: '2.0', id, error: { code: -32_603, message: TOO_SLOW } };
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
