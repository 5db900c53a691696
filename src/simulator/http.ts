import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** A request that has been read. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer before it is sent. An object becomes JSON, null an empty body; `cut` breaks the connection after the body, `hang` never answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object | null;
  readonly sending?: 'cut' | 'hang';
}

/** An answer other than the one hoped for, thrown where it is found. */
export class RestFailure extends Error {
  readonly answer: Answer;

  constructor(
    status: number,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    const body = { message, ...more, documentation_url: 'https://docs.github.com/rest', status: String(status) };
    this.answer = { status, headers, body };
  }
}

/** The largest body that is read; more is refused. */
const LARGEST_BODY = 25_000_000;

export async function readAsk(request: IncomingMessage): Promise<Ask> {
  const url = new URL(request.url ?? '/', 'http://host');
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length > LARGEST_BODY) throw new RestFailure(413, 'Payload too large');
    parts.push(part as Buffer);
  }
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(parts).toString(),
  };
}

/** The body's JSON; an empty body is null. Throws the host's 400 for anything else. */
export function readJson(ask: Ask): unknown {
  if (ask.body === '') return null;
  try {
    return JSON.parse(ask.body);
  } catch {
    throw new RestFailure(400, 'Problems parsing JSON');
  }
}

/** The fields of a form or JSON body, as texts. */
export function readForm(ask: Ask): URLSearchParams {
  if (!(ask.headers['content-type'] ?? '').includes('json')) return new URLSearchParams(ask.body);
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries((readJson(ask) ?? {}) as object)) fields.set(name, String(value));
  return fields;
}

/** The text that goes over the wire for a body. */
export function bodyText(body: Answer['body']): string {
  return body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body);
}

export function etagOf(body: string, who: string): string {
  return `W/"${createHash('sha256').update(who).update('\n').update(body).digest('hex')}"`;
}

/** Sends an answer whose body is text already. */
export function send(response: ServerResponse, answer: Answer & { readonly body: string }, date: Date): void {
  const { status, headers = {}, body, sending } = answer;
  if (sending === 'hang') return;
  if (sending === 'cut' && body === '') {
    response.destroy();
    return;
  }
  const type = body.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  response.writeHead(status, {
    date: date.toUTCString(),
    ...(body === '' ? {} : { 'content-type': type }),
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  if (sending === 'cut') {
    response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
    return;
  }
  response.end(body);
}

export interface Route<Handler> {
  readonly method: string;
  readonly pattern: string;
  readonly handle: Handler;
}

/** The route for a method and a path, with what the `:names` in its pattern stand for. Null when there is none. */
export function findRoute<Handler>(
  routes: readonly Route<Handler>[],
  method: string,
  path: string,
): { readonly route: Route<Handler>; readonly params: Readonly<Record<string, string>> } | null {
  const parts = path.split('/');
  for (const route of routes) {
    if (route.method !== method) continue;
    const wanted = route.pattern.split('/');
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((part, index) => {
      const given = parts[index] ?? '';
      if (!part.startsWith(':')) return part === given;
      params[part.slice(1)] = decodeURIComponent(given);
      return given !== '';
    });
    if (fits) return { route, params };
  }
  return null;
}
