import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify';
import { toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { EndpointName } from '#contract/endpoints.ts';
import type { SignedIn } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { TokenUse } from '../http/bearer.ts';
import { isLoopback } from '../http/origin.ts';
import type { Handlers } from '../http/serve.ts';
import type { Log } from '../log.ts';
import { assistantServer } from './assistant-server.ts';
import { callsOf } from './calls.ts';
import { noteCall } from './recent-calls.ts';

export interface ProtocolDeps {
  readonly db: Kysely<Database>;
  readonly now: () => Date;
  readonly log: Log;
  readonly public_url: string;
  readonly handlers: Handlers<EndpointName>;
  /** The login of the person whose work and figures somebody is shown: their own, or for a visitor of the demo somebody's of its company. */
  readonly personOf: (user: SignedIn) => Promise<string>;
  /** What a failure is to whoever asked, in a sentence; ours are logged. */
  readonly sentenceOf: (error: unknown, request: FastifyRequest) => string;
}

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
export function protocolOf(deps: ProtocolDeps) {
  const { hostname } = new URL(deps.public_url);
  const names = isLoopback(hostname) ? ['localhost', '127.0.0.1', '[::1]'] : [hostname];
  const handler = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra?.exchange as Exchange), {
    legacy: 'stateless',
    keepAliveMs: 0,
    maxSubscriptions: 1,
    onerror: (err) => deps.log.debug({ err }, 'a request of an assistant was refused'),
  });

  function serverOf({ request, reply, use, isListing, gone }: Exchange) {
    const at = deps.now();
    return assistantServer({
      calls: callsOf({ handlers: deps.handlers, personOf: deps.personOf, use, request, reply, gone, now: at }),
      scopes: use.scopes,
      isListing,
      sentenceOf: (error) => deps.sentenceOf(error, request),
      noteCall: (tool, ms, failed) => void noteCall(deps.db, deps.log, use.owner.id, { tool, at, ms, failed }),
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
