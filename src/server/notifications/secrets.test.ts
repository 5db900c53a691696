import { expect, test } from 'vitest';
import { shortened } from './secrets.ts';

test.each([
  ['https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXa1b2', 'https://hooks.slack.com/…a1b2'],
  ['https://example.org:8443/hooks/one?key=0123456789abcdef', 'https://example.org:8443/…cdef'],
  ['https://example.org/hook', 'https://example.org/…'],
  ['https://example.org', 'https://example.org/…'],
  ['team-of-the-web@lists.example.org', 't…@lists.example.org'],
])('%s is shown as %s', (target, shown) => {
  expect(shortened(target)).toBe(shown);
});
