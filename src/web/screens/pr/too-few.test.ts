import { expect, it } from 'vitest';
import { noOthers, tooFewToCompare } from './too-few.ts';

const withSet = (comparison_set_size: number, team_p50_cycle_time: number | null = null) =>
  tooFewToCompare({ comparison_set_size, team_p50_cycle_time } as Parameters<typeof tooFewToCompare>[0]);

it('counts those that are too few, and says nothing where they are enough', () => {
  expect(withSet(0)).toBe('No other was merged in the 90 days before; from 5 on they are compared.');
  expect(withSet(1)).toBe('Only 1 other was merged in the 90 days before; from 5 on they are compared.');
  expect(withSet(4)).toBe('Only 4 others were merged in the 90 days before; from 5 on they are compared.');
  expect(withSet(5, 3)).toBeNull();
});

it('does not speak of a deleted account as if it had merged nothing', () => {
  const by = (author: string, author_kind: string) =>
    noOthers({ author, author_kind } as Parameters<typeof noOthers>[0]);

  expect(by('mona', 'human')).toBe('No other of mona was merged in the 180 days before.');
  expect(by('dependabot[bot]', 'bot')).toBe('No other of dependabot was merged in the 180 days before.');
  expect(by('ghost', 'ghost')).toBe('The author’s account was deleted, so their others are unknown.');
});
