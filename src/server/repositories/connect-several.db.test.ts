import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { secretBox } from '../secret-box.ts';
import { connectSeveral, type SeveralDeps } from './connect-several.ts';

/** How long what connects several repositories waits, and what it waits for meanwhile. */
let host: RunningSimulator;
let app: TestApp;
let mona: string;
let user: { id: number; host: string };

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url });
  mona = await app.signIn('mona');
  user = await app.database.db.selectFrom('users').select(['id', 'host']).executeTakeFirstOrThrow();
  await host.control('faults', {
    match: { operation: 'Parts' },
    effect: { name: 'latency', milliseconds: 3_000 },
  });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

const depsWith = (given: Pick<SeveralDeps, 'sleep' | 'now'>): SeveralDeps => ({
  ...{ db: app.database.db, ...app.server.credentials, box: secretBox(Buffer.alloc(32, 1)), public_url: PUBLIC_URL },
  ...{ log: { warn: () => undefined }, noteSecurityEvent: async () => undefined, app: null },
  startSync: async () => null,
  stepFailed: (error) => {
    throw error;
  },
  ...given,
});
const statusOf = async (name: string) =>
  (await app.database.db.selectFrom('import_repositories').select('status').where('name', '=', name).executeTakeFirst())
    ?.status;

test('the 15 seconds begin with the request, and leave time for the answer; what is not known then goes on behind it', async () => {
  const calls: string[] = [];
  const now = () => {
    calls.push('now');
    return new Date();
  };
  const sleep = async (milliseconds: number) => {
    calls.push(`sleep ${milliseconds}`);
  };

  const { results } = await connectSeveral(
    depsWith({ now, sleep }),
    user,
    [{ owner: 'octo-org', name: 'hello' }],
    false,
  );

  expect(calls[0]).toBe('sleep 14000');
  expect(results).toEqual([{ owner: 'octo-org', name: 'hello', id: null, status: 'pending', reason: null }]);
  await expect.poll(() => statusOf('hello'), { timeout: 20_000 }).toBe('connected');
});

test('what the host is slow to tell does not keep back what is known', async () => {
  await app.ask('GET', '/api/repositories/available', { as: mona });
  await host.control('repos', { owner: 'octo-org', name: 'unlisted' });
  const sleep = async (milliseconds: number) => {
    if (milliseconds > 10_000) await expect.poll(() => statusOf('secret'), { timeout: 20_000 }).toBe('connected');
  };
  const wanted = ['unlisted', 'secret'].map((name) => ({ owner: 'octo-org', name }));

  const { results } = await connectSeveral(depsWith({ now: () => new Date(), sleep }), user, wanted, false);

  expect(results.map(({ name, status }) => [name, status])).toEqual([
    ['unlisted', 'pending'],
    ['secret', 'connected'],
  ]);
  await expect.poll(() => statusOf('unlisted'), { timeout: 20_000 }).toBe('connected');
});
