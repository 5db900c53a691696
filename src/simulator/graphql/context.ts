import type { Quota } from '../limits.ts';
import type { WorldState } from '../state/world-state.ts';
import type { Token, Tokens } from '../tokens.ts';
import type { Price } from './cost.ts';

/** What the answers to one GraphQL request may draw on. */
export interface Context {
  readonly world: WorldState;
  readonly token: Token;
  readonly tokens: Tokens;
  /** The host's address without a slash at the end, for links. */
  readonly url: string;
  /** Null where the limit is switched off. */
  readonly quota: Quota | null;
  readonly price: Price;
}
