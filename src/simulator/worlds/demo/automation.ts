import type { Account } from '../../history.ts';

function bot(id: number, login: string): Account {
  return { id, login, type: 'Bot', name: null, email: null, avatarUrl: null };
}

/** The company's own app for dependency updates. */
export const DEPS_BOT = bot(88_204_117, 'deps-bot[bot]');
/** The company's own agent: opens pull requests and reviews those of others. */
export const PATCHWISE = bot(191_550_348, 'patchwise[bot]');
/** The company's own build system: reports statuses and comments on results. */
export const BRASSWICK_CI = bot(71_336_902, 'brasswick-ci[bot]');

/** Known products, under the logins and, where published, the ids that make their kind recognizable. */
export const DEPENDABOT = bot(49_699_333, 'dependabot[bot]');
export const GITHUB_ACTIONS = bot(41_898_282, 'github-actions[bot]');
export const COPILOT_REVIEWER = bot(175_728_472, 'copilot-pull-request-reviewer[bot]');
export const COPILOT_AGENT = bot(198_982_749, 'copilot-swe-agent[bot]');
export const DEVIN = bot(158_243_242, 'devin-ai-integration[bot]');
export const CODERABBIT = bot(136_622_811, 'coderabbitai[bot]');
export const GEMINI = bot(176_961_590, 'gemini-code-assist[bot]');
export const CLAUDE = bot(209_825_114, 'claude[bot]');

/** A product that runs as an ordinary user account. */
export const LICENCE_ASSISTANT: Account = {
  id: 9_118_640,
  login: 'CLAassistant',
  type: 'User',
  name: 'Contributor licence assistant',
  email: null,
  avatarUrl: null,
};

/** The company's release script: an ordinary user account that only the team's own list can tell from a person. */
export const RELEASE_TRAIN: Account = {
  id: 52_760_095,
  login: 'brasswick-release',
  type: 'User',
  name: 'Brasswick release train',
  email: 'release@brasswick.example',
  avatarUrl: null,
};

export const AUTOMATION: readonly Account[] = [
  DEPS_BOT,
  PATCHWISE,
  BRASSWICK_CI,
  DEPENDABOT,
  GITHUB_ACTIONS,
  COPILOT_REVIEWER,
  COPILOT_AGENT,
  DEVIN,
  CODERABBIT,
  GEMINI,
  CLAUDE,
  LICENCE_ASSISTANT,
  RELEASE_TRAIN,
];

/** The trace that a coding assistant leaves in a person's commit: branch prefix and trailer. */
export interface Assistant {
  readonly branchPrefix: string;
  readonly trailer: string;
}

export const CLAUDE_TRAILER = 'Co-Authored-By: Claude <noreply@anthropic.com>';

export const ASSISTANTS: readonly Assistant[] = [
  { branchPrefix: 'copilot/', trailer: 'Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>' },
  { branchPrefix: 'claude/', trailer: CLAUDE_TRAILER },
  { branchPrefix: 'cursor/', trailer: 'Co-authored-by: Cursor <cursoragent@cursor.com>' },
  { branchPrefix: 'codex/', trailer: 'Assisted-by: Codex' },
];
