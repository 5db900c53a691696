import { askPeople, askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readNarrowing } from '../../filters/choice-of-figures.ts';
import { askStuck } from '../../pull-requests/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

export function stuckQuestions(search: RawSearch) {
  const asked = readPositive(search.asked);
  const of = { ...readNarrowing(search), ...(asked !== undefined && { asked }) };
  return [askTeam(), askRepositories(), askTeams(), askPeople(), askStuck(of)];
}
