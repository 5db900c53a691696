import { expect, test } from 'vitest';
import { sealedAs, secretBox } from './secret-box.ts';

const box = secretBox(Buffer.alloc(32, 1));

test('what is sealed opens again, and looks different each time', () => {
  const first = box.seal('ghp_ünïcode', sealedAs.token(1));
  const second = box.seal('ghp_ünïcode', sealedAs.token(1));

  expect(box.open(first, sealedAs.token(1))).toBe('ghp_ünïcode');
  expect(first).not.toBe(second);
  expect(first).not.toContain('ghp');
});

test('one changed bit anywhere keeps it shut', () => {
  const sealed = box.seal('secret', sealedAs.token(1));
  const bytes = Buffer.from(sealed.slice(3), 'base64url');

  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.open(`v1.${changed.toString('base64url')}`, sealedAs.token(1))).toThrow();
  }
});

test('a token moved to another user’s row does not open', () => {
  const sealed = box.seal('secret', sealedAs.token(1));

  expect(() => box.open(sealed, sealedAs.token(2))).toThrow();
  expect(box.openOrNull(sealed, sealedAs.token(2))).toBeNull();
  expect(box.openOrNull(sealed, sealedAs.token(1))).toBe('secret');
});

test('another key does not open it', () => {
  const sealed = secretBox(Buffer.alloc(32, 2)).seal('secret', sealedAs.token(1));

  expect(() => box.open(sealed, sealedAs.token(1))).toThrow();
  expect(box.openOrNull(sealed, sealedAs.token(1))).toBeNull();
});

test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', 'plain text'])('what was never sealed is refused: "%s"', (text) => {
  expect(() => box.open(text, sealedAs.token(1))).toThrow('This is no sealed secret.');
  expect(box.openOrNull(text, sealedAs.token(1))).toBeNull();
});

test('a key of the wrong length is refused', () => {
  expect(() => secretBox(Buffer.alloc(31))).toThrow('32 bytes');
});
