import { expect, test } from 'vitest';
import { localPath } from './local-path.ts';

test.each([
  ['/dashboard', '/dashboard'],
  ['/', '/'],
  ['/pr/acme/web/7?tab=reviews#top', '/pr/acme/web/7?tab=reviews#top'],
  ['/prs?q=https://evil.example/', '/prs?q=https://evil.example/'],
  ['/a/../settings', '/settings'],
  ['/logins', '/logins'],
])('%s leads within the product', (text, path) => {
  expect(localPath(text)).toBe(path);
});

test.each([
  undefined,
  '',
  'dashboard',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a/..//evil.example',
  '/.//evil.example',
  '/%09/evil.example\t',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  ' /dashboard',
  '/login?error=token_rejected',
  '/a/../Login/',
])('%j is not followed', (text) => {
  expect(localPath(text)).toBeNull();
});
