import { askPeople, askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readChoice, readNarrowing } from '../../filters/choice-of-figures.ts';
import { askDevelopers, askReviewers } from '../../people/questions.ts';
import { askOldestStuck, askStuckCounts } from '../../pull-requests/questions.ts';
import { readTurn } from '../../pull-requests/turns.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { askViews } from '../../views/questions.ts';

/** How much is stuck in all repositories is asked for by the shell around. */
export function dashboardQuestions(search: RawSearch) {
  const chosen = readChoice(search);
  const of = readNarrowing(search);
  return [
    askTeam(chosen),
    askPeople(),
    askRepositories(),
    askTeams(),
    askViews(),
    askReviewers(chosen),
    askDevelopers(chosen),
    askOldestStuck(of, readTurn(search.turn)),
    ...(Object.keys(of).length === 0 ? [] : [askStuckCounts(of)]),
  ];
}
