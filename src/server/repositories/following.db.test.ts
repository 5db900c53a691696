import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, PUBLIC_URL, type TestApp } from '../../../test/support/app.ts';
import { type RunningSimulator, startSimulator } from '../../../test/support/simulator.ts';
import { secretBox } from '../secret-box.ts';
import { connectFollowedOfAll, type FollowingDeps } from './following.ts';

let host: RunningSimulator;
let app: TestApp;
let clock = Date.now();
const now = () => new Date(clock);

beforeAll(async () => {
  host = await startSimulator({ world: 'tiny' });
  app = await openTestApp({ host_url: host.url, now });
});
afterAll(async () => {
  await app?.stop();
  await host?.stop();
});

const MINUTE = 60_000;

test('a daily job that was stopped goes on with whom it has not reached, and the next one begins with everybody', async () => {
  const logins = ['mona', 'octo', 'hubot'];
  const idOf = new Map<number, string>();
  for (const login of logins) {
    const as = await app.signIn(login);
    await app.ask('PUT', '/api/repos/following', { as, body: { owners: ['octo-org'] } });
    idOf.set(((await app.ask('GET', '/auth/me', { as })).body as { id: number }).id, login);
  }
  /** Whose token a job that was sent then reads the host with; it is stopped at that of `last`. */
  async function reached(sent_at: Date, last?: string): Promise<string[]> {
    const stopping = new AbortController();
    const seen = new Set<string>();
    const deps: FollowingDeps = {
      ...{ db: app.database.db, ...app.server.credentials, box: secretBox(Buffer.alloc(32, 1)), now },
      ...{ public_url: PUBLIC_URL, app: null, log: { warn: () => undefined }, hostLabel: () => 'GitHub' },
      noteSecurityEvent: async () => undefined,
      async clientFor(user_id) {
        const login = idOf.get(user_id)!;
        seen.add(login);
        if (login === last) stopping.abort();
        return await app.server.credentials.clientFor(user_id);
      },
    };
    await connectFollowedOfAll(deps, stopping.signal, sent_at, (error) => {
      throw error;
    });
    return [...seen];
  }

  clock += MINUTE;
  const sent = now();
  clock += MINUTE;
  const stopped = await reached(sent, 'octo');
  clock += 60 * MINUTE;
  const retried = await reached(sent);
  clock += 23 * 60 * MINUTE;
  const nextDay = await reached(now());
  clock -= 25 * 60 * MINUTE;
  const setBack = await reached(now());

  expect(stopped).toEqual(['mona', 'octo']);
  expect(retried).toEqual(['hubot']);
  expect([nextDay, setBack]).toEqual([logins, logins]);
});
