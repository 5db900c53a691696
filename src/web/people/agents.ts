import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { knownTools } from '#domain/authorship.ts';
import { shownLogin } from './person-name.tsx';

/** How a tool writes itself: with a capital, save aider; one that is not known is shown as its account is called. */
export function toolName(tool: string): string {
  return tool === 'aider' || !knownTools.some((known) => known === tool)
    ? tool
    : tool.charAt(0).toUpperCase() + tool.slice(1);
}

export type Attributed = Pick<PullRequestListItem, 'authorship' | 'agents' | 'credited_to'>;

/** What stands beside the title of a pull request in which an agent took part: "by Copilot for @mona", "with Claude"; null for others. */
export function agentWords({ authorship, agents, credited_to }: Attributed): string | null {
  const tools = agents.length === 0 ? 'agent' : agents.map(toolName).join(', ');
  if (authorship === 'assisted') return `with ${tools}`;
  if (authorship !== 'agent') return null;
  return `by ${tools}${credited_to === null ? ' · nobody known' : ` for @${shownLogin(credited_to)}`}`;
}
