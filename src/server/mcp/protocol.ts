import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenUse } from '../http/bearer.ts';
import { isLoopback } from '../http/origin.ts';
import { assistantServer } from './assistant-server.ts';
import { callsOf } from './calls.ts';
import { noteCall } from './recent-calls.ts';
import type { AssistantRouting } from './route.ts';

/** One request of an assistant. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly use: TokenUse;
  readonly isListing: boolean;
  /** Aborted once whoever asked has been told that it took too long. */
  readonly gone: AbortSignal;
}

export type Protocol = ReturnType<typeof protocolOf>;

/** The Model Context Protocol, apart from the route: with its libraries and tools it is loaded when the first assistant asks. */
export function protocolOf(routing: AssistantRouting) {
  const { hostname } = new URL(routing.public_url);
  const names = isLoopback(hostname) ? ['localhost', '127.0.0.1', '[::1]'] : [hostname];
  const handler = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra?.exchange as Exchange), {
    legacy: 'stateless',
    keepAliveMs: 0,
    maxSubscriptions: 1,
    onerror: (err) => routing.log.debug({ err }, 'a request of an assistant was refused'),
  });

  function serverOf({ request, reply, use, isListing, gone }: Exchange) {
    const at = routing.now();
    return assistantServer({
      calls: callsOf({ handlers: routing.handlers, personOf: routing.personOf, use, request, reply, gone, now: at }),
      scopes: use.scopes,
      isListing,
      sentenceOf: (error) => routing.sentenceOf(error, request),
      noteCall: (tool, ms, failed) => void noteCall(routing.db, routing.log, use.owner.id, { tool, at, ms, failed }),
    });
  }

  return {
    /** Answer the reply where a request comes for another host, or from a page of another place. */
    checks: [hostHeaderValidation(names), originValidation(names)],
    async answer(exchange: Exchange): Promise<Response> {
      const { request, use } = exchange;
      const authInfo = { token: '', clientId: String(use.id), scopes: [...use.scopes], extra: { exchange } };
      const asked = await toWebRequest(request.raw as never, request.body ?? null);
      return await handler.fetch(asked, { authInfo, parsedBody: request.body });
    },
  };
}
