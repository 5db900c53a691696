/** Whether an agent writes code, reviews it, or does both. */
export type AgentTask = 'writes' | 'reviews' | 'both';

interface Known {
  /** Without `[bot]`; how the account may be spelled, the usual spelling first. */
  readonly logins: readonly string[];
  /** The host's numeric id; null where it isn't confirmed. */
  readonly hostId: number | null;
}

/** `tool` is what the agent is called, where it is not by its usual login. */
export type KnownAutomation = Known &
  ({ readonly kind: 'bot' } | { readonly kind: 'agent'; readonly does: AgentTask; readonly tool?: string });

/** What an agent of the list is called, whatever the host calls its account today. */
export function toolOf({ tool, logins }: { readonly tool?: string; readonly logins: readonly string[] }): string {
  return tool ?? logins[0]!.toLowerCase();
}

/** Accounts of type Bot that code or review with AI, and some that are known not to. */
export const knownBots: readonly KnownAutomation[] = [
  {
    logins: ['copilot-pull-request-reviewer', 'Copilot'],
    hostId: 175_728_472,
    kind: 'agent',
    does: 'reviews',
    tool: 'copilot',
  },
  { logins: ['copilot-swe-agent', 'Copilot'], hostId: 198_982_749, kind: 'agent', does: 'writes', tool: 'copilot' },
  { logins: ['copilot'], hostId: 167_198_135, kind: 'agent', does: 'writes', tool: 'copilot' },
  { logins: ['coderabbitai'], hostId: 136_622_811, kind: 'agent', does: 'reviews' },
  { logins: ['claude'], hostId: 209_825_114, kind: 'agent', does: 'both', tool: 'claude' },
  { logins: ['anthropic-claude'], hostId: 215_619_710, kind: 'agent', does: 'both', tool: 'claude' },
  { logins: ['claude-code-action'], hostId: 208_546_643, kind: 'agent', does: 'both', tool: 'claude' },
  { logins: ['cursor'], hostId: 206_951_365, kind: 'agent', does: 'both', tool: 'cursor' },
  { logins: ['cursoragent'], hostId: 201_670_782, kind: 'agent', does: 'writes', tool: 'cursor' },
  { logins: ['devin-ai-integration'], hostId: 158_243_242, kind: 'agent', does: 'writes', tool: 'devin' },
  { logins: ['chatgpt-codex-connector'], hostId: 199_175_422, kind: 'agent', does: 'both', tool: 'codex' },
  { logins: ['openai-codex'], hostId: 215_057_067, kind: 'agent', does: 'writes', tool: 'codex' },
  { logins: ['gemini-code-assist'], hostId: 176_961_590, kind: 'agent', does: 'reviews', tool: 'gemini' },
  { logins: ['google-labs-jules'], hostId: 161_369_871, kind: 'agent', does: 'writes', tool: 'jules' },
  { logins: ['sourcery-ai'], hostId: 58_596_630, kind: 'agent', does: 'reviews' },
  { logins: ['greptile-apps'], hostId: 165_735_046, kind: 'agent', does: 'reviews' },
  { logins: ['ellipsis-dev'], hostId: 65_095_814, kind: 'agent', does: 'reviews' },
  { logins: ['qodo-merge-pro', 'qodo-merge-pro-for-open-source'], hostId: 151_058_649, kind: 'agent', does: 'reviews' },
  { logins: ['qodo-merge'], hostId: 185_363_710, kind: 'agent', does: 'reviews', tool: 'qodo-merge-pro' },
  { logins: ['codium-pr-agent'], hostId: 139_473_635, kind: 'agent', does: 'reviews' },
  { logins: ['cubic-dev-ai'], hostId: 191_113_872, kind: 'agent', does: 'reviews' },
  { logins: ['graphite-app'], hostId: 96_075_541, kind: 'agent', does: 'reviews' },
  { logins: ['codeant-ai'], hostId: 151_821_869, kind: 'agent', does: 'reviews' },
  { logins: ['windsurf-bot'], hostId: 189_301_087, kind: 'agent', does: 'reviews' },
  { logins: ['bito-code-review'], hostId: 188_872_107, kind: 'agent', does: 'reviews' },
  { logins: ['korbit-ai'], hostId: 131_444_098, kind: 'agent', does: 'reviews' },
  { logins: ['baz-reviewer'], hostId: 174_234_987, kind: 'agent', does: 'reviews' },
  { logins: ['mesa-dot-dev'], hostId: 187_716_431, kind: 'agent', does: 'reviews' },
  { logins: ['augmentcode'], hostId: 185_243_770, kind: 'agent', does: 'reviews' },
  { logins: ['amazon-q-developer'], hostId: 208_079_219, kind: 'agent', does: 'both' },
  { logins: ['cline'], hostId: 205_137_888, kind: 'agent', does: 'writes', tool: 'cline' },
  { logins: ['continue'], hostId: 230_936_708, kind: 'agent', does: 'writes' },
  { logins: ['sourcegraph-cody'], hostId: 201_248_094, kind: 'agent', does: 'writes' },
  { logins: ['jetbrains-ai'], hostId: 220_155_983, kind: 'agent', does: 'writes' },
  { logins: ['seer-by-sentry'], hostId: 157_164_994, kind: 'agent', does: 'reviews' },
  { logins: ['sentry'], hostId: 39_604_003, kind: 'bot' },
  { logins: ['codecov-ai'], hostId: 156_709_835, kind: 'agent', does: 'reviews' },
  { logins: ['codescene-delta-analysis'], hostId: 61_000_666, kind: 'bot' },
  { logins: ['gitstream-cm'], hostId: 111_687_743, kind: 'bot' },
  { logins: ['linearb'], hostId: 5_890_272, kind: 'bot' },
  { logins: ['dependabot'], hostId: 49_699_333, kind: 'bot' },
  { logins: ['renovate'], hostId: null, kind: 'bot' },
  { logins: ['github-actions'], hostId: null, kind: 'bot' },
  { logins: ['codecov'], hostId: null, kind: 'bot' },
  { logins: ['sonarqubecloud'], hostId: null, kind: 'bot' },
  { logins: ['sonarcloud'], hostId: null, kind: 'bot' },
  { logins: ['github-merge-queue'], hostId: null, kind: 'bot' },
  { logins: ['codacy-production'], hostId: null, kind: 'bot' },
  { logins: ['deepsource-autofix'], hostId: null, kind: 'bot' },
];

/**
 * Accounts of type User that are no people. Nothing else of type User is a bot or an agent (docs/server.md#accounts-and-their-kinds):
 * bare words such as `claude` or `devin` are names of people.
 */
export const knownUserAutomation: readonly (
  | { readonly login: string; readonly kind: 'bot' }
  | { readonly login: string; readonly kind: 'agent'; readonly does: AgentTask; readonly tool: string }
)[] = [
  { login: 'Copilot', kind: 'agent', does: 'both', tool: 'copilot' },
  { login: 'cursoragent', kind: 'agent', does: 'writes', tool: 'cursor' },
  { login: 'CLAassistant', kind: 'bot' },
  { login: 'golangcibot', kind: 'bot' },
  { login: 'DrahtBot', kind: 'bot' },
];
