import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildApp } from './app.ts';
import { HostError } from './host/errors.ts';
import { HttpError } from './http/errors.ts';
import { createLimits, defaultLimits } from './http/limits.ts';
import { createMetrics } from './http/metrics.ts';
import { openLog } from './log.ts';

const PUBLIC_URL = 'http://localhost:3000';
const user = { id: 7, host: 'h', login: 'ada', time_zone: 'UTC', own_marks: false };
const me = { cookie: 'session=ada' };

let time = new Date('2026-11-20T12:00:00Z');

let folder: string;
let app: FastifyInstance;
let ready = true;
let checks = 0;
/** What is under way of a check. */
let checking: Promise<void> = Promise.resolve();
let isSignedIn = true;
let fileContent: () => string | Readable = () => 'a,b\n';
let failure: Error = new Error('select * from secrets where token = ghp_secret');
let events: () => AsyncIterable<readonly { type: 'changed'; repository_id: number; changed_at: string }[]>;
const logged: string[] = [];
const disconnected: number[] = [];
const askedForFigures: (number | null)[] = [];

const code = `// ${'y'.repeat(5000)}`;
/** As the build leaves it. */
const beside = brotliCompressSync(code);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mergelight-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<title>Mergelight</title>');
  await writeFile(join(folder, 'mark.svg'), '<svg/>');
  await writeFile(join(folder, 'assets', 'index-abc123.js'), `// ${'x'.repeat(5000)}`);
  await writeFile(join(folder, 'assets', 'other-def456.js'), code);
  await writeFile(join(folder, 'assets', 'other-def456.js.br'), beside);
  app = await buildApp({
    public_url: PUBLIC_URL,
    now: () => time,
    log: openLog('debug', 'json', { write: (line) => void logged.push(line) }),
    web_folder: folder,
    filesOfOthers: null,
    serving: {
      signedIn: async (request) => (isSignedIn && request.cookies.session === 'ada' ? user : null),
      check_answers: true,
      event_heartbeat: 50,
    },
    tokens: null,
    within: (work) => work(),
    withinFigures: (user_id, work) => {
      askedForFigures.push(user_id);
      return work();
    },
    handlers: {
      listRepositories: async ({ user: { id } }) => [{ id, owner: 'acme', name: 'web', full_name: 'acme/web' }],
      testAccess: async () => {
        throw failure;
      },
      connectRepository: async ({ body }) => ({
        id: 1,
        ...body,
        webhook_url: 'u',
        webhook_secret: 's',
        webhook_by: 'create' as const,
      }),
      disconnectRepository: async ({ params }) => {
        disconnected.push(params.id);
        return undefined;
      },
      getPullRequest: async () => {
        throw failure;
      },
      listReviewLoad: async () => [{ nonsense: true }] as never,
      watchSyncs: () => events(),
      exportContributor: async ({ body }) => ({
        filename: `${body.username}\r\n"x".csv`,
        content_type: 'text/csv; charset=utf-8',
        content: fileContent(),
      }),
    },
    routes: [
      (scope) => {
        scope.get('/auth/callback', { config: { leads_to_login: () => '/prs?q=a' } }, () => {
          throw failure;
        });
      },
    ],
    trust_proxy: ['loopback'],
    diskIsFull: () => false,
    limits: createLimits({ settings: defaultLimits, now: () => new Date(), sleep: async () => undefined }),
    image_sources: ['https://avatars.example.com'],
    checkReady: async () => {
      checks += 1;
      await checking;
      if (!ready) throw new Error('connection refused at 10.0.0.1');
      return null;
    },
    listener: null,
    metrics: createMetrics([
      { name: 'mergelight_things', help: 'Things.', read: async () => new Map([['kind="a"', 2]]) },
      { name: 'mergelight_broken', help: 'Broken.', read: async () => await Promise.reject(new Error('no database')) },
    ]),
    serves_metrics: true,
    probes_only: false,
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const ask = (options: InjectOptions) => app.inject(options);
const post = (url: string, payload: object | string, headers: Record<string, string> = {}) =>
  ask({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...me, ...headers } });

test('a call needs a session', async () => {
  const answer = await ask({ url: '/api/repositories' });

  expect(answer.statusCode).toBe(401);
  expect(answer.json()).toEqual({
    error: 'Sign in to go on.',
    code: 'not_signed_in',
    request_id: answer.headers['x-request-id'],
  });
});

test('a handler gets the user and answers JSON that nobody caches', async () => {
  const answer = await ask({ url: '/api/repositories', headers: me });

  expect(answer.json()).toEqual([{ id: 7, owner: 'acme', name: 'web', full_name: 'acme/web' }]);
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a body that breaks the contract is refused with each place', async () => {
  const answer = await post('/api/repos', { owner: 5 });

  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'invalid_request',
    issues: [{ path: 'owner' }, { path: 'name' }],
  });
});

test('a body is taken as it arrives: what is compressed is not unpacked', async () => {
  const payload = gzipSync(JSON.stringify({ owner: 'acme', name: 'web' }));
  const headers = { ...me, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const answer = await ask({ method: 'POST', url: '/api/repos', payload, headers });

  expect(answer.statusCode).toBe(400);
});

test('a missing body is refused like an empty one', async () => {
  const answer = await ask({ method: 'POST', url: '/api/repos', headers: me });

  expect(answer.statusCode).toBe(400);
});

test('a path parameter that is no id is refused', async () => {
  const answer = await ask({ method: 'DELETE', url: '/api/repos/abc', headers: me });

  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ issues: [{ path: 'id' }] });
});

test.each([
  ['/api/repos/1.5', 'must be a whole number'],
  ['/api/repos/1.0', 'must be a whole number'],
  ['/api/repos/0x1', 'must be a whole number'],
  ['/api/repos/1e1', 'must be a whole number'],
  ['/api/repos/%201', 'must be a whole number'],
  ['/api/repos/-1', 'must be 1 or more'],
  ['/api/repos/0', 'must be 1 or more'],
])('what is wrong with a number is said in words: %s', async (url, message) => {
  const answer = await ask({ method: 'DELETE', url, headers: me });

  expect(answer.json()).toMatchObject({ error: `id: ${message}`, issues: [{ path: 'id', message }] });
});

test('an id beyond all that the database could hold reaches the handler as one that nothing has', async () => {
  const answer = await ask({ method: 'DELETE', url: '/api/repos/99999999999', headers: me });

  expect(answer.statusCode).toBe(204);
  expect(disconnected.at(-1)).toBe(2_147_483_647);
});

test('a call without a body may say that it is JSON, as the browser’s every call does', async () => {
  const headers = { 'content-type': 'application/json', ...me };

  expect((await ask({ method: 'DELETE', url: '/api/repos/3', headers })).statusCode).toBe(204);
  expect((await ask({ method: 'POST', url: '/api/repos', headers })).statusCode).toBe(400);
});

test('a null character, which no text of the database holds, is refused wherever it stands', async () => {
  const path = await ask({ url: '/api/pr/a%00b/web/1', headers: me });
  const body = await post('/api/repos', { owner: 'a', name: 'b\0' });

  for (const answer of [path, body]) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatch(/^(repoOwner|name): must not contain a null character$/);
  }
});

test('an address that is no text is answered in the shape of every error', async () => {
  const answer = await ask({ url: '/api/pr/%ZZ/web/1', headers: me });

  expect(answer.statusCode).toBe(400);
  expect(Object.keys(answer.json())).toEqual(['error', 'code', 'request_id']);
});

test('nothing comes back with 204', async () => {
  const answer = await ask({ method: 'DELETE', url: '/api/repos/3', headers: me });

  expect([answer.statusCode, answer.body]).toEqual([204, '']);
});

test('JSON that is none is refused', async () => {
  const answer = await post('/api/repos', '{"owner":');

  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'invalid_request' });
});

test('JSON that would change what objects are made of is refused', async () => {
  for (const body of ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'])
    expect((await post('/api/repos', body)).statusCode).toBe(400);
});

test('no method but those of the contract is taken', async () => {
  const trace = await ask({ method: 'TRACE' as 'GET', url: '/api/repositories', headers: me });

  expect(trace.statusCode).toBe(405);
  expect(trace.body).not.toContain('session=');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a body of the type %s is refused',
  async (type) => {
    const answer = await post('/api/repos', 'owner=a', { 'content-type': type });

    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ code: 'unsupported_media_type' });
  },
);

test('a body that is too large is refused', async () => {
  const answer = await post('/api/repos', { owner: 'x'.repeat(300_000), name: '' });

  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toMatchObject({ code: 'too_large' });
});

test('our own fault is a plain sentence and a request id; the log knows the rest', async () => {
  failure = new Error('select * from secrets where token = ghp_secret');

  const answer = await post('/api/test-github-access', { owner: '', name: '' });

  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toMatch(/select|ghp_|stack|\.ts/);
  expect(answer.json()).toMatchObject({ code: 'internal_error', request_id: answer.headers['x-request-id'] });
  expect(logged.some((line) => line.includes(answer.json().request_id) && line.includes('select * from'))).toBe(true);
});

test('a fault of the caller keeps its status, code and sentence', async () => {
  failure = new HttpError('not_eligible', 'not eligible');

  const answer = await post('/api/test-github-access', { owner: '', name: '' });

  expect([answer.statusCode, answer.json().error, answer.json().code]).toEqual([409, 'not eligible', 'not_eligible']);
});

test.each([
  [new HostError('forbidden', 'You may not.'), 422, 'host_forbids'],
  [new HostError('unavailable', 'GitHub answers 503.'), 502, 'host_failed'],
  [new HostError('rate_limited', 'Spent.', { retry_at: new Date(time.getTime() + 90_000) }), 503, 'host_rate_limited'],
])('a failure of the host is told in its words: %s', async (error, status, code) => {
  failure = error;

  const answer = await post('/api/test-github-access', { owner: '', name: '' });

  expect([answer.statusCode, answer.json().error, answer.json().code]).toEqual([status, error.message, code]);
  if (status === 503) expect(answer.headers['retry-after']).toBe('90');
});

test('what a database server has no room for is said as that, and the log knows more', async () => {
  failure = Object.assign(new pg.DatabaseError('could not extend file "base/5/16384"', 0, 'error'), { code: '53100' });

  const answer = await post('/api/test-github-access', { owner: '', name: '' });

  expect([answer.statusCode, answer.json().error, answer.json().code]).toEqual([507, 'The disk is full', 'disk_full']);
  expect(answer.headers['retry-after']).toBe('5');
  expect(logged.some((line) => line.includes('"level":"warn"') && line.includes('could not extend file'))).toBe(true);
});

test.each([
  [new Error('select * from secrets'), 'unknown'],
  [new HostError('unavailable', 'GitHub answers 503.'), 'unknown'],
  [new HttpError('demo_full', 'Later.', { retry_after: 300 }), 'demo_full'],
  [new HttpError('too_many_requests', 'Later.', { retry_after: 6 }), 'too_many_requests'],
  [Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' }), 'disk_full'],
])('what fails on a browser’s way to a session leads to the sign-in page: %s', async (error, code) => {
  failure = error;

  const answer = await ask({ url: '/auth/callback?code=x&state=y' });

  const found = code === 'unknown' ? `&request_id=${answer.headers['x-request-id']}` : '';
  const address = `/login?error=${code}&return_to=%2Fprs%3Fq%3Da${found}`;
  expect([answer.statusCode, answer.headers.location]).toEqual([302, address]);
  expect(answer.headers['retry-after']).toBeUndefined();
});

test('what fails on a browser’s way to a session is counted by its own status', async () => {
  const failures = async () => {
    const { body } = await ask({ url: '/metrics' });
    const line = /^mergelight_http_requests_total\{method="GET",route="\/auth\/callback",status="500"\} (\d+)$/m;
    return Number(line.exec(body)?.[1] ?? 0);
  };
  const before = await failures();
  failure = new Error('select * from secrets');

  await ask({ url: '/auth/callback?code=x&state=y' });

  expect(await failures()).toBe(before + 1);
});

test('an answer that breaks the contract is noticed in tests', async () => {
  expect((await ask({ url: '/api/review-load', headers: me })).statusCode).toBe(500);
});

test('a page of another site cannot change anything', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3001' },
    { origin: 'https://localhost:3000' },
    { origin: 'http://localhost.evil.example:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const answer = await post('/api/repos', { owner: 'a', name: 'b' }, headers as Record<string, string>);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'foreign_origin']);
  }
});

test('our own page, a script without an origin, and this machine’s other names may', async () => {
  for (const headers of [
    { origin: PUBLIC_URL },
    {},
    { origin: 'http://127.0.0.1:3000' },
    { origin: 'http://[::1]:3000' },
    { 'sec-fetch-site': 'same-origin' },
  ])
    expect((await post('/api/repos', { owner: 'a', name: 'b' }, headers as Record<string, string>)).statusCode).toBe(
      201,
    );
});

test('figures are asked for in the name of whoever wants them, and nothing else takes turns with them', async () => {
  askedForFigures.length = 0;
  await ask({ url: '/api/repositories', headers: me });
  await post('/api/contributors/export', { username: 'ada', period: '30d', format: 'csv' });

  expect(askedForFigures).toEqual([user.id]);
});

test('a download names its file harmlessly', async () => {
  const answer = await post('/api/contributors/export', { username: 'dependabot[bot]', period: '30d', format: 'csv' });

  expect(answer.headers['content-disposition']).toBe('attachment; filename="dependabot[bot]___x_.csv"');
  expect(answer.body).toBe('a,b\n');
});

test('a file is one of four downloads of a person while it is read, and is cut off with their session', async () => {
  const files: PassThrough[] = [];
  fileContent = () => {
    const file = new PassThrough();
    files.push(file);
    file.write('a,b\n');
    return file;
  };
  onTestFinished(() => {
    fileContent = () => 'a,b\n';
    isSignedIn = true;
    for (const file of files) file.destroy();
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const download = () =>
    fetch(`${address}/api/contributors/export`, {
      method: 'POST',
      headers: { ...me, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      body: JSON.stringify({ username: 'ada', period: '30d', format: 'csv' }),
    });
  const answers: Response[] = [];
  for (let n = 0; n < 5; n += 1) answers.push(await download());
  const [ended, cut] = answers;
  files[0]!.end('c,d\n');

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(await ended!.text()).toBe('a,b\nc,d\n');
  await expect.poll(async () => (await download()).status).toBe(200);
  isSignedIn = false;
  time = new Date(time.getTime() + 1000);
  files[1]!.write('c,d\n');
  await expect(cut!.text()).rejects.toThrow();
  await expect.poll(() => files[1]!.destroyed).toBe(true);
});

test('events arrive as a stream, with signs of life in between, and the stream ends with them', async () => {
  events = async function* () {
    yield [{ type: 'changed', repository_id: 1, changed_at: '2026-01-01T00:00:00Z' }];
    await setTimeout(80);
    yield [2, 3].map((id) => ({ type: 'changed' as const, repository_id: id, changed_at: '2026-01-01T00:00:00Z' }));
  };

  const answer = await ask({ url: '/api/sync-events', headers: me });

  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(answer.body.split('\n\n')).toEqual([
    ': hello',
    'data: {"type":"changed","repository_id":1,"changed_at":"2026-01-01T00:00:00Z"}',
    ': still here',
    'data: {"type":"changed","repository_id":2,"changed_at":"2026-01-01T00:00:00Z"}',
    'data: {"type":"changed","repository_id":3,"changed_at":"2026-01-01T00:00:00Z"}',
    '',
  ]);
});

test('the page is served for every address of the browser’s, and is never stale', async () => {
  for (const url of ['/', '/dashboard', '/pr/acme/web.js/7', '/contributor/ada?period=30d', '/login?error=x']) {
    const answer = await ask({ url });
    expect([answer.statusCode, answer.body]).toEqual([200, '<title>Mergelight</title>']);
    expect(answer.headers['cache-control']).toBe('no-cache');
  }
});

test('a file beside the page is served, and never from a cache', async () => {
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await ask({ url: '/mark.svg', method });
    expect([answer.statusCode, answer.body]).toEqual([200, method === 'GET' ? '<svg/>' : '']);
    expect(answer.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
  }
});

test('files named by their content are kept for ever, and compressed', async () => {
  const answer = await ask({ url: '/assets/index-abc123.js', headers: { 'accept-encoding': 'br' } });

  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(answer.headers['content-encoding']).toBe('br');
});

test('a file that the build has compressed is sent as it lies there, to whoever takes that', async () => {
  const url = '/assets/other-def456.js';

  const taken = await ask({ url, headers: { 'accept-encoding': 'gzip, br' } });
  const plain = await ask({ url });

  expect(taken.rawPayload).toEqual(beside);
  expect(taken.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('accept-encoding'),
  });
  expect(plain.body).toBe(code);
});

test('what the server does not know is an error in JSON, not the page', async () => {
  for (const url of [
    '/api/nope',
    '/auth/nope',
    '/assets/old-hash.js',
    '/assets/',
    '/webhooks/github/x',
    '/api/repos/1/2',
  ]) {
    const answer = await ask({ url, headers: me });
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
  }
  expect((await post('/dashboard', {})).statusCode).toBe(404);
});

test('another method than those of a path’s calls is refused, and the answer names these', async () => {
  for (const headers of [me, {}]) {
    const answer = await ask({ method: 'PUT', url: '/api/prs/?limit=1', headers });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(answer.json()).toEqual({
      error: 'Send it by GET or HEAD.',
      code: 'method_not_allowed',
      request_id: answer.headers['x-request-id'],
    });
  }
  expect((await ask({ url: '/api/repos/1', headers: me })).headers.allow).toBe('DELETE');
  expect((await ask({ method: 'DELETE', url: '/api/repos', headers: me })).headers.allow).toBe('GET, HEAD, POST');
});

test('files outside the folder are out of reach', async () => {
  for (const url of ['/assets/../../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json'])
    expect((await ask({ url })).body).not.toContain('"name"');
});

test('only our own scripts run, and pictures come from the host alone', async () => {
  const answer = await ask({ url: '/' });
  const policy = String(answer.headers['content-security-policy']);

  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("img-src 'self' data: http://localhost:3000 https://avatars.example.com;");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['strict-transport-security']).toBeUndefined();
});

test('every kind of answer has the headers that keep browsers safe', async () => {
  failure = new Error('broken');
  events = async function* () {
    yield [{ type: 'changed', repository_id: 1, changed_at: '2026-03-01T00:00:00Z' }];
  };
  const exported = { username: 'ada', format: 'csv', period: '30d' };
  const kinds: [string, number, ReturnType<typeof ask>][] = [
    ['the page', 200, ask({ url: '/pr/acme/web/7' })],
    ['its head alone', 200, ask({ url: '/', method: 'HEAD' })],
    ['a file', 200, ask({ url: '/assets/index-abc123.js', headers: { 'accept-encoding': 'br' } })],
    ['JSON', 200, ask({ url: '/api/repositories', headers: me })],
    ['an answer without a body', 204, ask({ url: '/api/repos/1', method: 'DELETE', headers: me })],
    ['a file to download', 200, post('/api/contributors/export', exported)],
    ['a stream of events', 200, ask({ url: '/api/sync-events', headers: me })],
    ['nobody is signed in', 401, ask({ url: '/api/repositories' })],
    ['another origin', 403, post('/api/repos', {}, { origin: 'https://evil.example' })],
    ['unknown', 404, ask({ url: '/api/nope' })],
    ['a request that fits no contract', 400, ask({ url: '/api/pr/acme/web/first', headers: me })],
    ['an address that is no text', 400, ask({ url: '/api/contributors/%E0%A4%A/metrics', headers: me })],
    ['a body of another type', 415, post('/api/repos', '<x/>', { 'content-type': 'text/xml' })],
    ['our own fault', 500, post('/api/test-github-access', { owner: 'acme', name: 'web' })],
    ['a probe', 200, ask({ url: '/healthz' })],
    ['metrics', 200, ask({ url: '/metrics' })],
    ['the description of the calls', 200, ask({ url: '/api/openapi.json' })],
  ];
  for (const [kind, status, answer] of kinds) {
    const { statusCode, headers } = await answer;
    expect([kind, statusCode]).toEqual([kind, status]);
    expect(headers, kind).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src '(self|none)';.*base-uri 'none'/),
      'permissions-policy': expect.stringContaining('camera=()'),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.any(String),
    });
    expect(headers, kind).not.toHaveProperty('server');
    expect(headers, kind).not.toHaveProperty('x-powered-by');
    expect(headers, kind).not.toHaveProperty('access-control-allow-origin');
  }
});

test('it says that it lives, and whether it is ready', async () => {
  expect((await ask({ url: '/healthz' })).statusCode).toBe(200);
  expect((await ask({ url: '/readyz' })).statusCode).toBe(200);

  ready = false;
  // What was found a moment ago is told again.
  await expect.poll(async () => (await ask({ url: '/readyz' })).statusCode, { timeout: 1000 }).toBe(503);
  const answer = await ask({ url: '/readyz' });
  ready = true;

  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'not_ready' });
  expect(answer.body).not.toContain('10.0.0.1');
});

test('however often it is asked whether it is ready, one check is under way, and what it finds is for all', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const probes = (count: number) => Promise.all(Array.from({ length: count }, () => ask({ url: '/readyz' })));
  await setTimeout(300);
  checking = promise;
  const before = checks;
  const first = probes(50);
  await setTimeout(300);
  const second = probes(50);
  await setTimeout(50);
  const begun = checks - before;
  resolve();

  const answers = [...(await first), ...(await second)];
  expect([begun, ...new Set(answers.map(({ statusCode }) => statusCode))]).toEqual([1, 200]);
});

test('a check that never ends is given up, and the next one finds that all is well again', async () => {
  await setTimeout(300);
  checking = new Promise(() => undefined);
  const hung = await ask({ url: '/readyz' });
  checking = Promise.resolve();

  const answers = [hung, await ask({ url: '/readyz' })];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
});

test('metrics are Prometheus text', async () => {
  await ask({ url: '/healthz' });

  const { body, headers } = await ask({ url: '/metrics' });

  expect(headers['content-type']).toContain('text/plain');
  expect(body).toMatch(/^mergelight_http_requests_total\{method="GET",route="\/healthz",status="200"\} \d+$/m);
  expect(body).toMatch(
    /^mergelight_http_request_duration_seconds_bucket\{method="GET",route="\/healthz",le="\+Inf"\} \d+$/m,
  );
  expect(body).toMatch(/^mergelight_event_loop_lag_seconds\{quantile="0.99"\} [\d.e-]+$/m);
  expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(body).toMatch(/^# mergelight_broken could not be read$/m);
  expect(body).toMatch(/^mergelight_things\{kind="a"\} 2$/m);
});

test('the description of every call is public', async () => {
  const document = (await ask({ url: '/api/openapi.json' })).json();

  expect(document.openapi).toBe('3.1.0');
  expect(document.paths['/api/repos'].post).toMatchObject({
    operationId: 'connectRepository',
    security: [{ session: [] }],
    requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['owner', 'name'] } } } },
    responses: { 200: {}, 201: {}, default: {} },
  });
  expect(document.paths['/api/repos/{id}'].delete.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
  ]);
});

test('what an error of the database quotes of rows and values is struck out of the log, also as a cause', () => {
  const lines: string[] = [];
  const log = openLog('debug', 'json', { write: (line) => void lines.push(line) });
  const quoting = { detail: 'Key (login)=(row-1)', where: 'row-2', internalQuery: 'row-3', parameters: ['row-4'] };
  const error = Object.assign(new Error('duplicate key value'), { code: '23505', ...quoting });

  log.error({ err: error }, 'request failed');
  log.debug({ code: 'x', cause: error }, 'refused');
  log.error({ err: new Error('outer', { cause: error }) }, 'job failed');

  expect(lines.join('')).toContain('duplicate key value');
  expect(lines.join('')).not.toContain('row-');
});

test.each(['json', 'text'] as const)('secrets are struck out of the log, as %s', (format) => {
  const lines: string[] = [];
  const log = openLog('info', format, { write: (line) => void lines.push(line) });

  log.info(
    {
      token: 'ghp_1',
      request: { headers: { authorization: 'Bearer ghp_2', cookie: 'session=3', 'set-cookie': 'session=4' } },
      body: { client_secret: '5', code: '6' },
    },
    'hello',
  );

  expect(lines.join('')).not.toMatch(/ghp_|session=|"5"|"6"/);
});

test('at a terminal the log speaks in sentences', () => {
  const lines: string[] = [];
  const log = openLog('warn', 'text', { write: (line) => void lines.push(line) });

  log.info('claimed sync session');
  log.warn({ folder: './data', err: new Error('no room') }, 'a backup was not written');
  log.error({ err: new Error('broken') }, 'request failed');

  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d warning: a backup was not written \(folder \.\/data\): no room\n$/);
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error: request failed\n {2}Error: broken\n {6}at /);
});
