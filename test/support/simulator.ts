import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RunningSimulator {
  /** The host's web address: REST at `/api/v3`, GraphQL at `/api/graphql`, tokens such as `ghp_<login>`. */
  readonly url: string;
  /** Of its process. */
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

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Starts the simulated host as a process of its own, the way the product meets a host: over HTTP and nothing else.
 * It ends by `stop`, and with this process whatever happens.
 */
export async function startSimulator(settings: SimulatorSettings): Promise<RunningSimulator> {
  const given = { world: settings.world, data: settings.data, now: settings.now?.toISOString(), port: '0' };
  const options = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  const child = spawn(
    process.execPath,
    ['src/simulator/main.ts', ...options, '--with-parent', ...(settings.more ?? [])],
    { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const complaints: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      lines.close();
      // What it prints later must not fill the pipe.
      child.stdout.resume();
      resolve((JSON.parse(line) as { url: string }).url);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The simulated host ended (${code}): ${complaints.join('')}`)));
  });

  return {
    url,
    pid: child.pid!,
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
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}
