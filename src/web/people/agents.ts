import type { PullRequestListItem } from '#contract/pull-requests.ts';
import { toolName } from '#domain/known-tools.ts';
import { shownLogin } from './person-name.tsx';

export type Attributed = Pick<PullRequestListItem, 'authorship' | 'agents' | 'credited_to' | 'credit_by'>;

/** By what somebody is credited with an agent's pull request, to be read after their name. */
export const creditedWords: Readonly<Record<NonNullable<Attributed['credit_by']>, string>> = {
  author: 'opened it',
  session: 'started the session',
  trailer: 'is named in its commits',
  line: 'is named in its description',
  assignee: 'is assigned to it',
  asked: 'was asked for a review by the agent',
  issue: 'set the agent on the issue',
  corrected: 'was named by hand',
};

/** What stands beside the title of a pull request in which an agent took part: "by Copilot for @mona", "with Claude"; null for others. */
export function agentWords({ authorship, agents, credited_to }: Attributed): string | null {
  const tools = agents.length === 0 ? 'agent' : agents.map(toolName).join(', ');
  if (authorship === 'assisted') return `with ${tools}`;
  if (authorship !== 'agent') return null;
  return `by ${tools}${credited_to === null ? ' · nobody known' : ` for @${shownLogin(credited_to)}`}`;
}

/** Why that is thought, for a tooltip: the traces where they are known, and by what somebody is credited. */
export function agentEvidence(
  { authorship, credited_to, credit_by }: Attributed,
  evidence: readonly { readonly text: string }[],
): string {
  const traces = evidence.slice(0, 3).map(({ text }) => text);
  const more = evidence.length > traces.length ? [`and ${evidence.length - traces.length} more`] : [];
  const credited =
    authorship === 'agent' && credited_to !== null && credit_by !== null
      ? [`${shownLogin(credited_to)} ${creditedWords[credit_by]}`]
      : [];
  const known = traces.length === 0 ? ['By the traces that were found; its page says which'] : [...traces, ...more];
  return [...known, ...credited].join('\n');
}

/** Why a visitor of the demo can't say who wrote or started a pull request. */
export const VISITORS_READ =
  'Visitors of the demo only read. In your own repositories the author, whoever is credited, and whoever may write there can say it.';
