import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { HostError } from '../host/errors.ts';

/** The server ends a statement after so long, and the wait for a lock, in milliseconds. */
export const STATEMENT_LIMIT = 30_000;
export const LOCK_LIMIT = 10_000;
/** A server that hasn't even done that by then is given up: its connection is cut, in milliseconds. */
export const ANSWER_LIMIT = 32_000;

const unlimited = new AsyncLocalStorage<boolean>();

/** Runs work whose statements may take as long as they need, such as migrations; the server's own limit is lifted by the caller. */
export function withoutStatementLimit<T>(work: () => Promise<T>): Promise<T> {
  return unlimited.run(true, work);
}

/** A client class for `pg` that cuts its connection when a statement is not answered in time: the statement then fails, and the pool makes another one. */
export function clientWithin(limit: number): typeof pg.Client {
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: `pg` takes a dozen shapes of arguments, which are passed on as they are
    override query(...args: any[]): any {
      const ask = super.query as (...args: unknown[]) => unknown;
      if (unlimited.getStore() === true) return ask.apply(this, args);
      const timer = setTimeout(() => {
        const { stream } = (this as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection;
        stream.destroy(new Error(`The database did not answer within ${limit} ms.`));
      }, limit);
      // A pool asks with a function that is told the answer.
      const told = args.at(-1);
      if (typeof told === 'function')
        args[args.length - 1] = (...answer: unknown[]) => {
          clearTimeout(timer);
          told(...answer);
        };
      const answer = ask.apply(this, args);
      if (answer instanceof Promise) return answer.finally(() => clearTimeout(timer));
      // Rows that are read one after the other have no time of their own.
      if (typeof told !== 'function') clearTimeout(timer);
      return answer;
    }
  } as typeof pg.Client;
}

/** Classes of PostgreSQL's codes: connection, resources, locks, operator; and single codes of statements that gave way. */
const away = /^(08|53|57|58|40|55P03)/;
const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // A server that stops takes its Unix socket with it.
  'ENOENT',
]);
/** What a connection of ours was at: a browser that goes away, or a file that isn't there, says nothing about the database. */
const callsOfNetwork = new Set(['getaddrinfo', 'connect', 'read', 'write']);
/** What `pg` says without a code, and Node of a connection that ends before TLS begins. */
const told =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|The database did not answer|The server does not|Client was closed|Client network socket disconnected)/;

/** Whether a question failed because the database is away, hangs or is too busy: asking again later can succeed. */
export function isDatabaseAway(error: unknown): boolean {
  // That of the host may come of the same network's error.
  if (!(error instanceof Error) || error instanceof HostError) return false;
  if (error instanceof pg.DatabaseError) return away.test(error.code ?? '');
  // One for each address of the server's name.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (network.has(code) && callsOfNetwork.has(syscall)) return true;
  return told.test(error.message) || (error.cause instanceof Error && isDatabaseAway(error.cause));
}

/** Whether a row itself cannot be stored: a value is too long, too large or not allowed, however often it is tried. */
export function isOfTheData(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(22|23|54)/.test(error.code ?? '');
  return error instanceof TypeError || error instanceof RangeError;
}
