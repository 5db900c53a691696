import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AnswerOf,
  type Endpoint,
  type ParamsInputOf,
  type QueryInputOf,
  scopeOfCall,
} from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import type { SignedIn } from '../context.ts';
import { type TokenUse, tokenScopeError } from '../http/bearer.ts';
import { notFound } from '../http/errors.ts';
import { type Handlers, handlerOf, parsed } from '../http/serve.ts';

type Endpoints = typeof endpoints;
type Input<E> = {
  readonly params?: ParamsInputOf<E>;
  readonly query?: QueryInputOf<E>;
};

/** The calls of the contract that a token may make, as the tools make them: by the same handlers, with the same checks. */
export interface Calls {
  /** The login of the person whose figures the owner's are. */
  person(): Promise<string>;
  readonly now: Date;
  /** The owner's, whose days the windows of figures are. */
  readonly time_zone: string;
  /** @throws HttpError as the call is answered over HTTP, 403 where the token's scopes don't reach it */
  call<Name extends EndpointName>(name: Name, input?: Input<Endpoints[Name]>): Promise<AnswerOf<Endpoints[Name]>>;
  /** When the last look that completed began, by repository; of those that the token reads. */
  lastSynced(): Promise<ReadonlyMap<number, string | null>>;
  /** The id of a repository by `owner/name`; undefined where none is named. @throws HttpError 404 */
  repositoryId(full_name: string | undefined): Promise<number | undefined>;
}

export interface CallsOf {
  readonly handlers: Handlers<EndpointName>;
  readonly personOf: (user: SignedIn) => Promise<string>;
  readonly use: TokenUse;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly gone: AbortSignal;
  readonly now: Date;
}

export function callsOf({ handlers, personOf, use, request, reply, gone, now }: CallsOf): Calls {
  const handle = async (name: EndpointName, params: object, query: object): Promise<unknown> => {
    const entry: Endpoint = endpoints[name];
    return await handlerOf(
      handlers,
      name,
    )({
      params: parsed(entry.params, params, 'params'),
      query: parsed(entry.query, query, 'query'),
      ...{ body: undefined, user: use.owner, request, reply, gone },
    });
  };
  const call: Calls['call'] = async (name, input = {}) => {
    const { params = {}, query = {} } = input as { params?: object; query?: object };
    const entry: Endpoint = endpoints[name];
    const scope = scopeOfCall(entry, params as Record<string, string>);
    if (scope === null || !use.scopes.includes(scope)) throw tokenScopeError();
    return (await handle(name, params, query)) as never;
  };
  return {
    person: () => personOf(use.owner),
    now,
    time_zone: use.owner.time_zone,
    call,
    async lastSynced() {
      const known = (await handle('listConnectedRepositories', {}, {})) as AnswerOf<
        Endpoints['listConnectedRepositories']
      >;
      return new Map(known.map(({ id, last_synced_at }) => [id, last_synced_at]));
    },
    async repositoryId(full_name) {
      if (full_name === undefined) return undefined;
      const wanted = full_name.toLowerCase();
      const found = (await call('listRepositories')).find((each) => each.full_name.toLowerCase() === wanted);
      if (found === undefined) throw notFound('Repository not found');
      return found.id;
    },
  };
}
