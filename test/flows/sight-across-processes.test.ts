import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { openTestDatabase } from '../support/database.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

let simulator: RunningSimulator;
let web: TestApp;
let worker: TestApp;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  const database = await openTestDatabase();
  web = await openTestApp({ host_url: simulator.url, role: 'web', database });
  worker = await openTestApp({ host_url: simulator.url, role: 'worker', database });
});
afterAll(async () => {
  await worker?.server.stop(2000);
  await web?.server.stop(2000);
  await web?.database.close();
  await simulator?.stop();
});

test('a token that the host rejects in a worker ends the session on the web process, and the sync goes on with another reader’s', async () => {
  await simulator.control('repos', { owner: 'octo', name: 'plans', private: true, readers: ['octo', 'mona'] });
  const [octo, mona] = [await web.signIn('octo'), await web.signIn('mona')];
  const body = { owner: 'octo', name: 'plans' };
  const { id } = (await web.ask('POST', '/api/repos', { as: octo, body })).body as { id: number };
  await web.ask('POST', '/api/repos', { as: mona, body });
  await simulator.control('tokens', { token: 'ghp_octo' }, 'DELETE');

  await web.ask('POST', '/api/sync-repo-complete', { as: octo, body: { repoId: id } });

  await vi.waitFor(async () => expect((await web.ask('GET', '/api/prs', { as: octo })).status).toBe(401), 20_000);
  await vi.waitFor(async () => {
    const sync = await web.ask('GET', `/api/sync-repo-complete?repoId=${id}`, { as: mona });
    expect(sync.body).toMatchObject({ status: 'completed' });
  }, 20_000);
});
