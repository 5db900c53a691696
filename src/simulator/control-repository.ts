import type { Clock } from './clock.ts';
import { shapes } from './rest/shapes.ts';
import type { AccountState } from './state/account.ts';
import type { RepositoryState } from './state/pull-request.ts';
import type { WorldState } from './state/world-state.ts';
import type { Permission } from './webhooks/payloads.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** What can be changed about a repository; what is left out stays. */
export interface RepositoryChange {
  readonly name?: string;
  readonly owner?: string;
  readonly private?: boolean;
  readonly archived?: boolean;
  readonly deleted?: boolean;
  readonly blocked?: RepositoryState['blocked'];
  readonly saml?: boolean;
  readonly readers?: readonly string[];
  readonly admins?: readonly string[];
  readonly redirect?: boolean;
}

/** Changes a repository and tells its webhooks, also of each collaborator whose rights changed. `redirect: false` takes the old name away from it. Throws for an unknown owner. */
export function changeRepository(
  host: { readonly world: () => WorldState; readonly clock: Clock; readonly webhooks: Webhooks },
  repository: RepositoryState,
  change: RepositoryChange,
  sender: AccountState,
) {
  const world = host.world();
  const lower = (logins: readonly string[]) => new Set(logins.map((login) => login.toLowerCase()));
  const before = {
    owner: repository.owner,
    name: repository.name,
    private: repository.private,
    archived: repository.archived,
    rights: rightsIn(repository),
  };
  repository.blocked = change.blocked === undefined ? repository.blocked : change.blocked;
  repository.saml = change.saml ?? repository.saml;
  if (change.readers !== undefined) repository.readers = lower(change.readers);
  if (change.admins !== undefined) repository.admins = lower(change.admins);
  repository.private = change.private ?? repository.private;
  repository.archived = change.archived ?? repository.archived;
  const owner = change.owner === undefined ? repository.owner : world.account(change.owner);
  if (owner === null) throw new Error('A repository needs an owner.');
  if (owner !== before.owner || (change.name !== undefined && change.name !== before.name)) {
    world.moveRepository(repository, owner, change.name ?? before.name);
    if (change.redirect === false) world.forgetName(before.owner.login, before.name);
  }
  repository.updatedAt = host.clock.now();
  const tell = (action: string, changes: object | null = null) =>
    host.webhooks.deliverRepository(repository, action, sender, shapes('').repository(repository, null), changes);
  if (repository.name !== before.name) tell('renamed', { repository: { name: { from: before.name } } });
  if (repository.owner !== before.owner) {
    tell('transferred', { owner: { from: { organization: { login: before.owner.login, id: before.owner.id } } } });
  }
  if (repository.private !== before.private) tell(repository.private ? 'privatized' : 'publicized');
  if (repository.archived !== before.archived) tell(repository.archived ? 'archived' : 'unarchived');
  const rights = rightsIn(repository);
  for (const login of new Set([...before.rights.keys(), ...rights.keys()])) {
    const [from, to] = [before.rights.get(login) ?? null, rights.get(login) ?? null];
    const member = world.accountNamed(login);
    if (member !== null && from !== to) host.webhooks.deliverCollaborator(repository, { member, from, to }, sender);
  }
  if (change.deleted === true) {
    tell('deleted');
    repository.deleted = true;
  } else if (change.deleted === false) repository.deleted = false;
}

/** What each collaborator may do, by login in lower case. */
function rightsIn({ readers, admins }: RepositoryState): ReadonlyMap<string, Permission> {
  return new Map([
    ...[...readers].map((login) => [login, 'read'] as const),
    ...[...admins].map((login) => [login, 'admin'] as const),
  ]);
}
