import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import {
  copiedFromBuild,
  copiedFromContext,
  installedPackages,
  instructions,
  packagingCommands,
  productionPackages,
} from '../support/image.ts';

const root = resolve(import.meta.dirname, '../..');

let folder: string;
/** As much of the folder of the stage that builds as its commands for packages need. */
let build: string;
let image: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'mergelight-image-'));
  await chmod(folder, 0o755);
  build = join(folder, 'build');
  image = join(folder, 'app');
  install();
  for (const command of packagingCommands())
    execFileSync('sh', ['-c', command], { cwd: build, env: offline(), stdio: 'pipe' });
  mkdirSync(image);
  for (const [from, to] of [...copiedFromBuild(), ...copiedFromContext()]) copy(from, join(image, to));
  await copyFile(process.execPath, join(folder, 'node'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database?.close();
});

/** Copies what is installed here into the stage that builds: of the tools no more than npm reads. */
function install(): void {
  const needed = new Set(productionPackages());
  for (const path of installedPackages())
    if (needed.has(path)) copyPackage(path);
    else cpSync(join(root, path, 'package.json'), join(build, path, 'package.json'));
  for (const file of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'node_modules/.bin',
    'node_modules/.package-lock.json',
  ])
    cpSync(join(root, file), join(build, file), { recursive: true, verbatimSymlinks: true });
}

/** The environment of npm's commands, which neither a registry nor what runs these tests changes. */
const offline = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  npm_config_cache: join(folder, 'npm'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
});

/** What the stage that builds would have at this place. */
function copy(from: string, to: string): void {
  if (existsSync(join(build, from))) renameSync(join(build, from), to);
  else if (existsSync(join(root, from)))
    cpSync(join(root, from), to, { recursive: true, filter: (path) => !/\.(test|e2e)\.tsx?$/.test(path) });
  else throw new Error(`The Dockerfile copies ${from}, which there is not: "npm run build" makes dist.`);
}

function copyPackage(path: string): void {
  mkdirSync(dirname(join(build, path)), { recursive: true });
  const own = join(root, path);
  cpSync(own, join(build, path), {
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

test('its packages are those that the server needs, and the list of them (SBOM) is SPDX that names each of them and no other', () => {
  const needed = productionPackages().sort();
  const installed = JSON.parse(readFileSync(join(image, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const sbom = JSON.parse(readFileSync(join(image, 'sbom.spdx.json'), 'utf8')) as {
    packages: {
      SPDXID: string;
      name: string;
      versionInfo: string;
      packageFileName: string;
      downloadLocation: string;
    }[];
    relationships: { spdxElementId: string; relatedSpdxElement: string }[];
  };
  const ids = sbom.packages.map(({ SPDXID }) => SPDXID);
  const listed = sbom.packages.filter(({ packageFileName }) => packageFileName !== '');

  expect(Object.keys(installed.packages).sort()).toEqual(needed);
  expect(readdirSync(join(image, 'node_modules'))).not.toContain('vite');
  expect(sbom).toMatchObject({
    ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT', name: 'mergelight@0.1.0' },
    documentNamespace: expect.stringMatching(/^http:\/\/spdx\.org\/spdxdocs\/mergelight-/),
    creationInfo: { created: expect.stringMatching(/Z$/), creators: [expect.stringMatching(/^Tool: npm/)] },
  });
  expect(listed.map(({ packageFileName }) => packageFileName).sort()).toEqual(needed);
  for (const { name, versionInfo, packageFileName, downloadLocation } of listed) {
    const { name: own, version } = JSON.parse(readFileSync(join(image, packageFileName, 'package.json'), 'utf8'));
    expect({ name, versionInfo, downloadLocation }).toEqual({
      name: own,
      versionInfo: version,
      downloadLocation: 'NOASSERTION',
    });
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^SPDXRef-[A-Za-z0-9.-]+$/.test(id))).toEqual([]);
  const known = ['SPDXRef-DOCUMENT', ...ids];
  for (const { spdxElementId, relatedSpdxElement } of sbom.relationships)
    expect(known).toEqual(expect.arrayContaining([spdxElementId, relatedSpdxElement]));
});

test('without a server its health check fails', async () => {
  const check = JSON.parse(/CMD (\[.*\])$/s.exec(instructions('HEALTHCHECK')[0]!)![1]!) as string[];
  const probe = spawn(join(folder, 'node'), check.slice(1), { env: { PORT: String(await freePort()) } });

  expect((await once(probe, 'exit'))[0]).toBe(1);
});
