import { askRepositories, askTeam } from '../../api/questions.ts';
import { askReviewers } from '../../people/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

export const reviewerQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askReviewers(readPositive(search.repository)),
];
