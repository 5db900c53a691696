import type { Account, Commit, Entry, PullRequestHistory, RepositoryHistory, Size } from '../history.ts';
import { hashOf, shaOf } from '../random.ts';

/** One-line factories for worlds written by hand. Times are epoch milliseconds. */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function person(login: string, more: Partial<Account> = {}): Account {
  const name = login.replace(/\[bot\]$/, '').replaceAll('-', ' ');
  return { id: hashOf(`account/${login}`), login, type: 'User', name, email: null, avatarUrl: null, ...more };
}

/** A commit of one file by an account's own address. */
export function commit(sha: string, login: string | null, at: number, more: Partial<Commit> = {}): Commit {
  return {
    sha: shaOf(sha),
    account: login,
    authorName: login ?? 'Somebody Else',
    authorEmail: `${(login ?? 'somebody').replace(/\W/g, '')}@mail.example`,
    authoredAt: at,
    committedAt: at,
    message: `Change ${sha}`,
    ...more,
  };
}

export function size(additions: number, deletions: number, ...paths: readonly string[]): Size {
  const files = (paths.length === 0 ? ['src/main.ts'] : paths).map((path, index) => ({
    path,
    additions: index === 0 ? additions : 0,
    deletions: index === 0 ? deletions : 0,
  }));
  return { additions, deletions, files };
}

/** Entries in the order of their times; those of one instant stay in the order given. */
export function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort((one, other) => one.at - other.at);
}

/** A pull request with one commit of 12 lines a minute before it was opened, unless `more` says otherwise. */
export function pull(
  id: number,
  number: number,
  title: string,
  author: string | null,
  createdAt: number,
  entries: readonly Entry[] = [],
  more: Partial<PullRequestHistory> = {},
): PullRequestHistory {
  return {
    id,
    number,
    title,
    author,
    createdAt,
    openedAsDraft: false,
    baseRef: 'main',
    headRef: `change-${number}`,
    bodyLength: 80,
    commits: [commit(`${id}/1`, author, createdAt - MINUTE)],
    size: size(10, 2),
    entries: inOrder(entries),
    ...more,
  };
}

export function repository(
  id: number,
  fullName: string,
  createdAt: number,
  pullRequests: readonly PullRequestHistory[],
  more: Partial<RepositoryHistory> = {},
): RepositoryHistory {
  const [owner = '', name = ''] = fullName.split('/');
  return {
    id,
    owner,
    name,
    private: false,
    archived: false,
    defaultBranch: 'main',
    createdAt,
    readers: [],
    admins: [],
    pullRequests,
    ...more,
  };
}
