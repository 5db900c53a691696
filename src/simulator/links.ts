import type { AccountState, TeamState } from './state/account.ts';
import type { CommentState, InlineState, PullState, RepositoryState, ReviewRecord } from './state/pull-request.ts';
import { fullName } from './state/repository.ts';

/** Addresses of pages on the host; `url` is its own address. */
export const links = {
  account: (url: string, account: AccountState) =>
    account.typeName === 'Bot' ? `${url}/apps/${account.login.replace(/\[bot\]$/, '')}` : `${url}/${account.login}`,
  avatar: (url: string, account: AccountState) => account.avatarUrl ?? `${url}/avatars/${account.id}`,
  team: (url: string, team: TeamState) => `${url}/orgs/${team.organization}/teams/${team.slug}`,
  repository: (url: string, repository: RepositoryState) => `${url}/${fullName(repository)}`,
  pull: (url: string, pull: PullState) => `${url}/${fullName(pull.repository)}/pull/${pull.number}`,
  review: (url: string, review: ReviewRecord) => `${links.pull(url, review.pull)}#pullrequestreview-${review.id}`,
  comment: (url: string, comment: CommentState) => `${links.pull(url, comment.pull)}#issuecomment-${comment.id}`,
  inline: (url: string, comment: InlineState) => `${links.pull(url, comment.thread.pull)}#discussion_r${comment.id}`,
  commit: (url: string, repository: RepositoryState, sha: string) =>
    `${links.repository(url, repository)}/commit/${sha}`,
};

/** How someone stands to a repository (`CommentAuthorAssociation`). */
export function association(repository: RepositoryState, account: AccountState | null): string {
  if (account === null) return 'NONE';
  if (repository.owner === account) return 'OWNER';
  const login = account.login.toLowerCase();
  return repository.admins.has(login) || repository.readers.has(login) ? 'MEMBER' : 'CONTRIBUTOR';
}
