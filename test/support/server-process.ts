import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const root = resolve(import.meta.dirname, '../..');
/** A start is only a failure when it takes so long, in milliseconds: the machine may be busy. */
const PATIENCE = 180_000;

/**
 * Starts the server of a checkout, as `npm start` does, on a free port; `env` says where its data and its host are. `detached`: the system
 * weighs it like a service, by itself, and does not end it with whoever started it.
 */
export async function spawnServer(
  env: Readonly<Record<string, string>>,
  checkout = root,
  { detached = false } = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: checkout,
    detached,
    env: {
      ...{ PATH: process.env.PATH, PORT: String(port), PUBLIC_URL: url, DEMO: 'false' },
      ...{ LOG_LEVEL: 'fatal', ALLOW_TOKEN_SIGN_IN: 'true' },
      NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/compiled'),
      LIMITS: 'requests=1000000,costly=1000000,sign_in=1000000,failed_sign_in=1000000,demo_visitors=1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new ServerProcess(child, url);
}

/** One process of the server, to be asked over HTTP and killed. */
export class ServerProcess {
  readonly url: string;
  /** Sent with every request; null before somebody has signed in. */
  cookie: string | null = null;
  /** Told how many milliseconds the start took. */
  onReady: (milliseconds: number) => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #began = performance.now();
  #output = '';

  constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output = `${this.#output}${chunk}`.slice(-4000);
      });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The end of what it has printed. */
  get output(): string {
    return this.#output;
  }

  async ready(): Promise<void> {
    for (;;) {
      const ok = await fetch(`${this.url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      );
      const took = performance.now() - this.#began;
      if (ok) {
        this.onReady(Math.round(took));
        return;
      }
      if (this.#child.exitCode !== null || took > PATIENCE)
        throw new Error(`It does not start (exit ${this.#child.exitCode}, ${Math.round(took)} ms): ${this.#output}`);
      await pause(25);
    }
  }

  async ask(
    method: string,
    path: string,
    body?: object,
    cookie = this.cookie,
  ): Promise<{ status: number; body: unknown; cookie: string | null }> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        origin: this.url,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== null && { cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? null,
    };
  }

  /** Ends it at once, whatever it does. */
  killNow(): void {
    this.#child.kill('SIGKILL');
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null) throw new Error(`It ended by itself (${this.#child.exitCode}): ${this.#output}`);
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** Tells it to stop, without waiting for that. */
  tellToStop(): void {
    this.#child.kill('SIGTERM');
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await gone;
  }
}
