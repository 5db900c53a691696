/**
 * The token for a request. `refused` is null, or the one to which the host has just answered 401: another one is then tried once, the
 * same one says that there is no other. Throws a HostError where the token cannot be renewed now.
 */
export type TokenSource = (refused: string | null) => Promise<string>;

/** What the host gives for a sign-in. */
export interface HostGrant {
  readonly token: string;
  /** Null where a token has permissions instead. */
  readonly scopes: readonly string[] | null;
  /** When the token ends; null where it doesn't. */
  readonly expires_at: Date | null;
  /** What renews it; null where nothing does. */
  readonly refresh_token: string | null;
}

export interface HostOAuth {
  /** An OAuth app is given scopes; a GitHub App has permissions, and reads private repositories where it is installed. */
  readonly kind: 'oauth_app' | 'github_app';
  readonly client_id: string;
  /** The page on which the GitHub App is installed; null for an OAuth app, and where its name is not known. */
  readonly install_url: string | null;
  /** The page on which organisations approve the OAuth app; null for a GitHub App. */
  readonly approval_url: string | null;
  /** `access` says which repositories an OAuth app asks to read; a GitHub App asks for nothing. */
  authorizeUrl(request: {
    state: string;
    code_challenge: string;
    redirect_uri: string;
    access: 'all' | 'public';
  }): string;
  /** @throws HostError `refused` when the host does not accept the code */
  exchange(answer: { code: string; code_verifier: string; redirect_uri: string }): Promise<HostGrant>;
  /**
   * A new pair for a refresh token, which ends at once with the token that came with it.
   * @throws HostError `unauthorized` when the host takes the refresh token no longer
   */
  refresh(refresh_token: string): Promise<HostGrant>;
  /** Ends a token of this app, or all that its person granted to the app; one that has ended already is fine. */
  revoke(what: 'token' | 'grant', token: string): Promise<void>;
}
