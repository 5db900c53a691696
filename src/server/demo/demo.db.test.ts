import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieIn, openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { addresses } from '../host/github/addresses.ts';
import { githubHost } from '../host/github/host.ts';
import { openLog } from '../log.ts';
import { type DemoHost, startDemoHost } from './demo-host.ts';

const now = () => new Date();

let folder: string;
let demo: DemoHost;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-demo-'));
  demo = await start();
  app = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });
});
afterAll(async () => {
  await app?.stop();
  demo?.stop();
  await rm(folder, { recursive: true });
});

test('exploring the demo signs in, connects its repositories and starts to sync them', async () => {
  const answer = await app.ask('POST', '/auth/demo');

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ host: 'demo' });
  const session = cookieIn(answer, 'session');
  const repositories = (await app.ask('GET', '/api/repos', { as: session })).body as { id: number }[];
  expect(repositories.length).toBeGreaterThan(1);
  for (const { id } of repositories) {
    const sync = await app.ask('GET', `/api/sync-repo-complete?repoId=${id}`, { as: session });
    expect(sync.body).toMatchObject({ status: 'queued' });
  }
  // Whoever signs in waits for the repositories, and not for a sync that works beside.
  const { db } = app.database;
  const connections = await db.selectFrom('connections').select('connected_at').execute();
  const sessions = await db.selectFrom('sync_sessions').select('created_at').execute();
  const connected = Math.max(...connections.map(({ connected_at }) => connected_at.getTime()));
  expect(Math.min(...sessions.map(({ created_at }) => created_at.getTime()))).toBeGreaterThanOrEqual(connected);
});

test('a second visitor finds the same company and starts nothing anew', async () => {
  await app.ask('POST', '/auth/demo');
  const before = await app.database.db.selectFrom('sync_sessions').select('id').execute();

  const answer = await app.ask('POST', '/auth/demo');

  expect(answer.status).toBe(200);
  expect(await app.database.db.selectFrom('sync_sessions').select('id').execute()).toEqual(before);
});

test('its pictures and pages are reached through this server, nothing else of it is', async () => {
  const answer = await app.ask('POST', '/auth/demo');
  const picture = new URL((answer.body as { avatar_url: string }).avatar_url);
  expect(picture.origin).toBe(PUBLIC_URL);

  const shown = await app.ask('GET', picture.pathname);
  const controls = await app.ask('GET', '/demo-host/_control/state');
  const signIn = await app.ask('GET', '/demo-host/login/oauth/authorize');
  const api = await app.ask('GET', '/demo-host/api/v3/user');

  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect([controls.status, signIn.status, api.status]).toEqual([404, 404, 404]);
});

test('a restart shows the same history', async () => {
  const before = await readFile(join(folder, 'demo.json'), 'utf8');
  const again = await start();

  expect(await readFile(join(folder, 'demo.json'), 'utf8')).toBe(before);
  expect((await again.ready(30_000))?.login).toBe((await demo.ready(30_000))?.login);
  again.stop();
});

test('whoever comes too early is asked to come back', async () => {
  const early = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    database: app.database,
    demo: {
      process: { url: 'http://127.0.0.1:9', ready: async () => null, stop: () => undefined },
      host: githubHost({ key: 'demo', label: 'demo', ...addresses('http://127.0.0.1:9'), oauth: null, now }),
      deliver_to: PUBLIC_URL,
    },
  });

  const answer = await early.ask('POST', '/auth/demo');

  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ code: 'demo_not_ready', error: expect.stringContaining('being prepared') });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  await early.stop();
});

async function start(): Promise<DemoHost> {
  return await startDemoHost({
    program: resolve('src/simulator/main.ts'),
    data_dir: folder,
    public_url: `${PUBLIC_URL}/demo-host`,
    now,
    log: openLog('silent'),
  });
}

test('its pictures and pages follow the server to another port', async () => {
  await app.ask('POST', '/auth/demo');

  const moved = await openTestApp({
    host_url: 'http://127.0.0.1:9',
    database: app.database,
    config: { public_url: 'http://localhost:3999' },
    demo: {
      process: demo,
      host: githubHost({ key: 'demo', label: 'demo', ...addresses(demo.url), oauth: null, now }),
      deliver_to: 'http://localhost:3999',
    },
  });

  const { db } = app.database;
  const user = await db.selectFrom('users').select('avatar_url').executeTakeFirstOrThrow();
  const repository = await db.selectFrom('repositories').select('url').executeTakeFirstOrThrow();
  expect(user.avatar_url).toMatch(/^http:\/\/localhost:3999\/demo-host\/avatars\/\d+$/);
  expect(repository.url).toMatch(/^http:\/\/localhost:3999\/demo-host\/brasswick\/[\w-]+$/);
  await moved.stop();
});
