import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, scopeOfCall } from '#contract/endpoint.ts';
import type { TokenScope } from '#domain/personal-tokens.ts';
import type { SignedIn } from '../context.ts';
import { hashOf } from '../sha256.ts';
import { HttpError } from './errors.ts';
import type { Limits } from './limits.ts';
import { isCall, pathOf } from './path-of.ts';
import { whenGone } from './when-gone.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call of the contract that the route serves. */
    call?: Endpoint;
    /** Answers everybody alike: who asks does not matter. */
    open?: boolean;
  }
}

/** A personal token that a request came with, and may be used. */
export interface TokenUse {
  /** The token's id, by which its uses are counted. */
  readonly id: number;
  readonly owner: SignedIn;
  readonly scopes: readonly TokenScope[];
  /** Which of its owner's repositories it reads; null: all. */
  readonly repositories: readonly number[] | null;
}

/** Finds who may use the token that a request came with. @throws HttpError 401 */
export type FindTokenUse = (token: string, request: FastifyRequest) => Promise<TokenUse>;

const uses = new WeakMap<FastifyRequest, TokenUse>();

/** The personal token by which the request was let in; null by a session and without either. */
export function tokenUseOf(request: FastifyRequest): TokenUse | null {
  return uses.get(request) ?? null;
}

/** What the request has for a personal token in its header, well formed or not; null without one. */
export function bearerTokenIn({ headers }: FastifyRequest): string | null {
  return /^bearer +(mgl_.*)/i.exec(headers.authorization ?? '')?.[1]?.trimEnd() ?? null;
}

/** Whether the request is made with a personal token instead of a session (docs/server.md#personal-tokens). */
export function isByToken(request: FastifyRequest): boolean {
  return isCall(request) && bearerTokenIn(request) !== null;
}

/**
 * Refuses tokens in addresses, and lets in requests under /api and /auth that come with a personal token, as far as its scopes go
 * (docs/server.md#personal-tokens).
 */
export function admitTokens(app: FastifyInstance, findUse: FindTokenUse, limits: Limits): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isCall(request) && !/^\/mcp(\/|$)/.test(pathOf(request))) return;
    refuseTokensInAddress(request);
    const token = bearerTokenIn(request);
    if (token === null || !isCall(request) || request.routeOptions.config?.open === true) return;
    const use = await admitToken(token, request, reply, findUse, limits);
    if (request.is404) return;
    const call = request.routeOptions.config?.call;
    const scope = call === undefined ? null : scopeOfCall(call, request.params as Record<string, string>);
    if (scope === null || !use.scopes.includes(scope)) throw tokenScopeError();
  });
}

/**
 * Lets a request in by its token, counts it, and says in its headers how many are left.
 * @throws HttpError 401 with the header that asks for another one, 429
 */
export async function admitToken(
  token: string | null,
  request: FastifyRequest,
  reply: FastifyReply,
  findUse: FindTokenUse,
  limits: Limits,
): Promise<TokenUse> {
  try {
    if (token === null) throw badToken();
    uses.set(request, await limits.lookUp(hashOf(token), request.ip, () => findUse(token, request)));
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) {
      // Nobody tries tokens faster than sessions.
      limits.countRequest({ user_id: null, address: request.ip }, false);
      reply.header('www-authenticate', 'Bearer realm="mergelight"');
    }
    throw error;
  }
  const use = uses.get(request)!;
  const { minute, most, refused, end } = limits.countToken(use.id);
  reply.headers({ 'ratelimit-limit': most, 'ratelimit-remaining': minute.left, 'ratelimit-reset': minute.reset });
  if (refused !== null) throw refused;
  whenGone(request, reply, end);
  return use;
}

/** A token's scopes don't reach what it asks for. */
export function tokenScopeError(): HttpError {
  return new HttpError('token_scope');
}

/** The one answer to every bearer that may not be used, whatever the reason. */
export function badToken(): HttpError {
  return new HttpError('bad_token');
}

/** Addresses are kept in logs and histories: no token belongs there. */
function refuseTokensInAddress({ query }: FastifyRequest): void {
  const values = Object.values((query ?? {}) as Record<string, unknown>).flat();
  if (values.some((value) => typeof value === 'string' && value.startsWith('mgl_')))
    throw new HttpError('token_in_address');
}
