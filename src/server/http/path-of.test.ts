import { expect, test } from 'vitest';
import { isCall, pathOf } from './path-of.ts';

test.each([
  ['/api/repos?state=open', '/api/repos'],
  ['/%61pi/repos', '/api/repos'],
  ['http://mergelight.example.com/api/repos', '/api/repos'],
  ['HTTPS://mergelight.example.com:8443/%61%75th/me?x', '/auth/me'],
  ['http://mergelight.example.com', ''],
  ['/prs/%E0%A4', '/prs/'],
  ['/%61pi/repos#%zz', '/api/repos'],
  ['/mcp#?x', '/mcp'],
])('%s is %s', (url, path) => {
  expect(pathOf({ url })).toBe(path);
});

test('a call is what lies under /api and /auth, however it is written', () => {
  for (const url of ['/api', '/api/repos', '/%61pi', '/auth?x', 'http://h/auth/me'])
    expect(isCall({ url }), url).toBe(true);
  for (const url of ['/apis', '/', '/%2561pi', '/prs?from=/api/repos']) expect(isCall({ url }), url).toBe(false);
});
