import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type RunningSimulator, startSimulator } from '../support/simulator.ts';

/* What makes no sense of the review practice and of trends is refused, and said why. */

let simulator: RunningSimulator;
let app: TestApp;
let mona: string;

beforeAll(async () => {
  simulator = await startSimulator({ world: 'tiny' });
  app = await openTestApp({
    host_url: simulator.url,
    now: () => new Date('2026-03-29T01:00:00Z'),
    config: { admin_logins: ['mona'] },
  });
  mona = await app.signIn('mona');
});
afterAll(async () => {
  await app.stop();
  await simulator.stop();
});

const ofBoth = [
  'from=2026-03-02&to=2026-03-02',
  'from=2026-03-03&to=2026-03-02',
  'from=2023-01-01&to=2026-01-01',
  'from=yesterday',
  'to=2026-13-01',
  'from=2026-03-01&from=2026-03-02',
  'authorship=nobody',
  'all_bases=yes',
  'all_bases=true&all_bases=true',
  'repository=abc',
];

test.each([
  ...ofBoth.flatMap((query) => [
    `/api/health?${query}`,
    `/api/health/big/prs?${query}`,
    `/api/trends?figure=merged&${query}`,
  ]),
  '/api/health/big/prs?limit=0',
  '/api/health/big/prs?limit=201',
  '/api/health/big/prs?limit=ten',
  '/api/health/big/prs?offset=-1',
  '/api/health/big/prs?offset=1.5',
  '/api/trends',
  '/api/trends?figure=speed',
  '/api/trends?figure=opened,merged,closed,size,rounds,open,stuck',
  '/api/trends?figure=merged&split=person',
  '/api/trends?figure=merged&bucket=year',
  '/api/trends?figure=merged&aggregate=p50',
  '/api/trends?figure=size&aggregate=p99',
  '/api/trends?figure=merged&clock=business',
  '/api/trends?figure=merged&bucket=day&from=2024-06-01&to=2026-01-01',
])('400 with issues: %s', async (path) => {
  const { status, body } = await app.ask('GET', path, { as: mona });
  expect({ status, issues: (body as { issues?: unknown[] }).issues?.length ?? 0 }).toEqual({
    status: 400,
    issues: expect.toSatisfy((count: number) => count > 0),
  });
});

test.each([
  '/api/health?repository=999999',
  '/api/health/big/prs?repository=999999',
  '/api/trends?figure=merged&repository=999999',
  '/api/health/speed/prs',
  '/api/health/constructor/prs',
])('404: %s', async (path) => {
  expect((await app.ask('GET', path, { as: mona })).status).toBe(404);
});

test.each(['/api/health/big/prs?offset=9007199254740991', '/api/health/big/prs?offset=2147483648'])(
  'nothing lies behind so large an offset: %s',
  async (path) => {
    const { status, body } = await app.ask('GET', path, { as: mona });
    expect([status, body]).toEqual([200, { items: [], total: 0 }]);
  },
);
