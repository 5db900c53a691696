import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request that went through, and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly answer: string;
}

export interface RecordingProxy {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** From now on requests go to this address. */
  forwardTo(url: string): void;
  /** So many of the next requests are answered with this status and what they said: headers and body, as a careless gateway does. */
  echo(requests: number, status: number): void;
  close(): Promise<void>;
}

/** Stands between the product and its host and keeps what is said, word for word. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  let target = '';
  let echoes = { left: 0, status: 502 };
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await buffer(request);
    const keep = (answer: string) => exchanges.push({ method, path: url, headers, body: body.toString(), answer });
    if (echoes.left > 0) {
      echoes = { ...echoes, left: echoes.left - 1 };
      const answer = JSON.stringify({ message: `You sent ${JSON.stringify(headers)} ${body}` });
      keep(answer);
      response.writeHead(echoes.status, {
        'content-type': 'application/json',
        'x-echo': String(headers.authorization ?? ''),
      });
      response.end(answer);
      return;
    }
    try {
      const { host: _, connection: __, 'transfer-encoding': ___, 'content-length': ____, ...passed } = headers;
      const answer = await fetch(`${target}${url}`, {
        method,
        headers: passed as Record<string, string>,
        ...(body.length > 0 && { body }),
        redirect: 'manual',
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      keep(bytes.toString());
      const { 'content-encoding': _____, 'content-length': ______, ...rest } = Object.fromEntries(answer.headers);
      response.writeHead(answer.status, rest).end(bytes);
    } catch {
      // What a gateway does when the host does not answer.
      response.writeHead(504).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    forwardTo(url) {
      target = url;
    },
    echo(requests, status) {
      echoes = { left: requests, status };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
