import { askPeople, askRepositories, askTeam, askTeams } from '../../api/questions.ts';
import { readChoice, readNarrowing } from '../../filters/choice-of-figures.ts';
import { askDevelopers, askReviewers } from '../../people/questions.ts';
import { askStuck } from '../../pull-requests/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { askViews } from '../../views/questions.ts';

/** What is stuck in all repositories is asked for by the shell around. */
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
    ...(Object.keys(of).length === 0 ? [] : [askStuck(of)]),
  ];
}
