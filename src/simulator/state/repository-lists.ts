import { maySee, type Token } from '../tokens.ts';
import type { AccountState } from './account.ts';
import type { RepositoryState } from './pull-request.ts';
import type { WorldState } from './world-state.ts';

export type Affiliation = 'OWNER' | 'COLLABORATOR' | 'ORGANIZATION_MEMBER';

/** When a repository was pushed to or changed last. */
export function lastUpdateOf(repository: RepositoryState): number {
  return Math.max(repository.updatedAt, repository.byUpdate.all().at(-1)?.updatedAt ?? 0);
}

/** How somebody comes to a repository; none of a public one that they have nothing to do with. A visitor is a member everywhere. */
export function affiliationsOf(world: WorldState, account: AccountState, repository: RepositoryState): Affiliation[] {
  if (repository.owner === account) return ['OWNER'];
  if (world.organizations.roleOf(repository.owner, account) !== null) return ['ORGANIZATION_MEMBER'];
  const login = account.login.toLowerCase();
  return repository.readers.has(login) || repository.admins.has(login) ? ['COLLABORATOR'] : [];
}

/**
 * What a token lists of its account's repositories, also what single sign-on keeps closed. An organisation that did not approve the
 * OAuth app is left out without a word (GitHub documentation, OAuth app access restrictions).
 */
export function repositoriesListed(world: WorldState, token: Token): RepositoryState[] {
  const { account } = token;
  return [...world.repositories.values()].filter((repository) => {
    if (!maySee(token, repository)) return false;
    if (affiliationsOf(world, account, repository).length === 0) return false;
    return isApproved(world, token, repository);
  });
}

/** Whether the repository's organisation lets the OAuth app of this token at its content. */
export function isApproved(world: WorldState, token: Token, { owner }: RepositoryState): boolean {
  return token.kind !== 'oauth' || !world.organizations.unapproved.has(owner.login.toLowerCase());
}
