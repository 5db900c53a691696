import { expect, test } from 'vitest';
import { choicesOfDays, repositoriesInWords } from './words.ts';

const names = new Map([
  [1, 'acme/web'],
  [2, 'acme/api'],
  [3, 'acme/docs'],
]);

test.each([
  ['all' as const, 'all repositories'],
  [[1], 'acme/web'],
  [[1, 2], 'acme/web and acme/api'],
  [[1, 2, 3], 'acme/web and 2 more'],
  [[1, 9], 'acme/web and 1 more'],
  [[9], 'a repository that you no longer read'],
  [[8, 9], 'repositories that you no longer read'],
])('the repositories %j are told as "%s"', (repositories, words) => {
  expect(repositoriesInWords(repositories, names)).toBe(words);
});

test('ends are offered as far as the server allows them', () => {
  expect(choicesOfDays(366)).toEqual([7, 30, 90, 180, 365]);
  expect(choicesOfDays(90)).toEqual([7, 30, 90]);
  expect(choicesOfDays(45)).toEqual([7, 30, 45]);
  expect(choicesOfDays(3)).toEqual([3]);
});
