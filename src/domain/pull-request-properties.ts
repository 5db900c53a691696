import type { AccountKind } from './pull-request.ts';

/** `hide` leaves out what has a property, `only` leaves out what has it not. */
export const propertyChoices = ['hide', 'only'] as const;
/** Undefined shows both. */
export type PropertyChoice = (typeof propertyChoices)[number] | undefined;

/**
 * The properties by which lists of pull requests are narrowed; the names are those of the calls and of the addresses of all screens with
 * such a list. `drafts` are drafts now. `bots` are those by a bot. `agents` are those that an AI agent wrote, under its own account or a
 * person's. With `only` at both bots and agents, those of either are shown. Lists hold every author unless told otherwise
 * (docs/product.md#all-pull-requests).
 */
export interface WantedProperties {
  readonly drafts: PropertyChoice;
  readonly bots: PropertyChoice;
  readonly agents: PropertyChoice;
}

/** What a pull request must tell for that; `by_agent` is true of an agent's own, too. */
export interface WithProperties {
  readonly draft: boolean;
  readonly author_kind: AccountKind;
  readonly by_agent: boolean;
}

/** Whether a pull request has what is wanted of it. */
export function hasProperties({ draft, author_kind, by_agent }: WithProperties, wanted: WantedProperties): boolean {
  const byBot = author_kind === 'bot';
  if (wanted.drafts !== undefined && draft !== (wanted.drafts === 'only')) return false;
  if ((wanted.bots === 'hide' && byBot) || (wanted.agents === 'hide' && by_agent)) return false;
  const either = [...(wanted.bots === 'only' ? [byBot] : []), ...(wanted.agents === 'only' ? [by_agent] : [])];
  return either.length === 0 || either.includes(true);
}
