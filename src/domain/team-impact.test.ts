import { expect, it } from 'vitest';
import { noAreasWords, teamImpact } from './team-impact.ts';

it.each([
  [20, 5, 'High Impact'],
  [19, 5, 'Good Impact'],
  [20, 4, 'Good Impact'],
  [10, 3, 'Good Impact'],
  [9, 3, 'Moderate Impact'],
  [10, 2, 'Moderate Impact'],
  [5, 0, 'Moderate Impact'],
  [4, 9, 'Building Impact'],
])('%d reviewed for %d developers is %s', (reviewed, helped, impact) => {
  expect(teamImpact(reviewed, helped)).toBe(impact);
});

it('nothing merged is told apart from merges that changed no lines', () => {
  expect([0, 2].map(noAreasWords)).toEqual(['Nothing merged in this period', 'No lines changed in what was merged']);
});
