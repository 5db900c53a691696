import { describe, expect, it } from 'vitest';
import { readTeamsSearch } from './search.ts';

describe('the address of the comparison of teams', () => {
  it('says nothing: thirty days, everything, all teams that are part of none', () => {
    expect(readTeamsSearch({})).toEqual({
      period: '30d',
      repository: undefined,
      parent: undefined,
      teams: [],
      figure: 'time_to_first_review',
    });
  });

  it('puts teams side by side, each once', () => {
    expect(readTeamsSearch({ teams: '7,3,7' }).teams).toEqual([7, 3]);
  });

  it('counts what makes no sense as absent', () => {
    expect(
      readTeamsSearch({
        teams: 'a,,0,-1,2',
        period: '14d',
        parent: 'x',
        repository: '0',
        figure: 'reviews_per_merged',
      }),
    ).toEqual({ ...readTeamsSearch({}), teams: [2] });
  });
});
