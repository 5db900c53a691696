import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inject, type ProvidedContext } from 'vitest';
import { storeKeys } from '../../src/server/db/key-file.ts';
import { newPostgresqlDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { type RunningSimulator, type SimulatorSettings, startSimulator } from './simulator.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of a migrated embedded database that a product can start on a copy of: several seconds sooner than on none. */
    migratedFolder: string;
  }
}

/** How long ago the history of a test's demo begins, in milliseconds: the whole of it takes long to import, and few look at it. */
const DEMO_HISTORY = 4 * 7 * 86_400_000;
const CLIENT_SECRET = 'mergelight-e2e-client-secret';
const root = resolve(import.meta.dirname, '../..');

export interface RunningProduct {
  /** The product's own address. */
  readonly url: string;
  readonly host: RunningSimulator;
  /** What it was started with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All that it has printed so far, on both of its outputs. */
  output(): string;
  /** Ends the product alone; host and data stay until `stop`. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a simulated host and the product on it, each as a process of its own, with an empty database: on the PostgreSQL server of this run
 * where there is one, else the embedded one. `settings` change or take away (undefined) variables of the product; without `DATABASE_URL` its
 * database is the embedded one everywhere. Its demo began a few weeks ago; with `wholeDemo` as long ago as for people.
 */
export async function startProduct(
  world: SimulatorSettings,
  settings: Readonly<Record<string, string | undefined>> = {},
  { wholeDemo = false } = {},
): Promise<RunningProduct> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(world, settings, wholeDemo);
    } catch (error) {
      // Another test was given the same free port and was faster.
      if (tries === 3 || !String(error).includes('is in use by another program')) throw error;
    }
  }
}

async function startOnce(
  world: SimulatorSettings,
  settings: Readonly<Record<string, string | undefined>>,
  wholeDemo: boolean,
): Promise<RunningProduct> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const app = [
    '--client-id',
    'mergelight-e2e',
    '--client-secret',
    CLIENT_SECRET,
    '--callback-url',
    `${url}/auth/callback`,
  ];
  const host = await startSimulator({ ...world, more: [...(world.more ?? []), ...app] });
  const folder = await mkdtemp(join(tmpdir(), 'mergelight-e2e-'));
  const since = new Date(Math.floor((Date.now() - DEMO_HISTORY) / 1000) * 1000);
  if (!wholeDemo) await writeFile(join(folder, 'demo.json'), JSON.stringify({ since }));
  const database = await ownDatabase(folder, settings);
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: folder,
    GITHUB_URL: host.url,
    GITHUB_CLIENT_ID: 'mergelight-e2e',
    GITHUB_CLIENT_SECRET: CLIENT_SECRET,
    ALLOW_TOKEN_SIGN_IN: 'true',
    LOG_LEVEL: 'warn',
    // A test does in seconds what people do in hours.
    LIMITS: 'requests=1000000,costly=1000000,sign_in=1000000,failed_sign_in=1000000,demo_visitors=1000000',
    ...database.settings,
    ...settings,
  };
  const server = spawn(process.execPath, ['src/server/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((gone) => server.once('exit', () => gone()));
  const end = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  const stop = async () => {
    await end();
    await host.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };

  const giveUpAt = Date.now() + 100_000;
  while (!(await isReady(url))) {
    if (server.exitCode !== null || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`The product did not become ready: ${said}`);
    }
    await new Promise((later) => setTimeout(later, 100));
  }
  return { url, host, env, output: () => said, end, stop };
}

/** What a product with this folder and these settings is given so that its database is there already, where that can be: seconds sooner. */
async function ownDatabase(
  folder: string,
  settings: Readonly<Record<string, string | undefined>>,
): Promise<{ settings: Record<string, string>; drop(): Promise<void> }> {
  const none = { settings: {}, drop: async () => undefined };
  // Nobody can ask for these outside of Vitest, where benchmarks are.
  if (!process.env.VITEST || settings.DATABASE_URL) return none;
  const postgresql: ProvidedContext['postgresql'] | undefined = inject('postgresql');
  if (postgresql !== undefined && !('DATABASE_URL' in settings)) {
    const { url, drop } = await newPostgresqlDatabase(postgresql);
    return { settings: { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('base64') }, drop };
  }
  const migrated: string | undefined = inject('migratedFolder');
  if (migrated === undefined) return none;
  await cp(migrated, join(folder, 'database'), { recursive: true });
  // No start takes a database without the key that its secrets are sealed with.
  await storeKeys(folder, [randomBytes(32)]);
  return none;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
