import { expect, it } from 'vitest';
import { countSet } from './set-filters.ts';

const pickers = ['period', 'from', 'repository', 'team', 'q'];

it('counts what an address sets, days as one', () => {
  expect(countSet({}, pickers)).toBe(0);
  expect(countSet({ period: '7d', repository: '3', team: '4', q: 'a' }, pickers)).toBe(4);
  expect(countSet({ from: '2026-01-01', to: '2026-02-01' }, pickers)).toBe(1);
});

it('counts no value that makes no sense', () => {
  expect(countSet({ period: 'ever', repository: 'abc', team: '-1', from: '2026-01-01', q: '' }, pickers)).toBe(0);
});
