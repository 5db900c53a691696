/** From the most that one may do to the least. */
export type HostRole = 'admin' | 'maintain' | 'write' | 'triage' | 'read';

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export interface HostRepository {
  readonly id: string;
  /** The key by which the host finds it again in one request with others. */
  readonly node_id: string;
  readonly owner: string;
  /** The host's id of the owner's account; null where it does not say. */
  readonly owner_id: string | null;
  readonly name: string;
  readonly url: string;
  readonly private: boolean;
  readonly archived: boolean;
  /** Null where it has none, or the token may not read it. */
  readonly default_branch: string | null;
  /** Null where nobody has pushed yet. */
  readonly pushed_at: Date | null;
  readonly pull_requests: number;
}

/** A repository as a list of the account's own tells it: without its pull requests. */
export interface ListedRepository extends Omit<HostRepository, 'pull_requests'> {
  readonly owner_avatar_url: string | null;
  readonly fork: boolean;
  /** Whether the account may manage its webhooks. */
  readonly is_admin: boolean;
}

/** What a list of repositories leaves out, and what to do about it. */
export interface UnlistedRepositories {
  /** Null where it is not of one owner, or the host does not name them. */
  readonly owner: string | null;
  readonly reason: 'sso' | 'refused' | 'failed';
  readonly message: string;
  readonly link: string | null;
}

export interface RepositoryList {
  readonly repositories: readonly ListedRepository[];
  readonly unlisted: readonly UnlistedRepositories[];
}
