import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SimulatorReply, SimulatorRequest } from './simulators-process.ts';

const PROGRAM = fileURLToPath(new URL('simulators-process.ts', import.meta.url));

export interface RunningSimulator {
  /** The host's web address: REST at `/api/v3`, GraphQL at `/api/graphql`, tokens such as `ghp_<login>`. */
  readonly url: string;
  /** Of its process, which it shares with the other hosts that this process started. */
  readonly pid: number;
  /** Steers the simulated host: `/_control/{path}`, by GET without a body and POST with one unless `method` says so. */
  control(path: string, body?: unknown, method?: 'DELETE' | 'PATCH'): Promise<unknown>;
  stop(): Promise<void>;
}

export interface SimulatorSettings {
  readonly world: string;
  /** Where the recorded worlds find their data. */
  readonly data?: string;
  /** The moment at which the world stands when it starts. */
  readonly now?: Date;
  /** Further arguments of the simulator's command line. */
  readonly more?: readonly string[];
}

/** Node, GitHub's schema and the host's code are loaded once for all hosts that a process of tests starts. */
class SimulatorsProcess {
  readonly child: ChildProcess = fork(PROGRAM, { execArgv: [] });
  readonly #waiting = new Map<number, { resolve(reply: SimulatorReply): void; reject(error: Error): void }>();
  #started = 0;

  constructor() {
    // A process of tests doesn't wait for it.
    this.child.unref();
    this.child.channel?.unref();
    this.child.on('message', (reply: SimulatorReply) => {
      this.#waiting.get(reply.id)?.resolve(reply);
      this.#waiting.delete(reply.id);
    });
    this.child.on('error', (error) => this.#fail(error));
    this.child.on('exit', (code, signal) => this.#fail(new Error(`The simulated hosts ended (${code ?? signal}).`)));
  }

  /** The id of the next host. */
  nextId(): number {
    this.#started += 1;
    return this.#started;
  }

  async request(request: SimulatorRequest): Promise<SimulatorReply> {
    const { promise, resolve, reject } = Promise.withResolvers<SimulatorReply>();
    this.#waiting.set(request.id, { resolve, reject });
    this.child.channel?.ref();
    this.child.send(request, (error) => error && reject(error));
    try {
      const reply = await promise;
      if ('error' in reply)
        throw new Error(`A simulated host can't ${'start' in request ? 'start' : 'stop'}: ${reply.error}`);
      return reply;
    } finally {
      if (this.#waiting.size === 0) this.child.channel?.unref();
    }
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    if (ofThisProcess === this) ofThisProcess = null;
  }
}

let ofThisProcess: SimulatorsProcess | null = null;

/**
 * Starts the simulated host outside of this process, the way the product meets a host: over HTTP and nothing else.
 * It ends by `stop`, and with this process whatever happens.
 */
export async function startSimulator(settings: SimulatorSettings): Promise<RunningSimulator> {
  const given = { world: settings.world, data: settings.data, now: settings.now?.toISOString() };
  const options = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  ofThisProcess ??= new SimulatorsProcess();
  const hosts = ofThisProcess;
  const id = hosts.nextId();
  const reply = await hosts.request({ id, start: [...options, ...(settings.more ?? [])] });
  if (!('url' in reply)) throw new Error('A simulated host was started without an address.');
  const { url } = reply;

  return {
    url,
    pid: hosts.child.pid!,
    async control(path, body, method) {
      const answer = await fetch(`${url}/_control/${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`The simulated host refuses ${path}: ${answer.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    async stop() {
      if (ofThisProcess === hosts) await hosts.request({ id, stop: true });
    },
  };
}
