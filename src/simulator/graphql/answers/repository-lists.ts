import type { AccountState } from '../../state/account.ts';
import type { RepositoryState } from '../../state/pull-request.ts';
import { fullName } from '../../state/repository.ts';
import { type Affiliation, affiliationsOf, lastUpdateOf, repositoriesListed } from '../../state/repository-lists.ts';
import { connectPositions, type PageArgs } from '../connection.ts';
import type { Context } from '../context.ts';
import { HostFailure } from '../failures.ts';
import { refuseWithoutSso } from './repositories.ts';

export interface RepositoriesArgs extends PageArgs {
  readonly affiliations?: readonly Affiliation[] | null;
  readonly ownerAffiliations?: readonly Affiliation[] | null;
  readonly isArchived?: boolean | null;
  readonly isFork?: boolean | null;
  readonly privacy?: 'PUBLIC' | 'PRIVATE' | null;
  readonly orderBy?: { readonly field: string; readonly direction: 'ASC' | 'DESC' } | null;
}

/** Everything that a person is affiliated with, but by default nothing that belongs to organisations (`ownerAffiliations`). */
export function repositoriesOf(account: AccountState, args: RepositoriesArgs, context: Context) {
  const { world, token } = context;
  if (token.account !== account)
    throw new HostFailure('FORBIDDEN', 'Only the repositories of the viewer are listed here.');
  const affiliations = new Set(args.affiliations ?? ['OWNER', 'COLLABORATOR']);
  const owners = new Set(args.ownerAffiliations ?? ['OWNER', 'COLLABORATOR']);
  const kept = repositoriesListed(world, token).filter((repository) => {
    const has = affiliationsOf(world, account, repository);
    return (
      has.some((affiliation) => affiliations.has(affiliation)) &&
      has.some((affiliation) => owners.has(affiliation)) &&
      (args.isArchived == null || repository.archived === args.isArchived) &&
      (args.isFork == null || repository.fork === args.isFork) &&
      (args.privacy == null || repository.private === (args.privacy === 'PRIVATE'))
    );
  });
  return connectPositions(
    kept.sort(orderOf(args.orderBy)).map((repository) => {
      try {
        refuseWithoutSso(repository, context);
        return repository;
      } catch (error) {
        return error;
      }
    }),
    args,
  );
}

function orderOf(order: RepositoriesArgs['orderBy']) {
  const direction = order?.direction === 'DESC' ? -1 : 1;
  const key = (repository: RepositoryState): number | string => {
    switch (order?.field) {
      case 'NAME':
        return fullName(repository).toLowerCase();
      case 'PUSHED_AT':
      case 'UPDATED_AT':
        return lastUpdateOf(repository);
      default:
        return repository.createdAt;
    }
  };
  return (one: RepositoryState, other: RepositoryState) => {
    const [left, right] = [key(one), key(other)];
    return (left < right ? -1 : left > right ? 1 : one.id - other.id) * direction;
  };
}
