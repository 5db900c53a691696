import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { createLimits, defaultLimits } from '../http/limits.ts';
import { type AssistantDeps, serveAssistants } from './route.ts';

/** `/mcp` before calls of the contract that never answer: what a database does that hangs. */
const LIMIT = 300;
let app: FastifyInstance;
let port: number;
afterEach(() => app.close());

async function open(): Promise<void> {
  app = Fastify();
  const owner = { id: 1, login: 'mona' };
  const use = { id: 7, owner, scopes: ['read:figures'], repositories: null };
  const deps = {
    now: () => new Date(),
    log: { debug: () => undefined, warn: () => undefined },
    public_url: 'http://localhost',
    limits: createLimits({ settings: defaultLimits, now: () => new Date(), sleep: async () => undefined }),
    findUse: async () => use,
    handlers: { listConnectedRepositories: () => new Promise(() => undefined) },
    personOf: async () => 'mona',
    within: (_use: unknown, work: () => unknown) => work(),
    sentenceOf: () => 'no',
  } as unknown as AssistantDeps;
  await app.register(async (scope) => serveAssistants(scope, deps, LIMIT));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as { port: number }).port;
}

const headers = {
  authorization: 'Bearer mgl_x',
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const send = async (method: string, params: object, isModern: boolean) =>
  await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      ...headers,
      ...(isModern && {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...('name' in params && { 'mcp-name': String(params.name) }),
      }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 5, method, params: { ...params, ...(isModern && { _meta: modern }) } }),
  });

test('an answer of either era that does not come is given up, and frees its place among the four', async () => {
  await open();
  const ask = { name: 'list_repositories', arguments: {} };
  const began = performance.now();
  // With five at once one would be refused, were the first four still held.
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all([1, 2, 3, 4].map((one) => send('tools/call', ask, one > 2)));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
    for (const text of texts.slice(0, 2)) {
      expect(text).toContain('"id":5');
      expect(text).toContain('This took too long.');
    }
  }
  expect(performance.now() - began).toBeLessThan(20 * LIMIT);
});

test('several messages at once are refused: each would be a call past what a token may ask', async () => {
  await open();
  const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
  const ask = async (body: object) =>
    await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect((await ask([message(1), message(2)])).status).toBe(400);
  expect((await ask([message(1)])).status).toBe(400);
  expect((await ask(message(1))).status).toBe(200);
});

test('a stream that waits for changes ends, too', async () => {
  await open();
  const listening = await send('subscriptions/listen', { notifications: { toolsListChanged: true } }, true);
  expect(await listening.text()).not.toContain('undefined');
});
