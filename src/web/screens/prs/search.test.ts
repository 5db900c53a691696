import { expect, it } from 'vitest';
import { askForList } from './questions.ts';
import { countFilters, noFilters, readPullRequestsSearch } from './search.ts';

const queryOf = (search: Readonly<Record<string, string>>) =>
  (askForList(readPullRequestsSearch(search)).queryKey[1] as { query: Record<string, unknown> }).query;

it('asks for the pull requests of the repository that its address names', () => {
  expect(queryOf({ repository: '7' })).toMatchObject({ repository: 7 });
  expect(queryOf({ repository: 'seven' }).repository).toBeUndefined();
});

it('has the oldest first where the age descends, and the largest and the latest where those do', () => {
  expect(queryOf({ sort: '-created_at' })).toMatchObject({ sortBy: 'created_at', sortOrder: 'ASC' });
  expect(queryOf({ sort: 'created_at' })).toMatchObject({ sortBy: 'created_at', sortOrder: 'DESC' });
  expect(queryOf({ sort: '-lines_changed' })).toMatchObject({ sortOrder: 'DESC' });
  expect(queryOf({})).toMatchObject({ sortBy: 'updated_at', sortOrder: 'DESC' });
});

it('counts that as a filter, which is taken back with the others', () => {
  const search = readPullRequestsSearch({ repository: '7' });

  expect(countFilters(search)).toBe(1);
  expect(countFilters({ ...search, ...noFilters() })).toBe(0);
});
