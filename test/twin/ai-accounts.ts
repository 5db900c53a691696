import type { PersonRef } from '#domain/pull-request.ts';
import type { RandomPullRequest } from '../support/random-history.ts';
import { isHuman } from './pull-request.ts';

/*
 * Which tool an agent's account stands for and what it does, as a list of the accounts that appear in tests.
 */

type Task = 'writes' | 'reviews' | 'both';

const accounts: Readonly<Record<string, readonly [tool: string, does: Task]>> = {
  'copilot-pull-request-reviewer[bot]': ['copilot', 'reviews'],
  copilot: ['copilot', 'reviews'],
  'copilot-swe-agent[bot]': ['copilot', 'writes'],
  'coderabbitai[bot]': ['coderabbitai', 'reviews'],
  'claude[bot]': ['claude', 'both'],
  'anthropic-claude[bot]': ['claude', 'both'],
  'devin-ai-integration[bot]': ['devin', 'writes'],
};

const withoutSuffix = (login: string) => login.toLowerCase().replace(/\[bot\]$/, '');

/** Of an agent; what is in no list is a tool of its own that may write. */
export function toolOf({ login }: PersonRef): string {
  return accounts[login.toLowerCase()]?.[0] ?? withoutSuffix(login);
}

/** Whether its words in the conversation review: only where it is known to. */
export const isReviewing = ({ login }: PersonRef) =>
  ['reviews', 'both'].includes(accounts[login.toLowerCase()]?.[1] ?? 'writes');

/** Tools whose addresses in trailers are theirs. */
const addresses: Readonly<Record<string, string>> = {
  'noreply@anthropic.com': 'claude',
  'cursoragent@cursor.com': 'cursor',
  'codex@openai.com': 'codex',
  '198982749+copilot@users.noreply.github.com': 'copilot',
};
const labels: Readonly<Record<string, string>> = { 'claude-code-assisted': 'claude', copilot: 'copilot' };
const branches = ['copilot', 'codex', 'claude', 'cursor', 'devin', 'jules', 'gemini', 'cline', 'aider'];

export const messagesOf = ({ commits, messages = {} }: RandomPullRequest) =>
  commits.map((commit) => ({ commit, message: messages[commit.sha] ?? commit.headline }));

/** The agents' tools whose traces a pull request carries, whoever opened it. */
export function toolsOf(pull: RandomPullRequest): string[] {
  const found = new Set<string>();
  const { author, headRef, attribution, body = '' } = pull;
  if (author?.kind === 'agent') found.add(toolOf(author));
  for (const { commit, message } of messagesOf(pull))
    for (const tool of toolsOfCommit(commit, message)) found.add(tool);
  for (const label of attribution.labels) {
    const tool = labels[label.toLowerCase()];
    if (tool !== undefined) found.add(tool);
  }
  const prefix = headRef.split('/')[0]!.toLowerCase();
  const names = `${author?.login ?? ''} ${author?.displayName ?? ''}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  if (headRef.includes('/') && branches.includes(prefix) && !names.includes(prefix)) found.add(prefix);
  for (const line of body.split('\n')) {
    if (line.startsWith('Generated with [Claude Code]')) found.add('claude');
    if (line.startsWith('Link to Devin run: https://app.devin.ai/sessions/')) found.add('devin');
  }
  return [...found];
}

export function toolsOfCommit({ author }: RandomPullRequest['commits'][number], message: string): string[] {
  const tools: string[] = [];
  if (author?.kind === 'agent' && isWriting(author)) tools.push(toolOf(author));
  const [headline = '', ...lines] = message.split('\n');
  for (const line of lines) {
    const isTakenOver = headline.startsWith('Apply suggestion');
    const address = /^Co-authored-by: .*<(.*)>$/i.exec(line)?.[1]?.toLowerCase();
    const tool = address === undefined ? undefined : addresses[address];
    if (tool !== undefined && !isTakenOver) tools.push(tool);
    if (line === 'Made-with: Cursor') tools.push('cursor');
  }
  return tools;
}

const isWriting = ({ login }: PersonRef) => accounts[login.toLowerCase()]?.[1] !== 'reviews';

/** How many of its commits agents wrote or took part in. */
export function commitsByAgents(pull: RandomPullRequest): number {
  return messagesOf(pull).filter(({ commit, message }) => toolsOfCommit(commit, message).length > 0).length;
}

/** Who wrote it: whoever's account opened it, of a person's with an agent's trace in it `assisted`. */
export function whoWrote(pull: RandomPullRequest): string {
  if (pull.author === null) return 'ghost';
  return isHuman(pull.author) && toolsOf(pull).length > 0 ? 'assisted' : pull.author.kind;
}
