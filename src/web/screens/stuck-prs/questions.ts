import { askPeople, askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readNarrowing } from '../../filters/choice-of-figures.ts';
import { askStuck } from '../../pull-requests/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

/** What is stuck in all repositories is asked for by the shell around. */
export function stuckQuestions(search: RawSearch) {
  const asked = readPositive(search.asked);
  const of = { ...readNarrowing(search), ...(asked !== undefined && { asked }) };
  return [
    askTeam(),
    askRepositories(),
    askTeams(),
    askPeople(),
    ...(Object.keys(of).length === 0 ? [] : [askStuck(of)]),
  ];
}
