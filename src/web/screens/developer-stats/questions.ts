import { askRepositories, askTeam } from '../../api/questions.ts';
import { askDevelopers } from '../../people/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

export const developerQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askDevelopers(readPositive(search.repository)),
];
