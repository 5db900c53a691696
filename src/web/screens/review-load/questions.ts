import { ask } from '../../api/query.ts';
import { askRepositories, askTeam } from '../../api/questions.ts';
import { everyAccount } from '../../people/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

/** Who carries the load, in one repository by its id or in all. */
export function askReviewLoad(repository: number | undefined) {
  return ask('listReviewLoad', everyAccount(repository));
}

export const reviewLoadQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askReviewLoad(readPositive(search.repository)),
];
