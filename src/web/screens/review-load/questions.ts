import { ask } from '../../api/query.ts';
import { askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { type Choice, readChoice } from '../../filters/choice-of-figures.ts';
import { everyAccount } from '../../people/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';

/** Who carries the load. */
export function askReviewLoad(chosen: Choice) {
  return ask('listReviewLoad', everyAccount(chosen));
}

export const reviewLoadQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askTeams(),
  askReviewLoad(readChoice(search)),
];
