import { askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readChoice } from '../../filters/choice-of-figures.ts';
import { readCredit } from '../../filters/credit.ts';
import { askDevelopers } from '../../people/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';

export const developerQuestions = (search: RawSearch) => [
  askTeam(),
  askRepositories(),
  askTeams(),
  askDevelopers({ ...readChoice(search), ...readCredit(search) }),
];
