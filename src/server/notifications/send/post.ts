import { request } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { mayReach } from './addresses.ts';
import { cleaned, type Outcome, wordsOfError } from './outcome.ts';
import { addressesOf, type TargetSettings } from './targets.ts';

export interface PostSettings extends TargetSettings {
  readonly now: () => Date;
  /** Milliseconds for all of it; the default is 10 s. */
  readonly patience?: number;
  /** Authorities beside those that the process trusts. */
  readonly ca?: ConnectionOptions['ca'];
}

const PATIENCE = 10_000;
/** So much of an answer is read. */
const MOST_BYTES = 64 * 1024;
/** A wait that the other side asks for is followed up to so long, in seconds. */
const LONGEST_WAIT = 4 * 3600;

/** An answer that arrived, with what was read of its body. */
export interface Posted extends Outcome {
  readonly body: string;
}

/**
 * Posts to an address of a channel, once, by https alone: to an address that its name has at this moment, without following redirects.
 * Never throws for what the other side does.
 */
export async function post(
  text: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  settings: PostSettings,
): Promise<Posted> {
  const url = new URL(text);
  let address: string | undefined;
  try {
    const addresses = await addressesOf(url, settings);
    if (!addresses.every((one) => mayReach(one, settings.allowPrivate)))
      return outcome('final', null, 'The address leads into a private network.');
    [address] = addresses;
  } catch {
    // Whatever the resolver's reason is, there is nobody to talk to now.
  }
  if (address === undefined || url.protocol !== 'https:') return outcome('retry', null, 'Its name doesn’t resolve.');
  const answer = await exchange(url, address, body, headers, settings);
  if ('status' in answer) return judged(answer, settings.now());
  const message = wordsOfError(answer.error);
  return outcome(answer.begun ? 'unknown' : 'retry', null, message);
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

interface Broken {
  readonly error: unknown;
  /** Whether anything of the body was written. */
  readonly begun: boolean;
}

function exchange(
  url: URL,
  address: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { patience = PATIENCE, ca }: PostSettings,
): Promise<Answer | Broken> {
  const { promise, resolve } = Promise.withResolvers<Answer | Broken>();
  let begun = false;
  const family = address.includes(':') ? 6 : 4;
  const sending = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
    agent: false,
    // The address that was looked at is the one that is used.
    lookup: (_name, options, found) =>
      options.all === true ? found(null, [{ address, family }]) : found(null, address, family),
    ...(ca !== undefined && { ca }),
  });
  const late = setTimeout(() => {
    sending.destroy(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' }));
  }, patience);
  const done = (result: Answer | Broken) => {
    clearTimeout(late);
    resolve(result);
    sending.destroy();
  };
  sending.on('error', (error) => done({ error, begun }));
  sending.on('socket', (socket) =>
    socket.once('secureConnect', () => {
      if (sending.destroyed) return;
      begun = true;
      sending.end(body);
    }),
  );
  sending.on('response', (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const answered = () =>
      done({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        body: Buffer.concat(chunks).toString('utf8'),
      });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, MOST_BYTES - size));
      size += chunk.length;
      if (size >= MOST_BYTES) answered();
    });
    // The status is the answer, also where the rest of it breaks.
    response.on('end', answered).on('error', answered).on('close', answered);
  });
  return promise;
}

function judged({ status, retryAfter, body }: Answer, now: Date): Posted {
  const message = cleaned(body) || (status < 300 ? 'Delivered.' : `Answered ${status}.`);
  const wait = secondsOf(retryAfter, now);
  if (status >= 200 && status < 300) return outcome('sent', status, message, { body });
  if ([408, 425, 429].includes(status) || status >= 500)
    return outcome('retry', status, message, { body, retryAfter: wait });
  return outcome('final', status, message, { body, gone: status === 404 || status === 410 });
}

/** Of a `Retry-After` header, which has seconds or a date. */
export function secondsOf(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_WAIT);
}

function outcome(
  state: Outcome['state'],
  status: number | null,
  message: string,
  { body = '', retryAfter = null, gone = false }: Partial<Pick<Posted, 'body' | 'retryAfter' | 'gone'>> = {},
): Posted {
  return { state, status: status === null ? null : String(status), message, retryAfter, gone, body };
}
