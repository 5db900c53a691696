import { expect, it } from 'vitest';
import { percentWords, shareWords } from './percent.ts';

it.each([
  [0, '0'],
  [0.0001, '<0.1'],
  [0.004, '0.4'],
  [0.01, '1'],
  [0.0294, '2.9'],
  [0.0296, '3'],
  [0.125, '13'],
  [2 / 7, '29'],
  [0.994, '99'],
  [249 / 250, '99.6'],
  [0.999999, '99.9'],
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
  [249 / 250, '99.6'],
  [1, '100'],
])('a share of %d beside a target of 70 percent reads %s percent', (share, words) => {
  expect(percentWords(share, 0.7)).toBe(words);
});

it('is read with its unit, and N/A where there is none', () => {
  expect([shareWords(0.414), shareWords(null)]).toEqual(['41 %', 'N/A']);
});
