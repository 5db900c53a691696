import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { type Listener, listenOn, updating } from './listener.ts';

let listener: Listener | null = null;
afterEach(() => listener?.close());

async function listening(): Promise<{ listener: Listener; url: string }> {
  listener = await listenOn({ host: '127.0.0.1', port: 0 });
  return { listener, url: `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}` };
}

test('before the server is ready it says that it lives, and what it is at', async () => {
  const { listener, url } = await listening();
  listener.show(updating('Bringing the database up to this version.'));

  const alive = await fetch(`${url}/healthz`);
  const ready = await fetch(`${url}/readyz`);

  expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }]);
  expect(ready.status).toBe(503);
  expect(ready.headers.get('retry-after')).toBe('5');
  expect(await ready.json()).toMatchObject({ error: 'Bringing the database up to this version.', code: 'updating' });
});

test.each([
  ['GET', '/api/prs'],
  ['POST', '/auth/token'],
  ['GET', '/auth/options'],
  ['POST', '/auth/callback'],
  ['POST', '/webhooks/github/key'],
  ['GET', '/metrics'],
  ['POST', '/unsubscribe/token'],
])('before the server is ready, %s %s is 503 with a code and when to ask again', async (method, path) => {
  const { url } = await listening();

  const answer = await fetch(`${url}${path}`, { method, ...(method === 'POST' && { body: '{}' }) });

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(await answer.json()).toEqual({ error: 'Starting.', code: 'updating', request_id: expect.any(String) });
});

test('before the server is ready, a page says so in plain words and reloads itself, with nothing from elsewhere', async () => {
  const { listener, url } = await listening();
  listener.show({ code: 'disk_full', heading: 'The disk is full', sentence: 'Make <room> & wait.' });

  const page = await fetch(`${url}/dashboard?period=30`);
  const html = await page.text();

  expect(page.status).toBe(503);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('<h1>The disk is full</h1>');
  expect(html).toContain('Make &lt;room&gt; &amp; wait.');
  expect(html).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
  expect(html).not.toMatch(/ (src|href)=/);
  for (const path of ['/dashboard', '/api/prs', '/healthz']) {
    const { headers } = await fetch(`${url}${path}`);
    const policy = headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none';.* base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
    expect(policy?.includes("style-src 'sha256-")).toBe(path === '/dashboard');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect([headers.get('referrer-policy'), headers.get('x-content-type-options')]).toEqual(['same-origin', 'nosniff']);
  }
});

test.each(['/auth/login', '/auth/login/?return_to=%2Fprs', '/auth/callback?code=x&state=y'])(
  'before the server is ready, a browser that signs in by %s is shown that page, which goes on from there',
  async (path) => {
    const { url } = await listening();

    const page = await fetch(`${url}${path}`);

    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<p>This page reloads by itself.</p>');
  },
);

test('once it is opened, the application answers on the same port and its connections, until it is closed', async () => {
  const { listener, url } = await listening();
  const app = Fastify({ serverFactory: listener.factory, requestTimeout: 30_000 });
  app.get('/healthz', async () => ({ status: 'from the application' }));
  const before = await (await fetch(`${url}/healthz`)).json();
  await app.ready();

  listener.open();

  expect(before).toEqual({ status: 'ok' });
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'from the application' });
  expect(listener.server.requestTimeout).toBe(30_000);
  await app.close();
});

test('a port that is taken is told by whoever tries it next', async () => {
  const { listener } = await listening();
  const { port } = listener.server.address() as AddressInfo;

  await expect(listenOn({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
