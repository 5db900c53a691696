import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursors.ts';

describe('cursors', () => {
  test.each([
    [['2026-11-21T10:00:00Z', 1]],
    [['2026-11-21T10:00:00Z', 127]],
    [['2026-11-21T10:00:00Z', 128]],
    [['x'.repeat(31), 90_000_000_001]],
    [['x'.repeat(32), 0]],
    [[7, 7]],
    [[300, 300]],
  ] as const)('give back the sort value and the id that they were made of: %j', (key) => {
    expect(decodeCursor(encodeCursor(key))).toEqual(key);
  });

  test('begin as those of the real host do', () => {
    expect(Buffer.from(encodeCursor(['2026-11-21T10:00:00Z', 5]), 'base64').toString('latin1')).toMatch(
      /^cursor:v2:\x92/,
    );
  });

  test.each(['', 'abc', 'Y3Vyc29yOnYyOg==', Buffer.from('cursor:v2:\x92\xb9short', 'latin1').toString('base64')])(
    'of another making are refused: %j',
    (text) => {
      expect(decodeCursor(text)).toBeNull();
    },
  );
});
