import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from './clock.ts';
import { controlRoutes } from './control.ts';
import { Counters } from './counters.ts';
import { Drift } from './drift.ts';
import { type Asked, answerOf, Faults, isPrimaryLimit } from './faults.ts';
import { misbehaveByName } from './faulty-names.ts';
import { GithubApp } from './github-app.ts';
import { type GraphqlEndpoint, graphqlEndpoint } from './graphql/endpoint.ts';
import { repositoriesAsked } from './graphql/subjects.ts';
import type { World } from './history.ts';
import { type Answer, type Ask, bodyText, etagOf, findRoute, RestFailure, readAsk, readJson, send } from './http.ts';
import { Limits, limitHeaders } from './limits.ts';
import { oauthRoutes } from './oauth.ts';
import { pageRoutes } from './pages.ts';
import { accountRoutes } from './rest/accounts.ts';
import { actionsRoutes } from './rest/actions.ts';
import { applicationRoutes } from './rest/applications.ts';
import type { RestAsk, RestRoute } from './rest/ask.ts';
import { hookRoutes } from './rest/hooks.ts';
import { limitRoutes } from './rest/limits.ts';
import { pullRequestRoutes } from './rest/pull-requests.ts';
import { repositoryRoutes } from './rest/repositories.ts';
import { shapes } from './rest/shapes.ts';
import { inNewWording, spoiled } from './spoil.ts';
import { WorldState } from './state/world-state.ts';
import { type Token, Tokens } from './tokens.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface HostSettings {
  /** The world, or its promise: requests wait until it is there. */
  readonly world: World | Promise<World>;
  readonly clock: Clock;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The registered callback; null accepts any loopback address. */
  readonly callbackUrl?: string | null;
  /** How browsers reach the host, when not by the address it listens on. */
  readonly publicUrl?: string | null;
}

export interface SimulatedHost {
  /** Starts to listen on 127.0.0.1 and gives the host's address. 0 picks a free port. */
  listen(port: number): Promise<string>;
  /** Resolves when the world is loaded. Rejects where it can't be built. */
  readonly ready: Promise<WorldState>;
  close(): Promise<void>;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly counters: Counters;
  readonly tokens: Tokens;
}

/** Paths of the API, with its prefix or as a host of its own would have them. */
const API = /^\/(?:api|applications|graphql|orgs|repos|repositories|users?|rate_limit|meta|versions)(?:\/|$)/;
const API_VERSIONS = ['2022-11-28', '2026-03-10'];
const VERSION = '3.22.0';
/** How often the host looks whether something dated later has come due. */
const TICK = 1_000;

/** What an answer needs for its headers and for the counters. */
interface Context {
  kind: string;
  operation: string;
  token: Token | null;
  points: number;
  headers: Record<string, string>;
}

/** Builds the host without listening. It speaks REST, GraphQL, OAuth, webhooks, and its own `/_control`. */
export function createHost(settings: HostSettings): SimulatedHost {
  const { clock } = settings;
  let world: WorldState | null = null;
  let url = '';
  let timer: NodeJS.Timeout | null = null;
  const loaded = (): WorldState => {
    if (world === null) throw new Error('The world is not loaded yet.');
    return world;
  };
  const clientSecret = settings.clientSecret ?? 'mergelight-demo-secret';
  const tokens = new Tokens(clientSecret, loaded, () => clock.now());
  const limits = new Limits();
  const faults = new Faults();
  const counters = new Counters();
  const webhooks = new Webhooks({ clock, url: () => url, version: VERSION });
  const app = new GithubApp({ world: loaded, tokens, webhooks });
  const clientId = settings.clientId ?? 'mergelight-demo';
  const drift = new Drift(clock);
  let graphql: GraphqlEndpoint | null = null;

  const ready = Promise.resolve(settings.world).then((description) => {
    world = new WorldState(description, clock.now());
    world.onEvent = (event) => webhooks.deliver(event);
    world.organizations.onEvent = (event) => webhooks.deliverOrganization(event, event.organization);
    misbehaveByName(world, faults);
    graphql ??= graphqlEndpoint({ world: loaded, tokens, limits, url: () => url });
    return world;
  });
  // Whoever asks first learns of a failure; until then it must not end the process by itself.
  ready.catch(() => {});

  const restRoutes: readonly RestRoute[] = [
    ...repositoryRoutes,
    ...accountRoutes,
    ...pullRequestRoutes,
    ...actionsRoutes,
    ...hookRoutes(webhooks),
    ...limitRoutes(limits),
    ...applicationRoutes({ clientId, clientSecret, app }),
  ];
  const control = controlRoutes({ world: loaded, clock, faults, limits, counters, tokens, webhooks, drift, app });
  const oauth = oauthRoutes({
    world: loaded,
    tokens,
    clock,
    clientId,
    clientSecret,
    callbackUrl: settings.callbackUrl ?? null,
    app,
  });
  const pages = pageRoutes({ world: loaded });

  const readToken = (ask: Ask): Token | null => {
    const given = /^(?:bearer|token) +(\S+)$/i.exec(ask.headers.authorization ?? '')?.[1];
    if (given === undefined) return null;
    const token = tokens.read(given);
    if (token === null) throw new RestFailure(401, 'Bad credentials');
    return token;
  };

  const applyFaults = async (asked: Asked, owner: string) => {
    const { delay, effect } = faults.befalling(asked);
    if (delay > 0) await faults.wait(delay);
    if (effect !== null && isPrimaryLimit(effect)) {
      const now = clock.now();
      limits.leave(owner, asked.kind === 'graphql' ? 'graphql' : 'core', 0, now + (effect.resetIn ?? 60) * 1000, now);
    }
    const answer = effect === null ? null : answerOf(effect, asked.kind, clock.now());
    return { effect, answer };
  };

  const answerGraphql = async (ask: Ask, context: Context): Promise<Answer> => {
    context.kind = 'graphql';
    context.token = readToken(ask);
    const { token } = context;
    if (token === null) throw new RestFailure(401, 'This endpoint requires you to be authenticated.');
    if (graphql === null) throw new Error('The GraphQL endpoint is not built yet.');
    const request = graphql.prepare(readJson(ask));
    context.operation = request.operation?.name ?? '(unnamed)';
    const owner = String(token.account.id);
    const asked: Asked = {
      kind: 'graphql',
      operation: context.operation,
      repositories: repositoriesAsked(request, loaded()),
      pullRequests: request.price?.pullRequests ?? 0,
    };
    const fate = await applyFaults(asked, owner);
    if (fate.answer !== null) return fate.answer;
    const now = clock.now();
    if (!limits.countMinute(owner, now)) {
      return answerOf({ name: 'secondary_limit_403', retryAfter: 60 }, 'graphql', now) as Answer;
    }
    const { body, quota, price } = graphql.answer(request, token, now);
    context.points = price?.cost ?? 0;
    context.headers = { ...limitHeaders(quota), 'x-github-media-type': 'github.v4; format=json' };
    if (JSON.stringify(body.errors ?? '').includes('saml_failure')) {
      context.headers['x-github-sso'] = `required; url=${url}/sso?authorization_request=simulated`;
    }
    const answer: Answer = { status: 200, body: inNewWording(body, fate.effect, owner) };
    drift.afterPage(loaded(), asked);
    return spoiled(answer, fate.effect);
  };

  const answerRest = async (ask: Ask, context: Context, path: string, api: string): Promise<Answer> => {
    context.kind = 'rest';
    const version = ask.headers['x-github-api-version'];
    if (typeof version === 'string' && !API_VERSIONS.includes(version)) {
      throw new RestFailure(400, `The API version '${version}' is not supported.`);
    }
    context.token = readToken(ask);
    const { token } = context;
    const owner = token === null ? 'anonymous' : String(token.account.id);
    const byId = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
    const found = findRoute(restRoutes, ask.method, byId === null ? path : `/repos/-/-${byId[2] ?? ''}`);
    context.operation = `${ask.method} ${found?.route.pattern ?? '(unknown)'}`;
    if (found === null) throw new RestFailure(404, 'Not Found');
    const params = byId === null ? found.params : { ...found.params, id: byId[1] ?? '' };
    const asked: Asked = {
      kind: 'rest',
      operation: context.operation,
      repositories: 'owner' in params ? [`${params.owner}/${params.repo}`.toLowerCase()] : [],
      pullRequests: found.route.pattern.endsWith('/pulls') ? Number(ask.query.get('per_page') ?? 30) : 0,
    };
    const fate = await applyFaults(asked, owner);
    if (fate.answer !== null) return fate.answer;
    const now = clock.now();
    const free = found.route.pattern === '/rate_limit';
    const stateful: RestAsk = {
      ...ask,
      path: byId === null ? path : `/repositories/${byId[1]}${byId[2] ?? ''}`,
      params,
      token,
      tokens,
      world: loaded(),
      shapes: shapes(url),
      now,
      api,
    };
    const spent = (): Answer => {
      context.headers = limitHeaders(limits.quota(owner, 'core', now));
      return {
        status: 403,
        body: {
          message: `API rate limit exceeded for user ID ${owner}.`,
          documentation_url: 'https://docs.github.com/rest',
        },
      };
    };
    if (!free && ask.method !== 'GET' && !limits.charge(owner, 'core', 1, now)) return spent();
    const answer = await catchFailure(() => found.route.handle(stateful));
    if (ask.method === 'GET' && answer.status === 200) {
      const etag = etagOf(bodyText(answer.body), token?.value ?? '');
      context.headers.etag = etag;
      context.headers['cache-control'] = 'private, max-age=60, s-maxage=60';
      if (ask.headers['if-none-match'] === etag) {
        Object.assign(context.headers, limitHeaders(limits.quota(owner, 'core', now)));
        return { status: 304, body: null };
      }
    }
    if (!free && ask.method === 'GET' && !limits.charge(owner, 'core', 1, now)) return spent();
    context.points = free ? 0 : 1;
    Object.assign(context.headers, limitHeaders(limits.quota(owner, 'core', now)));
    if (asked.pullRequests > 0) drift.afterPage(loaded(), asked);
    return spoiled(answer, fate.effect);
  };

  const route = async (ask: Ask, context: Context): Promise<Answer> => {
    const { path } = ask;
    if (path.startsWith('/_control/')) {
      context.kind = 'control';
      const found = findRoute(control, ask.method, path);
      if (found === null) throw new RestFailure(404, 'There is no such control.');
      return found.route.handle(ask, found.params);
    }
    const web = findRoute(oauth, ask.method, path) ?? (API.test(path) ? null : findRoute(pages, ask.method, path));
    if (web !== null) {
      context.kind = web.route.pattern.startsWith('/login/') ? 'oauth' : 'page';
      context.operation = `${ask.method} ${web.route.pattern}`;
      if (context.kind === 'oauth') {
        const asked: Asked = { kind: 'oauth', operation: context.operation, repositories: [], pullRequests: 0 };
        const fate = await applyFaults(asked, 'anonymous');
        if (fate.answer !== null) return fate.answer;
      }
      return web.route.handle(ask, web.params);
    }
    if (ask.headers['user-agent'] === undefined) {
      return {
        status: 403,
        body: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
      };
    }
    if (path === '/graphql' || path === '/api/graphql') {
      if (ask.method !== 'POST') throw new RestFailure(404, 'Not Found');
      return answerGraphql(ask, context);
    }
    const prefixed = path.startsWith('/api/v3/');
    return answerRest(ask, context, prefixed ? path.slice('/api/v3'.length) : path, prefixed ? `${url}/api/v3` : url);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const context: Context = { kind: 'page', operation: '', token: null, points: 0, headers: {} };
    const who = request.headers.authorization ?? 'anonymous';
    const counted = request.url?.startsWith('/_control') !== true;
    let answer: Answer;
    const fits = !counted || limits.enter(who);
    try {
      const ask = await readAsk(request);
      if (!fits) answer = answerOf({ name: 'secondary_limit_403', retryAfter: 1 }, 'rest', clock.now()) as Answer;
      else {
        (await ready).runUntil(clock.now());
        answer = await catchFailure(() => route(ask, context));
      }
    } catch (error) {
      process.stderr.write(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : error}\n`);
      answer = { status: 500, body: { message: error instanceof Error ? error.message : 'Server Error' } };
    } finally {
      if (counted) limits.leaveRequest(who);
    }
    const body = bodyText(answer.body);
    const { token } = context;
    const scopes = token?.scopes === null || token === null ? {} : { 'x-oauth-scopes': token.scopes.join(', ') };
    const common = {
      'x-github-request-id': randomUUID().slice(0, 18).toUpperCase().replaceAll('-', ':'),
      'x-github-enterprise-version': VERSION,
      ...scopes,
      ...(token?.kind === 'fine-grained' && context.kind === 'rest'
        ? { 'x-accepted-github-permissions': 'metadata=read' }
        : {}),
    };
    send(
      response,
      { ...answer, body, headers: { ...common, ...context.headers, ...answer.headers } },
      new Date(clock.now()),
    );
    if (!counted || context.kind === 'control') return;
    const account = token?.account.login ?? 'anonymous';
    const { kind, operation, points } = context;
    counters.count({ kind, account, operation, status: answer.status, points, bytes: Buffer.byteLength(body) });
  };

  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = 600_000;

  return {
    ready,
    clock,
    faults,
    limits,
    counters,
    tokens,
    listen: async (port) => {
      await new Promise<void>((done, failed) => {
        server.once('error', failed);
        server.listen(port, '127.0.0.1', done);
      });
      url = settings.publicUrl ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      timer = setInterval(() => world?.runUntil(clock.now()), TICK);
      return url;
    },
    close: async () => {
      if (timer !== null) clearInterval(timer);
      webhooks.close();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function catchFailure(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof RestFailure) return error.answer;
    throw error;
  }
}
