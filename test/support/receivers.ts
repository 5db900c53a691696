import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { MailSettings } from '../../src/server/notifications/send/mail.ts';
import { certificate, privateKey } from './certificate.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** As it came, headers first. */
  readonly raw: string;
  readonly secure: boolean;
}

export interface MailReceiver {
  readonly settings: MailSettings;
  readonly mails: ReceivedMail[];
  /** Breaks the connections that are open. */
  cut(): void;
  stop(): Promise<void>;
}

/** A mail server on a port of its own, which takes every mail unless `more` says otherwise. */
export async function startMailReceiver(more: SMTPServerOptions = {}): Promise<MailReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, key: privateKey, cert: certificate, hideSTARTTLS: true },
    // A name server that does not answer would hold each mail for five seconds.
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
          secure: session.secure,
        });
        done();
      });
    },
    ...more,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const sockets = new Set<Socket>();
  listening.on('connection', (socket: Socket) => sockets.add(socket));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    ...{ mails, cut },
    settings: {
      ...{ host: '127.0.0.1', port, secure: false, require_tls: false, user: null, password: null },
      from: 'Mergelight <mergelight@mail.test>',
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface WebReceiver {
  /** `https://127.0.0.1:…`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly posts: ReceivedPost[];
  /** What it does with requests from now on; the default answers 200 `ok`. */
  respond: (response: ServerResponse, request: IncomingMessage, socket: Socket) => void;
  stop(): Promise<void>;
}

/** An https server on a port of its own, with the certificate of `certificate.ts`. */
export async function startWebReceiver(): Promise<WebReceiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer({ key: privateKey, cert: certificate }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      posts.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      receiver.respond(response, request, request.socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebReceiver = {
    ...{ url: `https://127.0.0.1:${port}`, port, posts },
    respond: (response) => void response.end('ok'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
