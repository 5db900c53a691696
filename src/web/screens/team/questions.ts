import { ask } from '../../api/query.ts';
import { askTeam } from '../../api/questions.ts';
import { type Choice, readChoice } from '../../filters/choice-of-figures.ts';
import { askWholeTeam } from '../../teams/questions.ts';
import { type PathParams, type RawSearch, readPositive } from '../../url/url-state.ts';

/** What a team's open pull requests wait for, what is asked of it, and its reviews across teams. */
export const askTeamView = (id: number, { team: _, ...chosen }: Choice) =>
  ask('getTeamView', { params: { id }, query: chosen });

export function teamQuestions(search: RawSearch, params: PathParams) {
  const id = readPositive(params.id);
  if (id === undefined) return [];
  const chosen = readChoice({ ...search, team: id });
  return [askWholeTeam(id), askTeamView(id, chosen), askTeam(chosen)];
}
