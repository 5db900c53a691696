import { Octokit } from '@octokit/core';
import { HostError } from '../errors.ts';
import type { TokenSource } from '../oauth.ts';
import { type Answer, failureOf, noAnswer } from './failures.ts';
import type { Query } from './queries.ts';
import { rateLimitOf } from './rate-limit.ts';

/** Where a log line goes; a pino logger is one. Fields never hold a token. */
export interface HostLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** One GitHub host and how it is called. */
export interface Connection {
  readonly label: string;
  readonly api_url: string;
  readonly graphql_url: string;
  readonly now: () => Date;
  /** How long a single request may take, in milliseconds. */
  readonly timeout: number;
  readonly fetch: typeof globalThis.fetch;
  readonly log: HostLog | null;
}

/**
 * Requests in one user's name. Whatever is thrown is a HostError, or the reason of the caller's own signal; one that `AbortSignal.timeout`
 * ends counts as no answer in time.
 */
export interface Client {
  readonly label: string;
  readonly now: () => Date;
  /** Of the latest request; empty before the first. */
  readonly token: string;
  /** `route` as in GitHub's REST documentation: `GET /repos/{owner}/{repo}`. */
  rest(route: string, parameters?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>;
  graphql(query: Query, signal?: AbortSignal): Promise<Answer>;
}

/** The version of the REST API whose answers we read; supported until 2028-03-10 (GitHub documentation, API versions). */
const API_VERSION = '2022-11-28';

/**
 * A client that sends one request per call, neither waiting nor retrying: how long to wait belongs to the caller,
 * who may have to outlive a restart meanwhile. See docs/decisions/0003-github-client.md. A token that is renewed while
 * it is in use is the exception: the request is sent once more with the new one.
 */
export function clientOf(connection: Connection, tokens: string | TokenSource): Client {
  const tokenFor = typeof tokens === 'string' ? async () => tokens : tokens;
  let token = typeof tokens === 'string' ? tokens : '';

  async function sendAs(
    api: Answer['api'],
    route: string,
    parameters: Record<string, unknown> | undefined,
    title: string,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const sendWith = async (current: string) => {
      token = current;
      const headers = { authorization: `Bearer ${current}`, 'x-github-api-version': API_VERSION };
      return await send(connection, api, route, { ...parameters, headers }, title, signal);
    };
    const first = await tokenFor(null);
    try {
      return await sendWith(first);
    } catch (error) {
      if (!(error instanceof HostError) || error.kind !== 'unauthorized') throw error;
      const next = await tokenFor(first);
      if (next === first) throw error;
      return await sendWith(next);
    }
  }

  return {
    label: connection.label,
    now: connection.now,
    get token() {
      return token;
    },
    rest: (route, parameters, signal) => sendAs('rest', route, parameters, route, signal),
    graphql: ({ name, text, variables }, signal) =>
      sendAs('graphql', `POST ${connection.graphql_url}`, { query: text, variables }, name, signal),
  };
}

/** One request without anybody's token, for signing in. */
export function sendAnonymously(connection: Connection, route: string, parameters: Record<string, unknown>) {
  return send(connection, 'rest', route, { ...parameters, headers: { accept: 'application/json' } }, 'sign-in');
}

/** One request in the name of the app itself, such as ending a token that it was given (GitHub documentation, REST: OAuth authorizations). */
export function sendAsApp(
  connection: Connection,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
  route: string,
  parameters: Record<string, unknown>,
) {
  const secret = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const headers = { authorization: `Basic ${secret}`, 'x-github-api-version': API_VERSION };
  return send(connection, 'rest', route, { client_id, ...parameters, headers }, route);
}

/** The scopes of the token by the answer's header; null where it has none (fine-grained and app tokens). */
export function scopesOf({ headers }: Answer): readonly string[] | null {
  return headers['x-oauth-scopes']?.split(/[\s,]+/).filter(Boolean) ?? null;
}

async function send(
  connection: Connection,
  api: Answer['api'],
  route: string,
  parameters: Record<string, unknown>,
  title: string,
  signal?: AbortSignal,
): Promise<Answer> {
  const { label, log } = connection;
  throwIfAborted(label, signal);
  const patience = AbortSignal.timeout(connection.timeout);
  const octokit = new Octokit({
    baseUrl: connection.api_url,
    userAgent: 'Mergelight',
    request: {
      fetch: connection.fetch,
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      // What the library has to say is that a call will be removed.
      log: { debug: ignore, info: ignore, warn: (message: string) => log?.warn({}, message), error: ignore },
    },
  });
  const outcome = await octokit.request(route, parameters).catch((error: unknown) => error);
  throwIfAborted(label, signal);

  const response = responseOf(outcome);
  if (!response || patience.aborted) throw noAnswer(label, patience.aborted, networkErrorOf(outcome));
  const body = response.data instanceof ArrayBuffer ? '' : response.data;
  const answer: Answer = { api, status: response.status, headers: response.headers, body };
  const now = connection.now();
  const failure = failureOf(answer, now, label);
  const remaining = rateLimitOf({ ...answer, now })?.remaining ?? null;
  log?.debug({ request: title, status: answer.status, remaining, failure: failure?.kind ?? null }, 'asked the host');
  if (failure) throw failure;
  return answer;
}

function throwIfAborted(label: string, signal: AbortSignal | undefined): void {
  const reason: unknown = signal?.reason;
  if (reason instanceof DOMException && reason.name === 'TimeoutError') throw noAnswer(label, true, reason);
  signal?.throwIfAborted();
}

interface Response {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly data: unknown;
}

/** The response of a request that succeeded, or of one that the library threw because of its status. */
function responseOf(outcome: unknown): Response | null {
  const carrier = outcome instanceof Error ? (outcome as Error & { response?: unknown }).response : outcome;
  return (carrier as Response | undefined) ?? null;
}

/** The network's own error: the library's holds the request, and with it the caller's secrets. */
function networkErrorOf(outcome: unknown): unknown {
  return outcome instanceof Error ? outcome.cause : null;
}

function ignore() {}
