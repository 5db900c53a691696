import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { folderError, makeFolder } from '../db/data-folder.ts';
import type { Log } from '../log.ts';

/** The built-in demo host: the simulated host in a process of its own, on this machine. It is met over HTTP, as any host. */
export interface DemoHost {
  /** Where it answers, or will as soon as it is up. */
  readonly url: string;
  /** When its history begins. */
  readonly since: Date;
  /** Resolves when it answers with its world; null when `patience` milliseconds have passed. */
  ready(patience: number): Promise<DemoWorld | null>;
  /** Has `listener` know each time that it was started once more: what it was told before, it has forgotten. */
  onStartedAgain(listener: () => void): void;
  stop(): void;
}

export interface DemoWorld {
  /** Whom to sign in as. */
  readonly login: string;
  readonly repositories: readonly { readonly owner: string; readonly name: string }[];
  /** Whose work visitors are shown; null where nobody's. */
  readonly desk: string | null;
}

export interface DemoSettings {
  /** The simulated host's program. */
  readonly program: string;
  /** Keeps since when the demo lives, so that a restart shows the same history. */
  readonly data_dir: string;
  /** How browsers reach the demo's pages and pictures. */
  readonly public_url: string;
  readonly now: () => Date;
  readonly log: Log;
  /** In milliseconds; for tests in a hurry. */
  readonly renewed_after?: number;
}

/** Its history is made two weeks ahead of its start: long before that ends, in milliseconds, it is started once more and goes on with it. */
const RENEWED_AFTER = 7 * 86_400_000;

/** How much history the demo has at its first start, in milliseconds: 78 weeks. */
const HISTORY = 78 * 7 * 86_400_000;

const kept = z.object({ since: z.iso.datetime() });
const state = z.object({
  signIn: z.array(z.string()).min(1),
  desk: z.string().nullable(),
  repositories: z.array(z.object({ full_name: z.string().regex(/^[^/]+\/[^/]+$/), deleted: z.boolean() })),
});

/**
 * Starts it in the background and starts it again should it die. It ends with this process, whatever happens.
 * @throws StartError when its folder cannot be used
 */
export async function startDemoHost(settings: DemoSettings): Promise<DemoHost> {
  const since = await sinceWhen(settings);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let stopped = false;
  let child: ChildProcess | null = null;
  let startedAgain: () => void = () => undefined;
  run();

  function run(): void {
    const options = ['--world', 'demo', '--port', String(port), '--since', since, '--public-url', settings.public_url];
    const own = spawn(process.execPath, [settings.program, ...options, '--with-parent'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child = own;
    let isRenewed = false;
    const renewal = setTimeout(() => {
      isRenewed = true;
      own.kill();
    }, settings.renewed_after ?? RENEWED_AFTER).unref();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => settings.log.warn({ text }, 'demo host'));
    child.once('error', (error) => settings.log.error({ err: error }, 'the demo host cannot be started'));
    child.once('exit', (code) => {
      clearTimeout(renewal);
      if (stopped) return;
      if (!isRenewed) settings.log.error({ exit: code }, 'the demo host ended; it is started again');
      setTimeout(
        () => {
          if (stopped) return;
          run();
          startedAgain();
        },
        isRenewed ? 0 : 2000,
      ).unref();
    });
  }

  return {
    url,
    since: new Date(since),
    async ready(patience) {
      const limit = AbortSignal.timeout(patience);
      while (!limit.aborted) {
        const world = await readWorld(url, limit);
        if (world !== null) return world;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return null;
    },
    onStartedAgain(listener) {
      startedAgain = listener;
    },
    stop() {
      stopped = true;
      child?.kill();
    },
  };
}

async function readWorld(url: string, limit: AbortSignal): Promise<DemoWorld | null> {
  let answer: unknown;
  try {
    answer = await (await fetch(`${url}/_control/state`, { signal: limit })).json();
  } catch {
    // It does not listen yet, or builds its world for longer than we wait.
    return null;
  }
  const { signIn, repositories, desk } = state.parse(answer);
  return {
    desk,
    login: signIn[0] ?? '',
    repositories: repositories
      .filter((repository) => !repository.deleted)
      .map((repository) => {
        const [owner = '', name = ''] = repository.full_name.split('/');
        return { owner, name };
      }),
  };
}

/** @throws StartError when the folder cannot be used */
async function sinceWhen({ data_dir, now }: DemoSettings): Promise<string> {
  const file = join(data_dir, 'demo.json');
  try {
    await makeFolder(data_dir);
    const known = await storedSince(file);
    if (known !== null) return known;
    const start = Math.floor(now().getTime() / 1000) * 1000 - HISTORY;
    const fresh = { since: new Date(start).toISOString() };
    const unfinished = `${file}.unfinished`;
    await writeFile(unfinished, JSON.stringify(fresh), { flush: true });
    await rename(unfinished, file);
    return fresh.since;
  } catch (error) {
    throw folderError(data_dir, error);
  }
}

/** Null where there is none, or one that a loss of power has cut. */
async function storedSince(file: string): Promise<string | null> {
  try {
    return kept.parse(JSON.parse(await readFile(file, 'utf8'))).since;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
