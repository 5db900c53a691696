import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { OpenDatabase } from '../db/open.ts';
import { frontEndFiles, keepFrontEndFiles } from './front-end-files.ts';
import { serveWebFiles } from './web-files.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-03-02T12:00:00Z');

let database: OpenDatabase;
let parent: string;
let now = new Date(START);
const servers: FastifyInstance[] = [];
const ends: (() => void)[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  parent = await mkdtemp(join(tmpdir(), 'mergelight-versions-'));
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database?.close();
  await rm(parent, { recursive: true, force: true });
});

/** A build of which the script has these letters in its name and says them; `.br` beside it is left out of one that is small. */
async function build(version: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join(parent, version);
  await mkdir(join(folder, 'assets'), { recursive: true });
  const script = `console.log(${JSON.stringify(version)});`;
  for (const [name, text] of Object.entries({ [`index-${version}.js`]: script, ...more }))
    await writeFile(join(folder, 'assets', name), text);
  await writeFile(join(folder, 'assets', `index-${version}.js.br`), brotliCompressSync(script));
  await writeFile(join(folder, 'index.html'), `<script src="/assets/index-${version}.js"></script>`);
  return folder;
}

/** A process of that build begins. */
async function keep(
  folder: string,
  failed = (error: unknown): void => expect.unreachable(String(error)),
): Promise<void> {
  ends.push(await keepFrontEndFiles(database.db, folder, () => now, failed));
}

/** A process of that build, whose page can be asked for only after it has kept what that loads. */
async function start(folder: string): Promise<FastifyInstance> {
  await keep(folder);
  const server = Fastify();
  await serveWebFiles(
    server,
    folder,
    frontEndFiles(database.db, () => now),
  );
  servers.push(server);
  return server;
}

test('where two versions run side by side, each serves what the pages of both load', async () => {
  const old = await start(await build('aaaa1111'));
  // It has looked which files there are before the new version came.
  expect((await old.inject('/assets/index-bbbb2222.js')).statusCode).toBe(404);
  now = new Date(now.getTime() + 1000);
  const next = await start(await build('bbbb2222', { 'chunk-bbbb2222.css': 'body { color: red }' }));

  for (const [server, name, text, type] of [
    [old, 'index-bbbb2222.js', 'console.log("bbbb2222");', 'text/javascript; charset=utf-8'],
    [old, 'chunk-bbbb2222.css', 'body { color: red }', 'text/css; charset=utf-8'],
    [next, 'index-aaaa1111.js', 'console.log("aaaa1111");', 'text/javascript; charset=utf-8'],
  ] as const) {
    const plain = await server.inject(`/assets/${name}`);
    const taken = await server.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': 'gzip, br' } });

    expect([plain.statusCode, plain.body]).toEqual([200, text]);
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(taken.headers).toMatchObject({ 'content-type': type, 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(taken.rawPayload).toString()).toBe(text);
  }
});

test('what no version has is nothing, and is looked for at most once a second', async () => {
  const server = await start(await build('cccc3333'));
  expect((await server.inject('/assets/index-dddd4444.js')).statusCode).toBe(404);
  await keep(await build('dddd4444'));
  const ask = async () => (await server.inject('/assets/index-dddd4444.js')).statusCode;

  expect(await ask()).toBe(404);
  now = new Date(now.getTime() + 1000);
  expect(await ask()).toBe(200);
  for (const name of ['..%2Findex.html', 'index-dddd4444.js.br', '-'])
    expect([name, (await server.inject(`/assets/${name}`)).statusCode]).toEqual([name, 404]);
});

test('files of a version go 90 days after a process of it last ran, whatever became of the database meanwhile', async () => {
  const { db } = database;
  const files = async () =>
    (await db.selectFrom('front_end_files').select(['name', 'kept_at']).orderBy('name').execute()).map(
      ({ name, kept_at }) => [name, (kept_at.getTime() - START) / DAY],
    );
  await db.deleteFrom('front_end_files').execute();
  const [one, other] = [await build('eeee5555'), await build('ffff6666')];
  const failures: unknown[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  now = new Date(START);
  await Promise.all([1, 2, 3].map(() => keep(one)));
  await keep(other, (error) => void failures.push(error));
  for (const end of ends.splice(0, 3)) end();

  await sql`alter table front_end_files rename to away`.execute(db);
  vi.advanceTimersByTime(DAY);
  await expect.poll(() => failures).toHaveLength(1);
  await sql`alter table away rename to front_end_files`.execute(db);
  now = new Date(START + 90 * DAY);
  vi.advanceTimersByTime(DAY);
  await expect.poll(files).toEqual([
    ['index-eeee5555.js', 0],
    ['index-ffff6666.js', 90],
  ]);
  now = new Date(START + 90 * DAY + 1);
  await keep(join(parent, 'nothing built'));
  expect(await files()).toEqual([['index-ffff6666.js', 90]]);
});
