import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AccountState } from './state/account.ts';
import type { RepositoryState } from './state/repository.ts';
import type { WorldState } from './state/world-state.ts';

type TokenKind = 'classic' | 'fine-grained' | 'oauth';

/** Who asks, and what they may. */
export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  readonly account: AccountState;
  /** Null for a fine-grained token: it has permissions, no scopes. */
  readonly scopes: readonly string[] | null;
}

/** What `ghp_<login>` holds: everything that a client of this kind could ask for. */
export const ALL_SCOPES: readonly string[] = ['admin:repo_hook', 'read:org', 'read:user', 'repo', 'user:email'];

/** Scopes that others include (GitHub documentation, scopes for OAuth apps). */
const INCLUDED: Record<string, readonly string[]> = {
  repo: ['public_repo', 'repo:status', 'admin:repo_hook', 'write:repo_hook', 'read:repo_hook'],
  'admin:repo_hook': ['write:repo_hook', 'read:repo_hook'],
  'write:repo_hook': ['read:repo_hook'],
  'admin:org': ['write:org', 'read:org'],
  'write:org': ['read:org'],
  user: ['read:user', 'user:email', 'user:follow'],
};

/** Whether the token has one of the scopes, itself or included in another. A fine-grained token always passes. */
export function hasScope(token: Token, ...wanted: readonly string[]): boolean {
  if (token.scopes === null) return true;
  return token.scopes.some((scope) => wanted.includes(scope) || wanted.some((want) => INCLUDED[scope]?.includes(want)));
}

/** Whether the asker may know of the repository: else the host says that there is none. */
export function maySee(token: Token | null, repository: RepositoryState): boolean {
  if (repository.deleted) return false;
  if (!repository.private) return true;
  if (token === null || !hasScope(token, 'repo')) return false;
  const login = token.account.login.toLowerCase();
  return repository.readers.has(login) || repository.admins.has(login) || repository.owner === token.account;
}

/** Whether the asker may manage the repository's webhooks. */
export function mayAdminister(token: Token, repository: RepositoryState): boolean {
  return repository.admins.has(token.account.login.toLowerCase()) || repository.owner === token.account;
}

/**
 * The tokens of the host. Those of the OAuth flow carry their meaning signed with the app's secret, so that they outlive a restart;
 * personal ones can be typed: `ghp_<login>` (every scope), `ghp_<login>_<scope>-<scope>` (these only; `none` for no scope),
 * `github_pat_<login>` (fine-grained).
 */
export class Tokens {
  readonly #secret: string;
  readonly #world: () => WorldState;
  readonly #revoked = new Set<string>();
  readonly #minted = new Map<string, string[]>();
  readonly #authorized = new Set<string>();
  #count = 0;

  constructor(secret: string, world: () => WorldState) {
    this.#secret = secret;
    this.#world = world;
  }

  /** A new OAuth token. The eleventh of an account with the same scopes revokes the oldest (reference, section 5.1). */
  mint(login: string, scopes: readonly string[]): string {
    this.#count += 1;
    const meaning = [login, scopes.join(','), Date.now().toString(36), this.#count].join('|');
    const text = Buffer.from(meaning).toString('base64url');
    const value = `gho_${text}.${this.#sign(text)}`;
    const key = `${login.toLowerCase()}|${[...scopes].sort().join(',')}`;
    const same = [...(this.#minted.get(key) ?? []), value];
    if (same.length > 10) this.revoke(same.shift() ?? '');
    this.#minted.set(key, same);
    return value;
  }

  revoke(value: string): void {
    this.#revoked.add(value);
  }

  /** Revokes every token of an account that was minted here. */
  revokeAllOf(login: string): void {
    for (const [key, values] of this.#minted) {
      if (!key.startsWith(`${login.toLowerCase()}|`)) continue;
      for (const value of values) this.revoke(value);
    }
  }

  /** Marks a token as authorised for single sign-on. */
  authorize(value: string): void {
    this.#authorized.add(value);
  }

  passesSaml(token: Token | null, repository: RepositoryState): boolean {
    return !repository.saml || (token !== null && (token.kind === 'fine-grained' || this.#authorized.has(token.value)));
  }

  /** What a token means, or null for one that is unknown, revoked or whose account is gone. */
  read(value: string): Token | null {
    if (this.#revoked.has(value)) return null;
    if (value.startsWith('gho_')) return this.#readOauth(value);
    if (value.startsWith('github_pat_')) {
      const account = this.#world().accountNamed(value.slice('github_pat_'.length));
      return account === null ? null : { value, kind: 'fine-grained', account, scopes: null };
    }
    if (!value.startsWith('ghp_')) return null;
    const rest = value.slice('ghp_'.length);
    const whole = this.#world().accountNamed(rest);
    if (whole !== null) return { value, kind: 'classic', account: whole, scopes: ALL_SCOPES };
    for (let cut = rest.indexOf('_'); cut > 0; cut = rest.indexOf('_', cut + 1)) {
      const account = this.#world().accountNamed(rest.slice(0, cut));
      if (account === null) continue;
      const scopes = rest
        .slice(cut + 1)
        .split('-')
        .filter((scope) => scope !== '' && scope !== 'none');
      return { value, kind: 'classic', account, scopes };
    }
    return null;
  }

  #readOauth(value: string): Token | null {
    const [text = '', signature = ''] = value.slice('gho_'.length).split('.');
    const wanted = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return null;
    const [login = '', scopes = ''] = Buffer.from(text, 'base64url').toString().split('|');
    const account = this.#world().accountNamed(login);
    if (account === null) return null;
    return { value, kind: 'oauth', account, scopes: scopes === '' ? [] : scopes.split(',') };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url').slice(0, 22);
  }
}
