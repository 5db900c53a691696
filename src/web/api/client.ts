import type { AnswerOf, BodyInputOf, BodyOf, ParamsOf, QueryInputOf, QueryOf } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import { noteDiskSpace } from './disk-space.ts';

/** A call that did not succeed. `message` is a sentence for a person. */
export class ApiError extends Error {
  /** The HTTP status; null where no answer came at all. */
  readonly status: number | null;
  /** The stable code of the error answer; null where the answer was none of ours. */
  readonly code: string | null;
  /** Found again in the server's log; null where the answer carried none. */
  readonly requestId: string | null;
  /** What HTTP calls the status; empty where no answer came and where the protocol carries none. */
  readonly statusText: string;
  /** What is wrong with which part of what was sent, by its path: `stamped.words`. Empty where that is not said. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];

  constructor(
    message: string,
    status: number | null,
    code: string | null = null,
    requestId: string | null = null,
    statusText = '',
    issues: ApiError['issues'] = [],
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.statusText = statusText;
    this.issues = issues;
  }
}

/** A file that an endpoint of media `file` answered with. */
export interface Download {
  readonly blob: Blob;
  /** As the server names it in `Content-Disposition`; null where it did not. */
  readonly filename: string | null;
}

type Endpoints = typeof endpoints;
/** Values as the server understands them, optional where the shape lets them be left out. */
type Sent<Input, Output> = { [K in keyof Input]: K extends keyof Output ? Output[K] | undefined : never };
type Part<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** What a call takes: `params`, `query` and `body` as far as its endpoint has them. */
export type CallInput<N extends EndpointName> = Part<'params', ParamsOf<Endpoints[N]>> &
  Part<'query', Sent<QueryInputOf<Endpoints[N]>, QueryOf<Endpoints[N]>>> &
  Part<'body', Sent<BodyInputOf<Endpoints[N]>, BodyOf<Endpoints[N]>>>;

/** What a call resolves with: the endpoint's answer, undefined for 204, a download for the export. */
export type CallAnswer<N extends EndpointName> = N extends 'exportContributor' ? Download : AnswerOf<Endpoints[N]>;

interface Options {
  readonly signal?: AbortSignal;
}

type NeedsInput<N extends EndpointName> = Record<never, never> extends CallInput<N> ? false : true;

export type Api = {
  [N in EndpointName]: NeedsInput<N> extends true
    ? (input: CallInput<N>, options?: Options) => Promise<CallAnswer<N>>
    : (input?: CallInput<N>, options?: Options) => Promise<CallAnswer<N>>;
};

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface AnyEndpoint {
  readonly method: string;
  readonly path: string;
  readonly access: 'session' | 'public';
  readonly media?: 'json' | 'file' | 'events' | 'lines';
}

/** The address of a call: names in braces filled in and escaped, absent query values left out. */
export function addressOf(path: string, input: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/**
 * Reads a refusal: the `error` of our JSON (docs/server.md#calls-and-errors), else the raw text, else
 * 'Request failed: {status}' (docs/product.md#words-and-errors).
 */
export function errorOf(status: number, text: string, statusText = ''): ApiError {
  let answer: unknown = null;
  try {
    answer = JSON.parse(text);
  } catch {
    return new ApiError(text.trim() === '' ? `Request failed: ${status}` : text, status, null, null, statusText);
  }
  if (typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string') {
    const code = 'code' in answer && typeof answer.code === 'string' ? answer.code : null;
    const requestId = 'request_id' in answer && typeof answer.request_id === 'string' ? answer.request_id : null;
    const issues = 'issues' in answer && Array.isArray(answer.issues) ? (answer.issues as ApiError['issues']) : [];
    return new ApiError(answer.error, status, code, requestId, statusText, issues);
  }
  return new ApiError(text, status, null, null, statusText);
}

function filenameOf(response: Response): string | null {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
}

/**
 * How long a question waits for its answer, in milliseconds: twice as long as the server itself waits for the host, which it may
 * have to ask. What changes something, a file and a stream of events take the time that they need.
 */
const PATIENCE = 60_000;

/** Gives a call up that is not answered in time, and says so. */
async function inTime<T>(patience: number, { signal }: Options, call: (options: Options) => Promise<T>): Promise<T> {
  const enough = AbortSignal.timeout(patience);
  try {
    return await call({ signal: signal === undefined ? enough : AbortSignal.any([signal, enough]) });
  } catch (error) {
    if (!enough.aborted || error instanceof ApiError) throw error;
    throw new ApiError(`The server did not answer within ${patience / 1000} s.`, null);
  }
}

type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** How often a question that was refused because there were too many is put again before the page says so. */
const MOST_TRIES = 3;

/** Seconds to wait before the same question may be put again; null where it was not refused for being one too many. */
function secondsToWait(response: Response): number | null {
  if (response.status !== 429) return null;
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 1;
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave);
      resolve();
    }, milliseconds);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

/**
 * The typed client: one function per endpoint of the contract, e.g. `api.listPullRequests({ query: { limit: 50 } })`.
 * Rejects with `ApiError`, a question also when it is not answered within `patience` milliseconds; an aborted call rejects with the
 * signal's reason. `onSessionExpired` is called when a call that needs a session is answered with 401, save the question who is
 * signed in. A question that is refused with 429 is put again after the time that the server names; `onHeldBack` hears until when
 * it waits, and null when that is over.
 */
export function createApi(
  send: Fetch,
  onSessionExpired: () => void,
  patience = PATIENCE,
  onHeldBack: (until: number | null) => void = () => {},
): Api {
  /** Sends a question again as often and as late as the server asks for; what changes something is sent once. */
  const sendPatiently = async (address: string, init: RequestInit, signal: AbortSignal | undefined) => {
    for (let tries = 1; ; tries += 1) {
      const response = await send(address, init);
      const seconds = secondsToWait(response);
      if (seconds === null || init.method !== 'GET' || tries === MOST_TRIES || seconds * 1000 > patience)
        return response;
      onHeldBack(Date.now() + seconds * 1000);
      try {
        await wait(seconds * 1000, signal);
      } finally {
        onHeldBack(null);
      }
    }
  };

  const call = async (name: string, endpoint: AnyEndpoint, input: AnyInput, options: Options) => {
    const hasBody = input.body !== undefined;
    const init: RequestInit = {
      method: endpoint.method,
      credentials: 'same-origin',
      headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: JSON.stringify(input.body) } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    };
    let response: Response;
    try {
      response = await sendPatiently(addressOf(endpoint.path, input), init, options.signal);
    } catch (cause) {
      options.signal?.throwIfAborted();
      throw Object.assign(new ApiError('The server did not answer.', null), { cause });
    }
    if (!response.ok) {
      if (response.status === 401 && endpoint.access === 'session' && name !== 'getSession') onSessionExpired();
      throw errorOf(response.status, await response.text(), response.statusText);
    }
    if (endpoint.media === 'file') return { blob: await response.blob(), filename: filenameOf(response) };
    if (response.status === 204) return undefined;
    const body: unknown = await response.json().catch(() => null);
    options.signal?.throwIfAborted();
    if (body === null) throw new ApiError('The answer of the server could not be read.', response.status);
    return body;
  };
  const calls = Object.entries<AnyEndpoint>(endpoints).map(([name, endpoint]) => [
    name,
    (input: AnyInput = {}, options: Options = {}) =>
      endpoint.method === 'GET' && (endpoint.media ?? 'json') === 'json'
        ? inTime(patience, options, (within) => call(name, endpoint, input, within))
        : call(name, endpoint, input, options),
  ]);
  return Object.fromEntries(calls) as Api;
}

const expiryListeners = new Set<() => void>();
const heldBackListeners = new Set<() => void>();
let heldBack = 0;

/** Calls `listener` when `isHeldBack` changes; returns how to stop listening. */
export function onHeldBack(listener: () => void): () => void {
  heldBackListeners.add(listener);
  return () => heldBackListeners.delete(listener);
}

/** Whether questions wait because there were too many. */
export function isHeldBack(): boolean {
  return heldBack > 0;
}

/** Calls `listener` when the server no longer knows the session; returns how to stop listening. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** The client that every screen uses. */
export const api: Api = createApi(
  async (address, init) => noteDiskSpace(await fetch(address, init)),
  () => {
    for (const listener of expiryListeners) listener();
  },
  PATIENCE,
  (until) => {
    heldBack += until === null ? -1 : 1;
    for (const listener of heldBackListeners) listener();
  },
);
