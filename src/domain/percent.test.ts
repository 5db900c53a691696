import { expect, it } from 'vitest';
import { percentWords } from './percent.ts';

it.each([
  [0, '0'],
  [2 / 7, '29'],
  [0.005, '1'],
  [1, '100'],
  [1.2, '120'],
])('a share of %d reads %s percent', (share, words) => {
  expect(percentWords(share)).toBe(words);
});

it.each([
  [0.69, '69'],
  [0.697, '69.7'],
  [0.699999, '69.9'],
  [0.7, '70'],
  [0.704, '70'],
])('a share of %d beside a target of 70 percent reads %s percent', (share, words) => {
  expect(percentWords(share, 0.7)).toBe(words);
});
