import { ask } from '../../api/query.ts';
import { askRepositories, askTeams } from '../../api/questions.ts';
import { type RawSearch, readSort, type Sort } from '../../url/url-state.ts';
import { pagingOf } from './asked-page.ts';
import { filtersIn, type PullRequestsSearch, readPullRequestsSearch } from './search.ts';

const sortable = ['updated_at', 'created_at', 'lines_changed', 'title'] as const;
export const newestFirst: Sort<(typeof sortable)[number]> = { column: 'updated_at', descending: true };

/** How the address wants the list sorted: by the last update, newest first, unless it names a column that sorts. */
export function sortOf({ sort }: PullRequestsSearch) {
  return readSort(sort, newestFirst, sortable);
}

/** The pull requests that the list's address asks for (docs/product.md#calls). */
export function askForList(search: PullRequestsSearch) {
  const { q = '', page = 1 } = search;
  const { column, descending } = sortOf(search);
  return ask('listPullRequests', {
    query: {
      ...pagingOf(q, page),
      sortBy: column,
      // The oldest was opened first.
      sortOrder: descending === (column !== 'created_at') ? 'DESC' : 'ASC',
      ...filtersIn(search),
      q: q.trim() === '' ? undefined : q.trim(),
    },
  });
}

export const pullRequestsQuestions = (search: RawSearch) => [
  askForList(readPullRequestsSearch(search)),
  askRepositories(),
  askTeams(),
];
