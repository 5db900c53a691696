import type { PullRequestRecord } from './pull-request.ts';

/**
 * The traces that coding agents leave in commits and branch names. They are matched on addresses at trailer lines and on fixed marks,
 * never on names: many agents are called as people are. Traces can be stripped, so their absence proves nothing.
 */
const addresses: readonly { readonly address: RegExp; readonly tool: string }[] = [
  { address: /^noreply@anthropic\.com$/, tool: 'Claude' },
  { address: /@cursor\.com$/, tool: 'Cursor' },
  { address: /^(198982749\+copilot@users\.noreply\.github\.com|copilot@github\.com)$/, tool: 'Copilot' },
  { address: /@aider\.chat$/, tool: 'aider' },
  { address: /^codex@openai\.com$/, tool: 'Codex' },
  { address: /@ampcode\.com$/, tool: 'Amp' },
];

const messageMarks: readonly { readonly mark: RegExp; readonly tool: string }[] = [
  {
    mark: /^.{0,4}Generated with \[Claude Code\]\(https:\/\/(claude\.com\/claude-code|claude\.ai\/code)\)/m,
    tool: 'Claude',
  },
  { mark: /^Replit-Commit-Author:\s*Agent\s*$/im, tool: 'Replit' },
  { mark: /^aider:/, tool: 'aider' },
];

const branchPrefixes: Readonly<Record<string, string>> = {
  codex: 'Codex',
  claude: 'Claude',
  copilot: 'Copilot',
  cursor: 'Cursor',
  devin: 'Devin',
  cline: 'Cline',
  aider: 'aider',
  gemini: 'Gemini',
};

export interface CommitText {
  /** Headline, blank line, body and trailers. */
  readonly message: string;
  /** The git author's name and address; null where the host hides them. */
  readonly authorName: string | null;
  readonly authorEmail: string | null;
}

/** The coding agent that left its trace in a commit; null for none. An `Assisted-by` trailer names its tool itself. */
export function agentTraceOfCommit(commit: CommitText): string | null {
  const authored = commit.authorEmail === null ? null : toolOfAddress(commit.authorEmail);
  if (authored !== null) return authored;
  if (commit.authorName?.trimEnd().endsWith(' (aider)')) return 'aider';
  for (const [, address] of commit.message.matchAll(/^co-authored-by:[^<\n]*<([^>\n]+)>/gim)) {
    const tool = toolOfAddress(address ?? '');
    if (tool !== null) return tool;
  }
  const marked = messageMarks.find(({ mark }) => mark.test(commit.message));
  if (marked !== undefined) return marked.tool;
  return /^assisted-by:[ \t]*(\S[^<\n]*)/im.exec(commit.message)?.[1]?.trim() ?? null;
}

/** The coding agent whose prefix (`codex/…`) a branch carries; null for none. */
export function agentTraceOfBranch(headRef: string): string | null {
  const slash = headRef.indexOf('/');
  return slash < 0 ? null : (branchPrefixes[headRef.slice(0, slash).toLowerCase()] ?? null);
}

/** The first coding agent that left a trace in a pull request, in its commits or else in its branch; null for none. */
export function agentTraceOf(record: Pick<PullRequestRecord, 'commits' | 'headRef'>): string | null {
  return record.commits.find(({ agentTrace }) => agentTrace !== null)?.agentTrace ?? agentTraceOfBranch(record.headRef);
}

function toolOfAddress(address: string): string | null {
  const lower = address.trim().toLowerCase();
  return addresses.find((known) => known.address.test(lower))?.tool ?? null;
}
