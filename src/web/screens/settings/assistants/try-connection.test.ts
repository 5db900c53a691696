import { expect, test } from 'vitest';
import { tryConnection } from './try-connection.ts';

const answering = (status: number, body: string) => (async () => new Response(body, { status })) as typeof fetch;
const tools = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{}, {}, {}] } });

test.each([
  [200, tools, true, 'It works: this token has 3 tools.'],
  [200, `event: message\ndata: ${tools}\n\n`, true, 'It works: this token has 3 tools.'],
  [200, '<html>', false, 'The answer is none of an assistant’s server.'],
  [401, '{"error": "This token is not valid.", "code": "bad_token"}', false, 'This token is not valid.'],
  [502, 'Bad gateway', false, 'Request failed: 502'],
])('an answer of %i with %j is told', async (status, body, works, sentence) => {
  expect(await tryConnection('mgl_abc', answering(status, body))).toEqual({ works, sentence });
});

test('only a token is sent, and a server that is away is told', async () => {
  let asked = 0;
  const away = (async () => {
    asked += 1;
    throw new TypeError('Failed to fetch');
  }) as typeof fetch;
  expect(await tryConnection('ghp_somebody', away)).toMatchObject({ works: false });
  expect(asked).toBe(0);
  expect(await tryConnection('mgl_abc', away)).toEqual({ works: false, sentence: 'The server could not be reached.' });
});
