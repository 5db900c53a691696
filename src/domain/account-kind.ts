import { type AgentTask, type KnownAutomation, knownBots, knownUserAutomation, toolOf } from './known-automation.ts';
import type { AccountKind, PersonRef } from './pull-request.ts';

export interface HostAccount {
  /** A mannequin is the placeholder of a person after an import. */
  readonly type: 'user' | 'bot' | 'mannequin' | 'organization';
  readonly login: string;
  /** The host's numeric id; null where the API didn't tell it, and of a host whose ids are not those of the list. */
  readonly hostId: number | null;
}

const botSuffix = /\[bot\]$/i;

const byId = new Map<number, KnownAutomation>();
const byLogin = new Map<string, KnownAutomation>();
for (const known of knownBots) {
  if (known.hostId !== null) byId.set(known.hostId, known);
  for (const login of known.logins) {
    if (!byLogin.has(login.toLowerCase())) byLogin.set(login.toLowerCase(), known);
  }
}
const userAutomation = new Map(
  knownUserAutomation.map((known) => [known.login.toLowerCase(), { ...known, logins: [known.login] }]),
);

/**
 * Who an account is (docs/server.md#accounts-and-their-kinds). Null is a deleted account. A bot is an agent when the list of
 * known automation says so, else a bot; a user is a person unless the list of such users says otherwise. What the team itself says
 * of an account stands before this and is stored beside it.
 */
export function accountKind(account: HostAccount | null): AccountKind {
  if (account === null) return 'ghost';
  const login = account.login.toLowerCase();
  if (login === 'ghost') return 'ghost';
  if (account.type === 'bot') {
    const known =
      (account.hostId === null ? undefined : byId.get(account.hostId)) ?? byLogin.get(login.replace(botSuffix, ''));
    return known?.kind ?? 'bot';
  }
  if (account.type !== 'user') return 'human';
  return userAutomation.get(login)?.kind ?? 'human';
}

/**
 * The tool that an agent's account stands for, and what the list of known automation says that it does, also after a rename where the list
 * has its id; one that only the team calls an agent is a tool of its own name, of which nobody says what it does (null). `knownIds`: whether
 * the host's ids are those of the list.
 */
export function agentOf(
  { id, login }: Pick<PersonRef, 'id' | 'login'>,
  knownIds: boolean,
): { tool: string; does: AgentTask | null } {
  const own = login.toLowerCase().replace(botSuffix, '');
  const isBot = botSuffix.test(login);
  const known = (knownIds ? byId.get(Number(id)) : undefined) ?? (isBot ? byLogin.get(own) : userAutomation.get(own));
  if (known?.kind !== 'agent') return { tool: own, does: null };
  return { tool: toolOf(known), does: known.does };
}

/** Whether a commit is a bot's by its git author: the name, or the address before the @, ends in `[bot]`. */
export function isBotGitAuthor(name: string | null, email: string | null): boolean {
  const beforeAt = email?.split('@', 1)[0] ?? '';
  return botSuffix.test(name?.trim() ?? '') || botSuffix.test(beforeAt.trim());
}
