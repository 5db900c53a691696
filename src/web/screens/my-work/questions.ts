import { askMyWork, askRepositories, askTeams } from '../../api/questions.ts';
import { readMembers } from '../../filters/choice-of-figures.ts';
import type { RawSearch } from '../../url/url-state.ts';

/** What waits for the person in all repositories is asked for by the shell around. */
export function myWorkQuestions(search: RawSearch) {
  const of = readMembers(search);
  return [askRepositories(), askTeams(), ...(Object.keys(of).length === 0 ? [] : [askMyWork(of)])];
}
