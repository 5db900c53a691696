import { askEveryAccount, askRepositories, askTeams } from '../../api/questions.ts';
import { readMembers } from '../../filters/choice-of-figures.ts';
import { readCredit } from '../../filters/credit.ts';
import type { RawSearch } from '../../url/url-state.ts';

export const contributorsQuestions = (search: RawSearch) => [
  askRepositories(),
  askTeams(),
  askEveryAccount({ ...readMembers(search), ...readCredit(search) }),
];
