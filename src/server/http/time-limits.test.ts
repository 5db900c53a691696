import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { openLog } from '../log.ts';
import { createLimits, defaultLimits } from './limits.ts';
import { timeLimits } from './time-limits.ts';

/** Each limit is real time: short ones here, in the product's proportions. */
const short = { headers: 300, body: 500, delivery: 250, idle: 900, answer: 700, check_every: 50 };

let port: number;
let slowOnesEnded = 0;
let app: Awaited<ReturnType<typeof buildApp>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  app = await buildApp({
    public_url: 'http://localhost:3000',
    now: () => new Date(),
    log: openLog('silent'),
    web_folder: '/nonexistent',
    filesOfOthers: null,
    serving: { signedIn: async () => null, check_answers: true },
    tokens: null,
    within: (work) => work(),
    withinFigures: (_user_id, work) => work(),
    handlers: {
      signInWithToken: async () => {
        throw new Error('never reached');
      },
    },
    routes: [
      (scope) => void scope.post('/webhooks/github/:key', async () => ({})),
      (scope) =>
        void scope.get('/slow', async () => {
          await new Promise((resolve) => setTimeout(resolve, 3 * short.answer));
          slowOnesEnded += 1;
          return {};
        }),
    ],
    image_sources: [],
    checkReady: async () => null,
    trust_proxy: false,
    diskIsFull: () => false,
    limits: createLimits({ settings: defaultLimits, now: () => new Date(), sleep: async () => undefined }),
    time_limits: short,
    metrics: null,
    serves_metrics: false,
    probes_only: false,
    listener: null,
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

/** Sends `first` and then a byte every 50 ms; returns how long the connection lived, in milliseconds, and what it was told. */
async function trickle(first: string, more: string | null): Promise<{ lived: number; told: string }> {
  const began = performance.now();
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let told = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  socket.on('error', () => undefined);
  socket.write(first);
  const timer = more === null ? undefined : setInterval(() => socket.writable && socket.write(more), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return { lived: performance.now() - began, told };
}

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;

test.each([
  ['headers that trickle', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x', short.headers],
  ['a connection that says nothing', '', null, short.headers],
  ['a body that trickles', post('/auth/token'), ' ', short.body],
  ['a body that never goes on', post('/auth/token'), null, short.body],
  ['a delivery that trickles', post('/webhooks/github/key'), ' ', short.delivery],
  ['a body that nobody wanted', post('/nowhere'), ' ', short.body],
  ['a connection that is not used any more', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', null, short.idle],
])('%s is cut off when its time is over', async (_, first, more, limit) => {
  const { lived } = await trickle(first, more);

  expect(lived).toBeGreaterThan(limit - 60);
  // Node may add a second to what is idle; a slow machine needs some more.
  expect(lived).toBeLessThan(limit + 3000);
});

test('whoever is too slow is told so', async () => {
  expect((await trickle(post('/auth/token'), ' ')).told).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"too_slow"/);
});

test('a request whose length can be read in two ways is refused, and its connection closed', async () => {
  const twofold =
    'POST /auth/token HTTP/1.1\r\nHost: localhost:3000\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';

  expect((await trickle(twofold, null)).told).toMatch(/^HTTP\/1\.1 400 /);
});

test('what is promised is noticed within ten seconds', () => {
  expect(timeLimits).toMatchObject({ headers: 15_000, body: 30_000, delivery: 10_000, idle: 75_000 });
  expect(timeLimits.check_every).toBeLessThan(10_000);
  expect([app.server.headersTimeout, app.server.keepAliveTimeout]).toEqual([short.headers, short.idle]);
});

test('a call that takes too long is answered with 503, and runs to its end', async () => {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/slow`);
  const lived = performance.now() - began;

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await answer.json()).toMatchObject({ code: 'too_slow' });
  expect(lived).toBeGreaterThan(short.answer - 50);
  await expect.poll(() => slowOnesEnded, { timeout: 10_000 }).toBe(1);
});
