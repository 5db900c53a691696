import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '#contract/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/endpoints.ts';
import type { SignedIn } from '../context.ts';
import { type CsvLimits, type CsvRequest, csvLimits, type LongList, sendCsv, wantsCsv } from './csv-answer.ts';
import { type GoOn, pagesOf, piecesOf } from './downloads.ts';
import { HttpError, invalid } from './errors.ts';
import { type AnswerTable, tableOf } from './table.ts';
import { whenGone } from './when-gone.ts';

type Endpoints = typeof endpoints;

/** One call, its parts validated by the contract. */
export interface HandlerInput<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly user: E extends { access: 'session' } ? SignedIn : SignedIn | null;
  readonly request: FastifyRequest;
  /** For cookies, headers, and one of the other success statuses of the contract. */
  readonly reply: FastifyReply;
  /** Aborted when the caller has gone or has been answered; a stream of events must end with it. */
  readonly gone: AbortSignal;
  /** Only where the answer becomes CSV. */
  readonly csv?: CsvRequest;
}

export interface File {
  readonly filename: string;
  readonly content_type: string;
  readonly content: string | Uint8Array | Readable;
}

type AnswerTo<E> = E extends { media: 'file' }
  ? Promise<File>
  : E extends { media: 'events' }
    ? AsyncIterable<readonly AnswerOf<E>[]>
    : E extends { media: 'lines' }
      ? Promise<AsyncIterable<AnswerOf<E>>>
      : Promise<AnswerOf<E> | LongListOf<E, AnswerOf<E>>>;

/** Where the handler is asked for the whole list. */
type LongListOf<E, Answer> = E extends { table: { list: infer List extends keyof Answer; long: true } }
  ? Answer[List] extends readonly (infer Row extends object)[]
    ? LongList<Row>
    : never
  : never;

export type Handler<Name extends EndpointName> = (input: HandlerInput<Endpoints[Name]>) => AnswerTo<Endpoints[Name]>;

/** The answers to some calls of the contract, by name: what a capability offers. */
export type Handlers<Name extends EndpointName> = { readonly [N in Name]: Handler<N> };

/** What any handler is given. */
export interface AnyInput extends Pick<HandlerInput<Endpoint>, 'request' | 'reply' | 'gone' | 'csv'> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly user: SignedIn | null;
}

export type AnyHandler = (input: AnyInput) => unknown;

/** A handler by its name: each fits its own entry; over all of them TypeScript sees only that there is one. */
export function handlerOf<Name extends EndpointName>(handlers: Partial<Handlers<Name>>, name: Name): AnyHandler {
  return handlers[name] as unknown as AnyHandler;
}

/** The same calls by what `map` makes of their handlers. */
export function mapHandlers<Name extends EndpointName>(
  handlers: Handlers<Name>,
  map: (name: Name, handle: AnyHandler) => AnyHandler,
): Handlers<Name> {
  const names = Object.keys(handlers) as Name[];
  const mapped = names.map((name) => [name, map(name, handlerOf(handlers, name))]);
  return Object.fromEntries(mapped) as Handlers<Name>;
}

/** The calls that a file of the contract describes: `CallsOf<typeof import('#contract/team.ts')>`. */
export type CallsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends Endpoint ? Name : never;
}[keyof Module] &
  EndpointName;

export interface ServeSettings {
  /** Who the request's session belongs to; null without a valid one. */
  readonly signedIn: (request: FastifyRequest) => Promise<SignedIn | null>;
  /** Answers are held against the contract too: for tests, where a wrong one is a failure. */
  readonly check_answers: boolean;
  /** Route options by name, for limits of rate or size that differ from the usual ones. */
  readonly options?: Partial<Record<EndpointName, RouteShorthandOptions>>;
  /** Counts a stream of events and returns what ends it; throws where too many are open. */
  readonly openStream?: (user_id: number, address: string) => () => void;
  /** Counts a list or file that is downloaded, until its answer has ended. @throws HttpError 429 while too many are */
  readonly openDownload?: (request: FastifyRequest, reply: FastifyReply, user_id: number) => GoOn;
  /** Runs the handler of a request of this user, null of nobody's, held to what its caller may. */
  readonly within?: <Result>(request: FastifyRequest, user_id: number | null, work: () => Result) => Result;
  /** Aborted when the server stops: streams end. */
  readonly closing?: AbortSignal;
  /** Milliseconds between signs of life in a stream of events. */
  readonly event_heartbeat?: number;
  /** As in the product unless a test has fewer rows. */
  readonly csv_limits?: CsvLimits;
}

/** One call on the way to its answer. */
interface Call {
  readonly name: EndpointName;
  readonly entry: Endpoint;
  readonly handle: AnyHandler;
  readonly input: AnyInput;
  /** Runs the handler, held to what the caller may. */
  readonly within: <Result>(work: () => Result) => Result;
  readonly settings: ServeSettings & { readonly now: () => Date };
}

/** Makes each handler the route of its contract entry. Nothing reaches a handler that the contract does not allow. */
export function serve(
  app: FastifyInstance,
  handlers: Partial<Handlers<EndpointName>>,
  settings: ServeSettings & { readonly now: () => Date },
): void {
  for (const name of Object.keys(handlers) as EndpointName[]) {
    const entry: Endpoint = endpoints[name];
    const handle = handlerOf(handlers, name);
    const { config, ...options } = settings.options?.[name] ?? {};
    const table = tableOf(entry);
    const within = settings.within ?? ((_request, _user_id, work) => work());
    app.route({
      ...options,
      config: { ...config, call: entry },
      method: entry.method,
      url: entry.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => {
        const user = await settings.signedIn(request);
        if (user === null && entry.access === 'session') throw new HttpError('not_signed_in');
        const isCsv = entry.method === 'GET' && entry.media !== 'events' && isCsvWanted(request, reply, table);
        const input: AnyInput = {
          params: parsed(entry.params, request.params, 'params'),
          query: parsed(entry.query, request.query, 'query'),
          body: parsed(entry.body, request.body ?? {}),
          user,
          request,
          reply,
          gone: goneOr(request, reply, settings.closing),
        };
        const call: Call = {
          name,
          entry,
          handle,
          input,
          settings,
          within: (work) => within(request, user?.id ?? null, work),
        };
        reply.code(entry.status);
        if (entry.media === 'events') return answerEvents(call);
        const isDownload = isCsv || entry.media === 'lines' || entry.media === 'file';
        const goOn =
          (isDownload && user && settings.openDownload?.(request, reply, user.id)) || (async () => undefined);
        if (isCsv) return await answerCsv(call, table!, goOn);
        if (entry.media === 'lines') return await answerLines(call, goOn);
        const answer = await call.within(() => handle(input));
        if (entry.media === 'file') return sendFile(input, answer as File, goOn, settings.now);
        if (settings.check_answers) checkAnswer(name, entry, answer);
        return entry.status === 204 ? reply.send() : reply.send(answer);
      },
    });
  }
}

function answerEvents({ handle, input, within, settings }: Call): FastifyReply {
  const { user, request, reply, gone } = input;
  const end = user === null ? undefined : settings.openStream?.(user.id, request.ip);
  if (end !== undefined) whenGone(request, reply, end);
  const events = within(() => handle(input)) as AsyncIterable<readonly unknown[]>;
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(
      // Nothing is made ahead of a reader who is slow: they may not read by then what they may read now.
      Readable.from(eventStream(events, gone, settings.event_heartbeat ?? 20_000), { highWaterMark: 1 }),
    );
}

async function answerCsv(call: Call, table: AnswerTable, goOn: GoOn): Promise<FastifyReply> {
  const { entry, handle, input, within, settings } = call;
  const { request, reply } = input;
  return await sendCsv({
    ...{ entry, table, request, reply, goOn, within, now: settings.now(), clock: settings.now },
    check: settings.check_answers,
    query: input.query as Readonly<Record<string, unknown>> | undefined,
    ask: async (query, csv) => await handle({ ...input, query, csv }),
    limits: settings.csv_limits ?? csvLimits,
  });
}

async function answerLines(call: Call, goOn: GoOn): Promise<FastifyReply> {
  const { name, entry, handle, input, within, settings } = call;
  // What the caller may see, and how long they may keep the database busy, holds for all parts together.
  const inContext = within(() => AsyncLocalStorage.snapshot());
  const parts = (await inContext(() => handle(input))) as AsyncIterable<readonly object[]>;
  const check = (part: readonly object[]) => settings.check_answers && checkAnswer(name, entry, part);
  return await sendLines(input.reply, pagesOf(parts, inContext, goOn), check, input.request.method === 'HEAD');
}

function isCsvWanted(request: FastifyRequest, reply: FastifyReply, table: AnswerTable | null): boolean {
  reply.header('vary', 'Accept');
  return wantsCsv(request, table);
}

/** A part of a call as the contract has it. @throws HttpError 400 */
export function parsed(shape: z.ZodType | undefined, value: unknown, part?: 'params' | 'query'): unknown {
  if (shape === undefined) return undefined;
  const result = shape.safeParse(value);
  if (!result.success) throw invalid(result.error, part);
  refuseNullCharacters(result.data, []);
  return result.data;
}

/** A null character is in no text that the database can hold, nor in a name of the host. */
function refuseNullCharacters(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string' && value.includes('\0')) {
    const message = 'must not contain a null character';
    throw new HttpError('invalid_request', `${path.join('.')}: ${message}`, {
      issues: [{ path: path.join('.'), message }],
    });
  }
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) refuseNullCharacters(inner, [...path, key]);
}

function checkAnswer(name: string, entry: Endpoint, answer: unknown): void {
  const result = entry.answer?.safeParse(JSON.parse(JSON.stringify(answer ?? null)));
  if (result?.success === false) throw new Error(`The answer of ${name} breaks the contract: ${result.error.message}`);
}

/** Aborted when whoever waits for the answer has gone, or the process closes. */
function goneOr(request: FastifyRequest, reply: FastifyReply, closing: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController();
  whenGone(request, reply, () => controller.abort());
  return closing === undefined ? controller.signal : AbortSignal.any([controller.signal, closing]);
}

function sendFile({ request, reply }: AnyInput, file: File, goOn: GoOn, now: () => Date): FastifyReply {
  const plain = file.filename.replaceAll(/[^\w.\-[\]]/g, '_');
  const { content } = file;
  // Of whoever goes before the first piece is read, nothing else ends what makes it.
  if (content instanceof Readable) whenGone(request, reply, () => content.destroy());
  return reply
    .header('content-type', file.content_type)
    .header('content-disposition', `attachment; filename="${plain}"`)
    .send(
      content instanceof Readable
        ? Readable.from(piecesOf(content, goOn, now), { objectMode: false, highWaterMark: 1 })
        : content,
    );
}

/** Parts of a list as lines of JSON. The first is there before anything is said; what fails after it breaks the connection. */
async function sendLines(
  reply: FastifyReply,
  rest: AsyncIterator<readonly object[]>,
  check: (part: readonly object[]) => void,
  isHead: boolean,
): Promise<FastifyReply> {
  const next = async () => {
    const part = await rest.next();
    if (part.done !== true) check(part.value);
    return part;
  };
  const first = await next();
  async function* lines() {
    try {
      for (let part = first; part.done !== true; part = await next())
        yield part.value.map((line) => `${JSON.stringify(line)}\n`).join('');
    } finally {
      await rest.return?.();
    }
  }
  if (isHead) await rest.return?.();
  reply.type('application/x-ndjson; charset=utf-8');
  return reply.send(Readable.from(isHead ? [] : lines(), { objectMode: false }));
}

/** Events as the browser's EventSource reads them, with a comment now and then so that no proxy takes the silence for death. */
async function* eventStream(
  events: AsyncIterable<readonly unknown[]>,
  gone: AbortSignal,
  heartbeat: number,
): AsyncIterable<string> {
  yield ': hello\n\n';
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    while (!gone.aborted) {
      const word = await first(next, heartbeat, gone);
      if (word === 'silence') yield ': still here\n\n';
      else if (word === 'gone' || word.done === true) return;
      else {
        yield word.value.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
        next = iterator.next();
      }
    }
  } finally {
    next.catch(() => undefined);
    await iterator.return?.();
  }
}

async function first(
  next: Promise<IteratorResult<readonly unknown[]>>,
  ms: number,
  gone: AbortSignal,
): Promise<IteratorResult<readonly unknown[]> | 'silence' | 'gone'> {
  const { promise, resolve } = Promise.withResolvers<'silence' | 'gone'>();
  const leave = () => resolve('gone');
  const timer = setTimeout(() => resolve('silence'), ms);
  gone.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
  }
}
