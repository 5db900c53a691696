import type { AccountKind } from './pull-request.ts';

export interface KnownAutomation {
  /** Without `[bot]`; how the account may be spelled, the usual spelling first. */
  readonly logins: readonly string[];
  /** The host's numeric id; null where it isn't confirmed. */
  readonly databaseId: number | null;
  readonly kind: Extract<AccountKind, 'bot' | 'agent'>;
}

/** Accounts of type Bot that code or review with AI, and some that are known not to. */
export const knownBots: readonly KnownAutomation[] = [
  { logins: ['copilot-pull-request-reviewer', 'Copilot'], databaseId: 175_728_472, kind: 'agent' },
  { logins: ['copilot-swe-agent', 'Copilot'], databaseId: 198_982_749, kind: 'agent' },
  { logins: ['copilot'], databaseId: 167_198_135, kind: 'agent' },
  { logins: ['coderabbitai'], databaseId: 136_622_811, kind: 'agent' },
  { logins: ['claude'], databaseId: 209_825_114, kind: 'agent' },
  { logins: ['anthropic-claude'], databaseId: 215_619_710, kind: 'agent' },
  { logins: ['claude-code-action'], databaseId: 208_546_643, kind: 'agent' },
  { logins: ['cursor'], databaseId: 206_951_365, kind: 'agent' },
  { logins: ['cursoragent'], databaseId: 201_670_782, kind: 'agent' },
  { logins: ['devin-ai-integration'], databaseId: 158_243_242, kind: 'agent' },
  { logins: ['chatgpt-codex-connector'], databaseId: 199_175_422, kind: 'agent' },
  { logins: ['openai-codex'], databaseId: 215_057_067, kind: 'agent' },
  { logins: ['gemini-code-assist'], databaseId: 176_961_590, kind: 'agent' },
  { logins: ['google-labs-jules'], databaseId: 161_369_871, kind: 'agent' },
  { logins: ['sourcery-ai'], databaseId: 58_596_630, kind: 'agent' },
  { logins: ['greptile-apps'], databaseId: 165_735_046, kind: 'agent' },
  { logins: ['ellipsis-dev'], databaseId: 65_095_814, kind: 'agent' },
  { logins: ['qodo-merge-pro', 'qodo-merge-pro-for-open-source'], databaseId: 151_058_649, kind: 'agent' },
  { logins: ['qodo-merge'], databaseId: 185_363_710, kind: 'agent' },
  { logins: ['codium-pr-agent'], databaseId: 139_473_635, kind: 'agent' },
  { logins: ['cubic-dev-ai'], databaseId: 191_113_872, kind: 'agent' },
  { logins: ['graphite-app'], databaseId: 96_075_541, kind: 'agent' },
  { logins: ['codeant-ai'], databaseId: 151_821_869, kind: 'agent' },
  { logins: ['windsurf-bot'], databaseId: 189_301_087, kind: 'agent' },
  { logins: ['bito-code-review'], databaseId: 188_872_107, kind: 'agent' },
  { logins: ['korbit-ai'], databaseId: 131_444_098, kind: 'agent' },
  { logins: ['baz-reviewer'], databaseId: 174_234_987, kind: 'agent' },
  { logins: ['mesa-dot-dev'], databaseId: 187_716_431, kind: 'agent' },
  { logins: ['augmentcode'], databaseId: 185_243_770, kind: 'agent' },
  { logins: ['amazon-q-developer'], databaseId: 208_079_219, kind: 'agent' },
  { logins: ['cline'], databaseId: 205_137_888, kind: 'agent' },
  { logins: ['continue'], databaseId: 230_936_708, kind: 'agent' },
  { logins: ['sourcegraph-cody'], databaseId: 201_248_094, kind: 'agent' },
  { logins: ['jetbrains-ai'], databaseId: 220_155_983, kind: 'agent' },
  { logins: ['seer-by-sentry'], databaseId: 157_164_994, kind: 'agent' },
  { logins: ['sentry'], databaseId: 39_604_003, kind: 'bot' },
  { logins: ['codecov-ai'], databaseId: 156_709_835, kind: 'agent' },
  { logins: ['codescene-delta-analysis'], databaseId: 61_000_666, kind: 'bot' },
  { logins: ['gitstream-cm'], databaseId: 111_687_743, kind: 'bot' },
  { logins: ['linearb'], databaseId: 5_890_272, kind: 'bot' },
  { logins: ['dependabot'], databaseId: 49_699_333, kind: 'bot' },
  { logins: ['renovate'], databaseId: null, kind: 'bot' },
  { logins: ['github-actions'], databaseId: null, kind: 'bot' },
  { logins: ['codecov'], databaseId: null, kind: 'bot' },
  { logins: ['sonarqubecloud'], databaseId: null, kind: 'bot' },
  { logins: ['sonarcloud'], databaseId: null, kind: 'bot' },
  { logins: ['github-merge-queue'], databaseId: null, kind: 'bot' },
  { logins: ['codacy-production'], databaseId: null, kind: 'bot' },
  { logins: ['deepsource-autofix'], databaseId: null, kind: 'bot' },
];

/**
 * Accounts of type User that are no people. Nothing else of type User is a bot or an agent (docs/server.md#accounts-and-their-kinds):
 * bare words such as `claude` or `devin` are names of people.
 */
export const knownUserAutomation: readonly { readonly login: string; readonly kind: 'bot' | 'agent' }[] = [
  { login: 'Copilot', kind: 'agent' },
  { login: 'cursoragent', kind: 'agent' },
  { login: 'CLAassistant', kind: 'bot' },
  { login: 'golangcibot', kind: 'bot' },
  { login: 'DrahtBot', kind: 'bot' },
];
