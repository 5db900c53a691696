import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { copiedFromBuild, copiedFromContext, instructions, productionPackages } from '../support/image.ts';
import { freePort } from '../support/product.ts';

const root = resolve(import.meta.dirname, '../..');

let folder: string;
let image: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mergelight-image-'));
  await chmod(folder, 0o755);
  image = join(folder, 'app');
  for (const [from, to] of [...copiedFromBuild(), ...copiedFromContext()]) copy(from, join(image, to));
  await copyFile(process.execPath, join(folder, 'node'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database?.close();
});

/** What the stage that builds would have at this place. */
function copy(from: string, to: string): void {
  if (from === 'sbom.spdx.json') return;
  if (from === 'node_modules') for (const path of productionPackages()) copyPackage(path);
  else if (existsSync(join(root, from)))
    cpSync(join(root, from), to, { recursive: true, filter: (path) => !/\.(test|e2e)\.tsx?$/.test(path) });
  else throw new Error(`The Dockerfile copies ${from}, which there is not: "npm run build" makes dist.`);
}

function copyPackage(path: string): void {
  mkdirSync(dirname(join(image, path)), { recursive: true });
  const own = join(root, path);
  cpSync(own, join(image, path), {
    recursive: true,
    filter: (file) => !file.slice(own.length).includes('/node_modules'),
  });
}

/** Every file and when it was changed. */
function contents(): string[] {
  return readdirSync(image, { recursive: true }).map((name) => {
    const { mtimeMs, size, isFile } = { ...statSync(join(image, String(name))), isFile: true };
    return `${name} ${mtimeMs} ${isFile && size}`;
  });
}

/** As the image runs it: its command and environment, by its user where we may, with nothing on the PATH and no home. */
async function run(
  more: Readonly<Record<string, string>>,
): Promise<{ url: string; child: ChildProcess; output: () => string }> {
  const port = await freePort();
  const [command, ...args] = JSON.parse(instructions('CMD').at(-1)!) as [string, ...string[]];
  expect(command).toBe('node');
  const environment = Object.fromEntries(
    instructions('ENV').flatMap((line) =>
      line.split(/\s+/).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]),
    ),
  );
  const [uid, gid] = instructions('USER').at(-1)!.split(':').map(Number);
  const child = spawn(join(folder, 'node'), args, {
    cwd: image,
    env: {
      PATH: '',
      HOME: '/nonexistent',
      npm_config_registry: 'http://127.0.0.1:1',
      ...environment,
      PORT: String(port),
      ...more,
    },
    ...(process.getuid?.() === 0 && { uid, gid }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-8000);
    });
  return { url: `http://127.0.0.1:${port}`, child, output: () => output };
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

const place = () => ({
  DATABASE_URL: String(database.pool.options.connectionString),
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  TMPDIR: '/nonexistent',
});

test('what the image holds starts by itself, writes nothing, serves pages and documentation, and calls itself healthy', async () => {
  const before = contents();
  const { url, child, output } = await run(place());
  try {
    await vi.waitFor(async () => {
      expect(child.exitCode, output()).toBeNull();
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }, 60_000);

    const check = JSON.parse(/CMD (\[.*\])$/s.exec(instructions('HEALTHCHECK')[0]!)![1]!) as string[];
    const probe = spawn(join(folder, 'node'), check.slice(1), { env: { PORT: new URL(url).port } });
    expect((await once(probe, 'exit'))[0]).toBe(0);
    expect(await (await fetch(`${url}/login`)).text()).toContain('<div id="root">');
    const documents = [...(await (await fetch(`${url}/docs`)).text()).matchAll(/href="(\/docs\/[a-z-]+)"/g)];
    expect(documents.map(([, path]) => path)).toEqual(expect.arrayContaining(['/docs/operating', '/docs/changes']));
    for (const [, path] of documents) expect((await fetch(`${url}${path}`)).status, path).toBe(200);
  } finally {
    expect(await stop(child), output()).toBe(0);
  }
  expect(contents()).toEqual(before);
});

test('without a server its health check fails', async () => {
  const check = JSON.parse(/CMD (\[.*\])$/s.exec(instructions('HEALTHCHECK')[0]!)![1]!) as string[];
  const probe = spawn(join(folder, 'node'), check.slice(1), { env: { PORT: String(await freePort()) } });

  expect((await once(probe, 'exit'))[0]).toBe(1);
});
