import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { csvText } from './csv.ts';
import { type GoOn, type InContext, pagesOf, piecesOf } from './downloads.ts';
import { HttpError, invalidValue } from './errors.ts';
import type { AnswerTable } from './table.ts';

/** What of a list a handler is asked for when its answer becomes CSV. */
export interface CsvRequest {
  /** False of each page after the first. */
  readonly isFirstPage: boolean;
  /** Up to how many rows the whole list is wanted; null: the page that was asked for. */
  readonly most: number | null;
  /** How many of them are to be held at once. */
  readonly page: number;
  /** The moment of the request, for every page: a window that ends now holds the same in all of them. */
  readonly now: Date;
}

/** A list too long to be held at once: what a handler may return instead of its answer where the whole list is wanted. */
export class LongList<Row extends object> {
  /** Of how many rows, whatever is wanted of them. */
  readonly total: number;
  readonly pages: AsyncIterable<readonly Row[]>;
  constructor(total: number, pages: AsyncIterable<readonly Row[]>) {
    this.total = total;
    this.pages = pages;
  }
}

/** How many rows a CSV has at most, and how many are fetched at once. */
export interface CsvLimits {
  readonly most: number;
  readonly page: number;
}
export const csvLimits: CsvLimits = { most: 100_000, page: 5000 };

/** Of a page, written at once: between them others are served. */
const ROWS_AT_ONCE = 500;

type Query = Readonly<Record<string, unknown>>;

/** Asks the handler; `query` replaces the validated one. */
export type AskPage = (query: Query, csv: CsvRequest) => Promise<unknown>;

export interface CsvAnswer {
  readonly entry: Endpoint;
  readonly table: AnswerTable;
  /** As validated. */
  readonly query: Query | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly ask: AskPage;
  /** Runs the first and every later question, held to what the caller may. */
  readonly within: <Result>(work: () => Result) => Result;
  readonly goOn: GoOn;
  readonly limits: CsvLimits;
  readonly now: Date;
  readonly clock: () => Date;
  readonly check: boolean;
}

/**
 * Whether a call is to be answered by CSV: `format` says so, else what `Accept` prefers; JSON where it makes no difference.
 * @throws HttpError 400 for another format, 406 where only CSV would do and the call has no table
 */
export function wantsCsv({ query, headers }: FastifyRequest, table: AnswerTable | null): boolean {
  const { format } = (query ?? {}) as Query;
  if (format !== undefined && format !== 'json' && format !== 'csv')
    throw new HttpError('validation_failed', 'format: must be json or csv', {
      issues: [{ path: 'format', message: 'must be json or csv' }],
    });
  if (!asksForCsv({ query, headers })) return false;
  if (table !== null) return true;
  if (format === undefined && acceptance(headers.accept)('application', 'json').quality > 0) return false;
  throw new HttpError('no_table');
}

/** Whether a call would rather be answered by CSV, whatever it answers with. */
export function asksForCsv({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const { format } = (query ?? {}) as Query;
  return format === undefined ? prefersCsv(acceptance(headers.accept)) : format === 'csv';
}

type Acceptance = (type: string, subtype: string) => { readonly quality: number; readonly isNamed: boolean };

function prefersCsv(accepted: Acceptance): boolean {
  const [csv, json] = [accepted('text', 'csv'), accepted('application', 'json')];
  if (csv.quality !== json.quality) return csv.quality > json.quality;
  return csv.quality > 0 && csv.isNamed && !json.isNamed;
}

/** How much each type is wanted by an `Accept` header: as the most specific of its ranges says. */
function acceptance(header = '*/*'): Acceptance {
  const ranges = header.split(',').map((text) => {
    const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return { range, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
  return (type, subtype) => {
    const among = (name: string) => ranges.filter(({ range }) => range === name).map(({ quality }) => quality);
    const named = among(`${type}/${subtype}`);
    const found = [named, among(`${type}/*`), among('*/*')].find(({ length }) => length > 0) ?? [0];
    return { quality: Math.max(...found), isNamed: named.length > 0 };
  };
}

/**
 * Answers a call by CSV, page by page: all rows up to the limit where none is asked for, in one order (docs/server.md#csv). What fails before the
 * first page is there is an error as ever; what fails after it breaks the connection, so that no part passes for the whole.
 */
export async function sendCsv(answer: CsvAnswer): Promise<FastifyReply> {
  const { entry, table, request, reply, limits } = answer;
  const given = (request.query ?? {}) as Query;
  const part = partIn(entry, given, table);
  const isWhole = given.limit === undefined;
  // What the caller may see, and how long they may keep the database busy, holds for all pages together.
  const inContext = answer.within(() => AsyncLocalStorage.snapshot());
  const { total, pages } = await listOf(answer, isWhole, part, inContext);
  const rest = pagesOf(pages, inContext, answer.goOn);
  const next = async () => {
    const page = await rest.next();
    if (answer.check && page.done !== true) table.check(page.value);
    return page;
  };
  const first = await next();

  reply.type('text/csv; charset=utf-8');
  const isCut = isWhole && total !== null && total > limits.most;
  if (isCut) reply.header('x-truncated', 'true').header('x-total-count', String(total));
  const name = fileName(entry, request.params as Readonly<Record<string, string>>, answer.now);
  reply.header('content-disposition', `attachment; filename="${name}"`);

  async function* lines() {
    let left = isCut ? limits.most : Number.POSITIVE_INFINITY;
    try {
      for (let page = first; page.done !== true; page = await next()) {
        for (let at = 0; at < page.value.length && left > 0; at += ROWS_AT_ONCE) {
          const some = page.value.slice(at, at + ROWS_AT_ONCE).flatMap((row) => [...table.lines(row, part)]);
          yield some.slice(0, left);
          left -= some.length;
        }
        if (left <= 0) return;
      }
    } finally {
      await rest.return?.();
    }
  }
  const head = request.method === 'HEAD';
  if (head) await rest.return?.();
  return reply.send(
    head ? Readable.from([]) : csvText(piecesOf(lines(), answer.goOn, answer.clock), table.columns(part)),
  );
}

type Pages = AsyncIterable<readonly object[]>;

/** The rows of an answer and of the pages behind it, and how many lines that makes; null where nobody says so before the end. */
async function listOf(
  { entry, table, query = {}, ask, limits, now }: CsvAnswer,
  isWhole: boolean,
  part: string | undefined,
  inContext: InContext,
): Promise<{ total: number | null; pages: Pages }> {
  const named = entry.query === undefined ? {} : (entry.query as z.ZodObject).shape;
  const most = isWhole ? limits.most : null;
  const isPaged = isWhole && ('offset' in named || 'cursor' in named);
  const pageSize = isPaged ? { limit: limits.page } : {};
  const answerTo = (change: Query, isFirstPage: boolean) =>
    inContext(() => ask({ ...query, ...pageSize, ...change }, { isFirstPage, most, page: limits.page, now }));
  const found = await answerTo({}, true);
  if (found instanceof LongList) return { total: found.total, pages: found.pages };
  const answer = found as Query;
  const rows = table.rowsIn(answer);
  if (!isPaged)
    return {
      total: rows.reduce<number>((sum, row) => sum + [...table.lines(row, part)].length, 0),
      pages: onePage(rows),
    };

  const { total } = answer;
  const isByCursor = 'cursor' in named;
  async function* pages() {
    let page = rows;
    let cursor = answer.next_cursor;
    let offset = Number(query.offset ?? 0);
    while (page.length > 0) {
      yield page;
      offset += page.length;
      const isLast = isByCursor ? cursor === null : offset >= Number(total);
      if (isLast) return;
      const later = (await answerTo(isByCursor ? { cursor } : { offset }, false)) as Query;
      page = table.rowsIn(later);
      // What came or went in between has moved the rows: some would be there twice, others not at all.
      if (!isByCursor && (later.total !== total || page.length === 0))
        throw new Error(`The list changed while it was read: ${total} rows, then ${later.total}.`);
      cursor = later.next_cursor;
    }
  }
  return { total: typeof total === 'number' ? total - Number(query.offset ?? 0) : null, pages: pages() };
}

async function* onePage(rows: readonly object[]) {
  yield rows;
}

/** Which table of several; a call whose own `part` it is has one alone. @throws HttpError 400 for one that there isn't */
function partIn({ query }: Endpoint, { part }: Query, { parts }: AnswerTable): string | undefined {
  if (query !== undefined && 'part' in (query as z.ZodObject).shape) return undefined;
  if (part === undefined || (typeof part === 'string' && parts.includes(part))) return part as string | undefined;
  throw invalidValue('part', parts.length === 0 ? 'this has no parts' : `must be one of: ${parts.join(', ')}`);
}

/** What it is of, and of which day by UTC: `mergelight-contributors-ada-metrics-2026-03-29.csv`. */
function fileName({ path }: Endpoint, params: Readonly<Record<string, string>>, now: Date): string {
  const of = path
    .replace(/^\/(api|auth)\/(administration\/)?/, '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    .replaceAll(/[^\w.-]+/g, '-');
  return `mergelight-${of}-${now.toISOString().slice(0, 10)}.csv`;
}
