import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

export interface Network {
  /** Milliseconds for all of it; the default is 10 s. */
  readonly patience?: number;
  /** Authorities beside those that the process trusts. */
  readonly ca?: ConnectionOptions['ca'];
}

interface Connection extends Network {
  /** Where to connect to, whatever the name resolves to now; null asks the system. */
  readonly addresses: readonly string[] | null;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

interface Broken {
  readonly error: unknown;
  /** Whether anything of the body may have been written: without that it surely didn't arrive. */
  readonly begun: boolean;
}

const PATIENCE = 10_000;
/** So much of an answer is read. */
const MOST_BYTES = 64 * 1024;

/** Posts a body, once, on a connection of its own, without following redirects. What breaks is a result. */
export function exchange(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  { addresses, patience = PATIENCE, ca }: Connection,
): Promise<Answer | Broken> {
  const { promise, resolve } = Promise.withResolvers<Answer | Broken>();
  let begun = false;
  const isHttps = url.protocol === 'https:';
  const found = addresses?.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup: LookupFunction | undefined =
    found &&
    ((_name, options, done) =>
      options.all === true ? done(null, found) : done(null, found[0]!.address, found[0]!.family));
  const sending = (isHttps ? requestHttps : requestHttp)(url, {
    method: 'POST',
    headers: {
      'user-agent': 'Mergelight',
      ...headers,
      ...{ 'content-length': Buffer.byteLength(body), connection: 'close' },
    },
    agent: false,
    ...(lookup !== undefined && { lookup }),
    ...(ca !== undefined && { ca }),
  });
  let outOfTime = () => broken(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' }));
  // It ends by itself: of a request that is destroyed already nothing more is heard.
  const late = setTimeout(() => outOfTime(), patience);
  const done = (result: Answer | Broken) => {
    clearTimeout(late);
    resolve(result);
    sending.destroy();
  };
  const broken = (error: unknown) => done({ error, begun });
  sending.on('error', broken);
  sending.on('socket', (socket) =>
    socket.once(isHttps ? 'secureConnect' : 'connect', () => {
      if (sending.destroyed) return;
      begun = true;
      sending.end(body);
    }),
  );
  // Without a listener Node drops the connection and says nothing but that it closed.
  sending.on('upgrade', (response, socket) => {
    socket.destroy();
    broken(new Error(`It answered ${response.statusCode}.`));
  });
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
    // The status is the answer, also where the rest of it breaks or does not come in time.
    outOfTime = answered;
    sending.off('error', broken).on('error', answered);
    response.on('end', answered).on('error', answered).on('close', answered);
  });
  return promise;
}
