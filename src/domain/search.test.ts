import { expect, it } from 'vitest';
import { matchesSearch } from './search.ts';

it.each([
  [['Fix Login'], 'login', true],
  [['Fix Login', 'ada'], ' ADA ', true],
  [['100% sure'], '0% s', true],
  [['100 sure'], '%', false],
  [['a_b'], '_', true],
  [['ab'], 'a.b', false],
  [[null, 'ada'], 'null', false],
  [['anything'], '   ', true],
  [[], 'x', false],
])('%j holds %j: %s', (texts, typed, expected) => {
  expect(matchesSearch(texts, typed)).toBe(expected);
});
