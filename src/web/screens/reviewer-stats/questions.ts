import { askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readChoice } from '../../filters/choice-of-figures.ts';
import { askReviewers } from '../../people/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';

export const reviewerQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askTeams(),
  askReviewers(readChoice(search)),
];
