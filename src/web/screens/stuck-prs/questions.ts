import { askPeople, askRepositories, askTeam } from '../../api/questions.ts';
import { askStuck } from '../../pull-requests/questions.ts';
import { type RawSearch, readPositive } from '../../url/url-state.ts';

/** What is stuck in all repositories is asked for by the shell around. */
export function stuckQuestions(search: RawSearch) {
  const repository = readPositive(search.repository);
  return [askTeam(), askRepositories(), askPeople(), ...(repository === undefined ? [] : [askStuck(repository)])];
}
