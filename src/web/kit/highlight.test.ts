import { expect, it } from 'vitest';
import { highlight } from './highlight.ts';

const marked = (text: string, typed: string) =>
  highlight(text, typed)
    .map(({ text: part, matches }) => (matches ? `[${part}]` : part))
    .join('');

it.each([
  ['Reset the settlement', 'set', 'Re[set] the [set]tlement'],
  ['Settings', 'SET', '[Set]tings'],
  ['Settings', ' set ', '[Set]tings'],
  ['aaa', 'aa', '[aa]a'],
  ['Settings', '', 'Settings'],
  ['Settings', 'x', 'Settings'],
  ['İstanbul', 'stan', 'İstanbul'],
])('marks in %j what was typed as %j', (text, typed, expected) => {
  expect(marked(text, typed)).toBe(expected);
});
