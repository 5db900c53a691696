import { expect, test } from 'vitest';
import { type ComparedWith, fewMergedWords, incomparable, isWhole, reasonWords } from './change.ts';

const from = '2025-05-02T10:00:00Z';
const whole: ComparedWith = { from, history_begins: '2025-05-02T10:00:00Z', import_complete: true };
const words = (
  compared: ComparedWith,
  basis: Parameters<typeof incomparable>[1],
  earlier = 'in the 30 days before',
) => {
  const reason = incomparable(compared, basis);
  return reason && reasonWords(reason, earlier, 'UTC');
};

test('a window that is all there and holds five is compared with', () => {
  expect(words(whole, { before: 5 })).toBeNull();
  expect(words(whole, { before: 5, now: 5 })).toBeNull();
  expect(isWhole(whole)).toBe(true);
});

test('while the first import runs nothing is compared, whatever is stored already', () => {
  const importing = { ...whole, import_complete: false };

  expect(words(importing, { before: 900 })).toBe('comparison follows');
  expect(isWhole(importing)).toBe(false);
});

test('a window that begins a millisecond before the history is not compared with, and the reason names the month', () => {
  const late = { ...whole, history_begins: '2025-05-02T10:00:00.001Z' };

  expect(words(late, { before: 900 })).toBe('history begins May 2025');
  expect(isWhole(late)).toBe(false);
});

test('the month is that of the viewer’s zone', () => {
  const compared = { ...whole, history_begins: '2025-05-31T23:30:00Z' };

  expect(reasonWords(incomparable(compared, { before: 9 })!, '', 'Europe/Oslo')).toBe('history begins Jun 2025');
});

test('fewer than five are told as they are instead of a percentage', () => {
  expect(words(whole, { before: 4 }, 'yesterday')).toBe('4 yesterday');
  expect(words(whole, { before: 0 }, 'yesterday')).toBe('0 yesterday');
  expect(words(whole, { before: 4, now: 80 })).toBe('of only 4 in the 30 days before');
  expect(words(whole, { before: 0, now: 80 })).toBe('nothing in the 30 days before');
  expect(words(whole, { before: 80, now: 4 })).toBe('of only 4');
});

test('of how few merged a mean is', () => {
  expect([0, 1, 4].map(fewMergedWords)).toEqual([
    'Nothing merged in the period',
    'mean of only 1 merged PR',
    'mean of only 4 merged PRs',
  ]);
});

test('where nothing is stored there is nothing to compare with', () => {
  expect(words({ ...whole, history_begins: null }, { before: 0 })).toBe('0 in the 30 days before');
});
