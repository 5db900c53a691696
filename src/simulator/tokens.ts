import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountState } from './state/account.ts';
import type { RepositoryState } from './state/pull-request.ts';
import type { WorldState } from './state/world-state.ts';

/** `app`: in a person's name by a GitHub App. */
type TokenKind = 'classic' | 'fine-grained' | 'oauth' | 'app';

type MintedKind = Extract<TokenKind, 'oauth' | 'app'>;

export interface Permissions {
  readonly actions: boolean;
  readonly contents: boolean;
  /** Of organisations: who belongs to them and to their teams. */
  readonly members: boolean;
  readonly pull_requests: boolean;
}

/** Who asks, and what they may. */
export interface Token {
  readonly value: string;
  readonly kind: TokenKind;
  readonly account: AccountState;
  /** Null for a fine-grained token and an App's: they have permissions, no scopes. */
  readonly scopes: readonly string[] | null;
  /** What a fine-grained token or an App's may beside reading metadata; absent for one with scopes. */
  readonly permissions?: Permissions;
  /** Whether the App is installed on the repository: an App's token reads private ones only there. */
  readonly installedOn?: (repository: RepositoryState) => boolean;
}

/** What a sign-in gives: a token, and where it expires the one that renews it. */
export interface Grant {
  readonly access_token: string;
  readonly scopes: readonly string[];
  readonly refresh_token: string | null;
}

/** GitHub documentation, refreshing user access tokens: eight hours, and six months for the one that renews it. In seconds. */
export const TOKEN_LIFE = 28_800;
export const REFRESH_LIFE = 15_811_200;

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
  if (token.installedOn?.(repository) === false) return false;
  if (token.account.visitor) return true;
  const login = token.account.login.toLowerCase();
  return repository.readers.has(login) || repository.admins.has(login) || repository.owner === token.account;
}

/**
 * Whether the token may read workflow runs: of a public repository anybody's, of a private one those with `repo`, and those with
 * permissions where Actions is among them (GitHub documentation, REST: workflow runs).
 */
export function mayReadActions(token: Token | null, repository: RepositoryState): boolean {
  return !repository.private || (token !== null && (token.permissions === undefined || token.permissions.actions));
}

/**
 * Whether the token may read pull requests: of a public repository anybody's, of a private one those with `repo`, and those with permissions
 * where they are among them (GitHub documentation, permissions required for fine-grained personal access tokens).
 */
export function mayReadPullRequests(token: Token | null, repository: RepositoryState): boolean {
  return !repository.private || (token !== null && token.permissions?.pull_requests !== false);
}

/** Whether the token may read commits and branches, as `mayReadPullRequests` says of pull requests. */
export function mayReadContents(token: Token | null, repository: RepositoryState): boolean {
  return !repository.private || (token !== null && token.permissions?.contents !== false);
}

/** In the words of the host, to a token that lacks a permission. */
export function notAccessibleBy(token: Token | null): string {
  return `Resource not accessible by ${token?.kind === 'app' ? 'integration' : 'personal access token'}`;
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
  readonly #refresh = new Map<string, { login: string; kind: MintedKind; until: number; grant: Grant }>();
  readonly #now: () => number;
  /** What each account granted to the OAuth app last, by login in lower case. */
  readonly granted = new Map<string, readonly string[]>();
  /** Where the GitHub App is installed. */
  installedOn: (repository: RepositoryState) => boolean = () => true;
  /** Of all fine-grained tokens and the App's. */
  permissions: Permissions = { actions: false, contents: true, members: true, pull_requests: true };
  #count = 0;

  constructor(secret: string, world: () => WorldState, now: () => number) {
    this.#secret = secret;
    this.#world = world;
    this.#now = now;
  }

  /**
   * A new token of the OAuth app or of the GitHub App; `lives` in seconds, null for ever. The eleventh of an account with the
   * same scopes revokes the oldest (GitHub documentation, authorizing OAuth apps).
   */
  mint(
    login: string,
    scopes: readonly string[],
    { kind = 'oauth', lives = null }: { kind?: MintedKind; lives?: number | null } = {},
  ): string {
    this.#count += 1;
    const expires = lives === null ? '' : this.#now() + lives * 1000;
    const meaning = [login, scopes.join(','), Date.now().toString(36), this.#count, expires].join('|');
    const text = Buffer.from(meaning).toString('base64url');
    const value = `${kind === 'app' ? 'ghu' : 'gho'}_${text}.${this.#sign(text)}`;
    const key = `${login.toLowerCase()}|${[...scopes].sort().join(',')}`;
    const same = [...(this.#minted.get(key) ?? []), value];
    if (same.length > 10) this.revoke(same.shift() ?? '');
    this.#minted.set(key, same);
    return value;
  }

  /** What a sign-in gives: an `expiring` token ends after eight hours and comes with one that renews it. */
  grant(login: string, scopes: readonly string[], kind: MintedKind, expiring: boolean): Grant {
    const access_token = this.mint(login, scopes, { kind, lives: expiring ? TOKEN_LIFE : null });
    const refresh_token = expiring ? `ghr_${randomBytes(24).toString('base64url')}` : null;
    const grant = { access_token, scopes, refresh_token };
    if (refresh_token !== null)
      this.#refresh.set(refresh_token, { login, kind, until: this.#now() + REFRESH_LIFE * 1000, grant });
    return grant;
  }

  /** A new pair for a refresh token; it and the token that came with it end at once. Null when it is unknown, used or too old. */
  refresh(refresh_token: string): Grant | null {
    const known = this.#refresh.get(refresh_token);
    if (known === undefined || known.until <= this.#now() || this.#world().accountNamed(known.login) === null)
      return null;
    this.#refresh.delete(refresh_token);
    this.#revoked.add(known.grant.access_token);
    return this.grant(known.login, known.grant.scopes, known.kind, true);
  }

  /** The token ends before its time; what renews it stays good. */
  expire(value: string): void {
    this.#revoked.add(value);
  }

  /** Ends a token, and what renews it: whether GitHub ends that too is not documented. */
  revoke(value: string): void {
    this.#revoked.add(value);
    for (const [refresh_token, { grant }] of this.#refresh)
      if (grant.access_token === value) this.#refresh.delete(refresh_token);
  }

  /** Every token of an account that was minted here. */
  mintedFor(login: string): readonly string[] {
    return [...this.#minted]
      .filter(([key]) => key.startsWith(`${login.toLowerCase()}|`))
      .flatMap(([, values]) => values);
  }

  /** Revokes every token of an account that was minted here, with what it granted. */
  revokeAllOf(login: string): void {
    for (const value of this.mintedFor(login)) this.revoke(value);
    this.granted.delete(login.toLowerCase());
  }

  /** Marks a token as authorised for single sign-on. */
  authorize(value: string): void {
    this.#authorized.add(value);
  }

  passesSaml(token: Token | null, repository: RepositoryState): boolean {
    return (
      !repository.saml ||
      (token !== null && (['fine-grained', 'app'].includes(token.kind) || this.#authorized.has(token.value)))
    );
  }

  /** What a token means, or null for one that is unknown, revoked or whose account is gone. */
  read(value: string): Token | null {
    if (this.#revoked.has(value)) return null;
    if (/^gh[ou]_/.test(value)) return this.#readMinted(value);
    if (value.startsWith('github_pat_')) {
      const account = this.#world().accountNamed(value.slice('github_pat_'.length));
      const { permissions } = this;
      return account === null ? null : { value, kind: 'fine-grained', account, scopes: null, permissions };
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

  #readMinted(value: string): Token | null {
    const [text = '', signature = ''] = value.slice('gho_'.length).split('.');
    const wanted = Buffer.from(this.#sign(text));
    const given = Buffer.from(signature);
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return null;
    const [login = '', scopes = '', , , expires = ''] = Buffer.from(text, 'base64url').toString().split('|');
    const account = this.#world().accountNamed(login);
    if (account === null || (expires !== '' && Number(expires) <= this.#now())) return null;
    const { installedOn, permissions } = this;
    if (value.startsWith('ghu_')) return { value, kind: 'app', account, scopes: null, permissions, installedOn };
    return { value, kind: 'oauth', account, scopes: scopes === '' ? [] : scopes.split(',') };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url').slice(0, 22);
  }
}
