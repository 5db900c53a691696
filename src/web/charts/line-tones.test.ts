import { expect, it } from 'vitest';
import { tonesOf } from './line-tones.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];

it('colours the first three lines, all others are grey', () => {
  expect(tonesOf(keys, [])).toEqual(['first', 'second', 'third', 'rest', 'rest']);
});

it('gives a pinned line the colour of the smallest that is not pinned', () => {
  expect(tonesOf(keys, ['e'])).toEqual(['first', 'second', 'rest', 'rest', 'third']);
  expect(tonesOf(keys, ['e', 'd'])).toEqual(['first', 'rest', 'rest', 'second', 'third']);
  expect(tonesOf(keys, ['c', 'd'])).toEqual(['first', 'rest', 'third', 'second', 'rest']);
});

it('never has more than three colours: the earliest pinned gives way', () => {
  const tones = tonesOf(keys, ['a', 'b', 'd', 'e']);
  expect(tones.filter((tone) => tone !== 'rest')).toHaveLength(3);
  expect(tones[0]).toBe('rest');
});

it('knows nothing of pinned lines that are not there', () => {
  expect(tonesOf(keys, ['x'])).toEqual(['first', 'second', 'third', 'rest', 'rest']);
});
