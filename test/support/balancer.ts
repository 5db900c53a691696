import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** Passes requests on to processes that say that they are ready, in turn; it never tries one again. */
export interface Balancer {
  readonly url: string;
  /** What went wrong on the way to a process, which the caller has seen as 502. */
  readonly failures: string[];
  add(target: string): void;
  /** Whether requests go to this one. */
  passesTo(target: string): boolean;
  /** How many requests this one has still to answer, streams of events aside. */
  pending(target: string): number;
  remove(target: string): void;
  stop(): Promise<void>;
}

/** How often processes are asked whether they are ready, in milliseconds, unless told otherwise. */
const LOOK_EVERY = 100;
/** A connection that nobody uses is kept so long, in milliseconds. */
const KEPT_OPEN = 120_000;
/** One to a process, in milliseconds: shorter than that keeps it (docs/operating.md), as the usual ones do. */
const KEPT_TO_PROCESS = 60_000;

export async function startBalancer(look_every = LOOK_EVERY): Promise<Balancer> {
  const targets = new Map<string, boolean>();
  const failures: string[] = [];
  const pending = new Map<string, number>();
  const count = (target: string, more: 1 | -1) => pending.set(target, (pending.get(target) ?? 0) + more);
  const agent = new Agent({ keepAlive: true, timeout: KEPT_TO_PROCESS });
  let turn = 0;

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const ready = [...targets].filter(([, isReady]) => isReady).map(([target]) => target);
    turn += 1;
    const target = ready[turn % ready.length];
    if (target === undefined) return void answer.writeHead(502).end('nobody is ready');
    const { hostname, port } = new URL(target);
    count(target, 1);
    let counted = true;
    const answered = () => {
      if (counted) count(target, -1);
      counted = false;
    };
    const on = request(
      { agent, hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
      (given) => {
        if (given.headers['content-type']?.startsWith('text/event-stream')) answered();
        given.on('close', answered);
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
        given.on('error', () => answer.destroy());
        answer.on('close', () => given.destroy());
      },
    );
    on.on('error', (error) => {
      answered();
      failures.push(`${asked.method} ${asked.url} at ${target}: ${error.message}`);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(error.message);
    });
    answer.on('close', () => on.destroy());
    asked.pipe(on);
  }

  const server = createServer(pass);
  // Longer than any process, whose word on it reaches the caller: nobody asks by a connection that is just being closed.
  server.keepAliveTimeout = KEPT_OPEN;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  /** One that cannot answer now is still there; one that is told to stop says so. */
  async function look(target: string): Promise<void> {
    const answer = await fetch(`${target}/readyz`);
    const { code } = (await answer.json()) as { code?: string };
    if (targets.has(target) && (answer.ok || code === 'stopping')) targets.set(target, answer.ok);
  }
  const looks = setInterval(() => {
    for (const target of targets.keys()) void look(target).catch(() => undefined);
  }, look_every);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.');
  return {
    url: `http://localhost:${address.port}`,
    failures,
    add: (target) => void targets.set(target, false),
    passesTo: (target) => targets.get(target) === true,
    pending: (target) => pending.get(target) ?? 0,
    remove: (target) => void targets.delete(target),
    async stop() {
      clearInterval(looks);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
