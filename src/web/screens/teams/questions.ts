import { ask } from '../../api/query.ts';
import { askTeams } from '../../api/questions.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { readTeamsSearch, type TeamsSearch } from './search.ts';

/** Teams of one level side by side. Another order is no other question: the rows are few. */
export const askComparison = ({ period, repository, parent }: TeamsSearch) =>
  ask('compareTeams', {
    query: { window: period, ...(repository !== undefined && { repository }), ...(parent !== undefined && { parent }) },
  });

export const teamsQuestions = (search: RawSearch) => [askTeams(), askComparison(readTeamsSearch(search))];
